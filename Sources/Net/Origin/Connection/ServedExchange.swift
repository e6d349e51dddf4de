import Frames
import NIOCore
import NIOHTTP1
import NIOPosix

/// One request and its response: looks up the file, applies the faults, waits for the round trip, sends, and logs a row.
///
/// Used on the event loop alone.
final class ServedExchange {
  let head: HTTPRequestHead
  unowned let carrier: any ExchangeCarrier
  let context: ChannelHandlerContext
  let core: OriginCore
  private let arrived = NIODeadline.now()
  private var row: OriginRequest
  private var plan = ResponsePlan(status: 500, reason: "Internal Server Error")
  private var sender: BodySender?
  /// What the carrier had accepted when the head was: the body begins there.
  private var acceptedBefore: Int64?
  /// Bytes of the body whose pieces were accepted whole.
  private var bytesOfPieces: Int64 = 0
  /// The body was sent, or has none, before the head was accepted.
  private var reachedLimitBeforeHead = false
  private var keepsAlive = true
  /// Up to there the body was handed to `sender`.
  private var sentLimit: Int64 = 0
  private(set) var isEnded = false
  /// A fault keeps the client waiting without an end.
  private(set) var isStalledForEver = false

  init(_ head: HTTPRequestHead, on carrier: any ExchangeCarrier, context: ChannelHandlerContext, core: OriginCore) {
    self.head = head
    self.carrier = carrier
    self.context = context
    self.core = core
    core.clock.start(at: arrived)
    row = OriginRequest(
      number: core.nextRequest(), connection: carrier.number, time: microseconds(core.clock.seconds(at: arrived)),
      method: String(head.method.rawValue.prefix(32)), path: "/", range: head.range.map { String($0.prefix(256)) },
      version: head.version.major == 2 ? "HTTP/2" : "HTTP/\(head.version.major).\(head.version.minor)")
    keepsAlive = head.isKeepAlive
  }

  // MARK: What to answer

  /// - Parameters:
  ///   - accepted: for a connection's first request, when it was accepted.
  ///   - refusal: the answer, after which the connection ends; nil: what the folder has.
  func start(accepted: NIODeadline?, refusal: ResponsePlan?) {
    let due = arrived + core.delay(ofRequestAt: arrived, accepted: accepted)
    if let refusal {
      keepsAlive = false
      return answer(refusal, faults: [], due: due)
    }
    let target: RequestTarget
    do throws(RequestTarget.Refusal) {
      target = try RequestTarget(head.uri)
    } catch {
      row.path = String(head.uri.prefix { $0 != "?" }.prefix(256))
      let plan =
        error == .malformed
        ? ResponsePlan(status: 400, reason: "Bad Request: the path is malformed")
        : ResponsePlan(status: 403, reason: "Forbidden: the path leads out of the folder")
      return answer(plan, faults: [], due: due)
    }
    row.path = target.path
    row.cmcd = CMCD.keys(query: target.query, fields: head.headers)
    let faults = core.book.faults(path: row.path, at: row.time)
    guard head.method == .GET || head.method == .HEAD else {
      let plan = ResponsePlan(status: 405, reason: "Method Not Allowed", allow: "GET, HEAD")
      return answer(plan, faults: faults, due: due)
    }
    if let live = core.live {
      lookUp(target, in: live, faults: faults, due: due)
    } else {
      lookUp(target, faults: faults, due: due)
    }
  }

  func lookUp(_ target: RequestTarget, faults: [any Fault], due: NIODeadline) {
    let path = target.path
    let wantsFirst = faults.contains { $0.servesFirstVersion }
    if wantsFirst, let first = core.firstVersions[path] {
      return answer(.answer(first, path: path, request: head), faults: faults, due: due)
    }
    let folder = core.folder
    let found = core.pool.runIfActive(eventLoop: context.eventLoop) {
      () -> Result<ServedContent, DocumentRoot.Refusal> in
      do throws(DocumentRoot.Refusal) {
        let file = try folder.open(target)
        let copy = wantsFirst && file.size <= FirstVersions.fileLimit ? try? ServedContent(copying: file) : nil
        return .success(copy ?? ServedContent(file))
      } catch {
        return .failure(error)
      }
    }
    found.assumeIsolated().whenComplete { [weak self] result in
      guard let self, !isEnded else { return }
      switch result {
      case .success(.success(let content)):
        if wantsFirst { core.firstVersions.keep(content, of: path) }
        let content = wantsFirst ? core.firstVersions[path] ?? content : content
        answer(.answer(content, path: path, request: head), faults: faults, due: due)
      case .success(.failure(let refusal)): answer(ResponsePlan(refusal), faults: faults, due: due)
      case .failure: carrier.stop()
      }
    }
  }

  func answer(_ plan: ResponsePlan, faults: [any Fault], due: NIODeadline) {
    self.plan = plan
    // HTTP/1.0 has no chunks: the connection's end is the body's.
    if !plan.releases.isEmpty, head.version == .http1_0 { keepsAlive = false }
    let kinds = faults.filter { $0.apply(to: &self.plan) }.map { type(of: $0).kind }
    row.faults = kinds.isEmpty ? nil : kinds
    guard due > .now() else { return send() }
    context.eventLoop.assumeIsolated().scheduleTask(deadline: due) { [weak self] in
      guard let self, !isEnded else { return }
      send()
    }
  }

  // MARK: Sending it

