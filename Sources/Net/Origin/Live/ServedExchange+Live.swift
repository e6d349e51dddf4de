import NIOCore
import NIOHTTP1
import NIOPosix

// Answers of an origin that serves a ladder live.
extension ServedExchange {
  func lookUp(_ target: RequestTarget, in live: LiveLadder, faults: [any Fault], due: NIODeadline) {
    let path = target.path
    let wantsFirst = faults.contains { $0.servesFirstVersion }
    if wantsFirst, let first = core.firstVersions[path] {
      return answer(.answer(first, path: path, request: head), faults: faults, due: due)
    }
    switch live.answer(target.segments.joined(separator: "/"), query: target.query, at: live.now) {
    case .text(let text):
      let content = content(text, in: live)
      if wantsFirst { core.firstVersions.keep(content, of: path) }
      let name = path == "/" + LiveLadder.timePath ? "time.txt" : path
      answer(.answer(content, path: name, request: head), faults: faults, due: due)
    case .later(let time):
      // A timer may come a little early.
      wait(max(0.001, live.options.clock.seconds(until: live.zero + time))) { [weak self] in
        self?.lookUp(target, in: live, faults: faults, due: due)
      }
    case .file(let file): serve(file, in: live, faults, due) { .answer($0, path: path, request: $1) }
    case .multivariant(let file):
      serve(file, in: live, faults, due) { [weak self] content, head in
        guard let self, case .bytes(let bytes) = content.body(0..<content.size) else {
          return ResponsePlan(DocumentRoot.Refusal.missing)
        }
        return .answer(
          self.content(live.multivariant(String(buffer: bytes)), in: live), path: path, request: head)
      }
    case .parts(let pieces): serve(pieces, in: live, path, faults, due)
    case .missing: answer(ResponsePlan(DocumentRoot.Refusal.missing), faults: faults, due: due)
    case .badRequest(let cause):
      answer(ResponsePlan(status: 400, reason: "Bad Request: \(cause)"), faults: faults, due: due)
    }
  }

  private func content(_ text: String, in live: LiveLadder) -> ServedContent {
    let now = live.zero + live.now
    return ServedContent(ByteBuffer(string: text), tag: String(now, radix: 16), modifiedSeconds: now / 1_000_000_000)
  }

  /// A file below the ladder's folder, under the name that the request has.
  private func serve(
    _ file: String, in live: LiveLadder, _ faults: [any Fault], _ due: NIODeadline,
    plan: @escaping (ServedContent, HTTPRequestHead) -> ResponsePlan
  ) {
    load(file, faults, due) { [head] content in plan(content, head) }
  }

  private func serve(
    _ pieces: LivePieces, in live: LiveLadder, _ path: String, _ faults: [any Fault], _ due: NIODeadline
  ) {
    load(pieces.file, faults, due) { [head] content in
      guard case .bytes(let bytes) = content.body(0..<content.size), let parts = pieces.bytes(of: bytes)
      else { return ResponsePlan(DocumentRoot.Refusal.missing) }
      let whole = ServedContent(
        ByteBuffer(bytes: parts.joined()), tag: "live-\(pieces.name)", modifiedSeconds: content.modifiedSeconds)
      var plan = ResponsePlan.answer(whole, path: path, request: head)
      guard plan.status == 200, (pieces.ready.last ?? 0) > live.now else { return plan }
      var sum: Int64 = 0
      plan.releases = zip(parts, pieces.ready).map { part, time in
        sum += Int64(part.count)
        let seconds = live.options.clock.seconds(until: live.zero + time)
        return (.now() + .nanoseconds(Int64(seconds * 1e9)), sum)
      }
      return plan
    }
  }

  /// - Parameter plan: told a copy of the file.
  private func load(
    _ file: String, _ faults: [any Fault], _ due: NIODeadline, plan: @escaping (ServedContent) -> ResponsePlan
  ) {
    guard let target = try? RequestTarget("/" + file) else {
      return answer(ResponsePlan(DocumentRoot.Refusal.missing), faults: faults, due: due)
    }
    let folder = core.folder
    let found = core.pool.runIfActive(eventLoop: context.eventLoop) {
      () -> Result<ServedContent, DocumentRoot.Refusal> in
      do throws(DocumentRoot.Refusal) {
        let file = try folder.open(target)
        guard file.size <= Self.fileLimit, let copy = try? ServedContent(copying: file) else {
          throw .forbidden("it cannot be read")
        }
        return .success(copy)
      } catch {
        return .failure(error)
      }
    }
    found.assumeIsolated().whenComplete { [weak self] result in
      guard let self, !isEnded else { return }
      switch result {
      case .success(.success(let content)): answer(plan(content), faults: faults, due: due)
      case .success(.failure(let refusal)): answer(ResponsePlan(refusal), faults: faults, due: due)
      case .failure: carrier.stop()
      }
    }
  }

  /// Of a segment: it is in memory while it is sent.
  private static var fileLimit: Int64 { 256 << 20 }
}
