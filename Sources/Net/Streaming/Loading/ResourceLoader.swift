import Adaptation
import Frames
import HTTP

/// A resource of a stream: what is asked for, and for what.
struct StreamResource {
  var kind: StreamRequest.Kind
  var address: StreamAddress
  var range: ByteRange?
  var rung: Int?
  var segment: Int?
  /// Of media, in seconds.
  var seconds: Double?
  /// JSON that is sent with POST; nil: GET.
  var question: String?
  /// The user named it, not the manifest: it may lie anywhere.
  var isNamed = false
  /// The header alone is asked for.
  var isHead = false
  /// Of a segment, for servers.
  var media: Media?
  /// More bytes are refused.
  var byteLimit: Int64
  /// The bytes before this one are here, of the version that `validator` tells.
  var first: Int64 = 0
  var validator: HTTPValidator?

  /// What the player knows of a segment's rung and of what follows; bit/s.
  struct Media {
    var bitrate: Double
    /// Of the highest rung that may be loaded.
    var topBitrate: Double
    /// What the next decision reckons with.
    var throughput: Double?
    /// The segment behind, of the same rung.
    var next: (address: StreamAddress, range: ByteRange?)?
  }
}

extension StreamRequest.Kind {
  fileprivate var noun: String {
    switch self {
    case .manifest, .playlist, .index, .segment, .clock: rawValue
    case .initialization: "initialisation section"
    case .key: "key or licence"
    }
  }
}

/// Why a resource was not loaded.
enum LoadProblem: Error {
  /// The stream is over, or plays elsewhere.
  case stopped
  case abandoned(for: Int)
  case failed(HTTPProblem)
  /// In the middle of what is being shown already.
  case broken(HTTPProblem)

  /// It cannot be played.
  case refused(Failure)

  /// The sentence; nil where nothing is wrong.
  func failure(_ attempt: String) -> Failure? {
    switch self {
    case .failed(let problem), .broken(let problem): problem.failure(attempt)
    case .refused(let failure): failure
    case .stopped, .abandoned: nil
    }
  }
}

/// A resource that was loaded.
struct LoadedResource {
  /// After redirects.
  var address: StreamAddress
  /// Of the last attempt that brought anything.
  var times: TransferTimes
  /// The server's time of day, in whole seconds.
  var date: WallTime?
}

/// Loads one resource after the other, and each again where its request fails, from where that ended.
struct ResourceLoader {
  let transport: any StreamTransport
  let options: StreamOptions
  let log: StreamLog
  /// Media ahead of the picture, in seconds.
  let buffer: @Sendable () -> Double
  /// Nil: servers are told nothing.
  var reporter: CMCDReporter?
  /// Asks to stop once the stream is over, or plays elsewhere.
  let interruption: Interruption
  /// The caller loads something else where a resource cannot be had: then an outage is not outlasted here.
  var hasSubstitutes = false

  /// The same, which stops where this asks to.
  func stopping(by interruption: Interruption) -> ResourceLoader {
    ResourceLoader(
      transport: transport, options: options, log: log, buffer: buffer, reporter: reporter, interruption: interruption,
      hasSubstitutes: hasSubstitutes)
  }

  /// A download is looked at so often, in seconds.
  private static let watchSeconds = 0.05

  /// What a caller does with a resource's bytes.
  struct Uses {
    var take: (UnsafeRawBufferPointer) -> Void
    /// Told of each answer before its bytes.
    var began: (ResourceHead) -> Void = { _ in }
    /// Asked while bytes come: the rung that the download makes way for; nil: go on.
    var abandonment: (SegmentDownload) -> Int? = { _ in nil }
    /// A reader has the beginning: nothing can replace the rest.
    var isBound: () -> Bool = { false }
  }

  /// The whole resource, of at most as many bytes as its limit.
  func bytes(_ resource: StreamResource) throws(LoadProblem) -> (bytes: [UInt8], loaded: LoadedResource) {
    var bytes: [UInt8] = []
    let loaded = try load(resource, Uses(take: { bytes += $0 }))
    return (bytes, loaded)
  }

