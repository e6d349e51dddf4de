/// A point or span on a clip's own timeline, in nanoseconds; 0 is the first instant of the presentation.
///
/// Container time stamps are rounded to nanoseconds once, when they are read, so that equal stamps stay equal.
public struct MediaTime: Hashable, Comparable, Sendable, Codable {
  public var nanoseconds: Int64

  public static let zero = MediaTime(nanoseconds: 0)

  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Saturates at the ends of the representable range (± 292 years); NaN becomes zero.
  public init(seconds: Double) {
    let scaled = (seconds * 1e9).rounded()
    if scaled.isNaN {
      nanoseconds = 0
    } else if scaled >= 9.2e18 {
      nanoseconds = .max
    } else if scaled <= -9.2e18 {
      nanoseconds = .min
    } else {
      nanoseconds = Int64(scaled)
    }
  }

  /// `ticks × numerator ⁄ denominator` seconds, rounded half up; saturates. Hostile files carry any value.
  public init(ticks: Int64, timeBase: Ratio) {
    guard timeBase.numerator > 0, timeBase.denominator > 0 else {
      nanoseconds = 0
      return
    }
    let factor = Int64(timeBase.numerator) * 1_000_000_000
    let denominator = UInt64(timeBase.denominator)
    let product = ticks.magnitude.multipliedFullWidth(by: UInt64(factor))
    let (low, carry) = product.low.addingReportingOverflow(denominator / 2)
    let high = product.high + (carry ? 1 : 0)
    guard high < denominator else {
      nanoseconds = ticks < 0 ? .min : .max
      return
    }
    let magnitude = denominator.dividingFullWidth((high, low)).quotient
    let clamped = Int64(min(magnitude, UInt64(Int64.max)))
    nanoseconds = ticks < 0 ? -clamped : clamped
  }

  public var seconds: Double { Double(nanoseconds) / 1e9 }
  public var milliseconds: Double { Double(nanoseconds) / 1e6 }

  public static func < (a: MediaTime, b: MediaTime) -> Bool { a.nanoseconds < b.nanoseconds }

  /// Saturates: hostile files carry any value.
  public static func + (a: MediaTime, b: MediaTime) -> MediaTime {
    let (sum, overflow) = a.nanoseconds.addingReportingOverflow(b.nanoseconds)
    return MediaTime(nanoseconds: overflow ? (a.nanoseconds < 0 ? .min : .max) : sum)
  }

  /// Saturates, as `+` does.
  public static func - (a: MediaTime, b: MediaTime) -> MediaTime {
    let (difference, overflow) = a.nanoseconds.subtractingReportingOverflow(b.nanoseconds)
    return MediaTime(nanoseconds: overflow ? (a.nanoseconds < 0 ? .min : .max) : difference)
  }
}

/// A fraction as containers write them: frame rates, sample aspects, time bases. A zero denominator means "unknown".
public struct Ratio: Hashable, Sendable, Codable, CustomStringConvertible {
  public var numerator: Int32
  public var denominator: Int32

  public init(_ numerator: Int32, _ denominator: Int32) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// Nil when the fraction is not a positive number.
  public var value: Double? {
    numerator > 0 && denominator > 0 ? Double(numerator) / Double(denominator) : nil
  }

  public var description: String { "\(numerator)/\(denominator)" }
}
