import Frames

/// A session in numbers.
public struct SessionSummary: Sendable, Hashable, Codable {
  /// Media that was shown, s.
  public var playedSeconds: Double
  /// Request of the first segment → playing, s; nil: it never played.
  public var startupSeconds: Double?
  /// Stalls after the first frame.
  public var rebuffers: Int
  public var rebufferSeconds: Double
  /// Rebuffering ÷ (playing + rebuffering), as in Media3.
  public var rebufferRatio: Double
  /// Of the rungs that were shown, weighted by time, bit/s.
  public var meanBitrate: Double
  public var switchesUp: Int
  public var switchesDown: Int
  public var requests: Int
  public var bytesDownloaded: Int
  /// Of abandoned downloads.
  public var bytesWasted: Int
  /// `LinearQuality` of the segments.
  public var qoeLin: Double
  /// Whether the session ended because the network delivered nothing more.
  public var failed: Bool

  /// Segments that were loaded whole are shown.
  init(
    _ requests: [SimulatedSession.Request], stalls: [SimulatedSession.Stall], startup: Double?, table: RungTable,
    failed: Bool
  ) {
    let shown = requests.filter { $0.abandonedFor == nil }
    let rates = shown.map { table.bitrates[$0.rung] }
    let played = shown.reduce(0) { $0 + table.durations[$1.segment] }
    playedSeconds = startup == nil ? 0 : played
    startupSeconds = startup
    rebuffers = stalls.count
    let waiting = stalls.reduce(0) { $0 + $1.seconds }
    rebufferSeconds = waiting
    rebufferRatio = waiting > 0 ? waiting / (played + waiting) : 0
    let bits = zip(shown, rates).reduce(0) { $0 + table.durations[$1.0.segment] * $1.1 }
    meanBitrate = played > 0 ? bits / played : 0
    let changes = zip(rates, rates.dropFirst()).map { $1 - $0 }
    switchesUp = changes.count { $0 > 0 }
    switchesDown = changes.count { $0 < 0 }
    self.requests = requests.count
    bytesDownloaded = requests.reduce(0) { $0 + $1.bytesReceived }
    bytesWasted = requests.reduce(0) { $0 + ($1.abandonedFor == nil ? 0 : $1.bytesReceived) }
    qoeLin = LinearQuality.value(of: rates, rebufferSeconds: waiting)
    self.failed = failed
  }
}
