import Frames

/// What of a live stream can be played at a moment, and how far behind the live edge its pictures are. A value of pure functions.
///
/// Places lie on the stream's axis, as the time stamps of its frames do; seconds count since the stream was opened.
public struct LiveEdge: Sendable, Hashable {
  /// Where the oldest listed segment begins.
  public var start: MediaTime
  /// Where the newest published media ends.
  public var end: MediaTime
  /// When `end` was learnt.
  public var learnt: Double
  /// The wall clock where the axis is 0, by the server's clock; nil where the stream tells no time of day.
  public var zero: WallTime?
  /// The server's clock less the machine's, where the stream names a clock to follow.
  public var clockOffset = MediaTime.zero
  /// The longest piece in which media is published: a segment or a part.
  public var step: MediaTime
  /// The latency that playing keeps; nil before playing has begun.
  public var target: MediaTime?
  /// Segments vanish from the window's start.
  public var slides = true
  /// Nothing is added any more.
  public var hasEnded = false

  public init(start: MediaTime, end: MediaTime, learnt: Double, step: MediaTime) {
    (self.start, self.end, self.learnt, self.step) = (start, end, learnt, step)
  }

  /// Where the live edge is: it goes on between two updates, for as long as a piece lasts.
  public func place(at now: Double) -> MediaTime {
    hasEnded ? end : end + min(MediaTime(seconds: max(0, now - learnt)), step)
  }

  /// How far a place is behind the live edge, in seconds.
  public func distance(of place: MediaTime, at now: Double) -> Double { (self.place(at: now) - place).seconds }

  /// From the moment at which a picture was live to now, in seconds; nil where the stream tells no time of day.
  ///
  /// - Parameter wall: the machine's clock.
  public func latency(of place: MediaTime, wall: WallTime) -> Double? {
    zero.map { zero in (wall + clockOffset - (zero + place)).seconds }
  }

  /// The time of day of a place; nil where the stream does not tell.
  public func date(of place: MediaTime) -> WallTime? { zero.map { $0 + place } }

  /// The place of a time of day; nil where the stream does not tell.
  public func place(of date: WallTime) -> MediaTime? { zero.map { date - $0 } }

  /// A place that can be played: within the window, and behind the edge.
  public func clamped(_ place: MediaTime) -> MediaTime { max(start, min(place, end - MediaTime(nanoseconds: 1))) }

  /// How playing begins, or goes live again.
  public struct Join: Sendable, Hashable {
    public var place: MediaTime
    /// The latency that is kept.
    public var target: MediaTime

    public init(place: MediaTime, target: MediaTime) { (self.place, self.target) = (place, target) }
  }

  /// Where to begin for a latency.
  ///
  /// - Parameters:
  ///   - latency: that the user wants; nil: what the stream asks for.
  ///   - holdBack: how far behind its end the stream wants to be played.
  ///   - countsFromClock: `holdBack` is a latency, as in DASH and with parts; else it counts from the end of what is published.
  ///   - wall: the machine's clock.
  public func join(
    latency: MediaTime?, holdBack: MediaTime, countsFromClock: Bool, wall: WallTime, now: Double
  ) -> Join {
    let live = zero.map { wall + clockOffset - $0 }
    let edge = place(at: now)
    // A clock that is another's tells nothing: media that is published is late by seconds, not by minutes.
    let trusted = live.flatMap { abs(($0 - end).seconds) <= 60 + 3 * step.seconds ? $0 : nil } ?? edge
    if let latency { return Join(place: clamped(trusted - latency), target: latency) }
    if countsFromClock { return Join(place: clamped(trusted - holdBack), target: holdBack) }
    let place = clamped(end - holdBack)
    return Join(place: place, target: trusted - place)
  }
}

/// How fast a live stream is played, so that its latency comes to the target. Pure.
public enum CatchUp {
  public static let rates = 0.95...1.05
  /// Further behind the target nothing is caught up on, s.
  public static let reach = 15.0

  /// The rate rests while the latency is at most so much off its middle, which lies as much below the target: what is asked for is
  /// not passed, s.
  private static let rest = 0.01

  /// 1 within a few milliseconds below the target; else faster or slower by the twentieth part at most, less the nearer it is.
  ///
  /// - Parameters:
  ///   - latency: now, seconds.
  ///   - target: seconds.
  ///   - buffer: media ahead of the picture, seconds.
  ///   - step: in which media is published, seconds: nothing is caught up on at the price of a stall.
  public static func rate(latency: Double, target: Double, buffer: Double, step: Double) -> Double {
    let error = latency - (target - rest)
    // The user watches what is past: no rate leads back to the edge in a while.
    guard error.isFinite, abs(error) > rest, error < reach else { return 1 }
    if error > 0, buffer < min(step, target) / 2 { return 1 }
    let wanted = 1 + error
    // In steps, so that it does not change at each refresh.
    let rounded = (min(max(wanted, rates.lowerBound), rates.upperBound) * 400).rounded() / 400
    return min(max(rounded, rates.lowerBound), rates.upperBound)
  }
}
