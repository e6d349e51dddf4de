/// The reason why requests fail while they are retried. A value.
public struct NetworkTrouble: Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable {
    /// No answer comes, or it breaks off.
    case network
    /// An answer came that is of no use, such as 503, or the server is refused.
    case server
  }

  public var kind: Kind
  /// `the server answered 503 Service Unavailable`.
  public var cause: String

  public init(_ kind: Kind, _ cause: String) { (self.kind, self.cause) = (kind, cause) }
}

extension HTTPProblem {
  package var trouble: NetworkTrouble {
    switch kind {
    case .noHost, .noConnection, .proxy, .connectTimeout, .firstByteTimeout, .stall, .wholeTimeout, .lost, .portal:
      NetworkTrouble(.network, cause)
    case .badURL, .badRequest, .forbiddenAddress, .certificate, .tls, .badResponse, .tooLong, .redirects, .status,
      .changed, .cancelled, .resources:
      NetworkTrouble(.server, cause)
    }
  }
}
