import Decode
import Frames
import Media

/// A hand on a slider: which seeks its movements come to, and what becomes of playing meanwhile.
///
/// A state machine: its input is events with their instants, its decisions are returned. It knows no threads and no
/// clock. One seek runs at a time, to its end; of the hand's places meanwhile only the newest is kept (Apple's term is
/// chase time).
public struct Scrubber: Sendable {
  /// Where the hand is.
  public enum State: Sendable, Hashable {
    /// No hand on the slider.
    case idle
    case scrubbing
    /// The hand has let go, and the picture it let go at is not there yet.
    case landing
  }

  /// How a hand is understood.
  public struct Limits: Sendable, Hashable {
    /// A hand that has not moved for so long rests.
    public var restsAfter = MediaTime(seconds: 0.1)
    /// As far ahead as a hand's way is foreseen at most, in the time that it takes: people turn round.
    public var foresees = MediaTime(seconds: 0.15)

    public init() {}
  }

  public private(set) var state = State.idle
  /// Whether playing goes on when the hand has let go.
  public var resumes: Bool { state != .idle && rate != 0 }
  /// Seeks started, and seeks that a newer one replaced before they started.
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
  /// When the picture is shown in the clip that the last seek landed on.
  private var shown: Range<MediaTime>?
  /// How long seeks take, in seconds: each counts half as much as the one after it. Nil before the first.
  private var seekTime: Double?
  private var started = MonotonicTime(nanoseconds: 0)

  private struct Hand {
    var place: MediaTime
    var since: MonotonicTime
    /// Media seconds per second; negative towards the start.
    var speed: Double
  }

  public init(slider: ScrubSlider, tolerance: ScrubTolerance = .adaptive, limits: Limits = Limits()) {
    self.slider = slider
    self.tolerance = tolerance
    self.limits = limits
  }
}

// Input.
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

  /// The hand moved; the same place again is no movement.
  public mutating func move(to place: MediaTime, at now: MonotonicTime) -> [ScrubAction] {
    guard state == .scrubbing, place != hand?.place else { return [] }
    let hand = Hand(place: place, since: now, speed: speed(to: place, at: now))
    self.hand = hand
    let request = request(for: hand)
    // What is shown already is where the hand will be soon.
    if running == nil, isShown(request) { return [] }
    return seek(request, at: now)
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

// Results of seeks.
extension Scrubber {
  /// A seek is done, and its picture is shown.
  ///
  /// - Parameter interval: when its frame is shown in the clip; nil: it found none.
  public mutating func landed(_ id: Int, interval: Range<MediaTime>?, at now: MonotonicTime) -> [ScrubAction] {
    guard let running, running.id == id else { return [] }
    self.running = nil
    let took = now.seconds(since: started)
    seekTime = seekTime.map { ($0 + took) / 2 } ?? took
    if let interval { shown = interval }
    guard let next = pending else { return finishIfDone() }
    pending = nil
    if isShown(next.request) {
      seeksCoalesced += 1
      return finishIfDone()
    }
    return [start(next, at: now)]
  }
}

extension Scrubber {
  private func speed(to place: MediaTime, at now: MonotonicTime) -> Double {
    guard let hand else { return 0 }
    let (way, time) = ((place - hand.place).seconds, now.seconds(since: hand.since))
    return time > 0 ? way / time : hand.speed
  }

  /// The seek target while the hand moves.
  private func request(for hand: Hand) -> SeekRequest {
    switch tolerance {
    case .fixed(let time): return SeekRequest(target: hand.place, toleranceBefore: time, toleranceAfter: time)
    case .adaptive:
      // A picture comes when its seek is done, and stays until the next one is.
      let way = hand.speed * min(2 * (seekTime ?? 0), limits.foresees.seconds)
      let (soonest, latest) = (Self.soonest * way, Self.latest * way)
      let target = hand.place + MediaTime(seconds: (soonest + latest) / 2)
      let within = max(slider.halfPixel, MediaTime(seconds: abs(latest - soonest) / 2))
      var request = SeekRequest(
        target: min(max(target, slider.start), slider.end), toleranceBefore: within, toleranceAfter: within)
      request.isOnTheWay = hand.speed > 0
      return request
    }
  }

  /// Of what is foreseen. Found by trying all pairs on a model of a decoder that is slower than the hand: from frame to
  /// frame it falls behind, and it catches up at sync samples that it aims at early enough.
  private static let (soonest, latest) = (0.6, 2.0)

  /// Unless that picture is there or on its way.
  private mutating func seekExactly(_ hand: Hand, at now: MonotonicTime) -> [ScrubAction] {
    if let newest = pending ?? running {
      if newest.isExact, newest.request.target == hand.place { return [] }
    } else if isShown(SeekRequest(target: hand.place)) {
      return []
    }
    return seek(SeekRequest(target: hand.place), at: now)
  }

  /// Whether the picture on screen is one that the request would bring. Within a fixed tolerance it follows the hand all
  /// the same.
  private func isShown(_ request: SeekRequest) -> Bool {
    guard let shown else { return false }
    if request.isExact { return shown.contains(request.target) }
    return tolerance == .adaptive && shown.lowerBound <= request.latest && shown.upperBound > request.earliest
  }

  private mutating func seek(_ request: SeekRequest, at now: MonotonicTime) -> [ScrubAction] {
    count += 1
    let seek = ScrubSeek(id: count, request: request, requested: now)
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
