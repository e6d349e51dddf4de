import Frames

/// One request as the origin saw it: a row of its log. Times are in seconds since the origin's first request.
public struct OriginRequest: Hashable, Sendable {
  /// How the response ended.
  public enum End: String, Sendable, Codable {
    /// All its bytes were accepted by the kernel.
    case complete
    /// The client closed the connection before.
    case closed
    /// A fault ended it before.
    case fault
    /// The file ended before, or could not be read.
    case failed
    /// The origin was stopped before.
    case stopped
  }

  /// Counted from 1 in the order of arrival.
  public var number: Int
  /// Counted from 1 in the order of connecting.
  public var connection: Int
  /// When the request's head had arrived.
  public var time: Double
  public var method: String
  /// Decoded, without the query, which may hold credentials.
  public var path: String
  /// The `Range` field as sent.
  public var range: String?
  /// 0 where no head was sent.
  public var status = 0
  /// Bytes of the body that the kernel accepted.
  public var bytes: Int64 = 0
  /// When the first byte of the head was accepted.
  public var firstByte: Double?
  /// When the last byte that was sent was accepted.
  public var lastByte: Double?
  /// Kinds of the faults that took part; `fault` in the log.
  public var faults: [String]?
  /// What the client told by CMCD (CTA-5004), from the query or from header fields; a key without a value is `true`.
  public var cmcd: [String: String]?
  public var end = End.complete
  /// As `HTTP/1.1`.
  public var version: String
}
