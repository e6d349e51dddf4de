import NIOCore
import NIOHTTP1
import NIOPosix

/// The requests of a connection, one after the other: each becomes an `Exchange`.
///
/// Ends the connection where a request is not understood, where none comes for `idleSeconds`, and where the client leaves.
/// Used on the event loop alone.
final class ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// A client that sends no complete request for so long is gone, or keeps the connection from others.
  static let idleSeconds: Int64 = 60

  /// Of the connection.
  let number: Int
  let link: LinkHandler
  private let core: OriginCore
  private let accepted: NIODeadline
  private var exchange: Exchange?
  private var head: HTTPRequestHead?
  private var hasServed = false
  /// The client sends no more.
  private(set) var isInputClosed = false
  private var isClosing = false
  private var idle: Scheduled<Void>?
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
      if let head, exchange == nil { begin(head, refusal: nil) }
    case .head, .body: break
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // More bytes behind the malformed ones, whose answer is on its way.
    if error is ByteToMessageDecoderError, exchange != nil { return }
    guard let error = error as? HTTPParserError, context.channel.isActive else { return close() }
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
    if exchange?.isStalledForEver ?? true { close() }
  }

  func channelInactive(context: ChannelHandlerContext) {
    end(.closed)
    context.fireChannelInactive()
  }

  /// Ends the connection at once.
  func stop() {
    end(.stopped)
    close()
  }

  /// - Parameter refusal: the answer, after which the connection ends; nil: what the folder has.
  private func begin(_ head: HTTPRequestHead, refusal: ResponsePlan?) {
    guard let context, !isClosing else { return }
    idle?.cancel()
    self.head = nil
    let exchange = Exchange(head, on: self, context: context, core: core)
    self.exchange = exchange
    exchange.start(accepted: hasServed ? nil : accepted, refusal: refusal)
    hasServed = true
  }

  /// The exchange has sent all that it has to send.
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
    idle = context?.eventLoop.assumeIsolated().scheduleTask(in: .seconds(Self.idleSeconds)) { [weak self] in
      if self?.exchange == nil { self?.close() }
    }
  }

  /// Drops what is queued.
  func close() {
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
  fileprivate var hasBody: Bool {
    headers.contains(name: "Transfer-Encoding") || headers["Content-Length"].contains { $0.trimmingBlanks != "0" }
  }
}
