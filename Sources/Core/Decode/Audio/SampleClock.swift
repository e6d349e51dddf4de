import Frames

/// Where decoded samples belong: they follow each other, unless their stamps contradict that by more than stamps are rounded by.
package struct SampleClock: Sendable {
  package enum Place: Hashable, Sendable {
    /// Behind the samples before; so many of its first ones are left out, for they overlap with those.
    case goesOn(dropping: Int)
    /// Later than the samples before end.
    case afterGap
    /// It has nothing to do with the samples before.
    case start
  }

  /// Stamps that differ by less are rounded ones: containers count in milliseconds, and the shortest frames that are lost last 10.
  package static let tolerance = MediaTime(nanoseconds: 8_000_000)
  /// The same at a seam, where one piece of media ends and another begins: there frames overlap, or leave a gap, by less than one.
  package static let seamTolerance = MediaTime(nanoseconds: 500_000)
  /// Stamps that differ by more begin anew.
  package static let longestGap = MediaTime(nanoseconds: 10_000_000_000)

  private var anchor: MediaTime?
  private var count: Int64 = 0
  private var rate: Int32 = 1
  /// Of the samples that were placed last, together.
  package private(set) var lastDuration = MediaTime.zero

  package init() {}

  /// Where the next sample belongs; nil before the first one.
  package var next: MediaTime? {
    anchor.map { $0 + MediaTime(ticks: count, timeBase: Ratio(1, rate)) }
  }

  /// Whether samples cannot follow those before: they overlap with them, or are of another rate.
  package func contradicts(_ stamp: MediaTime, rate: Int) -> Bool {
    guard let next else { return false }
    return rate != Int(self.rate) || next - stamp > Self.tolerance
  }

  /// Places samples, which then count as those before the next ones.
  ///
  /// - Parameters:
  ///   - stamp: of the first one; nil: it is not said.
  ///   - samples: in each channel.
  ///   - rate: samples per second, above 0.
  ///   - isSeam: they are the first ones of another piece of media.
  package mutating func place(_ stamp: MediaTime?, samples: Int, rate: Int, isSeam: Bool = false) -> Place {
    let expected = next
    lastDuration = MediaTime(ticks: Int64(samples), timeBase: Ratio(1, Int32(clamping: rate)))
    if rate != Int(self.rate) { (anchor, count, self.rate) = (expected, 0, Int32(clamping: rate)) }
    defer { count += Int64(samples) }
    guard let expected else {
      anchor = stamp ?? .zero
      return .start
    }
    guard let stamp else { return .goesOn(dropping: 0) }
    let late = stamp - expected
    let size = stamp.distance(to: expected)
    if size <= (isSeam ? Self.seamTolerance : Self.tolerance) { return .goesOn(dropping: 0) }
    guard size <= Self.longestGap else {
      (anchor, count) = (stamp, 0)
      return .start
    }
    if late > .zero {
      (anchor, count) = (stamp, 0)
      return .afterGap
    }
    let dropped = min(samples, Int((-late.seconds * Double(rate)).rounded()))
    count -= Int64(dropped)
    return .goesOn(dropping: dropped)
  }
}
