import FoundationEssentials
import Glibc
import Synchronization

/// Does head tend to be larger, or smaller, than base? A stratified one-sided Mann–Whitney test.
///
/// The statistic is U = #(head > base) + ½ #(head = base), counted inside each stratum and added up with equal weights
/// (van Elteren, "On the combination of independent two-sample tests of Wilcoxon", 1960). With one stratum this is the
/// classic test of two independent samples. With one stratum per A B B A block it is a permutation test that moves labels
/// only inside blocks, so that drift between blocks cannot matter.
///
/// The p-values are exact permutation probabilities given the ties, up to 100 pooled samples in a stratum and 10,000
/// differences in all; beyond, the normal approximation with tie and continuity correction (`isExact` is false).
public struct RankTest: Hashable, Sendable {
  /// One-sided p of "head tends to be larger".
  public let pHigher: Double
  /// One-sided p of "head tends to be smaller".
  public let pLower: Double
  /// The smallest p that strata of these sizes can give if no samples are equal; 1 if there is nothing to compare.
  public let smallestP: Double
  public let isExact: Bool

  /// Strata with an empty side are left out.
  public init(_ strata: [Stratum]) {
    let strata = strata.filter { $0.differences > 0 }
    var doubledU = 0
    var isTied = false
    for stratum in strata {
      let ranked = stratum.ranked()
      doubledU += ranked.doubledU
      isTied = isTied || ranked.isTied
    }
    let null = isTied ? RankNull(strata.map { .init($0, isTied: true) }) : RankNull.untied(strata)
    pHigher = null.upper(doubledU)
    pLower = null.lower(doubledU)
    isExact = null.isExact
    smallestP = strata.reduce(1) { $0 / Self.labelings($1) }
  }

  /// The number of ways to assign the labels to the pooled samples.
  private static func labelings(_ stratum: Stratum) -> Double {
    let few = min(stratum.base.count, stratum.head.count)
    let many = max(stratum.base.count, stratum.head.count)
    return Range(from: 1, to: few + 1).reduce(1) { $0 * Double(many + $1) / Double($1) }
  }
}

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

/// The distribution of 2U, summed over the strata, if base and head do not differ: every assignment of the two labels
/// inside each stratum is equally likely.
///
/// Exact up to 100 pooled samples in a stratum and 10,000 differences in all, where a table takes some milliseconds;
/// beyond, the normal approximation with tie and continuity correction (Lehmann, "Nonparametrics", 1975, section 1.3).
struct RankNull: Sendable {
  /// Samples in one stratum, and the sizes of its groups of equal ones (all 1 without ties).
  struct Shape: Hashable, Sendable {
    var base: Int
    var head: Int
    var groups: [Int]

    /// The shape of a stratum; `isTied` false treats all its samples as different.
    init(_ stratum: Stratum, isTied: Bool) {
      base = stratum.base.count
      head = stratum.head.count
      groups = isTied ? stratum.groups() : Array(repeating: 1, count: base + head)
    }
  }

  /// Exact: P(2U ≤ i) and P(2U ≥ i). Empty when approximated.
  private let lowerTails: [Double]
  private let upperTails: [Double]
  /// Of U, not of 2U.
  private let mean: Double
  private let deviation: Double

  var isExact: Bool { !lowerTails.isEmpty }

  init(_ shapes: [Shape]) {
    let differences = shapes.reduce(0) { $0 + $1.base * $1.head }
    mean = Double(differences) / 2
    deviation = shapes.reduce(0) { $0 + $1.variance }.squareRoot()
    let isSmall = differences <= 10_000 && shapes.allSatisfy { $0.base + $0.head <= 100 }
    let masses = isSmall ? Self.masses(shapes) : []
    lowerTails = Self.runningSum(masses)
    upperTails = Self.runningSum(masses.reversed()).reversed()
  }

  /// P(2U ≤ `doubledU`).
  func lower(_ doubledU: Int) -> Double {
    isExact ? lowerTails[doubledU] : normalTail(mean - Double(doubledU) / 2)
  }

  /// P(2U ≥ `doubledU`).
  func upper(_ doubledU: Int) -> Double {
    isExact ? upperTails[doubledU] : normalTail(Double(doubledU) / 2 - mean)
  }

