import Frames

/// Maps an instant to a moment of the timeline: by a display's refreshes, by audio, or as a test sets it.
///
/// A player starts it when playing begins and stops it while playing stands; in between it runs by itself. One thread tells and
/// asks.
public protocol MediaClock: Sendable {
  /// Media seconds per second.
  var rate: Double { get }
  /// Runs from now on: both name the same moment, and the clock may lie elsewhere later.
  mutating func start(at position: MediaTime, instant: MonotonicTime, rate: Double)
  /// Goes on from where it is at `instant` at another rate. Only while it runs.
  mutating func setRate(_ rate: Double, at instant: MonotonicTime)
  /// Stops it; it must not be read until it is started again.
  mutating func stop()
  /// The moment that belongs to an instant, before or after the one at which it was started. Only while it runs.
  func position(at instant: MonotonicTime) -> MediaTime
  /// It stands, or would, for media that is not there: the picture waits with it.
  func isHeld(at instant: MonotonicTime) -> Bool
}

extension MediaClock {
  public func isHeld(at instant: MonotonicTime) -> Bool { false }

  /// Media time in a span of time.
  public func distance(in time: MediaTime) -> MediaTime { scaled(time, by: rate) }
}

/// The display's clock: a straight line over the time that its refreshes are counted in.
public struct DisplayClock: MediaClock {
  /// Both name the same moment.
  private var instant = MonotonicTime(nanoseconds: 0)
  private var position = MediaTime.zero
  public private(set) var rate = 1.0

  public init() {}

  public mutating func start(at position: MediaTime, instant: MonotonicTime, rate: Double) {
    (self.position, self.instant, self.rate) = (position, instant, rate)
  }

  public mutating func setRate(_ rate: Double, at instant: MonotonicTime) {
    start(at: position(at: instant), instant: instant, rate: rate)
  }

  public func stop() {}

  public func position(at instant: MonotonicTime) -> MediaTime {
    position + scaled(MediaTime(nanoseconds: instant.nanoseconds - self.instant.nanoseconds), by: rate)
  }
}

/// Whole nanoseconds stay whole at the usual rate, however many hours they are.
private func scaled(_ time: MediaTime, by rate: Double) -> MediaTime {
  rate == 1 ? time : MediaTime(seconds: Double(time.nanoseconds) * rate / 1e9)
}
