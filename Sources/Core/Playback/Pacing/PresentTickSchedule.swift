import Frames

/// The next refresh for a caller called once every so many refreshes of a display that tells when it refreshes.
///
/// Until the first picture was seen the refreshes lie where the start was. What the display tells moves the refreshes to
/// come, never one that was called for: a call is for the refresh nearest to where it was expected.
public struct PresentTickSchedule: Sendable, Hashable {
  private var pace: PresentPacedSchedule
  private var preferredRate: Double?
  /// The refresh that the last call promised to be followed at; nil after a rest.
  private var due: MonotonicTime?
  /// The last call's refresh: no call is for the same one again.
  private var last: MonotonicTime?

  /// - Parameter rate: refreshes per second as the window system says.
  public init(rate: Ratio, start: MonotonicTime) {
    pace = PresentPacedSchedule(rate: rate, start: start)
  }

  /// A picture was first seen at `instant`.
  public mutating func presented(at instant: MonotonicTime) { pace.presented(at: instant) }

  /// The window moved to a display of another rate: the estimate starts over.
  public mutating func moved(rate: Ratio, now: MonotonicTime) {
    pace = PresentPacedSchedule(rate: rate, start: now)
    due = nil
  }

  public mutating func next(now: MonotonicTime) -> DisplayTick {
    let interval = self.interval
    let step = interval * pace.period
    var timestamp = due.map(nearest) ?? pace.next(after: max(now, last ?? now))
    if let last, timestamp <= last { timestamp = pace.next(after: middle(after: last)) }
    let missed = max(0, Int(Double(now.nanoseconds - timestamp.nanoseconds) / step))
    if missed > 0 { timestamp = nearest(moved(timestamp, by: Double(missed) * step)) }
    let target = nearest(moved(timestamp, by: step))
    (due, last) = (target, timestamp)
    return DisplayTick(
      timestamp: timestamp, target: target, period: MediaTime(nanoseconds: Int64(step.rounded())), missed: missed)
  }

  public mutating func prefer(rate: Double?) { preferredRate = rate }

  public mutating func rest() { due = nil }

  /// Refreshes from one call to the next.
  private var interval: Double {
    guard let preferredRate, preferredRate > 0 else { return 1 }
    return max(1, (1e9 / pace.period / preferredRate).rounded())
  }

  private func nearest(_ time: MonotonicTime) -> MonotonicTime {
    pace.next(after: moved(time, by: -pace.period / 2))
  }

  private func middle(after time: MonotonicTime) -> MonotonicTime { moved(time, by: pace.period / 2) }

  private func moved(_ time: MonotonicTime, by nanoseconds: Double) -> MonotonicTime {
    MonotonicTime(nanoseconds: time.nanoseconds + Int64(nanoseconds))
  }
}

extension PresentTickSchedule: LinkSchedule {}