  /// P that U lies at least `distance` beyond its mean on one side.
  private func normalTail(_ distance: Double) -> Double {
    guard deviation > 0 else { return 1 }
    return 0.5 * erfc((distance - 0.5) / (deviation * 2.0.squareRoot()))
  }

  private static func runningSum(_ masses: [Double]) -> [Double] {
    var sum = 0.0
    return masses.map {
      sum += $0
      return min(sum, 1)
    }
  }

  /// P(2U = i) of the sum over the strata, by convolution.
  private static func masses(_ shapes: [Shape]) -> [Double] {
    var sum = [1.0]
    var last: (shape: Shape, masses: [Double])?
    for shape in shapes {
      let masses = last.flatMap { $0.shape == shape ? $0.masses : nil } ?? shape.masses()
      last = (shape, masses)
      sum = convolution(sum, masses)
    }
    return sum
  }

  private static func convolution(_ a: [Double], _ b: [Double]) -> [Double] {
    var result = [Double](repeating: 0, count: a.count + b.count - 1)
    for (j, weight) in b.enumerated() where weight > 0 {
      for i in a.indices { result[i + j] += weight * a[i] }
    }
    return result
  }
}

extension RankNull.Shape {
  /// Of U, with the correction for ties.
  var variance: Double {
    let n = Double(base + head)
    let ties = groups.reduce(0.0) { sum, size in
      let t = Double(size)
      return sum + t * (t * t - 1)
    }
    return Double(base * head) / 12 * (n + 1 - ties / (n * (n - 1)))
  }

  /// P(2U = i), i = 0 … 2·base·head.
  ///
  /// Counts assignments group by group, ascending by value. A group of t equal samples of which j go to head, when b
  /// samples of base lie below, adds j·(2b + t − j) to 2U, and there are C(t, j) ways to choose them. Counts fit a
  /// Double up to some thousand samples.
  func masses() -> [Double] {
    let width = 2 * base * head + 1
    // counts[k · width + i]: ways in which k of the samples seen so far belong to head and 2U is i.
    var counts = [Double](repeating: 0, count: (head + 1) * width)
    counts[0] = 1
    var seen = 0
    for size in groups {
      add(group: size, seen: seen, width: width, to: &counts)
      seen += size
    }
    let masses = counts[(head * width)...]
    let all = masses.reduce(0, +)
    return masses.map { $0 / all }
  }

  private func add(group size: Int, seen: Int, width: Int, to counts: inout [Double]) {
    // Downwards, so that each value is read before it is overwritten; j = 0 leaves a count in place.
    for k in stride(from: min(head, seen + size), through: 1, by: -1) where seen + size - k <= base {
      var ways = 1.0
      for j in Range(from: 1, to: min(k, size) + 1) {
        ways *= Double(size - j + 1) / Double(j)
        let below = seen - (k - j)
        guard below >= 0 else { continue }
        let source = (k - j) * width
        let target = k * width + j * (2 * below + size - j)
        for i in Range(from: 0, to: 2 * (k - j) * below + 1) {
          counts[target + i] += ways.rounded() * counts[source + i]
        }
      }
    }
  }
}

extension RankNull {
  private struct Sizes: Hashable {
    var base: Int
    var head: Int
    var strata: Int
  }

  /// Tables of strata without ties, which do not depend on the samples.
  private static let untiedTables = Mutex<[Sizes: RankNull]>([:])

  /// The table of strata of these sizes without ties. Any thread; made once for strata that are all of one size.
  static func untied(_ strata: [Stratum]) -> RankNull {
    guard let first = strata.first,
      strata.allSatisfy({ $0.base.count == first.base.count && $0.head.count == first.head.count })
    else { return RankNull(strata.map { Shape($0, isTied: false) }) }
    let sizes = Sizes(base: first.base.count, head: first.head.count, strata: strata.count)
    if let known = untiedTables.withLock({ $0[sizes] }) { return known }
    let made = RankNull(strata.map { Shape($0, isTied: false) })
    untiedTables.withLock { $0[sizes] = made }
    return made
  }
}
