import Glibc

/// Where the certificates of authorities are: libcurl knows only the place of the system that it was built on.
enum CertificateStore {
  /// The file that `SSL_CERT_FILE` names, else that of the distribution; nil: libcurl's own.
  static var file: String? {
    if let named = getenv("SSL_CERT_FILE").map({ String(cString: $0) }), !named.isEmpty { return named }
    return places.first { access($0, R_OK) == 0 }
  }

  /// Of Debian, Fedora, openSUSE and Alpine.
  private static let places = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
  ]
}
