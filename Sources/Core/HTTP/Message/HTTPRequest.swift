/// One request: what is asked for, how long each step may take, and whom it may reach.
public struct HTTPRequest: Sendable, Hashable {
  public enum Method: String, Sendable, Hashable, Codable {
    case get = "GET"
    case head = "HEAD"
    /// Sends `body`; over redirects too, to each place again.
    case post = "POST"
  }

  public var url: HTTPURL
  public var method = Method.get
  /// UTF-8 without NUL that a POST sends.
  public var body = ""
  /// Credentials among them go to the URL's origin only.
  public var fields = HTTPFields()
  public var range: HTTPByteRange?
  public var timeouts = HTTPTimeouts()
  /// The hosts that it may reach. Required: a URL that a document or a server names must not reach all that the user's own may.
  public var policy: AddressPolicy
  /// Offers gzip and deflate, and decodes them. A range is of the encoded bytes then: leave it off with ranges.
  public var acceptsEncoding = false
  public var followsRedirects = true
  /// Connections that lie idle for more whole seconds are closed, and not used; 0: none is used again; nil: as libcurl has it, about
  /// two minutes.
  public var idleSeconds: Int?

  public init(_ url: HTTPURL, _ policy: AddressPolicy) { (self.url, self.policy) = (url, policy) }
}

/// Bytes of a resource, counted from 0, both ends included.
public struct HTTPByteRange: Sendable, Hashable, Codable {
  public let first: Int64
  /// Nil: to the end.
  public let last: Int64?

  /// Nil where the range is empty or negative.
  public init?(first: Int64, last: Int64? = nil) {
    guard first >= 0, last.map({ $0 >= first }) ?? true else { return nil }
    (self.first, self.last) = (first, last)
  }

  /// As `Range` has it, without the unit.
  var text: String { "\(first)-" + (last.map { "\($0)" } ?? "") }
}

/// How long each step of a request may take, in seconds.
public struct HTTPTimeouts: Sendable, Hashable {
  /// Name look-up, connection and TLS together, of each hop.
  public var connect = 15.0
  /// From the request to the end of the response's header, of each hop.
  public var firstByte = 20.0
  /// Without a byte, while the consumer has room for some.
  public var stall = 20.0
  /// All of it, waiting for the consumer included; nil: any time.
  public var whole: Double?

  public init() {}
}
