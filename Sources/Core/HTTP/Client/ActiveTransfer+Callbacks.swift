internal import CCurl
import Frames
import Glibc

// What libcurl calls while it works on a transfer.
extension ActiveTransfer {
  /// libcurl keeps the pointer until the handle is reset.
  func connectCallbacks() {
    let pointer = Unmanaged.passUnretained(self).toOpaque()
    for option in [
      CURLOPT_PRIVATE, CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_OPENSOCKETDATA, CURLOPT_PREREQDATA,
    ] {
      easy.set(option, pointer)
    }
    easy.set(CURLOPT_HEADERFUNCTION) { bytes, size, count, transfer in
      guard let transfer, let bytes else { return 0 }
      let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
      return of(transfer).receive(headerLine: line) ? line.count : 0
    }
    easy.set(CURLOPT_WRITEFUNCTION) { bytes, size, count, transfer in
      guard let transfer, let bytes else { return 0 }
      return of(transfer).receive(body: UnsafeRawBufferPointer(start: bytes, count: size * count))
    }
    easy.set(
      socket: { transfer, _, address in
        guard let transfer, let address else { return CURL_SOCKET_BAD }
        return of(transfer).socket(for: address)
      },
      request: { transfer, peer, _, _, _ in
        guard let transfer, let peer else { return Int32(CURL_PREREQFUNC_ABORT) }
        return of(transfer).mayRequest(at: String(cString: peer))
          ? Int32(CURL_PREREQFUNC_OK) : Int32(CURL_PREREQFUNC_ABORT)
      })
  }

  /// A socket that no child process inherits, for an address that the policy allows.
  private func socket(for address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
    guard let place = bench_curl_address(address),
      allows(PeerAddress(place, family: address.pointee.family))
    else { return CURL_SOCKET_BAD }
    let descriptor = Glibc.socket(
      address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
    if descriptor < 0 { hop.lacksDescriptors = errno == EMFILE || errno == ENFILE }
    return descriptor
  }

  /// The last look before a request goes out: the connection may be another transfer's.
  private func mayRequest(at peer: String) -> Bool {
    // libcurl repeats a request whose reused connection ended before an answer. That is for the caller's retries, which are counted.
    guard hop.requestSent == nil else {
      hop.problem = .lost("the server closed the connection without an answer")
      return false
    }
    // The server has reset the connection, so the system has no address for it.
    guard hop.isProxied || !peer.isEmpty else {
      hop.problem = .lost("the server closed the connection before the request")
      return false
    }
    hop.requestSent = .now
    hop.lastActivity = .now
    return allows(PeerAddress(peer))
  }

  /// One line of a response's header, or of what follows its body. False ends the transfer.
  private func receive(headerLine bytes: UnsafeRawBufferPointer) -> Bool {
    hop.lastActivity = .now
    hop.headerBytes += bytes.count
    guard hop.headerBytes <= Self.headerLimit else {
      hop.problem = .badResponse("the server's header is longer than \(Self.headerLimit >> 10) KiB")
      return false
    }
    guard !hop.hasHead else { return true }
    let line = String(decoding: bytes, as: UTF8.self)
    if line.hasPrefix("HTTP/") {
      hop.fields.removeAll()
      hop.status = line.split(separator: " ", maxSplits: 2).dropFirst().first.flatMap {
        Int($0.prefix { !$0.isWhitespace })
      }
      return true
    }
    // A carriage return and a newline are one character.
    if line.allSatisfy(\.isNewline) { return headIsComplete() }
    if let colon = line.firstIndex(of: ":"), !line.hasPrefix(" "), !line.hasPrefix("\t") {
      let value = line[line.index(after: colon)...].drop { $0.isWhitespace }
      if line[..<colon].lowercased() == "set-cookie" { settings.cookies.add() }
      hop.fields.append(received: String(line[..<colon]), String(value.prefix { !$0.isNewline }))
    }
    return true
  }

  /// How many bytes were taken: all of them, or none where the transfer is to end; or libcurl's sign for a pause.
  private func receive(body bytes: UnsafeRawBufferPointer) -> Int {
    hop.lastActivity = .now
    guard !isRedirecting else { return easy.bodyBytes > Int64(Self.redirectBodyLimit) ? 0 : bytes.count }
    switch exchange.receive(bytes) {
    case .taken: return bytes.count
    case .paused:
      hop.isPaused = true
      return bench_curl_pause()
    case .tooLong:
      if case .collected(let limit) = exchange.delivery { hop.problem = .tooLong(limit: Int64(limit)) }
      return 0
    }
  }

  /// A step that has a limit of time.
  enum TimedStep {
    case connect, firstByte, redirect, stall, whole
  }

  /// When the transfer has taken too long, and in which step.
  var deadline: (time: MonotonicTime, step: TimedStep) {
    let (step, start, seconds) = stepLimit
    let time = start.advanced(bySeconds: seconds)
    guard let whole = request.timeouts.whole else { return (time, step) }
    let end = exchange.queued.advanced(bySeconds: whole)
    return end < time ? (end, .whole) : (time, step)
  }

  private var stepLimit: (TimedStep, MonotonicTime, Double) {
    let timeouts = request.timeouts
    guard let sent = hop.requestSent else { return (.connect, hop.started, timeouts.connect) }
    guard hop.hasHead else { return (.firstByte, sent, timeouts.firstByte) }
    if isRedirecting { return (.redirect, hop.lastActivity, Self.redirectBodySeconds) }
    return (.stall, hop.lastActivity, hop.isPaused ? .infinity : timeouts.stall)
  }

  /// Why a transfer ends whose step took too long.
  func problem(of step: TimedStep) -> HTTPProblem {
    let timeouts = request.timeouts
    switch step {
    case .connect:
      let host = hop.isProxied ? "the proxy" : "'\(request.url.origin.host)'"
      return HTTPProblem(
        .connectTimeout, "there was no connection to \(host) within \(shown(timeouts.connect)) s")
    case .firstByte:
      return HTTPProblem(.firstByteTimeout, "the server did not answer within \(shown(timeouts.firstByte)) s")
    case .redirect: return HTTPProblem(.redirects, "the redirect did not end")
    case .stall: return HTTPProblem(.stall, "the server sent nothing for \(shown(timeouts.stall)) s")
    case .whole: return HTTPProblem(.wholeTimeout, "it took longer than \(shown(timeouts.whole ?? 0)) s")
    }
  }
}

/// The transfer that libcurl hands back.
private func of(_ pointer: UnsafeMutableRawPointer) -> ActiveTransfer {
  Unmanaged<ActiveTransfer>.fromOpaque(pointer).takeUnretainedValue()
}

/// Seconds as a sentence has them: `20`, `0.5`.
func shown(_ seconds: Double) -> String {
  seconds == seconds.rounded() ? "\(Int(saturating: seconds))" : "\(seconds)"
}

extension MonotonicTime {
  /// The instant `seconds` later; the last one there is where that lies beyond it.
  fileprivate func advanced(bySeconds seconds: Double) -> MonotonicTime {
    MonotonicTime(nanoseconds: nanoseconds.addingSaturated(Int64(saturating: seconds * 1e9)))
  }
}
