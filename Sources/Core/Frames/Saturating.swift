/// Arithmetic on numbers that files carry: a result outside the range becomes its nearest end instead of a trap.
extension FixedWidthInteger {
  /// `value` without its fraction; the nearest end of the range where it lies outside, zero for NaN.
  @inlinable public init(saturating value: Double) {
    self = Self(exactly: value.rounded(.towardZero)) ?? (value > 0 ? .max : value < 0 ? .min : 0)
  }

  /// The sum, or the end of the range beyond which it lies.
  @inlinable public func addingSaturated(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, or the end of the range beyond which it lies.
  @inlinable public func subtractingSaturated(_ other: Self) -> Self {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (self < 0 ? .min : .max) : difference
  }

  /// The product, or the end of the range beyond which it lies.
  @inlinable public func multipliedSaturated(by other: Self) -> Self {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}

extension Double {
  /// The same number; the largest finite one of its sign for an infinity, zero for NaN. What JSON can hold.
  public var clampedToFinite: Double {
    isNaN ? 0 : Swift.min(Swift.max(self, -.greatestFiniteMagnitude), .greatestFiniteMagnitude)
  }
}

// Ranges with computed bounds. `a..<b` and `a...b` trap where the bounds are in the wrong order, such as those of a window that is too small for
// its contents. `SourceTests` finds the operators with such bounds.

extension Range {
  /// The values from `lower` up to and without `upper`; none where `upper` lies below `lower`.
  @inlinable
  public init(from lower: Bound, to upper: Bound) {
    self.init(uncheckedBounds: lower < upper ? (lower, upper) : (lower, lower))
  }
}

extension ClosedRange {
  /// The values from `lower` to `upper`; `lower` alone where `upper` lies below it.
  @inlinable
  public init(from lower: Bound, through upper: Bound) {
    self.init(uncheckedBounds: lower < upper ? (lower, upper) : (lower, lower))
  }
}
