/// What holds for all requests of a client.
public struct HTTPClientOptions: Sendable, Hashable {
  /// Servers of HTTPS must show a certificate that the system's store vouches for, or the file that `SSL_CERT_FILE` names.
  public var verifiesCertificates = true
  public var proxies = ProxySettings.environment
  /// A request's own `User-Agent` takes precedence.
  public var userAgent = "bench360"
  public var protocolVersion = ProtocolVersion.automatic
  /// Follows redirects from https to http.
  public var redirectsToInsecure = false
  /// Names that are not looked up, as curl's `--resolve` has them: `name:port:address`.
  public var resolutions: [String] = []
  /// Records that the log holds.
  public var logCapacity = 65_536

  public enum ProtocolVersion: Sendable, Hashable, CaseIterable {
    /// HTTP/2 where a server of HTTPS offers it, else HTTP/1.1.
    case automatic
    case http1
    /// HTTP/2 from the first byte, in clear text too. There libcurl 7.87 and 7.88 open a connection for each request.
    case http2
  }

  public init() {}
}
