internal import CCurl
import Frames
import Glibc

/// Which proxy a request goes through, if any. Descriptions name none.
public struct ProxySettings: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// Of `http` and of `https` URLs.
  private let plain: Proxy?
  private let secure: Proxy?
  /// Hosts that are reached without one, as `no_proxy` has them.
  private let exceptions: [String]

  /// One proxy, taken apart by libcurl.
  package struct Proxy: Sendable, Hashable {
    /// Without user and password.
    let url: String
    let user: String?
    let password: String?

    /// Nil where the text is no URL of a proxy. Without a scheme it is one of HTTP.
    init?(_ text: String) {
      guard let url = curl_url() else { return nil }
      defer { curl_url_cleanup(url) }
      let whole = text.contains("://") ? text : "http://" + text
      guard curl_url_set(url, CURLUPART_URL, whole, UInt32(CURLU_NON_SUPPORT_SCHEME)) == CURLUE_OK else { return nil }
      func part(_ part: CURLUPart, _ flags: Int32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(url, part, &text, UInt32(flags)) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
      }
      let scheme = part(CURLUPART_SCHEME) ?? ""
      guard ["http", "https", "socks4", "socks4a", "socks5", "socks5h"].contains(scheme.lowercased()) else {
        return nil
      }
      (user, password) = (part(CURLUPART_USER, CURLU_URLDECODE), part(CURLUPART_PASSWORD, CURLU_URLDECODE))
      for secret in [CURLUPART_USER, CURLUPART_PASSWORD] { curl_url_set(url, secret, nil, 0) }
      guard let text = part(CURLUPART_URL) else { return nil }
      self.url = text
    }
  }

  /// None for any request.
  public static let none = ProxySettings { _ in nil }

  /// As curl reads the environment: `http_proxy` (in lower case only: `HTTP_PROXY` may come from a CGI request), `https_proxy`,
  /// `all_proxy` and `no_proxy`, in either case.
  public static var environment: ProxySettings {
    ProxySettings { name in getenv(name).map { String(cString: $0) } }
  }

  /// - Parameter variable: the value of a variable of the environment; nil where it is not set.
  public init(_ variable: (String) -> String?) {
    func value(_ name: String) -> String? {
      [variable(name), name == "http_proxy" ? nil : variable(name.uppercased())].compactMap { $0 }.first { !$0.isEmpty }
    }
    let all = value("all_proxy")
    plain = (value("http_proxy") ?? all).flatMap(Proxy.init)
    secure = (value("https_proxy") ?? all).flatMap(Proxy.init)
    exceptions = (value("no_proxy") ?? "").lowercased().split { $0 == "," || $0 == " " }.map(String.init)
  }

  /// One proxy for all requests; throws where the text is none.
  public init(url: String) throws(HTTPProblem) {
    guard let proxy = Proxy(url) else { throw HTTPProblem(.proxy, "'\(url.prefix(200))' is not the URL of a proxy") }
    (plain, secure, exceptions) = (proxy, proxy, [])
  }

  /// Nil: directly.
  package func proxy(for url: HTTPURL) -> Proxy? {
    exceptions.contains { Self.covers($0, url.origin) } ? nil : url.origin.isSecure ? secure : plain
  }

  /// `*`, an address, a network as `10.0.0.0/8`, or a name, which stands for what lies below it too.
  private static func covers(_ exception: String, _ origin: HTTPURL.Origin) -> Bool {
    if exception == "*" { return true }
    let address = PeerAddress(origin.host)
    let parts = exception.split(separator: "/", maxSplits: 1)
    if let address, let first = parts.first, let network = PeerAddress(String(first)) {
      guard parts.count == 2 else { return network == address }
      return Int(parts[1]).map { address.hasPrefix(network, bits: $0) } ?? false
    }
    var name = exception[...]
    if let colon = name.lastIndex(of: ":") {
      guard Int(name[name.index(after: colon)...]) == origin.port else { return false }
      name = name[..<colon]
    }
    if name.hasPrefix(".") { name = name.dropFirst() }
    return !name.isEmpty && (origin.host == name || origin.host.hasSuffix("." + name))
  }

  public var description: String { plain == nil && secure == nil ? "direct" : "by proxy" }
  public var customMirror: Mirror { Mirror(self, children: ["route": description]) }
}
