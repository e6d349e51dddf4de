import Frames

/// The shift of head against base: the median of all differences head − base within the strata (Hodges and
/// Lehmann, "Estimates of location based on rank tests", 1963), with the interval of all shifts that the two-sided
/// `RankTest` does not reject. In the unit of the samples.
///
/// The ends are the differences of rank k and M + 1 − k of M, k chosen from the distribution of U without ties, so that
/// ties make the interval wider rather than narrower.
public struct Shift: Hashable, Sendable {
  public let estimate: Double
  /// Nil if the samples are too few to bound the shift at this confidence.
  public let low: Double?
  public let high: Double?

  /// Nil if no stratum has samples on both sides. `confidence` is two-sided, above 0 and below 1.
  public init?(_ strata: [Stratum], confidence: Double = 0.98) {
    precondition(confidence > 0 && confidence < 1, "a confidence lies between 0 and 1")
    let differences = Differences(strata)
    let count = differences.count
    guard count > 0 else { return nil }
    let lowerMiddle = differences.element((count - 1) / 2)
    let upperMiddle = count.isMultiple(of: 2) ? differences.element(count / 2) : lowerMiddle
    // Halves first: the sum of two huge differences stays finite.
    estimate = (lowerMiddle == upperMiddle ? lowerMiddle : lowerMiddle / 2 + upperMiddle / 2).clampedToFinite
    let rejected = Self.rejected(RankNull.untied(differences.strata), count: count, tail: (1 - confidence) / 2)
    low = rejected == 0 ? nil : differences.element(rejected - 1).clampedToFinite
    high = rejected == 0 ? nil : differences.element(count - rejected).clampedToFinite
  }

  /// How many of U = 0, 1, 2 … have P(U' ≤ U) ≤ `tail`.
  private static func rejected(_ null: RankNull, count: Int, tail: Double) -> Int {
    var low = 0
    var high = count / 2
    while low < high {
      let middle = (low + high) / 2
      if null.lower(2 * middle) <= tail { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// All differences head − base within the strata in ascending order, none of them stored.
package struct Differences: Sendable {
  let strata: [Stratum]
  package let count: Int

  package init(_ strata: [Stratum]) {
    self.strata = strata.filter { $0.differences > 0 }
    count = self.strata.reduce(0) { $0 + $1.differences }
  }

  /// The difference with `rank` others before it.
  ///
  /// Bisects the range of values down to existing differences; each step walks once over the sorted sides.
  package func element(_ rank: Int) -> Double {
    precondition((0..<count).contains(rank), "there are \(count) differences")
    var first = Double.infinity
    var last = -Double.infinity
    for stratum in strata {
      first = min(first, stratum.head[0] - stratum.base[stratum.base.count - 1])
      last = max(last, stratum.head[stratum.head.count - 1] - stratum.base[0])
    }
    // Differences of huge samples are infinite; halving needs an end.
    (first, last) = (first.clampedToFinite, last.clampedToFinite)
    while first < last {
      let middle = first / 2 + last / 2
      let split = split(at: middle >= first && middle < last ? middle : first)
      if split.count > rank { last = split.below } else { first = split.above }
    }
    return first
  }

  /// How many differences are ≤ `value`, the largest of these, and the smallest of the others.
  private func split(at value: Double) -> (count: Int, below: Double, above: Double) {
    var count = 0
    var below = -Double.infinity
    var above = Double.infinity
    for stratum in strata {
      // The first sample of base whose difference to this one of head is ≤ value moves up with head.
      var b = 0
      for sample in stratum.head {
        while b < stratum.base.count, sample - stratum.base[b] > value { b += 1 }
        if b > 0 { above = min(above, sample - stratum.base[b - 1]) }
        if b < stratum.base.count { below = max(below, sample - stratum.base[b]) }
        count += stratum.base.count - b
      }
    }
    return (count, below, above)
  }
}
