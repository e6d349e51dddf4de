internal import CCurl
import Frames
import Glibc
import Synchronization

/// The client's thread: libcurl's transfers, their time limits, and the commands of other threads.
final class TransferLoop: @unchecked Sendable {
  enum Command {
    case start(Exchange)
    case cancel(Exchange)
    /// The consumer has made room.
    case resume(Exchange)
    case close
  }

  private struct Inbox {
    var commands: [Command] = []
    var isClosed = false
  }

  private let inbox = Mutex(Inbox())
  private let log: RequestLog
  /// All below by the loop's thread only; but any may wake the handle while the inbox is open, which its lock keeps.
  private let multi: UnsafeMutableRawPointer
  private let settings: HopSettings
  private var active: [Int: ActiveTransfer] = [:]
  /// Handles that can be used again.
  private var spare: [EasyHandle] = []
  private var taken: [Command] = []

  private static let spareLimit = 32
  private static let idleConnections = 32

  /// Nil: out of memory.
  init?(_ options: HTTPClientOptions, _ log: RequestLog) {
    guard let multi = curl_multi_init() else { return nil }
    guard let share = curl_share_init() else {
      curl_multi_cleanup(multi)
      return nil
    }
    bench_curl_share_data(share, CURL_LOCK_DATA_COOKIE)
    bench_curl_share_data(share, CURL_LOCK_DATA_SSL_SESSION)
    bench_curl_set_multi_number(multi, CURLMOPT_MAXCONNECTS, Self.idleConnections)
    (self.multi, self.log) = (multi, log)
    settings = HopSettings(options: options, certificateFile: CertificateStore.file, share: share)
  }

  /// Any thread. After `.close` requests end as cancelled.
  func submit(_ command: Command) {
    let isClosed = inbox.withLock { inbox in
      guard !inbox.isClosed else { return true }
      inbox.commands.append(command)
      curl_multi_wakeup(multi)
      return false
    }
    if isClosed, case .start(let exchange) = command { reject(exchange) }
  }

  private func reject(_ exchange: Exchange) {
    let record = ActiveTransfer.emptyRecord(of: exchange, .cancelled)
    log.add(record)
    exchange.end(.cancelled, record)
  }

  /// The body of the thread; returns after `.close`.
  func run() {
    // OpenSSL writes to sockets that the other side may have closed.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    while obeyCommands() {
      var running: Int32 = 0
      curl_multi_perform(multi, &running)
      finishEnded()
      let wait = endOverdue(.now)
      curl_multi_poll(multi, nil, 0, wait, nil)
    }
    close()
  }

  /// In place of `run`, where no thread could be started.
  func neverRuns() { close() }

  /// False: to be closed.
  private func obeyCommands() -> Bool {
    inbox.withLock { swap(&$0.commands, &taken) }
    defer { taken.removeAll(keepingCapacity: true) }
    for command in taken {
      switch command {
      case .start(let exchange): start(exchange)
      case .cancel(let exchange): end(exchange.number, .cancelled)
      case .resume(let exchange): active[exchange.number]?.resume()
      case .close: return false
      }
    }
    return true
  }

  private func start(_ exchange: Exchange) {
    guard let easy = spare.popLast() ?? EasyHandle() else {
      let problem = HTTPProblem(.resources, "out of memory")
      let record = ActiveTransfer.emptyRecord(of: exchange, problem)
      log.add(record)
      return exchange.end(problem, record)
    }
    let transfer = ActiveTransfer(exchange, easy, settings)
    active[exchange.number] = transfer
    begin(transfer)
  }

  private func begin(_ transfer: ActiveTransfer) {
    if let problem = transfer.prepareHop() { return end(transfer.number, problem) }
    guard curl_multi_add_handle(multi, transfer.easy.pointer) == CURLM_OK else {
      return end(transfer.number, HTTPProblem(.resources, "out of memory"))
    }
    transfer.isAttached = true
  }

  private func finishEnded() {
    var result = CURLE_OK
    while let handle = bench_curl_next_ended(multi, &result) {
      guard let pointer = bench_curl_private(handle) else { continue }
      finish(Unmanaged<ActiveTransfer>.fromOpaque(pointer).takeUnretainedValue(), result)
    }
  }

  private func finish(_ transfer: ActiveTransfer, _ result: CURLcode) {
    detach(transfer)
    switch transfer.finishHop(result) {
    case .redirected: begin(transfer)
    case .ended(let problem): end(transfer.number, problem)
    }
  }

  private func detach(_ transfer: ActiveTransfer) {
    guard transfer.isAttached else { return }
    curl_multi_remove_handle(multi, transfer.easy.pointer)
    transfer.isAttached = false
  }

  /// Ends what has taken too long; milliseconds until the next may have.
  private func endOverdue(_ now: MonotonicTime) -> Int32 {
    var next = now.advanced(byMilliseconds: 60_000)
    var overdue: [ActiveTransfer] = []
    for transfer in active.values {
      let time = transfer.deadline.time
      if time <= now { overdue.append(transfer) } else { next = min(next, time) }
    }
    for transfer in overdue {
      if transfer.isRedirecting {
        // The rest of a redirect's body is not worth waiting for.
        finish(transfer, CURLE_OK)
      } else {
        end(transfer.number, transfer.problem(of: transfer.deadline.step))
      }
    }
    return overdue.isEmpty ? Int32(clamping: Int64(next.milliseconds(since: now).rounded(.up))) : 0
  }

  /// Does nothing for transfers that have ended.
  private func end(_ number: Int, _ problem: HTTPProblem?) {
    guard let transfer = active.removeValue(forKey: number) else { return }
    if transfer.isAttached { transfer.closeHop() }
    detach(transfer)
    let record = transfer.record(problem)
    httpLog.debug(
      "request ended",
      metadata: [
        "number": "\(record.number)", "url": "\(record.url)", "status": "\(record.status ?? 0)",
        "outcome": "\(record.outcome.rawValue)", "problem": "\(record.problem ?? "none")",
        "bytes": "\(record.bodyBytes)",
      ])
    log.add(record)
    transfer.exchange.end(problem, record)
    if spare.count < Self.spareLimit {
      transfer.easy.reset()
      spare.append(transfer.easy)
    }
  }

  private func close() {
    let rest = inbox.withLock { inbox in
      inbox.isClosed = true
      defer { inbox.commands = [] }
      return inbox.commands
    }
    for number in active.keys.sorted() { end(number, .cancelled) }
    for case .start(let exchange) in rest { reject(exchange) }
    spare = []
    curl_multi_cleanup(multi)
    curl_share_cleanup(settings.share)
  }
}