  /// Hands on a resource's bytes as they come, each once.
  func load(_ resource: StreamResource, _ uses: Uses) throws(LoadProblem) -> LoadedResource {
    var retries = RetryProgress(seed: options.seed)
    var state = Attempt(received: resource.first, validator: resource.validator)
    /// Of the last attempt that brought anything.
    var measured: TransferTimes?
    while true {
      let before = buffer()
      var asked = request(resource, state)
      asked.report = reporter?.report(of: resource, buffer: before)
      let transfer = transport.start(asked)
      let result = Result { () throws(LoadProblem) in try attempt(transfer, resource, &state, &retries, uses) }
      if case .failure = result { transfer.cancel() }
      let times = transfer.times()
      if times.bytes > 0 { measured = times }
      note(resource, state, times, result, before)
      switch result {
      case .success(let address): return LoadedResource(address: address, times: measured ?? times, date: state.date)
      case .failure(.failed(let cause)):
        // What an earlier answer left on the connection: another one may be fine.
        let isLeftOver = cause.kind == .badResponse && times.isReused && times.status == nil
        let problem = isLeftOver ? .lost(cause.cause) : cause
        let decision = retries.decide(
          after: problem, by: options.retries, now: clock, originWasReached: transport.wasReached(resource.address),
          hasSubstitute: hasSubstitutes && !uses.isBound())
        guard case .wait(let seconds) = decision else {
          var problem = problem
          if case .giveUp(.outage) = decision { problem.mayPass = true }
          throw .failed(options.served?.file(resource.address).map { problem.of(file: $0) } ?? problem)
        }
        if problem.isOutage { interruption.noteOutage() }
        guard transport.pause(seconds: seconds, unless: interruption) else { throw .stopped }
        state.number += 1
      case .failure(let other): throw other
      }
    }
  }

  /// The transport's time, for the retries' limit.
  private var clock: MonotonicTime { MonotonicTime(nanoseconds: Int64(saturating: transport.now * 1e9)) }

  /// What one attempt leaves to the next.
  private struct Attempt {
    var number = 0
    /// Bytes of the resource that were handed on.
    var received: Int64 = 0
    var validator: HTTPValidator?
    var date: WallTime?
    /// The resource ends one byte before the requested range does.
    var isClipped = false
  }

  private func request(_ resource: StreamResource, _ state: Attempt) -> ResourceRequest {
    var request = ResourceRequest(resource.address)
    request.first = (resource.range?.offset ?? 0) + state.received
    request.last = resource.range.map { $0.end - 1 }
    (request.question, request.isHead) = (resource.question, resource.isHead)
    request.isNamed = resource.isNamed
    request.isText = resource.kind == .manifest || resource.kind == .playlist
    request.wholeSeconds = resource.kind == .segment ? nil : options.limits.headerSeconds
    return request
  }

  private func attempt(
    _ transfer: any ResourceTransfer, _ resource: StreamResource, _ state: inout Attempt,
    _ retries: inout RetryProgress,
    _ uses: Uses
  ) throws(LoadProblem) -> StreamAddress {
    let started = transport.now
    let wanted = request(resource, state)
    let head = try heard(from: transfer)
    // The server ended the connection where the resource ends, and had not told its length.
    if head.problem?.status == 416, resource.range == nil, state.received > 0,
      head.validator.total ?? state.received == state.received
    {
      return head.address
    }
    if let problem = head.problem { throw .failed(problem) }
    guard !isWebPage(head, resource) else { throw .failed(.portal) }
    transport.reached(resource.address)
    if state.received > 0, let validator = state.validator, !head.validator.fits(validator) { throw .failed(.changed) }
    (state.validator, state.date) = (head.validator, head.date)
    uses.began(head)
    retries.receive(0)
    guard head.first == wanted.first || head.first == 0 else {
      throw .failed(.badResponse("the server sent another part of the file"))
    }
    let rest = resource.range.map { $0.length - state.received }
    var body = BodyPart(skips: wanted.first - head.first, ends: rest)
    let sent = head.length.map { $0 - body.skips }
    let sendsMore = sent.map { $0 > rest ?? $0 } ?? (head.first != wanted.first)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var (latency, watch) = (0.0, ProgressWatch(since: started, received: state.received))
    var slow = (since: started, received: state.received)
    let total = Double(state.received + (rest ?? sent ?? 0))
    while true {
      let count = try read(transfer, into: &buffer)
      if let count, count == 0 { break }
      if let count {
        if latency == 0 { latency = transport.now - started }
        let useful = body.useful(count)
        guard state.received + Int64(useful.count) <= resource.byteLimit else { throw tooLong(resource) }
        buffer.withUnsafeBytes { uses.take(UnsafeRawBufferPointer(rebasing: $0[useful])) }
        state.received += Int64(useful.count)
        retries.receive(Int64(useful.count))
        // A server that ignores ranges would go on.
        if body.isWhole, sendsMore || useful.upperBound < count {
          transfer.cancel()
          break
        }
      }
      if resource.kind == .segment, transport.now - slow.since >= options.limits.slowSeconds {
        guard state.received - slow.received > options.limits.leastBytes else {
          throw .failed(.slow(bytes: state.received - slow.received, seconds: options.limits.slowSeconds))
        }
        slow = (transport.now, state.received)
      }
      guard watch.isDue(at: transport.now, received: state.received) else { continue }
      let progress = SegmentDownload(
        rung: resource.rung ?? 0, bytes: max(total, Double(state.received)), received: Double(state.received),
        seconds: transport.now - started, latency: latency)
      if let lower = uses.abandonment(progress) { throw .abandoned(for: lower) }
    }
    if let range = resource.range, state.received < range.length {
      // Packagers count the end of the last range as the first byte behind it: players take what there is.
      state.isClipped = state.received == range.length - 1 && head.validator.total == range.end - 1
      if state.isClipped, state.received > 0 { return head.address }
      throw .failed(.truncated(at: state.received, of: range.length))
    }
    return head.address
  }

