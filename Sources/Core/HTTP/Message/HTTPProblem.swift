import Frames
import Glibc

/// Why a request gave no response, or not all of it: the cause and the remedy of a sentence, without secrets.
public struct HTTPProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// The class of a problem, for retries and tests.
  public enum Kind: String, Sendable, Hashable, Codable {
    case badURL = "bad-url"
    case badRequest = "bad-request"
    /// The host's name cannot be resolved.
    case noHost = "no-host"
    /// No connection: refused, or no way there.
    case noConnection = "no-connection"
    case proxy
    /// By `AddressPolicy`.
    case forbiddenAddress = "forbidden-address"
    case certificate
    case tls
    case connectTimeout = "connect-timeout"
    case firstByteTimeout = "first-byte-timeout"
    case stall
    case wholeTimeout = "whole-timeout"
    /// The connection ended in mid-response.
    case lost
    /// The response is no HTTP, or contradicts itself or the request.
    case badResponse = "bad-response"
    case tooLong = "too-long"
    case redirects
    case status
    /// A web page came instead: a network that asks for a login answers so in the server's place.
    case portal
    /// The resource is another one than before.
    case changed
    case cancelled
    /// Out of memory, descriptors or threads.
    case resources
  }

  public let kind: Kind
  /// `the server answered 404 Not Found`.
  public private(set) var cause: String
  /// Of a response that is no success.
  public let status: Int?
  /// Seconds that the server asks to wait.
  public let retryAfter: Double?
  /// The retries gave up, and the same request may still succeed later. False before that.
  public var mayPass = false
  /// The resource is a file of this machine, and the server the program's own.
  private var isOfFile = false

  package init(_ kind: Kind, _ cause: String) {
    (self.kind, self.cause) = (kind, oneLine(cause))
    (status, retryAfter) = (nil, nil)
  }

  /// - Parameter retryAfter: in seconds.
  public init(status: Int, retryAfter: Double? = nil) {
    kind = .status
    cause = "the server answered \(status)" + (Self.reasons[status].map { " " + $0 } ?? "")
    (self.status, self.retryAfter) = (status, retryAfter)
  }

  /// Returns the same problem with `words` and a colon before its cause.
  package func behind(_ words: String) -> HTTPProblem {
    var problem = self
    problem.cause = oneLine("\(words): \(cause)")
    return problem
  }

  /// Returns the same problem of a file of this machine that the program's own server serves.
  package func of(file: String) -> HTTPProblem {
    guard status == 404 else { return self }
    var problem = self
    problem.cause = oneLine("'\(file)' does not exist")
    problem.isOfFile = true
    return problem
  }

  public static let cancelled = HTTPProblem(.cancelled, "it was interrupted")

  /// A resource that is not the one that the earlier bytes are of.
  public static let changed = HTTPProblem(.changed, "it changed on the server while it was read")

  /// A connection that is of no use any more.
  public static func lost(_ cause: String) -> HTTPProblem { HTTPProblem(.lost, cause) }

  /// Bytes are missing at the end of a response.
  public static func truncated(at count: Int64, of total: Int64) -> HTTPProblem {
    HTTPProblem(.lost, "the connection ended after \(count) of \(total) bytes")
  }

  /// A resource of more bytes than its consumer accepts.
  ///
  /// - Parameter resource: as the subject of a sentence about what names it.
  public static func tooLong(limit: Int64, _ resource: String = "it") -> HTTPProblem {
    let shown = limit >= 1 << 20 ? "\(limit >> 20) MiB" : "\(limit) bytes"
    return HTTPProblem(.tooLong, "\(resource) is longer than \(shown)")
  }

  /// A connection that is as bad as one over which nothing comes.
  public static func slow(bytes: Int64, seconds: Double) -> HTTPProblem {
    HTTPProblem(.stall, "the server sent only \(bytes) bytes in \(shown(seconds)) s")
  }

  public static let portal = HTTPProblem(.portal, "a web page came in place of the media")

  /// The network or the whole server is out of order, as opposed to one resource.
  public var isOutage: Bool {
    switch kind {
    case .noHost, .noConnection, .proxy, .tls, .certificate, .portal, .connectTimeout, .firstByteTimeout, .stall, .lost:
      true
    case .status: [502, 503, 504].contains(status ?? 0)
    case .badURL, .badRequest, .forbiddenAddress, .wholeTimeout, .badResponse, .tooLong, .redirects, .changed,
      .cancelled, .resources:
      false
    }
  }

  public static func badResponse(_ cause: String) -> HTTPProblem { HTTPProblem(.badResponse, cause) }

  public var description: String { cause }

  /// The whole sentence. A cancelled request is `.cancelled`, a lack of resources `.failed`, all else `.input`.
  public func failure(_ attempt: String) -> Failure {
    let kind: Failure.Kind =
      switch kind {
      case .cancelled: .cancelled
      case .resources: .failed
      default: .input
      }
    return Failure(kind, attempt, cause: cause, remedy: remedy)
  }

  private var remedy: String? {
    switch kind {
    case .badURL, .badRequest: "check the URL"
    case .noHost: "check the name and the network"
    case .noConnection: "check the URL, the network and whether the server runs"
    case .proxy: "check the proxy's address, or unset http_proxy, https_proxy and all_proxy"
    case .forbiddenAddress: "if you trust it, name that address itself"
    case .certificate: "check the name, set SSL_CERT_FILE to the certificate's authority, or use --insecure"
    case .tls: "the server does not speak HTTPS here, or no version of TLS that this machine accepts"
    case .connectTimeout, .firstByteTimeout, .stall, .wholeTimeout, .lost:
      "check the network, and whether the server answers"
    case .portal: "check the URL, and whether the network asks for a login"
    case .badResponse, .tooLong: "the server is at fault, or something between it and this machine"
    case .redirects: "name the place where the file really is"
    case .status: isOfFile ? "the presentation names files that are not there" : statusRemedy
    case .changed: "open it again"
    case .cancelled: nil
    case .resources: "free memory, or raise the limits of this process (ulimit)"
    }
  }

  private var statusRemedy: String {
    switch status ?? 0 {
    case 401, 403: "check the user, the password and whether the link has expired"
    case 407: "name the proxy's user and password in its URL"
    case 404, 410: "check the URL"
    case 429, 503: "try again later"
    default: "check the URL and the server"
    }
  }

  /// Phrases of RFC 9110, 15: a server's own words are not repeated.
  private static let reasons = [
    300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
    307: "Temporary Redirect", 308: "Permanent Redirect",
    400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
    407: "Proxy Authentication Required", 408: "Request Timeout", 410: "Gone", 416: "Range Not Satisfiable",
    429: "Too Many Requests",
    500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
    504: "Gateway Timeout",
  ]
}
