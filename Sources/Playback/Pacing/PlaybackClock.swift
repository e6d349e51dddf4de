import Frames

/// Which moment of a timeline is shown at which instant: a straight line.
public struct PlaybackClock: Sendable, Hashable {
  /// Both name the same moment.
  public private(set) var instant: MonotonicTime
  public private(set) var position: MediaTime
  /// Media seconds per second.
  public private(set) var rate: Double

  public init(_ position: MediaTime, at instant: MonotonicTime, rate: Double = 1) {
    self.position = position
    self.instant = instant
    self.rate = rate
  }

  /// The moment that belongs to an instant, before or after the one it was set at.
  public func position(at time: MonotonicTime) -> MediaTime {
    let passed = time.nanoseconds - instant.nanoseconds
    return position + MediaTime(nanoseconds: scaled(passed))
  }

  /// What of the timeline passes in a span of time.
  public func distance(in time: MediaTime) -> MediaTime { MediaTime(nanoseconds: scaled(time.nanoseconds)) }

  /// Goes on from where it is at `time` at another rate.
  public mutating func setRate(_ rate: Double, at time: MonotonicTime) {
    position = position(at: time)
    instant = time
    self.rate = rate
  }

  /// Whole nanoseconds stay whole at the usual rate, however many hours they are.
  private func scaled(_ nanoseconds: Int64) -> Int64 {
    rate == 1 ? nanoseconds : MediaTime(seconds: Double(nanoseconds) * rate / 1e9).nanoseconds
  }
}
