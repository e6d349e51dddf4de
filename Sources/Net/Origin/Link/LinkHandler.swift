import NIOCore

/// One connection's end of the link: holds the bytes that the HTTP encoder wrote until the bottleneck lets them pass, and
/// counts what the kernel has accepted.
///
/// Stands next to the socket in the pipeline. The promise of a write succeeds once all its bytes are accepted: callers that
/// wait for it queue no more than they choose. Without a bottleneck, and before the first request, all bytes pass at once. Used on the event loop alone.
final class LinkHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  private struct Write {
    var bytes: ByteBuffer
    let promise: EventLoopPromise<Void>?
  }

  /// Bytes that the kernel has accepted since the connection began.
  private(set) var acceptedBytes: Int64 = 0
  /// Bytes that wait for the link.
  private(set) var queuedBytes = 0

  private let bottleneck: BottleneckLink?
  private let loss: LossPattern
  private var queue = CircularBuffer<Write>()
  private var handedBytes: Int64 = 0
  /// A lost packet holds up what follows until that time of the origin's clock.
  private var heldUntil = 0.0
  /// The next write is sent in pieces over so many seconds.
  private var slowSeconds: Double?
  private var isTrickling = false
  private var closing: [EventLoopPromise<Void>?] = []
  private var context: ChannelHandlerContext?

  init(bottleneck: BottleneckLink?, loss: LossPattern) {
    self.bottleneck = bottleneck
    self.loss = loss
  }

  var isEmpty: Bool { queue.isEmpty }

  /// When the connection can send, from that time on; nil where that depends on its client.
  func nextChance(from now: Double) -> Double? {
    guard !queue.isEmpty, !isTrickling, context?.channel.isWritable == true else { return nil }
    return max(now, heldUntil)
  }

  /// The next write, a response's head, is sent in pieces over so many seconds; later writes follow it.
  func sendNextWriteSlowly(seconds: Double) { slowSeconds = seconds }

  /// Drops what waits, so that a close takes effect at once. Its promises fail.
  func discard() {
    let dropped = queue
    queue.removeAll()
    queuedBytes = 0
    bottleneck?.remove(self)
    for write in dropped { write.promise?.fail(ChannelError.ioOnClosedChannel) }
  }

  // MARK: From the encoder

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .byteBuffer(let bytes) = Self.unwrapOutboundIn(data) else {
      promise?.fail(ChannelError.operationUnsupported)
      return
    }
    queuedBytes += bytes.readableBytes
    queue.append(Write(bytes: bytes, promise: promise))
  }

  func flush(context: ChannelHandlerContext) {
    if let seconds = slowSeconds, let head = queue.first {
      slowSeconds = nil
      isTrickling = true
      trickle(pieces: max(1, min(head.bytes.readableBytes, Int(seconds * 20))), seconds: seconds)
      return
    }
    continueSending()
  }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    guard mode != .input, !queue.isEmpty else { return context.close(mode: mode, promise: promise) }
    closing.append(promise)
  }

  // MARK: To the socket

  /// Sends up to `count` queued bytes, which the link has capacity for; how many.
  @discardableResult func send(_ count: Int, at now: Double) -> Int {
    var rest = count
    while rest > 0, heldUntil <= now, !queue.isEmpty {
      var part = rest
      if let bottleneck, bottleneck.shape.hasLoss {
        let packet = Int(handedBytes / Int64(LossPattern.packetBytes))
        let left = LossPattern.packetBytes - Int(handedBytes % Int64(LossPattern.packetBytes))
        part = min(part, left, queue[queue.startIndex].bytes.readableBytes)
        let period = bottleneck.shape.period(at: now)
        if part == left, loss.loses(packet: packet, rate: period.lossRate) { heldUntil = now + period.roundTrip }
      }
      rest -= pass(part)
    }
    passEmptyWrites()
    context?.flush()
    closeIfDrained()
    return count - rest
  }

  private func continueSending() {
    guard !isTrickling else { return }
    guard let bottleneck, bottleneck.hasBegun else {
      send(queuedBytes, at: 0)
      return
    }
    passEmptyWrites()
    context?.flush()
    if !queue.isEmpty { bottleneck.add(self) }
    closeIfDrained()
  }

  /// Hands the first bytes of the queue to the socket; how many, at most `count`.
  private func pass(_ count: Int) -> Int {
    guard let context, !queue.isEmpty else { return 0 }
    let start = queue.startIndex
    let part = min(count, queue[start].bytes.readableBytes)
    guard let bytes = queue[start].bytes.readSlice(length: part) else { return 0 }
    queuedBytes -= part
    handedBytes += Int64(part)
    let promise = queue[start].bytes.readableBytes == 0 ? queue.removeFirst().promise : nil
    let accepted = context.eventLoop.makePromise(of: Void.self)
    accepted.futureResult.assumeIsolated().whenComplete { [self] result in
      if case .success = result { acceptedBytes += Int64(part) }
      promise?.completeWith(result)
    }
    context.write(Self.wrapOutboundOut(.byteBuffer(bytes)), promise: accepted)
    return part
  }

  /// An empty write marks the end of a response: it passes without capacity, in its turn.
  private func passEmptyWrites() {
    while let first = queue.first, first.bytes.readableBytes == 0 { _ = pass(0) }
  }

  private func closeIfDrained() {
    guard queue.isEmpty, !closing.isEmpty, let context else { return }
    let promises = closing
    closing = []
    let closed = context.eventLoop.makePromise(of: Void.self)
    for promise in promises { closed.futureResult.cascade(to: promise) }
    context.close(mode: .all, promise: closed)
  }

  private func trickle(pieces: Int, seconds: Double) {
    guard let context, let head = queue.first, head.bytes.readableBytes > 0 else {
      isTrickling = false
      continueSending()
      return
    }
    _ = pass(max(1, head.bytes.readableBytes / pieces))
    context.flush()
    let pause = seconds / Double(pieces)
    context.eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(Int64(pause * 1e9))) { [weak self] in
      guard let self, isTrickling else { return }
      if pieces > 1 {
        trickle(pieces: pieces - 1, seconds: seconds - pause)
      } else {
        isTrickling = false
        continueSending()
      }
    }
  }

  // MARK: Events of the connection

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) {
    discard()
    self.context = nil
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable, !queue.isEmpty { continueSending() }
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    discard()
    for promise in closing { promise?.succeed() }
    closing = []
    context.fireChannelInactive()
  }
}
