import NIOCore
import NIOPosix

/// What all connections of an origin share. Used on its event loop alone.
final class OriginCore {
  /// A further connection takes the place of the one that has been idle for longest; where none is idle it is closed at once. Each response
  /// holds some of its file in memory.
  static let connectionLimit = 512
  /// Responses on streams that are being sent at a time.
  static let bodyLimit = 2048
  /// Bytes that wait for the link on all connections: those of streams that their clients gave up wait too.
  static let queueLimit = 256 << 20

  let folder: DocumentRoot
  /// Nil: the files are served as they are.
  let live: LiveLadder?
  let clock = OriginClock()
  let bottleneck: BottleneckLink?
  let log: AccessLog
  /// Reads files, which may block.
  let pool: NIOThreadPool
  var book: FaultBook
  var firstVersions = FirstVersions()
  /// Responses whose bodies are being sent.
  var bodies = 0

  private let seed: UInt64
  private var handlers: [ObjectIdentifier: any OriginConnection] = [:]
  private var openConnections = 0
  private var connectionCount = 0
  private var requestCount = 0
  private(set) var isStopping = false

  init(
    folder: DocumentRoot, live: LiveLadder?, options: OriginOptions, log: AccessLog, pool: NIOThreadPool,
    loop: any EventLoop
  ) {
    (self.folder, self.live) = (folder, live)
    self.log = log
    self.pool = pool
    let clock = clock
    bottleneck = options.shape.map {
      BottleneckLink(shape: $0, clock: clock, loop: loop, keepsTimes: options.keepsLog)
    }
    book = FaultBook(options.faults)
    seed = options.seed
  }

  /// The number of a new connection; nil where there are too many, or the origin stops.
  func nextConnection(_ channel: any Channel) -> Int? {
    guard !isStopping, openConnections < Self.connectionLimit || closeOldestIdle() else { return nil }
    connectionCount += 1
    openConnections += 1
    channel.closeFuture.assumeIsolated().whenComplete { [weak self] _ in self?.openConnections -= 1 }
    return connectionCount
  }

  /// False where a request is under way on each connection.
  private func closeOldestIdle() -> Bool {
    let idle = handlers.values.compactMap { handler in handler.idleSince.map { (handler, $0) } }
    guard let oldest = idle.min(by: { $0.1 < $1.1 }) else { return false }
    oldest.0.stop()
    return true
  }

  func loss(ofConnection number: Int) -> LossPattern { LossPattern(seed: seed, connection: number) }

  /// Bytes of its file that each response may hold: what the link passes while a tick is late.
  ///
  /// All together hold 64 MiB, unless there are so many responses that the fewest that each may hold are more.
  var aheadBytes: Int {
    let wanted = bottleneck.map { Int($0.shape.peakBitsPerSecond / 8 * BottleneckLink.catchUpSeconds) } ?? 0
    return min(wanted, (64 << 20) / max(1, bodies))
  }

  /// Whether streams of HTTP/2 have used up what a hostile client may take: further ones are answered with 503.
  var isFull: Bool {
    bodies >= Self.bodyLimit || handlers.values.reduce(0) { $0 + $1.queuedBytes } > Self.queueLimit
  }

  /// The number of a new request.
  func nextRequest() -> Int {
    requestCount += 1
    return requestCount
  }

  func add(_ handler: any OriginConnection) { handlers[ObjectIdentifier(handler)] = handler }

  func remove(_ handler: any OriginConnection) { handlers[ObjectIdentifier(handler)] = nil }

  /// Seconds that a response waits before its first byte: a round trip, and another for the handshake of a new connection.
  ///
  /// - Parameter accepted: for a connection's first request, when it was accepted.
  func delay(ofRequestAt instant: NIODeadline, accepted: NIODeadline?) -> TimeAmount {
    guard let shape = bottleneck?.shape else { return .zero }
    let trip = TimeAmount.nanoseconds(Int64(shape.period(at: clock.seconds(at: instant)).roundTrip * 1e9))
    guard let accepted else { return trip }
    return max(trip, trip * 2 - (instant - accepted))
  }

  /// Ends all connections at once; their requests are logged as stopped.
  func stop() {
    isStopping = true
    for handler in Array(handlers.values) { handler.stop() }
  }
}
