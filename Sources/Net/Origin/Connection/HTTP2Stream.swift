import NIOCore
import NIOHTTP1
import NIOHTTP2

/// A stream of HTTP/2, which carries one exchange.
///
/// A request whose head or end does not come for `ConnectionPipeline.idleSeconds` is cancelled. Used on the event loop alone.
final class HTTP2Stream: ChannelInboundHandler, ExchangeCarrier {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// The payload of one frame, as large as every client takes it (RFC 9113, section 4.2).
  let pieceBytes = 16_384
  let number: Int
  private let connection: HTTP2Connection
  private let control: HTTP2StreamControl
  private let core: OriginCore
  private let accepted: NIODeadline?
  private var head: HTTPRequestHead?
  private var exchange: ServedExchange?
  private var hasWholeRequest = false
  private var idle: Scheduled<Void>?
  private var context: ChannelHandlerContext?

  /// - Parameter accepted: for a connection's first stream, when the connection was accepted.
  init(of connection: HTTP2Connection, control: HTTP2StreamControl, core: OriginCore, accepted: NIODeadline?) {
    number = connection.number
    self.connection = connection
    self.control = control
    self.core = core
    self.accepted = accepted
  }

  // MARK: Events of the stream

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    idle = context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(ConnectionPipeline.idleSeconds)) {
      [weak self] in
      if self?.exchange == nil { self?.abort() }
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) { leave() }

  func channelInactive(context: ChannelHandlerContext) {
    leave()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch Self.unwrapInboundIn(data) {
    case .head(let head): self.head = head
    case .body:
      // A body is not wanted, and its end may never come.
      if let head { begin(head, refusal: ResponsePlan(status: 413, reason: "Content Too Large: no body is taken")) }
    case .end:
      hasWholeRequest = true
      if let head { begin(head, refusal: core.isFull ? ResponsePlan(.busy) : nil) }
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // The client gave the stream up, or broke the rules; the stream's end follows.
    if !(error is NIOHTTP2Errors.StreamClosed) { abort() }
  }

  private func begin(_ head: HTTPRequestHead, refusal: ResponsePlan?) {
    guard let context else { return }
    self.head = nil
    idle?.cancel()
    let exchange = ServedExchange(head, on: self, context: context, core: core)
    self.exchange = exchange
    exchange.start(accepted: accepted, refusal: refusal)
  }

  private func leave() {
    guard context != nil else { return }
    end(.closed)
    context = nil
    connection.remove(self)
  }

  /// Logs the request as ended so, unless it has ended.
  func end(_ end: OriginRequest.End) {
    idle?.cancel()
    exchange?.end(end)
    exchange = nil
  }

  // MARK: As what carries the exchange

  /// With its input the connection ends.
  var isInputClosed: Bool { false }

  var acceptedBytes: Int64? { nil }

  func sendNextWriteSlowly(seconds: Double) -> Bool { false }

  func exchangeDidEnd(keepsAlive: Bool) {
    exchange = nil
    endEarly()
  }

  func endEarly() {
    context?.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: nil)
    // The rest of a body that is not wanted (RFC 9113, section 8.1).
    if !hasWholeRequest { control.reset(.noError) }
  }

  func reset() { control.reset(.internalError) }

  func abort() { control.reset(.cancel) }

  func stop() {
    end(.stopped)
    abort()
  }
}
