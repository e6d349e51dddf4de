internal import CCurl
import Frames

/// What every hop of a client is set up with. The client's thread only, but for `options`.
struct HopSettings {
  let options: HTTPClientOptions
  /// Nil: libcurl's own.
  let certificateFile: String?
  /// Cookies and TLS sessions of all transfers; owned by the loop.
  let share: UnsafeMutableRawPointer
  let cookies = CookieCount()

  /// Sets up all but callbacks for one request.
  func apply(to easy: EasyHandle, _ request: HTTPRequest, _ url: HTTPURL, _ proxy: ProxySettings.Proxy?) {
    easy.reset()
    easy.setBasics()
    easy.set(CURLOPT_URL, url.text)
    easy.set(CURLOPT_SHARE, share)
    easy.keepsCookies()
    if cookies.takeExcess() { easy.set(CURLOPT_COOKIELIST, "ALL") }
    easy.set(CURLOPT_USERAGENT, options.userAgent)
    easy.set(CURLOPT_HTTP_VERSION, httpVersion)
    if options.protocolVersion == .http2, !url.origin.isSecure { easy.guardsClearHTTP2() }
    // Above the limit that the loop keeps, with a sentence of its own.
    easy.set(CURLOPT_CONNECTTIMEOUT_MS, Int(saturating: request.timeouts.connect * 1000 + 5000))
    switch request.idleSeconds {
    case nil: break
    // libcurl counts whole seconds: one that is younger than a second would be used.
    case let idle? where idle <= 0: easy.set(CURLOPT_FRESH_CONNECT, 1)
    case let idle?: easy.set(CURLOPT_MAXAGE_CONN, idle)
    }
    easy.setList(CURLOPT_RESOLVE, options.resolutions)
    switch request.method {
    case .get: break
    case .head: easy.asksForHeaderOnly()
    case .post: easy.set(CURLOPT_COPYPOSTFIELDS, request.body)
    }
    if request.acceptsEncoding { easy.set(CURLOPT_ACCEPT_ENCODING, "gzip, deflate") }
    if let range = request.range { easy.set(CURLOPT_RANGE, range.text) }
    let isOther = url.origin != request.url.origin
    easy.setList(CURLOPT_HTTPHEADER, request.fields.lines(forOtherOrigin: isOther))
    if let credentials = url.credentials ?? (isOther ? nil : request.url.credentials) {
      easy.set(user: credentials.user, password: credentials.password)
    }
    easy.set(CURLOPT_PROXY, proxy?.url ?? "")
    if let user = proxy?.user { easy.set(CURLOPT_PROXYUSERNAME, user) }
    if let password = proxy?.password { easy.set(CURLOPT_PROXYPASSWORD, password) }
    setCertificates(easy)
  }

  private func setCertificates(_ easy: EasyHandle) {
    let (peer, host) = options.verifiesCertificates ? (1, 2) : (0, 0)
    easy.set(CURLOPT_SSL_VERIFYPEER, peer)
    easy.set(CURLOPT_SSL_VERIFYHOST, host)
    easy.set(CURLOPT_PROXY_SSL_VERIFYPEER, peer)
    easy.set(CURLOPT_PROXY_SSL_VERIFYHOST, host)
    guard let certificateFile else { return }
    easy.set(CURLOPT_CAINFO, certificateFile)
    easy.set(CURLOPT_PROXY_CAINFO, certificateFile)
  }

  private var httpVersion: Int {
    switch options.protocolVersion {
    case .automatic: CURL_HTTP_VERSION_2TLS
    case .http1: CURL_HTTP_VERSION_1_1
    case .http2: CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE
    }
  }
}

/// How many cookies were set: servers that set ever more of them would fill memory. The client's thread only.
final class CookieCount {
  /// After so many all are forgotten.
  static let limit = 1000
  private var count = 0

  func add() { count += 1 }

  /// Whether there are too many; counting starts again then.
  func takeExcess() -> Bool {
    guard count > Self.limit else { return false }
    count = 0
    return true
  }
}