  /// Bytes of the body that go out: none in answer to HEAD.
  private var bodyBytes: Int64 { head.method == .HEAD ? 0 : plan.bodyBytes }

  private func send() {
    if let accident = plan.accident, accident.after == nil {
      plan.accident = nil
      return happen(accident.stop) { [weak self] in self?.send() }
    }
    if let seconds = plan.headSeconds {
      plan.headSeconds = nil
      guard carrier.sendNextWriteSlowly(seconds: seconds) else {
        return wait(seconds) { [weak self] in self?.send() }
      }
    }
    let written = context.eventLoop.makePromise(of: Void.self)
    written.futureResult.assumeIsolated().whenSuccess { [weak self] in self?.headWasAccepted() }
    context.writeAndFlush(ConnectionHandler.wrapOutboundOut(.head(responseHead)), promise: written)
    let sender = BodySender(
      plan.body, pool: core.pool, loop: context.eventLoop, pieceBytes: carrier.pieceBytes,
      aheadBytes: { [core] in core.aheadBytes },
      write: { [context] piece in
        let accepted = context.eventLoop.makePromise(of: Void.self)
        context.writeAndFlush(ConnectionHandler.wrapOutboundOut(.body(.byteBuffer(piece))), promise: accepted)
        return accepted.futureResult
      },
      onEvent: { [weak self] in self?.react(to: $0) })
    self.sender = sender
    core.bodies += 1
    send(further: limit)
  }

  /// Bytes of the body that may be sent by now.
  private var limit: Int64 {
    let released = plan.releases.isEmpty ? bodyBytes : plan.releases.last { $0.instant <= .now() }?.bytes ?? 0
    return min(plan.accident?.after ?? .max, released, bodyBytes)
  }

  private var responseHead: HTTPResponseHead {
    var fields = plan.fields
    fields.add(name: "Date", value: HTTPDate.text(secondsSince1970: HTTPDate.now + plan.dateOffsetSeconds))
    fields.add(name: "Server", value: "bench360")
    if plan.status != 304, plan.releases.isEmpty {
      fields.add(name: "Content-Length", value: "\(plan.announcedBytes ?? plan.bodyBytes)")
    }
    let isOld = head.version == .http1_0
    if isOld || !keepsAlive, head.version.major < 2 {
      fields.add(name: "Connection", value: keepsAlive ? "keep-alive" : "close")
    }
    return HTTPResponseHead(
      version: isOld ? .http1_0 : .http1_1, status: HTTPResponseStatus(statusCode: plan.status), headers: fields)
  }

  private func headWasAccepted() {
    row.status = plan.status
    row.firstByte = microseconds(core.clock.now)
    row.lastByte = row.firstByte
    acceptedBefore = carrier.acceptedBytes ?? 0
    if reachedLimitBeforeHead { react(to: .reachedLimit) }
  }

  private func react(to event: BodySender.Event) {
    switch event {
    case .sent(let count):
      bytesOfPieces += Int64(count)
      row.lastByte = microseconds(core.clock.now)
    case .failed:
      end(.failed)
      carrier.abort()
    case .reachedLimit:
      guard acceptedBefore != nil else {
        reachedLimitBeforeHead = true
        return
      }
      if sentLimit < limit { return send(further: limit) }
      if sentLimit < bodyBytes, plan.accident?.after != sentLimit,
        let release = plan.releases.first(where: { $0.instant > .now() })
      {
        return resume(at: release.instant)
      }
      guard let accident = plan.accident, let after = accident.after, after <= bodyBytes else {
        end(.complete)
        return carrier.exchangeDidEnd(keepsAlive: keepsAlive)
      }
      plan.accident = nil
      happen(accident.stop) { [weak self] in
        guard let self else { return }
        send(further: limit)
      }
    }
  }

  /// - Parameter resume: called after a stall that ends.
  private func happen(_ stop: ResponsePlan.Stop, resume: @escaping () -> Void) {
    switch stop {
    case .stall(nil):
      isStalledForEver = true
      if carrier.isInputClosed { carrier.abort() }
    case .stall(let seconds?): wait(seconds, resume)
    case .reset:
      end(.fault)
      carrier.reset()
    case .close:
      end(.fault)
      carrier.endEarly()
    }
  }

  /// More of the body is there then.
  private func resume(at instant: NIODeadline) {
    context.eventLoop.assumeIsolated().scheduleTask(deadline: instant) { [weak self] in
      guard let self, !isEnded else { return }
      send(further: limit)
    }
  }

  private func send(further bytes: Int64) {
    sentLimit = bytes
    sender?.send(upTo: bytes)
  }

  func wait(_ seconds: Double, _ resume: @escaping () -> Void) {
    context.eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(Int64(seconds * 1e9))) { [weak self] in
      if self?.isEnded == false { resume() }
    }
  }

  /// Logs the row, once; nothing is sent afterwards, except what is queued.
  func end(_ end: OriginRequest.End) {
    guard !isEnded else { return }
    isEnded = true
    if let sender {
      sender.end()
      core.bodies -= 1
    }
    row.end = isStalledForEver ? .fault : end
    if let acceptedBefore {
      let accepted = carrier.acceptedBytes.map { max(0, $0 - acceptedBefore) } ?? bytesOfPieces
      row.bytes = min(accepted, bodyBytes)
    }
    core.log.add(row)
  }
}

/// Seconds, rounded to what a log tells.
private func microseconds(_ seconds: Double) -> Double { (seconds * 1e6).rounded() / 1e6 }
