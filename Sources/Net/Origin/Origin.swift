import Frames
import Glibc
import NIOCore
import NIOPosix
import Synchronization

/// An HTTP origin that serves a folder or a file over a shaped link, with planted faults, and logs each request.
///
/// One event loop serves all connections, so that one bottleneck is shared to the byte; files are read on threads of their
/// own. It holds some threads and a port until `stop`, which its last reference calls. Any thread, but none of an event
/// loop: the calls block.
public final class Origin: Sendable {
  /// `http://127.0.0.1:43210/`, or with the name of the one file that is served.
  public let url: String
  public let port: Int
  /// The wall clock of the first picture of a live ladder, in nanoseconds since 1970; nil for files as they are.
  public let liveStart: Int64?
  /// The link to its clients; nil: as fast as the machine is.
  public let shape: LinkShape?

  private let group: MultiThreadedEventLoopGroup
  private let pool: NIOThreadPool
  private let listener: any Channel
  private let core: NIOLoopBound<OriginCore>
  private let requests: AccessLog
  private let isStopped = Atomic(false)

  /// Serves what lies at `path`, a folder or a file.
  ///
  /// Throws `.input` where nothing can be served, `.output` for a log that cannot be written, `.usage` for an address that
  /// this machine does not have, and `.failed` for a port that is taken. For live: `.unsupported` for an encrypted ladder.
  public static func start(_ path: String, options: OriginOptions = OriginOptions()) throws(Failure) -> Origin {
    try Origin(DocumentRoot(path), options)
  }

  private init(_ folder: DocumentRoot, _ options: OriginOptions) throws(Failure) {
    let live = try options.live.map { options throws(Failure) in try LiveLadder(folder: folder.root, options) }
    requests = try AccessLog(path: options.logFile, isKept: options.keepsLog)
    (liveStart, shape) = (live?.zero, options.shape)
    let (group, pool) = (MultiThreadedEventLoopGroup(numberOfThreads: 1), NIOThreadPool(numberOfThreads: 2))
    (self.group, self.pool) = (group, pool)
    pool.start()
    let (loop, requests) = (group.next(), requests)
    do {
      core = try loop.submit {
        NIOLoopBound(
          OriginCore(folder: folder, live: live, options: options, log: requests, pool: pool, loop: loop),
          eventLoop: loop)
      }.wait()
      listener = try Self.bootstrap(group, core, options.shape)
        .bind(host: options.address, port: options.port).wait()
    } catch {
      try? pool.syncShutdownGracefully()
      try? group.syncShutdownGracefully()
      throw Self.failure(error, options)
    }
    port = listener.localAddress?.port ?? 0
    let host = options.address.contains(":") ? "[\(options.address)]" : options.address
    url = "http://\(host):\(port)" + escaped(folder.entryPath)
  }

  deinit { shutDown() }

  /// Finished requests so far, in the order of arrival; empty where `OriginOptions.keepsLog` is false.
  public var log: [OriginRequest] { requests.rows }

  /// Seconds of the link's capacity that this machine was too slow to use: 0 for a run that followed its shape.
  public var lostSeconds: Double {
    guard !isStopped.load(ordering: .acquiring) else { return 0 }
    return (try? core.eventLoop.submit { [core] in core.value.bottleneck?.lostSeconds ?? 0 }.wait()) ?? 0
  }

  /// What the link has passed to all clients, heads of responses included, with its times where the log is kept; nothing without a
  /// shape, and once stopped.
  public var passed: LinkPassage {
    guard !isStopped.load(ordering: .acquiring) else { return LinkPassage() }
    return (try? core.eventLoop.submit { [core] in core.value.bottleneck?.passed ?? LinkPassage() }.wait())
      ?? LinkPassage()
  }

  /// Ends all connections at once, closes the port, and writes the log to its end. Later calls do nothing.
  ///
  /// Throws `.output` where lines of the log could not be written; the origin has stopped all the same.
  public func stop() throws(Failure) {
    shutDown()
    try requests.finish()
  }

  private func shutDown() {
    guard !isStopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
    try? listener.close().wait()
    try? core.eventLoop.submit { [core] in core.value.stop() }.wait()
    try? pool.syncShutdownGracefully()
    try? group.syncShutdownGracefully()
  }

  private static func bootstrap(
    _ group: MultiThreadedEventLoopGroup, _ core: NIOLoopBound<OriginCore>, _ shape: LinkShape?
  ) -> ServerBootstrap {
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 256)
      .serverChannelOption(SocketControl.reuseAddress, value: 1)
      .childChannelOption(SocketControl.noDelay, value: 1)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelOption(.writeBufferWaterMark, value: .init(low: 32_768, high: 65_536))
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try ConnectionPipeline.configure(channel, core.value) }
      }
    guard let shape else { return bootstrap }
    return bootstrap.childChannelOption(
      SocketControl.unsentLimit, value: SocketOptionValue(SocketControl.unsentBytes(shape)))
  }

  private static func failure(_ error: any Error, _ options: OriginOptions) -> Failure {
    let attempt = "cannot listen on \(options.address), port \(options.port)"
    switch (error as? IOError)?.errnoCode {
    case EADDRINUSE:
      return Failure(.failed, attempt, cause: "the port is taken", remedy: "choose another --port, or 0 for a free one")
    case EADDRNOTAVAIL:
      return Failure(.usage, attempt, cause: "this machine does not have that address", remedy: "choose one of its own")
    case EACCES:
      return Failure(.usage, attempt, cause: "permission denied", remedy: "choose a port from 1024 on")
    case let code?:
      return Failure(
        .failed, attempt, cause: String(cString: strerror(code)).lowercased(), remedy: "check address and port")
    case nil:
      return Failure(
        .usage, attempt, cause: "'\(options.address)' is no address", remedy: "use one as 127.0.0.1 or ::1")
    }
  }
}

/// A path as URLs have it.
private func escaped(_ path: String) -> String {
  let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
  return path.utf8.map { byte in
    if plain.contains(byte) { return String(UnicodeScalar(byte)) }
    let text = String(byte, radix: 16, uppercase: true)
    return "%" + (text.utf8.count < 2 ? "0" : "") + text
  }.joined()
}
