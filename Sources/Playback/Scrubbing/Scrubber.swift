import Decode
import Frames

/// A hand on a slider: which seeks its movements come to, and what becomes of playing meanwhile.
///
/// A state machine that is told of events and of the instants at which they happen; what it decides is returned. It knows
/// no threads and no clock. One seek runs at a time, to its end; of the places at which the hand is meanwhile only the
/// newest is kept (what Apple calls chase time).
public struct Scrubber: Sendable {
  public enum State: Sendable, Hashable {
    /// No hand on the slider.
    case idle
    case scrubbing
    /// The hand has let go, and the picture it let go at is not there yet.
    case landing
  }

  public struct Limits: Sendable, Hashable {
    /// A hand that has not moved for so long rests.
    public var restsAfter = MediaTime(seconds: 0.1)
    /// No landing is further from the hand than this share of the clip, however fast the hand is.
    public var widest = 0.02

    public init() {}
  }

  public private(set) var state = State.idle
  /// Seeks that were started, and those that a newer one replaced before they were.
  public private(set) var seeksIssued = 0
  public private(set) var seeksCoalesced = 0
  private let slider: ScrubSlider
  private let tolerance: ScrubTolerance
  private let limits: Limits

  /// What playing goes back to; 0: it was paused.
  private var rate = 0.0
  private var hand: Hand?
  private var running: ScrubSeek?
  private var pending: ScrubSeek?
  private var count = 0
  private var shown: Shown?
  /// How long the last seek took that was begun.
  private var seekTime = MediaTime.zero
  private var started = MonotonicTime(nanoseconds: 0)

  private struct Hand {
    var place: MediaTime
    var since: MonotonicTime
    /// Media seconds per second; never negative.
    var speed: Double
  }

  /// The picture that the last seek landed on.
  private struct Shown {
    /// When the hand was at the place that it answers.
    var requested: MonotonicTime
    var interval: Range<MediaTime>
  }

  public init(slider: ScrubSlider, tolerance: ScrubTolerance = .adaptive, limits: Limits = Limits()) {
    self.slider = slider
    self.tolerance = tolerance
    self.limits = limits
  }

  /// How old the place is that the picture on screen answers: 0 where the hand still is there. Nil before the first
  /// landing, and without a hand.
  public func lag(at now: MonotonicTime) -> MediaTime? {
    guard state == .scrubbing, let hand, let shown else { return nil }
    return shown.requested >= hand.since ? .zero : now - shown.requested
  }
}

// What the hand does.
extension Scrubber {
  /// The hand takes the slider.
  ///
  /// - Parameter rate: at which is played; 0: not at all. One that comes back before the last landing does not count: it
  ///   is still this scrubber that keeps the player from playing.
  public mutating func begin(rate: Double) -> [ScrubAction] {
    guard state != .scrubbing else { return [] }
    let wasIdle = state == .idle
    state = .scrubbing
    hand = nil
    guard wasIdle else { return [] }
    self.rate = rate
    shown = nil
    return rate == 0 ? [] : [.pause]
  }

  /// The hand is somewhere else; the same place again is no movement.
  public mutating func move(to place: MediaTime, at now: MonotonicTime) -> [ScrubAction] {
    guard state == .scrubbing, place != hand?.place else { return [] }
    hand = Hand(place: place, since: now, speed: speed(to: place, at: now))
    return seek(within: currentTolerance, at: now)
  }

  /// Time passes: where the hand rests, the picture becomes exact. To be told at every refresh, say.
  public mutating func tick(at now: MonotonicTime) -> [ScrubAction] {
    guard state == .scrubbing, let hand, now - hand.since >= limits.restsAfter else { return [] }
    return seekExactly(hand, at: now)
  }

  /// The hand lets go. Playing goes on from exactly there, once the picture is there.
  public mutating func end(at now: MonotonicTime) -> [ScrubAction] {
    guard state == .scrubbing else { return [] }
    state = .landing
    guard let hand else { return finishIfDone() }
    return seekExactly(hand, at: now) + finishIfDone()
  }
}

// What the seeks come to.
extension Scrubber {
  /// A seek is done, and its picture is shown.
  ///
  /// - Parameter interval: when its frame is shown in the clip; nil: it found none.
  public mutating func landed(_ id: Int, interval: Range<MediaTime>?, at now: MonotonicTime) -> [ScrubAction] {
    guard let running, running.id == id else { return [] }
    self.running = nil
    seekTime = now - started
    if let interval { shown = Shown(requested: running.requested, interval: interval) }
    if let next = pending {
      pending = nil
      return [start(next, at: now)]
    }
    return finishIfDone()
  }
}

extension Scrubber {
  private func speed(to place: MediaTime, at now: MonotonicTime) -> Double {
    guard let hand else { return 0 }
    let (way, time) = (abs((place - hand.place).seconds), now.seconds(since: hand.since))
    return time > 0 ? way / time : hand.speed
  }

  private var currentTolerance: MediaTime {
    switch tolerance {
    case .fixed(let time): return time
    case .adaptive:
      let reach = MediaTime(seconds: (hand?.speed ?? 0) * seekTime.seconds / 2)
      let widest = MediaTime(seconds: slider.duration.seconds * limits.widest)
      return max(slider.halfPixel, min(reach, widest))
    }
  }

  /// Unless that picture is there or on its way.
  private mutating func seekExactly(_ hand: Hand, at now: MonotonicTime) -> [ScrubAction] {
    if let newest = pending ?? running {
      if newest.isExact, newest.request.target == hand.place { return [] }
    } else if let shown, shown.interval.contains(hand.place) {
      return []
    }
    return seek(within: .zero, at: now)
  }

  private mutating func seek(within tolerance: MediaTime, at now: MonotonicTime) -> [ScrubAction] {
    guard let hand else { return [] }
    count += 1
    let seek = ScrubSeek(
      id: count,
      request: SeekRequest(target: hand.place, toleranceBefore: tolerance, toleranceAfter: tolerance),
      requested: now)
    guard running == nil else {
      if pending != nil { seeksCoalesced += 1 }
      pending = seek
      return []
    }
    return [start(seek, at: now)]
  }

  private mutating func start(_ seek: ScrubSeek, at now: MonotonicTime) -> ScrubAction {
    running = seek
    started = now
    seeksIssued += 1
    return .seek(seek)
  }

  private mutating func finishIfDone() -> [ScrubAction] {
    guard state == .landing, running == nil, pending == nil else { return [] }
    state = .idle
    hand = nil
    defer { rate = 0 }
    return rate == 0 ? [] : [.play(rate: rate)]
  }
}

private func - (a: MonotonicTime, b: MonotonicTime) -> MediaTime {
  MediaTime(nanoseconds: a.nanoseconds - b.nanoseconds)
}
