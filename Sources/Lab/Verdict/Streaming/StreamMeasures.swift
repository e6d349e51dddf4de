import Frames

/// The metrics of a stream's trial, by the definitions of their rows in `Metric`. A pure function of the session.
///
/// `wrongRung` is not among them: only the pictures tell it.
public struct StreamMeasures: Hashable, Sendable {
  /// A value that cannot be known has no samples: without a first frame there is no ratio. An event that did not happen has no
  /// entry.
  public let samples: [Metric: [Double]]
  public let counters: [Metric: Int]

  public init(_ session: StreamSession) {
    let spans = session.stateSpans
    var samples: [Metric: [Double]] = [
      .qoeLinear: Self.quality(session).map { [$0] } ?? [],
      .qoeSSIM: Self.pictureQuality(session).map { [$0] } ?? [],
      .meanBitrate: Self.meanBitrate(session, spans).map { [$0] } ?? [],
      .rebufferRatio: Self.rebufferRatio(session, spans).map { [$0] } ?? [],
      .requestsToFirstFrame: Self.requestsToFirstFrame(session).map { [Double($0)] } ?? [],
    ]
    let events: [Metric: [Double]] = [
      .rebuffer: session.stalls.map { $0.seconds * 1000 },
      .switchTime: Self.switchTimes(session),
      .bufferAhead: session.buffer.map(\.seconds),
      .throughput: session.requests.filter { $0.kind == .segment }.compactMap(\.throughput),
      .recovery: Self.recoveries(session, spans),
      .liveLatency: session.live?.compactMap(\.latency).map { $0 * 1000 } ?? [],
      .dateLatency: session.live?.compactMap(\.dateLatency).map { $0 * 1000 } ?? [],
      .edgeDistance: session.live?.map(\.edgeDistance) ?? [],
      .catchUpRate: session.live?.map(\.rate) ?? [],
    ]
    samples.merge(events.filter { !$0.value.isEmpty }) { first, _ in first }
    self.samples = samples
    let changes = Self.changes(session)
    func bytes(_ requests: [StreamSession.Request]) -> Int {
      requests.reduce(0) { $0.addingSaturated($1.transfer.bytes) }
    }
    counters = [
      .rebuffers: session.stalls.count,
      .switchesUp: changes.count { $0.to.rung > $0.from.rung },
      .switchesDown: changes.count { $0.to.rung < $0.from.rung },
      .bytesDownloaded: bytes(session.requests),
      .bytesWasted: bytes(session.requests.filter(StreamSession.isWasted)),
      .retries: session.requests.count { $0.attempt > 0 },
    ]
  }

  /// What a slow processor asks for while it decodes and draws the first frame does not count.
  private static func requestsToFirstFrame(_ session: StreamSession) -> Int? {
    guard session.firstFrame != nil,
      let media = session.requests.first(where: { $0.kind == .segment && $0.rung != nil && $0.outcome == .finished })
    else { return nil }
    return session.requests.count { $0.times.firstByte.map { $0 <= media.times.ended } ?? false }
  }

  private static func quality(_ session: StreamSession) -> Double? {
    let bitrates = session.shownSegments.compactMap { $0.rung.flatMap(session.bitrate) }
    guard !bitrates.isEmpty else { return nil }
    return LinearQuality.value(of: bitrates, rebufferSeconds: session.stalls.reduce(0) { $0 + $1.seconds })
  }

  /// Puffer's objective (Yan et al., NSDI 2020, `mpc.cc`), the mean over the segments.
  private static func pictureQuality(_ session: StreamSession) -> Double? {
    let shown = session.shownSegments
    let decibels = shown.compactMap { session.quality(of: $0) }
    guard !shown.isEmpty, decibels.count == shown.count else { return nil }
    let changes = zip(decibels, decibels.dropFirst()).reduce(0) { $0 + abs($1.1 - $1.0) }
    let waiting = session.stalls.reduce(0) { $0 + $1.seconds }
    return (decibels.reduce(0, +) - changes - rebufferPenalty * waiting) / Double(shown.count)
  }

  /// dB for each second of rebuffering.
  private static let rebufferPenalty = 20.0

