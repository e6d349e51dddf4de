internal import CCurl
import Frames

/// What is known of the hop under way.
struct HopState {
  let isProxied: Bool
  let started = MonotonicTime.now
  /// The connection stands and the request goes out.
  var requestSent: MonotonicTime?
  /// Of the last byte that came, or of the last one before the consumer had no room.
  var lastActivity = MonotonicTime.now
  var status: Int?
  var fields = HTTPFields()
  var headerBytes = 0
  /// A final response's header has come; what comes after its body is no part of it.
  var hasHead = false
  /// Where a redirect leads.
  var target: String?
  var isPaused = false
  /// Why the transfer was ended from inside a callback.
  var problem: HTTPProblem?
  /// Why a socket was refused: another address of the same host may do.
  var forbidden: HTTPProblem?
  var lacksDescriptors = false
  /// Of the address that the connection leads to.
  var scope = AddressScope.global
}

extension HopState {
  /// With libcurl's times on the clock of the program: they count from when it took the request, which the callback before the
  /// request is sent places.
  func record(of easy: EasyHandle, url: HTTPURL) -> RequestHop {
    let origin: MonotonicTime =
      if let requestSent, let offset = easy.seconds(CURLINFO_PRETRANSFER_TIME_T) {
        max(started, requestSent.advanced(byMilliseconds: -offset * 1000))
      } else {
        started
      }
    func instant(_ seconds: Double?) -> MonotonicTime? { seconds.map { origin.advanced(byMilliseconds: $0 * 1000) } }
    let isReused = requestSent != nil && easy.newConnections == 0
    let firstByte = headerBytes > 0 ? instant(easy.seconds(CURLINFO_STARTTRANSFER_TIME_T)) ?? lastActivity : nil
    let phases = RequestPhases(
      started: started, nameLookedUp: isReused ? nil : instant(easy.seconds(CURLINFO_NAMELOOKUP_TIME_T)),
      connected: isReused ? nil : instant(easy.seconds(CURLINFO_CONNECT_TIME_T)),
      secured: isReused ? nil : instant(easy.seconds(CURLINFO_APPCONNECT_TIME_T)), requestSent: requestSent,
      firstByte: firstByte, lastByte: firstByte.map { max($0, lastActivity) })
    return RequestHop(
      url: url.description, status: hasHead ? status : nil, peer: easy.peer, isProxied: isProxied, isReused: isReused,
      httpVersion: headerBytes > 0 ? easy.httpVersion : nil, headerBytes: Int64(headerBytes), bodyBytes: easy.bodyBytes,
      phases: phases)
  }
}
