import Frames

/// What happened to one request, told when it has ended, however it did. Without secrets.
public struct RequestRecord: Sendable, Hashable, Codable {
  public enum Outcome: String, Sendable, Hashable, Codable {
    /// The whole response came; its status may be any.
    case finished
    case failed
    case cancelled
  }

  /// Of the client, in the order in which requests were made, from 0.
  public let number: Int
  public let method: HTTPRequest.Method
  /// As it was asked for, without user, password and query.
  public let url: String
  public let range: HTTPByteRange?
  /// When the caller made it.
  public let queued: MonotonicTime
  /// When it ended.
  public let ended: MonotonicTime
  /// The request of each URL, redirects first. Empty where it ended before the first was sent.
  public let hops: [RequestHop]
  public let outcome: Outcome
  /// Nil where it finished.
  public let problem: String?
  public let problemKind: HTTPProblem.Kind?
  /// Bytes handed to the consumer, after decoding.
  public let decodedBytes: Int64

  /// Of the last response; nil where there was none.
  public var status: Int? { hops.last?.status }
  /// Bytes of bodies received, of redirects too, before decoding.
  public var bodyBytes: Int64 { hops.reduce(0) { $0 + $1.bodyBytes } }
  public var headerBytes: Int64 { hops.reduce(0) { $0 + $1.headerBytes } }
}

/// One request on one connection.
public struct RequestHop: Sendable, Hashable, Codable {
  /// Without user, password and query.
  public let url: String
  /// Nil where no response came.
  public let status: Int?
  /// Of the server, or of the proxy; nil where no connection was made.
  public let peer: String?
  public let isProxied: Bool
  /// The connection was open before this request.
  public let isReused: Bool
  /// `1.1`, `2`; nil where no response came.
  public let httpVersion: String?
  /// Lines of the response's headers. Of HTTP/2 their text, not what compression made of it.
  public let headerBytes: Int64
  /// Bytes of the body received, before decoding.
  public let bodyBytes: Int64
  public let phases: RequestPhases
}

/// Instants of one hop, in this order; nil where it did not come so far, or had nothing to do.
public struct RequestPhases: Sendable, Hashable, Codable {
  /// libcurl took the request over.
  public let started: MonotonicTime
  /// Nil on a reused connection, as the next two.
  public let nameLookedUp: MonotonicTime?
  public let connected: MonotonicTime?
  /// The TLS handshake was done.
  public let secured: MonotonicTime?
  public let requestSent: MonotonicTime?
  /// Of the response's header.
  public let firstByte: MonotonicTime?
  public let lastByte: MonotonicTime?
}
