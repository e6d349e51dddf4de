/// What one session on the virtual clock did. Times are in seconds since it began; rungs and segments count from 0.
public struct SimulatedSession: Sendable, Hashable, Codable {
  /// What a player does, in the words of Media3's `PlaybackStats`.
  public enum State: String, Sendable, Hashable, Codable {
    case joining, playing, rebuffering, ended, failed
  }

  public struct StateChange: Sendable, Hashable, Codable {
    public var time: Double
    public var state: State
  }

  /// One request of a segment, finished or abandoned.
  public struct Request: Sendable, Hashable, Codable {
    public var segment: Int
    public var rung: Int
    /// Size of the segment.
    public var bytes: Int
    /// As many came.
    public var bytesReceived: Int
    public var requested: Double
    public var firstByte: Double
    public var ended: Double
    /// First byte → end, bit/s.
    public var throughputBps: Double
    /// Media ahead of the playhead when the segment was requested, s.
    public var bufferBefore: Double
    /// And when the request had ended, with the segment if it is whole, s.
    public var bufferAfter: Double
    /// The rung that the download was abandoned for.
    public var abandonedFor: Int?
  }

  /// A span without media: empty buffer → playing again.
  public struct Stall: Sendable, Hashable, Codable {
    public var start: Double
    public var seconds: Double
  }

  public var controller: String
  public var network: String
  public var ladder: String
  public var requests: [Request]
  public var states: [StateChange]
  public var stalls: [Stall]
  public var summary: SessionSummary
}
