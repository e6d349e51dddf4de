import NIOCore
import NIOHTTP2

/// A connection of HTTP/2: its streams, each of which carries one exchange.
///
/// Ends the connection where HTTP/2 is violated, where no stream is open for `ConnectionPipeline.idleSeconds`, and where the
/// client leaves or closes its side. NIO's limits end it where floods of control frames, resets or malformed streams come. Used on the event
/// loop alone.
final class HTTP2Connection: ChannelInboundHandler, OriginConnection {
  typealias InboundIn = HTTP2Frame

  let number: Int
  private let link: LinkHandler
  private let core: OriginCore
  private let accepted: NIODeadline
  private var streams: [ObjectIdentifier: HTTP2Stream] = [:]
  private var hasServed = false
  private var idle: Scheduled<Void>?
  private(set) var idleSince: NIODeadline?
  private var context: ChannelHandlerContext?

  init(number: Int, link: LinkHandler, accepted: NIODeadline, core: OriginCore) {
    self.number = number
    self.link = link
    self.accepted = accepted
    self.core = core
  }

  var queuedBytes: Int { link.queuedBytes }

  /// Sets up a new stream, or refuses it where there are too many: NIO counts to this limit only once the client has
  /// acknowledged it.
  func open(_ channel: any Channel) throws {
    guard !core.isStopping, streams.count < ConnectionPipeline.streamLimit else {
      return try channel.pipeline.syncOperations.addHandler(HTTP2StreamControl(refuses: true))
    }
    idle?.cancel()
    idleSince = nil
    let control = HTTP2StreamControl(refuses: false)
    let stream = HTTP2Stream(
      of: self, control: control, core: core, accepted: hasServed ? nil : accepted)
    hasServed = true
    streams[ObjectIdentifier(stream)] = stream
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(control)
    try pipeline.addHandler(HTTP2FramePayloadToHTTP1ServerCodec())
    try pipeline.addHandler(stream)
  }

  func remove(_ stream: HTTP2Stream) {
    streams[ObjectIdentifier(stream)] = nil
    guard streams.isEmpty, context != nil else { return }
    waitForStream()
  }

  func stop() {
    for stream in Array(streams.values) { stream.end(.stopped) }
    close()
  }

  // MARK: Events of the connection

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    core.add(self)
    waitForStream()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    idle?.cancel()
    core.remove(self)
    self.context = nil
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // NIO has answered a violation by one stream with its reset; the others go on.
    if error is NIOHTTP2Errors.StreamError { return }
    close()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case ChannelEvent.inputClosed? = event as? ChannelEvent else {
      return context.fireUserInboundEventTriggered(event)
    }
    // It has left: its streams would wait for ever for the windows that it no longer opens.
    close()
  }

  private func waitForStream() {
    idle?.cancel()
    idleSince = .now()
    idle = context?.eventLoop.assumeIsolated().scheduleTask(in: .seconds(ConnectionPipeline.idleSeconds)) {
      [weak self] in
      if self?.streams.isEmpty == true { self?.close() }
    }
  }

  /// Drops what is queued.
  private func close() {
    guard let context else { return }
    link.discard()
    context.close(promise: nil)
  }
}

/// Sends the frames of a stream that HTTP/1.1 does not have. Stands below the codec. Used on the event loop alone.
final class HTTP2StreamControl: ChannelDuplexHandler {
  typealias InboundIn = HTTP2Frame.FramePayload
  typealias OutboundIn = HTTP2Frame.FramePayload
  typealias OutboundOut = HTTP2Frame.FramePayload

  private let refuses: Bool
  private var context: ChannelHandlerContext?

  /// - Parameter refuses: ends the stream as soon as it is open.
  init(refuses: Bool) { self.refuses = refuses }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    if refuses, context.channel.isActive { reset(.refusedStream) }
  }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelActive(context: ChannelHandlerContext) {
    if refuses { reset(.refusedStream) } else { context.fireChannelActive() }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if !refuses { context.fireChannelRead(data) }
  }

  /// Ends the stream at once, behind the bytes sent so far; bodies that wait for the client's window are dropped.
  func reset(_ code: HTTP2ErrorCode) {
    context?.writeAndFlush(Self.wrapOutboundOut(.rstStream(code)), promise: nil)
  }
}
