import Glibc
import HTTP

/// Options for fetching clips from the network, and for opening what is encrypted.
public struct NetworkOptions: Sendable, Hashable, Codable {
  /// Servers of HTTPS must show a certificate that the system's store vouches for, or the file that `SSL_CERT_FILE` names.
  public var verifiesCertificates = true
  /// Of clips and streams under common encryption.
  public var keys = ContentKeys()

  /// The retries of failed requests for a clip. Streams of segments have their own.
  public var retries = RetryPolicy()

  /// The hosts that the input's URL may lead to: all, unless a document named it.
  public var policy = AddressPolicy.named

  public init() {}

  /// Options of FFmpeg's protocols; a protocol ignores the names that it does not know.
  var protocolOptions: [(name: String, value: String)] {
    let store = getenv("SSL_CERT_FILE").map { String(cString: $0) } ?? ""
    return [("tls_verify", verifiesCertificates ? "1" : "0")] + (store.isEmpty ? [] : [("ca_file", store)])
  }
}
