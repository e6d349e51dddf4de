internal import CCurl
import Glibc

/// One of libcurl's handles with the texts and lists that it refers to. The client's thread only.
final class EasyHandle {
  let pointer: UnsafeMutableRawPointer
  private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  private var lists: [UnsafeMutablePointer<curl_slist>] = []
  /// An option was refused: out of memory.
  private(set) var hasFailed = false

  /// Nil: out of memory.
  init?() {
    guard let pointer = curl_easy_init() else {
      errorText.deallocate()
      return nil
    }
    self.pointer = pointer
  }

  deinit {
    curl_easy_cleanup(pointer)
    freeLists()
    errorText.deallocate()
  }

  /// As new, but for its connections and cookies.
  func reset() {
    curl_easy_reset(pointer)
    freeLists()
    hasFailed = false
    errorText[0] = 0
    note(bench_curl_set_pointer(pointer, CURLOPT_ERRORBUFFER, errorText))
  }

  private func freeLists() {
    for list in lists { curl_slist_free_all(list) }
    lists = []
  }

  private func note(_ status: CURLcode) { hasFailed = hasFailed || status != CURLE_OK }

  func set(_ option: CURLoption, _ number: Int) { note(bench_curl_set_number(pointer, option, number)) }

  func set(_ option: CURLoption, _ text: String) { note(bench_curl_set_text(pointer, option, text)) }

  func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) {
    note(bench_curl_set_pointer(pointer, option, value))
  }

  func set(_ option: CURLoption, _ callback: @escaping curl_write_callback) {
    note(bench_curl_set_data_callback(pointer, option, callback))
  }

  func set(socket: @escaping curl_opensocket_callback, request: @escaping curl_prereq_callback) {
    note(bench_curl_set_socket_callback(pointer, socket))
    note(bench_curl_set_request_callback(pointer, request))
  }

  func set(user: String, password: String) {
    note(bench_curl_use_basic(pointer))
    set(CURLOPT_USERNAME, user)
    set(CURLOPT_PASSWORD, password)
  }

  func keepsCookies() { note(bench_curl_keep_cookies(pointer)) }

  func asksForHeaderOnly() { note(bench_curl_ask_for_header(pointer)) }

  func guardsClearHTTP2() { bench_curl_guard_clear_http2(pointer) }

  func setList(_ option: CURLoption, _ lines: [String]) {
    guard !lines.isEmpty else { return }
    var list: UnsafeMutablePointer<curl_slist>?
    for line in lines {
      guard let longer = curl_slist_append(list, line) else {
        hasFailed = true
        break
      }
      list = longer
    }
    guard let list else { return }
    lists.append(list)
    set(option, UnsafeMutableRawPointer(list))
  }

  /// Only the web, without signals and environment; look-ups do not hold back the end.
  func setBasics() {
    note(bench_curl_allow_only_web(pointer))
    bench_curl_leave_lookups(pointer)
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_NOPROXY, "")
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    // Refused where the handle still has the buffer of a transfer that failed, which will do.
    _ = bench_curl_set_number(pointer, CURLOPT_BUFFERSIZE, 1 << 16)
  }

  /// What libcurl says of the last failure; nil where it says nothing.
  var errorMessage: String? { errorText[0] == 0 ? nil : String(cString: errorText) }

  /// Seconds of the last transfer's own clock; nil where it did not come there.
  func seconds(_ info: CURLINFO) -> Double? {
    let value = bench_curl_large(pointer, info)
    return value > 0 ? Double(value) / 1e6 : nil
  }

  /// The last transfer's body before decoding.
  var bodyBytes: Int64 { bench_curl_large(pointer, CURLINFO_SIZE_DOWNLOAD_T) }

  var newConnections: Int { bench_curl_number(pointer, CURLINFO_NUM_CONNECTS) }

  /// The address that the last transfer was connected to.
  var peer: String? {
    guard let text = bench_curl_text(pointer, CURLINFO_PRIMARY_IP), text.pointee != 0 else { return nil }
    let (address, port) = (String(cString: text), bench_curl_number(pointer, CURLINFO_PRIMARY_PORT))
    return address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
  }

  var httpVersion: String? {
    switch bench_curl_number(pointer, CURLINFO_HTTP_VERSION) {
    case CURL_HTTP_VERSION_1_0: "1.0"
    case CURL_HTTP_VERSION_1_1: "1.1"
    case CURL_HTTP_VERSION_2_0: "2"
    case CURL_HTTP_VERSION_3: "3"
    default: nil
    }
  }

  /// The system's words for why no connection came about; nil where it says nothing.
  var systemError: String? {
    let number = bench_curl_number(pointer, CURLINFO_OS_ERRNO)
    return number == 0 ? nil : String(cString: strerror(Int32(number))).lowercased()
  }
}
