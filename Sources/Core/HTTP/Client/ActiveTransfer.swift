internal import CCurl
import Frames

/// A request while libcurl works on it: one hop after the other. The client's thread only.
final class ActiveTransfer {
  let exchange: Exchange
  let easy: EasyHandle
  /// libcurl has the handle.
  var isAttached = false
  let settings: HopSettings
  private var url: HTTPURL
  private var policy: AddressPolicy
  private var hops: [RequestHop] = []
  var hop: HopState

  /// More hops are refused.
  static let redirectLimit = 10
  /// A response's header may have so many bytes.
  static let headerLimit = 256 << 10
  /// More of a redirect's body is not read, nor waited for longer: its connection is given up.
  static let redirectBodyLimit = 64 << 10
  static let redirectBodySeconds = 1.0

  enum HopEnd {
    /// To be prepared and begun again.
    case redirected
    case ended(HTTPProblem?)
  }

  init(_ exchange: Exchange, _ easy: EasyHandle, _ settings: HopSettings) {
    (self.exchange, self.easy, self.settings) = (exchange, easy, settings)
    (url, policy) = (exchange.request.url, exchange.request.policy)
    hop = HopState(isProxied: false)
  }

  var number: Int { exchange.number }
  var request: HTTPRequest { exchange.request }
  var isRedirecting: Bool { hop.target != nil }

  /// Sets the handle up for the URL that is next. A problem: it may not be asked for.
  func prepareHop() -> HTTPProblem? {
    let proxy = settings.options.proxies.proxy(for: url)
    hop = HopState(isProxied: proxy != nil)
    if let scope = writtenScope(ofHost: url.origin.host), !policy.allows(scope) { return forbidden(scope) }
    settings.apply(to: easy, request, url, proxy)
    connectCallbacks()
    return easy.hasFailed ? HTTPProblem(.resources, "out of memory") : nil
  }

  /// Whether the socket or connection may be used; notes the problem where not.
  func allows(_ address: PeerAddress?) -> Bool {
    guard !hop.isProxied else { return true }
    let scope = address?.scope ?? .reserved
    hop.scope = scope
    guard !policy.allows(scope) else { return true }
    hop.forbidden = forbidden(scope, address)
    return false
  }

  private func forbidden(_ scope: AddressScope, _ address: PeerAddress? = nil) -> HTTPProblem {
    let place =
      switch scope {
      case .loopback: "on this machine"
      case .privateUse: "in a private network"
      case .linkLocal: "in the local network segment"
      case .global, .reserved: "at no host's address"
      }
    let shown = address.map { " (\($0))" } ?? ""
    return HTTPProblem(
      .forbiddenAddress,
      "the host '\(url.origin.host)' is \(place)\(shown), which playlists and redirects from other places may not name")
  }

  func resume() {
    guard isAttached else { return }
    hop.isPaused = false
    hop.lastActivity = .now
    bench_curl_resume(easy.pointer)
  }

  // MARK: - The header

  /// The header is complete. False: the body is not wanted.
  func headIsComplete() -> Bool {
    guard let status = hop.status, status >= 200 else { return true }
    hop.hasHead = true
    let head = ResponseHead(status: status, url: url, fields: hop.fields, scope: hop.scope)
    if request.followsRedirects, let place = redirection(head) {
      hop.target = place
      return (head.contentLength ?? .max) <= Int64(Self.redirectBodyLimit)
    }
    hop.problem = contradiction(head)
    guard hop.problem == nil else { return false }
    exchange.begin(head)
    return true
  }

  private func redirection(_ head: ResponseHead) -> String? {
    [301, 302, 303, 307, 308].contains(head.status) ? head.fields["location"] : nil
  }

  /// Why a response cannot be used, by its header alone.
  private func contradiction(_ head: ResponseHead) -> HTTPProblem? {
    if head.status == 206, let range = request.range {
      guard let sent = head.contentRange else {
        return .badResponse("the server did not say which part of the file it sent")
      }
      guard sent.first == range.first, range.last.map({ sent.last <= $0 }) ?? true else {
        return .badResponse("the server sent another part of the file than it was asked for")
      }
    }
    if case .collected(let limit) = exchange.delivery, request.method == .get, (head.contentLength ?? 0) > Int64(limit)
    {
      return .tooLong(limit: Int64(limit))
    }
    return nil
  }

  // MARK: - Its end

  /// libcurl has done with the hop.
  func finishHop(_ result: CURLcode) -> HopEnd {
    closeHop()
    if let problem = hop.problem { return .ended(problem) }
    if let target = hop.target { return follow(target) }
    return .ended(problem(of: result))
  }

  private func follow(_ target: String) -> HopEnd {
    guard hops.count <= Self.redirectLimit else {
      return .ended(HTTPProblem(.redirects, "it is redirected more than \(Self.redirectLimit) times"))
    }
    do {
      let next = try url.resolving(target)
      if url.origin.isSecure, !next.origin.isSecure, !settings.options.redirectsToInsecure {
        return .ended(HTTPProblem(.redirects, "the server redirects from https to http, where others can read along"))
      }
      policy = policy.afterRedirect(from: hop.isProxied ? writtenScope(ofHost: url.origin.host) ?? .global : hop.scope)
      url = next
      return .redirected
    } catch {
      return .ended(HTTPProblem(.redirects, "the server redirects elsewhere: \(error.cause)"))
    }
  }

  private func problem(of result: CURLcode) -> HTTPProblem? {
    if result == CURLE_OK { return nil }
    if let forbidden = hop.forbidden { return forbidden }
    if hop.lacksDescriptors { return HTTPProblem(.resources, "too many open files") }
    return HTTPProblem(
      result, host: url.origin.host, message: easy.errorMessage, systemError: easy.systemError,
      received: easy.bodyBytes,
      expected: hop.fields["content-length"].flatMap { Int64($0) }, isAnswered: hop.headerBytes > 0)
  }

  /// Keeps what is known of the hop, while the handle still tells.
  func closeHop() {
    hops.append(hop.record(of: easy, url: url))
  }

  /// What has become of the request, now that it has ended.
  func record(_ problem: HTTPProblem?) -> RequestRecord {
    Self.record(of: exchange, hops, problem)
  }

  /// Of a request that was never begun.
  static func emptyRecord(of exchange: Exchange, _ problem: HTTPProblem) -> RequestRecord {
    record(of: exchange, [], problem)
  }

  private static func record(of exchange: Exchange, _ hops: [RequestHop], _ problem: HTTPProblem?) -> RequestRecord {
    RequestRecord(
      number: exchange.number, method: exchange.request.method, url: exchange.request.url.description,
      range: exchange.request.range, queued: exchange.queued, ended: .now, hops: hops,
      outcome: problem.map { $0.kind == .cancelled ? .cancelled : .failed } ?? .finished,
      problem: problem?.cause, problemKind: problem?.kind, decodedBytes: exchange.decodedBytes)
  }
}
