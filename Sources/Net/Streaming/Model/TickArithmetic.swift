import Frames

/// Conversions between ticks of a timescale and nanoseconds, through 128 bits: each is rounded once, none overflows.
package enum TickArithmetic {
  package static let nanosecondsPerSecond: Int64 = 1_000_000_000

  /// `ticks ⁄ timescale` seconds, rounded half up to nanoseconds; saturates. `timescale` is positive.
  package static func time(_ ticks: Int64, timescale: Int64) -> MediaTime {
    guard timescale != nanosecondsPerSecond else { return MediaTime(nanoseconds: ticks) }
    let scaled = Int128(ticks) * Int128(nanosecondsPerSecond)
    return MediaTime(nanoseconds: Int64(clamping: floorDivide(scaled + Int128(timescale) / 2, Int128(timescale))))
  }

  /// The ticks that begin at `time` or before it; saturates.
  package static func ticks(notAfter time: MediaTime, timescale: Int64) -> Int64 {
    guard timescale != nanosecondsPerSecond else { return time.nanoseconds }
    let scaled = Int128(time.nanoseconds) * Int128(timescale)
    return Int64(clamping: floorDivide(scaled, Int128(nanosecondsPerSecond)))
  }

  /// The nearest tick; saturates.
  package static func ticks(nearest time: MediaTime, timescale: Int64) -> Int64 {
    guard timescale != nanosecondsPerSecond else { return time.nanoseconds }
    let scaled = Int128(time.nanoseconds) * Int128(timescale) + Int128(nanosecondsPerSecond) / 2
    return Int64(clamping: floorDivide(scaled, Int128(nanosecondsPerSecond)))
  }

  /// The nearest tick, or the next where that would lose half a millisecond or more: a length written in milliseconds
  /// and rounded down gives no segment of its own.
  package static func ticks(covering time: MediaTime, timescale: Int64) -> Int64 {
    let nearest = ticks(nearest: time, timescale: timescale)
    let isShort = (time - Self.time(nearest, timescale: timescale)).nanoseconds >= 500_000
    return isShort ? nearest.addingSaturated(1) : nearest
  }

  private static func floorDivide(_ dividend: Int128, _ divisor: Int128) -> Int128 {
    let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

extension Int64 {
  /// Nil where the sum overflows.
  func adding(_ other: Int64) -> Int64? {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? nil : sum
  }

  func subtracting(_ other: Int64) -> Int64? {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? nil : difference
  }

  func multiplied(by other: Int64) -> Int64? {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? nil : product
  }
}
