/// Samples of base and head that were taken under the same conditions and may be compared with each other.
///
/// Two independent records are one stratum; one A B B A block of `ab` is a stratum of two samples a side. Both sides of
/// one stratum have the same unit. Samples must be finite.
public struct Stratum: Hashable, Sendable {
  /// Ascending, since the order of the runs inside a stratum carries no meaning.
  public let base: [Double]
  /// Ascending.
  public let head: [Double]

  public init(base: [Double], head: [Double]) {
    precondition(base.allSatisfy(\.isFinite) && head.allSatisfy(\.isFinite), "samples must be finite")
    self.base = base.sorted()
    self.head = head.sorted()
  }

  /// Number of differences head − base.
  var differences: Int { base.count * head.count }

  /// 2U, U = #(head > base) + ½ #(head = base), and whether any two of the pooled samples are equal.
  func ranked() -> (doubledU: Int, isTied: Bool) {
    var doubledU = 0
    var isTied = false
    forEachGroup { before, base, head in
      doubledU += head * (2 * before + base)
      if base + head > 1 { isTied = true }
    }
    return (doubledU, isTied)
  }

  /// Sizes of the groups of equal samples, ascending by value; they add up to all samples.
  func groups() -> [Int] {
    var sizes: [Int] = []
    forEachGroup { _, base, head in sizes.append(base + head) }
    return sizes
  }

  /// Calls `body(before, base, head)` for every distinct value, ascending: how many samples of base are smaller, how
  /// many of base and of head are equal to it.
  @inline(__always)
  private func forEachGroup(_ body: (Int, Int, Int) -> Void) {
    var b = 0
    var h = 0
    while b < base.count || h < head.count {
      let isBase = h == head.count || (b < base.count && base[b] <= head[h])
      let value = isBase ? base[b] : head[h]
      let firstB = b
      let firstH = h
      while b < base.count, base[b] == value { b += 1 }
      while h < head.count, head[h] == value { h += 1 }
      body(firstB, b - firstB, h - firstH)
    }
  }
}