  private static func meanBitrate(_ session: StreamSession, _ spans: [StreamSession.StateSpan]) -> Double? {
    let playing = StateClock(spans, of: .playing)
    let shown = session.shown.sorted { $0.time < $1.time }
    var (bits, seconds) = (0.0, 0.0)
    for (index, change) in shown.enumerated() {
      guard let bitrate = session.bitrate(of: change.rung) else { continue }
      let end = index + 1 < shown.count ? shown[index + 1].time : session.end
      let weight = playing.seconds(from: change.time, to: end)
      bits += bitrate * weight
      seconds += weight
    }
    return seconds > 0 ? bits / seconds : nil
  }

  private static func rebufferRatio(_ session: StreamSession, _ spans: [StreamSession.StateSpan]) -> Double? {
    guard let first = session.firstFrame else { return nil }
    func seconds(_ state: StreamSession.State) -> Double {
      StateClock(spans, of: state).seconds(from: first, to: session.end)
    }
    let (playing, waiting) = (seconds(.playing), seconds(.rebuffering))
    return playing + waiting > 0 ? waiting / (playing + waiting) : nil
  }

  /// Changes of the rung on screen.
  private static func changes(
    _ session: StreamSession
  ) -> [(from: StreamSession.RungChange, to: StreamSession.RungChange)] {
    let shown = session.shown.sorted { $0.time < $1.time }
    return zip(shown, shown.dropFirst()).filter { $0.rung != $1.rung }.map { (from: $0, to: $1) }
  }

  private struct Choice: Hashable {
    var segment: Int
    var rung: Int
  }

  /// Decision → first picture, of each change. The segment that the picture is of names the decision.
  private static func switchTimes(_ session: StreamSession) -> [Double] {
    var decisions: [Choice: [Double]] = [:]
    for decision in session.decisions {
      decisions[Choice(segment: decision.segment, rung: decision.rung), default: []].append(decision.time)
    }
    let shown = session.shownSegments
    var next = 0
    return changes(session).compactMap { change in
      while next < shown.count, (shown[next].firstShown ?? 0) < change.to.time - tolerance { next += 1 }
      let request = shown[next...].prefix { ($0.firstShown ?? 0) <= change.to.time + tolerance }
        .first { $0.rung == change.to.rung }
      guard let request, let segment = request.segment, let rung = request.rung else { return nil }
      let made = decisions[Choice(segment: segment, rung: rung)]?.filter { $0 <= request.times.queued + tolerance }
        .max()
      return made.map { max(0, change.to.time - $0) * 1000 }
    }
  }

  /// Instants that are closer are one: readings of one event are not taken together.
  private static let tolerance = 0.001

  /// A resource, in any rung, address or range that an attempt asks for.
  private struct Resource: Hashable {
    var kind: StreamSession.Request.Kind
    var segment: Int?
    var hasRung: Bool
    /// Nil for a segment, which another rung can stand in for.
    var url: String?

    init(_ request: StreamSession.Request) {
      (kind, segment, hasRung) = (request.kind, request.segment, request.rung != nil)
      url = request.segment == nil ? request.url : nil
    }
  }

  /// First failure → success without a stall, of each fault that ended.
  private static func recoveries(_ session: StreamSession, _ spans: [StreamSession.StateSpan]) -> [Double] {
    var failed: [Resource: Double] = [:]
    var (recovered, waiting) = ([(failed: Double, succeeded: Double)](), spans.filter(isWaiting)[...])
    for request in session.requests.sorted(by: { $0.times.ended < $1.times.ended }) {
      let resource = Resource(request)
      switch request.outcome {
      case .failed: failed[resource] = failed[resource] ?? request.times.ended
      case .finished:
        if let time = failed.removeValue(forKey: resource) { recovered.append((time, request.times.ended)) }
      case .abandoned, .cancelled: break
      }
    }
    return recovered.compactMap { fault in
      waiting = waiting.drop { $0.end <= fault.succeeded }
      let stalled = waiting.first.flatMap { $0.start <= fault.succeeded ? $0 : nil }
      // Until the end of the trial it did not play again.
      if let stalled, stalled.end >= session.end { return nil }
      return ((stalled?.end ?? fault.succeeded) - fault.failed) * 1000
    }
  }

  private static func isWaiting(_ span: StreamSession.StateSpan) -> Bool {
    span.state == .joining || span.state == .rebuffering
  }
}
