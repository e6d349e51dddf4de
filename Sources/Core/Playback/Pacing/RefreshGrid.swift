import Frames

/// The instants at which a display refreshes: a start and every so many of a second, exact for ever.
///
/// Each instant is computed from its number, so nothing adds up over hours.
public struct RefreshGrid: Sendable, Hashable {
  /// Refresh 0.
  public var start: MonotonicTime
  /// Refreshes per second; positive.
  public let rate: Ratio

  /// - Parameter rate: anything that is not positive counts as 60.
  public init(start: MonotonicTime, rate: Ratio) {
    self.start = start
    self.rate = rate.value == nil ? Ratio(60, 1) : rate
  }

  /// From one refresh to the next, rounded to a nanosecond.
  public var period: MediaTime { MediaTime(ticks: 1, timeBase: Ratio(rate.denominator, rate.numerator)) }

  /// When refresh `number` is, rounded to a nanosecond.
  public func instant(_ number: Int64) -> MonotonicTime {
    let offset = MediaTime(ticks: number, timeBase: Ratio(rate.denominator, rate.numerator))
    return MonotonicTime(nanoseconds: start.nanoseconds + offset.nanoseconds)
  }

  /// The last refresh that is not after `time`.
  public func number(at time: MonotonicTime) -> Int64 {
    let seconds = time.seconds(since: start)
    var number = Int64((seconds * Double(rate.numerator) / Double(rate.denominator)).rounded(.down))
    // A double knows the number to a hair only.
    while instant(number + 1) <= time { number += 1 }
    while instant(number) > time { number -= 1 }
    return number
  }
}

/// The next refresh for a caller that is called once every so many refreshes.
public struct TickSchedule: Sendable, Hashable {
  public private(set) var grid: RefreshGrid
  /// Refreshes from one call to the next.
  public private(set) var interval: Int64
  /// The refresh that the last call was for: there the next one is made, however often calls are wanted from then on.
  private var due: Int64?

  /// - Parameter preferredRate: calls per second that are wanted; the nearest that the refreshes divide into is taken.
  public init(grid: RefreshGrid, preferredRate: Double? = nil) {
    self.grid = grid
    interval = TickSchedule.interval(grid, preferredRate)
  }

  /// Changes how often it calls; the phase stays that of the refreshes.
  public mutating func prefer(rate: Double?) {
    interval = TickSchedule.interval(grid, rate)
  }

  private static func interval(_ grid: RefreshGrid, _ preferredRate: Double?) -> Int64 {
    guard let preferredRate, preferredRate > 0 else { return 1 }
    let refreshes = Double(grid.rate.numerator) / Double(grid.rate.denominator)
    // A clip's rate can be next to nothing: still a call in every million refreshes.
    return Int64(saturating: min(max(1, (refreshes / preferredRate).rounded()), 1e6))
  }

  /// The next call, and how many were missed since the last one.
  ///
  /// A call that is late but before the next one is made at once; those before it are missed.
  public mutating func next(now: MonotonicTime) -> DisplayTick {
    let current = grid.number(at: now)
    let due = self.due ?? current + 1
    let missed = max(0, (current - due) / interval)
    let number = due + missed * interval
    self.due = number + interval
    return DisplayTick(
      timestamp: grid.instant(number), target: grid.instant(number + interval),
      period: MediaTime(nanoseconds: grid.period.nanoseconds * interval), missed: Int(missed))
  }

  /// The next call is for a refresh at `start`, and the others follow from there.
  public mutating func begin(at start: MonotonicTime) {
    grid.start = start
    due = 0
  }

  /// Forgets when it was to be called: what passes until the next call was not missed.
  public mutating func rest() { due = nil }
}
