import NIOCore

/// The first bytes of a connection tell its protocol: HTTP/2 with prior knowledge (RFC 9113, section 3.4) or HTTP/1.1.
///
/// Sets up the handlers of that protocol, hands them all bytes and leaves. Ends the connection where too few bytes come for
/// `ConnectionPipeline.idleSeconds`. Used on the event loop alone.
final class ProtocolDetector: ChannelInboundHandler, RemovableChannelHandler, OriginConnection {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// What a client of HTTP/2 sends first.
  private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

  private let core: OriginCore
  private let configure: (_ isHTTP2: Bool) throws -> Void
  private var received = ByteBuffer()
  private var isDecided = false
  private var idle: Scheduled<Void>?
  private var context: ChannelHandlerContext?

  /// - Parameter configure: adds the handlers of the protocol behind this one.
  init(core: OriginCore, configure: @escaping (_ isHTTP2: Bool) throws -> Void) {
    self.core = core
    self.configure = configure
  }

  let queuedBytes = 0
  let idleSince: NIODeadline? = .now()

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    core.add(self)
    idle = context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(ConnectionPipeline.idleSeconds)) {
      [weak self] in
      self?.stop()
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    idle?.cancel()
    core.remove(self)
    self.context = nil
  }

  func stop() { context?.close(promise: nil) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isDecided else { return context.fireChannelRead(data) }
    received.writeImmutableBuffer(Self.unwrapInboundIn(data))
    let isPreface = received.readableBytesView.elementsEqual(Self.preface.prefix(received.readableBytes)) { $0 == $1 }
    let start = received.readableBytesView.prefix(Self.preface.count)
    let isHTTP2 = start.elementsEqual(Self.preface)
    guard isHTTP2 || !isPreface else { return }
    isDecided = true
    do {
      try configure(isHTTP2)
    } catch {
      return context.close(promise: nil)
    }
    context.fireChannelRead(Self.wrapInboundOut(received))
    context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    // No request can follow.
    if !isDecided, case ChannelEvent.inputClosed? = event as? ChannelEvent { return context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }
}
