internal import CCurl
import Frames

/// A URL of `http` or `https`, taken apart by libcurl, without its fragment.
///
/// Its description, and that of everything that holds it, is without user, password and query.
public struct HTTPURL: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// As it is requested: without user and password.
  package let text: String
  public let origin: Origin
  /// The user and password that it held: for its own origin.
  package let credentials: Credentials?

  /// Whom secrets may be told to.
  public struct Origin: Hashable, Sendable {
    public let isSecure: Bool
    /// In lower case; of an IPv6 address without brackets.
    public let host: String
    public let port: Int
  }

  package struct Credentials: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    package let user: String
    package let password: String
    package var description: String { "…" }
    package var customMirror: Mirror { Mirror(self, children: []) }
  }

  /// Longer ones are refused.
  static let byteLimit = 1 << 16

  /// Throws `.badURL` for any other scheme, and where the text is no URL.
  public init(_ text: String) throws(HTTPProblem) { try self.init(reference: text, base: nil) }

  /// A reference as a playlist or a redirect holds it, relative to this URL (RFC 3986, 5.2).
  ///
  /// User and password of this URL are kept for references to the same origin.
  public func resolving(_ reference: String) throws(HTTPProblem) -> HTTPURL {
    let other = try HTTPURL(reference: reference, base: text)
    guard other.credentials == nil, other.origin == origin else { return other }
    return HTTPURL(text: other.text, origin: origin, credentials: credentials)
  }

  private init(text: String, origin: Origin, credentials: Credentials?) {
    (self.text, self.origin, self.credentials) = (text, origin, credentials)
  }

  private init(reference: String, base: String?) throws(HTTPProblem) {
    guard reference.utf8.count <= Self.byteLimit, !reference.utf8.contains(0) else {
      throw HTTPProblem(.badURL, "the URL is too long or has a zero in it")
    }
    guard let url = curl_url() else { throw HTTPProblem(.resources, "out of memory") }
    defer { curl_url_cleanup(url) }
    // Spaces are encoded; libcurl 8 refuses them unless it is told to.
    let flags = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE | CURLU_ALLOW_SPACE)
    if let base { curl_url_set(url, CURLUPART_URL, base, flags) }
    let status = curl_url_set(url, CURLUPART_URL, reference, flags)
    guard status == CURLUE_OK else {
      throw HTTPProblem(
        .badURL, "'\(reference.prefix(200))' is not a URL: \(String(cString: curl_url_strerror(status)).lowercased())")
    }
    func part(_ part: CURLUPart, _ flags: Int32 = 0) -> String? {
      var text: UnsafeMutablePointer<CChar>?
      guard curl_url_get(url, part, &text, UInt32(flags)) == CURLUE_OK, let text else { return nil }
      defer { curl_free(text) }
      return String(cString: text)
    }
    let scheme = part(CURLUPART_SCHEME)?.lowercased() ?? ""
    guard scheme == "http" || scheme == "https" else {
      throw HTTPProblem(.badURL, "the protocol '\(scheme.prefix(40))' is not allowed there, only http and https are")
    }
    let (user, password) = (part(CURLUPART_USER, CURLU_URLDECODE), part(CURLUPART_PASSWORD, CURLU_URLDECODE))
    for secret in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS, CURLUPART_FRAGMENT] {
      curl_url_set(url, secret, nil, 0)
    }
    guard let host = part(CURLUPART_HOST)?.lowercased(), !host.isEmpty,
      let port = part(CURLUPART_PORT, CURLU_DEFAULT_PORT).flatMap({ Int($0) }), let text = part(CURLUPART_URL)
    else { throw HTTPProblem(.badURL, "the URL names no host") }
    let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    self.init(
      text: text, origin: Origin(isSecure: scheme == "https", host: bare, port: port),
      credentials: user == nil && password == nil ? nil : Credentials(user: user ?? "", password: password ?? ""))
  }

  public var description: String { redactingSecrets(ofArgument: text) }
  public var customMirror: Mirror { Mirror(self, children: ["url": description]) }

  /// The path's last name, percent-encoded; empty where it ends with a slash.
  package var lastName: Substring {
    let path = text.prefix { $0 != "?" }
    return path.suffix(from: path.lastIndex(of: "/").map(path.index(after:)) ?? path.endIndex)
  }
}
