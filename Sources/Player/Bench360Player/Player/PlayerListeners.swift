import Analytics
import Frames
import Synchronization

/// Streams of what happens to a player, each for one listener. Any thread.
final class PlayerListeners: Sendable {
  /// Which moments of the playing clip a listener wants.
  enum Times: Sendable {
    case every(MediaTime)
    case at([MediaTime])
  }

  private struct Shared {
    var last = 0
    var hasEnded = false
    var states: [Int: AsyncStream<Player.State>.Continuation] = [:]
    var events: [Int: AsyncStream<Player.Event>.Continuation] = [:]
    var times: [Int: (Times, AsyncStream<MediaTime>.Continuation)] = [:]
    var images: [Int: AsyncStream<PlayerImage>.Continuation] = [:]
    var logs: [Int: AnalyticsLog] = [:]
  }

  private let shared = Mutex(Shared())

  /// More events than that are not kept for a listener that does not come: the oldest are lost.
  private static let eventLimit = 1024
  /// Pictures are large.
  private static let imageLimit = 4

  /// - Parameter now: comes first.
  func states(now: Player.State) -> AsyncStream<Player.State> {
    stream(.bufferingNewest(1), \.states) { $0.yield(now) }
  }

  func events() -> AsyncStream<Player.Event> { stream(.bufferingNewest(Self.eventLimit), \.events) }

  func images() -> AsyncStream<PlayerImage> { stream(.bufferingNewest(Self.imageLimit), \.images) }

  func times(_ times: Times) -> AsyncStream<MediaTime> {
    let (stream, listener) = AsyncStream.makeStream(
      of: MediaTime.self, bufferingPolicy: .bufferingNewest(Self.eventLimit))
    let id = add(listener) { $0.times[$1] = (times, listener) }
    listener.onTermination = { [weak self] _ in _ = self?.shared.withLock { $0.times.removeValue(forKey: id) } }
    return stream
  }

  private func stream<Element: Sendable>(
    _ policy: AsyncStream<Element>.Continuation.BufferingPolicy,
    _ place: WritableKeyPath<Shared, [Int: AsyncStream<Element>.Continuation]> & Sendable,
    first: (AsyncStream<Element>.Continuation) -> Void = { _ in }
  ) -> AsyncStream<Element> {
    let (stream, listener) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: policy)
    first(listener)
    let id = add(listener) { $0[keyPath: place][$1] = listener }
    listener.onTermination = { [weak self] _ in
      _ = self?.shared.withLock { $0[keyPath: place].removeValue(forKey: id) }
    }
    return stream
  }

  private func add<Element>(
    _ listener: AsyncStream<Element>.Continuation, _ store: (inout Shared, Int) -> Void
  ) -> Int {
    let (id, hasEnded) = shared.withLock { shared in
      shared.last += 1
      if !shared.hasEnded { store(&shared, shared.last) }
      return (shared.last, shared.hasEnded)
    }
    if hasEnded { listener.finish() }
    return id
  }

  /// - Parameter isOpening: a clip is being opened.
  func add(_ log: AnalyticsLog, isOpening: Bool) {
    if isOpening { log.load() }
    let (id, hasEnded) = shared.withLock { shared in
      shared.last += 1
      if !shared.hasEnded { shared.logs[shared.last] = log }
      return (shared.last, shared.hasEnded)
    }
    if hasEnded { log.end() }
    log.onEnd { [weak self] in _ = self?.shared.withLock { $0.logs.removeValue(forKey: id) } }
  }

  /// Called with each log of what happens.
  func note(_ call: (AnalyticsLog) -> Void) { for log in shared.withLock({ Array($0.logs.values) }) { call(log) } }

  var hasLogs: Bool { shared.withLock { !$0.logs.isEmpty } }

  func tell(_ event: Player.Event) {
    for listener in shared.withLock({ Array($0.events.values) }) { listener.yield(event) }
  }

  var wantsImages: Bool { shared.withLock { !$0.images.isEmpty } }

  func tell(_ image: PlayerImage) {
    for listener in shared.withLock({ Array($0.images.values) }) { listener.yield(image) }
  }

  /// The state is another one than before.
  func tell(_ before: Player.State, _ after: Player.State) {
    for listener in shared.withLock({ Array($0.states.values) }) { listener.yield(after) }
    if before.status != after.status {
      tell(.status(after.status))
      if after.status == .ended { tell(.ended) }
    }
    if !Player.Ad.isSame(before.ad, after.ad) { tell(.ad(after.ad)) }
    if before.rate != after.rate { tell(.rate(after.rate)) }
    if before.sound.tracks.chosen != after.sound.tracks.chosen { tell(.soundTrack(after.sound.tracks.chosen)) }
    if before.subtitles.chosen != after.subtitles.chosen { tell(.subtitleTrack(after.subtitles.chosen)) }
    if let shown = after.quality.shown, shown != before.quality.shown { tell(.quality(shown)) }
    // A seek passes no place, and at the end the last picture is played to its end.
    if after.status == .playing || after.status == .ended, before.status == .playing {
      tell(from: before.position, to: after.position)
    }
  }

  private func tell(from before: MediaTime, to after: MediaTime) {
    guard after > before else { return }
    for (times, listener) in shared.withLock({ Array($0.times.values) }) {
      switch times {
      case .every(let interval):
        let step = max(interval.nanoseconds, 1)
        let place = after.nanoseconds / step
        if place > before.nanoseconds / step { listener.yield(MediaTime(nanoseconds: place * step)) }
      case .at(let places):
        for place in places where place > before && place <= after { listener.yield(place) }
      }
    }
  }

  /// The player is gone: all streams end.
  func end() {
    let gone = shared.withLock { shared in
      defer { shared = Shared() }
      return shared
    }
    shared.withLock { $0.hasEnded = true }
    for listener in gone.states.values { listener.finish() }
    for listener in gone.events.values { listener.finish() }
    for (_, listener) in gone.times.values { listener.finish() }
    for listener in gone.images.values { listener.finish() }
    for log in gone.logs.values { log.end() }
  }
}
