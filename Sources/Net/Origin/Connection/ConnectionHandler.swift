import NIOCore
import NIOHTTP1
import NIOPosix

/// The requests of a connection of HTTP/1.1, one after the other: each becomes a `ServedExchange`.
///
/// Ends the connection where a request is not understood, where none comes for `ConnectionPipeline.idleSeconds`, and where
/// the client leaves. Used on the event loop alone.
final class ConnectionHandler: ChannelInboundHandler, OriginConnection, ExchangeCarrier {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  let number: Int
  let pieceBytes = 65_536
  private let link: LinkHandler
  private let core: OriginCore
  private let accepted: NIODeadline
  private var exchange: ServedExchange?
  private var head: HTTPRequestHead?
  private var hasServed = false
  private(set) var isInputClosed = false
  private var isClosing = false
  private var idle: Scheduled<Void>?
  private(set) var idleSince: NIODeadline?
  private var context: ChannelHandlerContext?

  init(number: Int, link: LinkHandler, accepted: NIODeadline, core: OriginCore) {
    self.number = number
    self.link = link
    self.accepted = accepted
    self.core = core
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    core.add(self)
    waitForRequest()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    end(.closed)
    self.context = nil
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch Self.unwrapInboundIn(data) {
    case .head(let head) where exchange == nil:
      self.head = head
      // A body is not wanted, and its end may never come.
      if head.hasBody { begin(head, refusal: ResponsePlan(status: 413, reason: "Content Too Large: no body is taken")) }
    case .end:
      if let head, exchange == nil { begin(head, refusal: head.refusalOfHost) }
    case .head, .body: break
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // More bytes behind the malformed ones, whose answer is on its way.
    if error is ByteToMessageDecoderError, exchange != nil { return }
    guard let error = error as? HTTPParserError, context.channel.isActive else { return abort() }
    guard exchange == nil else { return }
    let isTooLarge = error == .headerOverflow
    let refusal = ResponsePlan(
      status: isTooLarge ? 431 : 400,
      reason: isTooLarge ? "Request Header Fields Too Large" : "Bad Request: it is not HTTP/1.1")
    begin(HTTPRequestHead(version: .http1_1, method: .RAW(value: "-"), uri: "/"), refusal: refusal)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case ChannelEvent.inputClosed? = event as? ChannelEvent else {
      return context.fireUserInboundEventTriggered(event)
    }
    // A client may close its side once it has asked; the answer is still wanted.
    isInputClosed = true
    if exchange?.isStalledForEver ?? true { abort() }
  }

  func channelInactive(context: ChannelHandlerContext) {
    end(.closed)
    context.fireChannelInactive()
  }

  // MARK: As a connection, and as what carries its exchange

  var queuedBytes: Int { link.queuedBytes }

  var acceptedBytes: Int64? { link.acceptedBytes }

  func sendNextWriteSlowly(seconds: Double) -> Bool {
    link.sendNextWriteSlowly(seconds: seconds)
    return true
  }

  func stop() {
    end(.stopped)
    abort()
  }

  /// - Parameter refusal: the answer, after which the connection ends; nil: what the folder has.
  private func begin(_ head: HTTPRequestHead, refusal: ResponsePlan?) {
    guard let context, !isClosing else { return }
    idle?.cancel()
    (idleSince, self.head) = (nil, nil)
    let exchange = ServedExchange(head, on: self, context: context, core: core)
    self.exchange = exchange
    exchange.start(accepted: hasServed ? nil : accepted, refusal: refusal)
    hasServed = true
  }

  func exchangeDidEnd(keepsAlive: Bool) {
    guard let context else { return }
    exchange = nil
    isClosing = !keepsAlive || isInputClosed
    // The next request can arrive within this call, for it may have been read already.
    context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: nil)
    guard exchange == nil else { return }
    if isClosing { context.close(promise: nil) } else { waitForRequest() }
  }

  private func waitForRequest() {
    idle?.cancel()
    idleSince = .now()
    idle = context?.eventLoop.assumeIsolated().scheduleTask(in: .seconds(ConnectionPipeline.idleSeconds)) {
      [weak self] in
      if self?.exchange == nil { self?.abort() }
    }
  }

  func reset() { context?.channel.resetOnceDelivered() }

  /// The end of the connection tells the client that no more comes.
  func endEarly() { abort() }

  /// Drops what is queued.
  func abort() {
    guard let context else { return }
    isClosing = true
    link.discard()
    context.close(promise: nil)
  }

  private func end(_ end: OriginRequest.End) {
    idle?.cancel()
    exchange?.end(end)
    exchange = nil
    core.remove(self)
  }
}

extension HTTPRequestHead {
  /// RFC 9112, section 3.2: HTTP/1.1 has the field `Host`, once.
  fileprivate var refusalOfHost: ResponsePlan? {
    let count = headers["Host"].count
    guard version == .http1_1 ? count != 1 : count > 1 else { return nil }
    return ResponsePlan(
      status: 400, reason: count == 0 ? "Bad Request: it has no Host" : "Bad Request: it has more than one Host")
  }

  fileprivate var hasBody: Bool {
    headers.contains(name: "Transfer-Encoding") || headers["Content-Length"].contains { $0.trimmingBlanks != "0" }
  }
}
