import Frames

/// One call of a display link, as CADisplayLink's: a view drawn now is seen at `target`.
public struct DisplayTick: Sendable, Hashable {
  /// The refresh at which the call was due.
  public var timestamp: MonotonicTime
  /// The refresh at which the next call is due, and a picture made in this one is seen.
  public var target: MonotonicTime
  /// From one call to the next.
  public var period: MediaTime
  /// Calls left out since the last one, because that took too long or this thread was kept waiting.
  public var missed: Int

  public init(timestamp: MonotonicTime, target: MonotonicTime, period: MediaTime, missed: Int = 0) {
    self.timestamp = timestamp
    self.target = target
    self.period = period
    self.missed = missed
  }
}

/// Calls back once for every refresh of a display, or once for every so many of them.
///
/// `run` belongs to one thread; everything else may be used from any.
public protocol DisplayLink: AnyObject, Sendable {
  /// What its clock shows.
  var now: MonotonicTime { get }
  /// While it is paused it does not call; the phase stays that of the refreshes, and nothing counts as missed.
  var isPaused: Bool { get set }
  /// Calls per second that are wanted; nil: one for each refresh.
  var preferredRate: Double? { get set }
  /// Calls back until `stop`, on the calling thread.
  func run(_ callback: (DisplayTick) -> Void)
  /// Makes `run` return after the call in progress.
  func stop()
}