  /// Media, playlists and keys are no HTML; a server that does not know what it sends names no type, or `text/plain`.
  private func isWebPage(_ head: ResourceHead, _ resource: StreamResource) -> Bool {
    resource.kind != .clock && ["text/html", "application/xhtml+xml"].contains(head.mediaType)
  }

  private func heard(from transfer: any ResourceTransfer) throws(LoadProblem) -> ResourceHead {
    do throws(HTTPProblem) { return try transfer.head(unless: interruption) } catch { throw problem(error) }
  }

  private func read(
    _ transfer: any ResourceTransfer, into buffer: inout [UInt8]
  ) throws(LoadProblem) -> Int? {
    let instant = transport.now + Self.watchSeconds
    let result = buffer.withUnsafeMutableBytes { target in
      Result { () throws(HTTPProblem) in try transfer.read(into: target, by: instant, unless: interruption) }
    }
    do throws(HTTPProblem) { return try result.get() } catch { throw problem(error) }
  }

  private func problem(_ problem: HTTPProblem) -> LoadProblem {
    problem.kind == .cancelled ? .stopped : .failed(problem)
  }

  private func tooLong(_ resource: StreamResource) -> LoadProblem {
    .failed(.tooLong(limit: resource.byteLimit, resource.kind == .manifest ? "it" : "its \(resource.kind.noun)"))
  }

  private func note(
    _ resource: StreamResource, _ state: Attempt, _ times: TransferTimes, _ result: Result<StreamAddress, LoadProblem>,
    _ before: Double
  ) {
    let outcome: StreamRequest.Outcome =
      switch result {
      case .success: .finished
      case .failure(.stopped): .cancelled
      case .failure(.abandoned(let lower)): .abandoned(for: lower)
      case .failure(.failed(let problem)), .failure(.broken(let problem)): .failed(problem.cause)
      case .failure(.refused(let failure)): .failed(failure.cause)
      }
    var request = StreamRequest(
      kind: resource.kind, url: redactingSecrets(ofArgument: resource.address.text), rung: resource.rung,
      segment: resource.segment, seconds: resource.seconds, attempt: state.number, times: times, outcome: outcome,
      bufferBefore: before, bufferAfter: buffer())
    (request.firstByte, request.lastByte) = (resource.range?.offset, resource.range.map { $0.end - 1 })
    request.isClipped = state.isClipped
    log.add(request, result.trouble)
  }
}

extension Result<StreamAddress, LoadProblem> {
  fileprivate var trouble: NetworkTrouble? {
    guard case .failure(.failed(let problem)) = self else { return nil }
    return problem.trouble
  }
}

/// Which bytes of a response belong to the requested part.
private struct BodyPart {
  /// Bytes before it: the server ignored the range.
  private(set) var skips: Int64
  /// Bytes of it that are to come; nil: all that come.
  private(set) var ends: Int64?

  init(skips: Int64, ends: Int64?) { (self.skips, self.ends) = (skips, ends) }

  var isWhole: Bool { ends == 0 }

  /// The useful ones of the next `count` bytes.
  mutating func useful(_ count: Int) -> Range<Int> {
    let skipped = min(Int64(count), skips)
    skips -= skipped
    let useful = min(Int64(count) - skipped, ends ?? .max)
    ends = ends.map { $0 - useful }
    return Range(from: Int(skipped), to: Int(skipped + useful))
  }
}

/// When a download is judged.
private struct ProgressWatch {
  private let rule = ProgressRule()
  private var time: Double
  private var received: Int64

  /// - Parameters:
  ///   - time: of the request.
  ///   - count: bytes of earlier attempts.
  init(since time: Double, received count: Int64) { (self.time, received) = (time, count) }

  /// Whether enough time has passed and enough bytes have come since the last time.
  mutating func isDue(at now: Double, received count: Int64) -> Bool {
    guard now - time >= rule.seconds, count - received >= Int64(rule.bytes) else { return false }
    (time, received) = (now, count)
    return true
  }
}
