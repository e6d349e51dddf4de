/// Finds where a series of values moves to another level, and stays there.
///
/// Circular binary segmentation (Olshen, Venkatraman, Lucito and Wigler, "Circular binary segmentation for the analysis of
/// array-based DNA copy number data", 2004) with a statistic of ranks, so that neither the noise's shape nor single
/// outliers matter (Pettitt, "A non-parametric approach to the change-point problem", 1979): of all stretches of a
/// segment, at its ends or within, this takes the one whose rank sum is furthest from that expected without a change,
/// in standard deviations of the Mann–Whitney statistic. It also finds a level that comes and goes, which cuts in two
/// alone would miss. The p-value of the largest such distance is that of random permutations of the segment, valid
/// for any noise, as long as the order of the values means nothing without a change. Limit: noise correlated between
/// successive values is reported as a change.
///
/// A series without changes is cut by mistake with probability `alpha` at most: only its first test is ever made. After
/// each true change there is one more segment to test, each at `alpha`. At the end each cut is tested once more
/// between its neighbours, alone, and dropped if it is not significant there.
public struct ChangePoints: Sendable {
  public struct Cut: Hashable, Sendable {
    /// Index of the first value after the change.
    public let index: Int
    /// Of the permutation test, never below 1 ÷ (`permutations` + 1).
    public let p: Double
  }

  /// The minimum length of a segment: two values alone show nothing.
  public static let shortest = 3
  /// Longer segments are only cut in two: the number of stretches within grows with the square, and power is ample.
  static let longestForStretches = 500
  /// With fewer values no order of them is significant at 0.01, with the change in their middle or not.
  public static let fewest = 10

  public var alpha: Double
  public var permutations: Int
  public var seed: UInt64

  public init(alpha: Double = 0.01, permutations: Int = 1999, seed: UInt64 = 360) {
    self.alpha = alpha
    self.permutations = permutations
    self.seed = seed
  }

  /// The cuts, ascending. `values` are finite and in the order of time.
  ///
  /// - Parameter isAllowed: whether a segment may begin at that index; false between two runs of one commit.
  public func cuts(in values: [Double], isAllowed: (Int) -> Bool = { _ in true }) -> [Cut] {
    var found: [Cut] = []
    divide(values, values.indices, isAllowed, into: &found)
    found.sort { $0.index < $1.index }
    return refined(found, values, isAllowed)
  }

  private func divide(
    _ values: [Double], _ range: Range<Int>, _ isAllowed: (Int) -> Bool, into found: inout [Cut]
  ) {
    let cuts = best(values, range, isAllowed, withStretches: range.count <= Self.longestForStretches)
    guard !cuts.isEmpty else { return }
    found += cuts
    let borders = [range.lowerBound] + cuts.map(\.index) + [range.upperBound]
    for (start, end) in zip(borders, borders.dropFirst()) {
      divide(values, Range(from: start, to: end), isAllowed, into: &found)
    }
  }

  /// A cut found while another change disturbed it may be misplaced, or no cut at all.
  private func refined(_ cuts: [Cut], _ values: [Double], _ isAllowed: (Int) -> Bool) -> [Cut] {
    guard cuts.count > 1 else { return cuts }
    var kept = cuts
    var position = 0
    while position < kept.count {
      let start = position == 0 ? 0 : kept[position - 1].index
      let end = position + 1 < kept.count ? kept[position + 1].index : values.count
      if let cut = best(values, Range(from: start, to: end), isAllowed, withStretches: false).first {
        kept[position] = cut
        position += 1
      } else {
        kept.remove(at: position)
      }
    }
    return kept
  }

  /// The ends of the most striking stretch of a segment; the segment's own ends are not cuts. Empty
  /// if it is not significant.
  private func best(
    _ values: [Double], _ range: Range<Int>, _ isAllowed: (Int) -> Bool, withStretches: Bool
  ) -> [Cut] {
    let count = range.count
    guard count >= Self.fewest else { return [] }
    let inner = Range(from: Self.shortest, to: count - Self.shortest + 1).filter { isAllowed(range.lowerBound + $0) }
    guard !inner.isEmpty else { return [] }
    var ranks = Self.ranks(Array(values[range]))
    let search = Search(count: count, starts: withStretches ? [0] + inner : [0], ends: inner)
    let found = search.largest(ranks)
    guard found.distance > 0 else { return [] }
    // Once this many permutations reach the distance, p is too large regardless of the others.
    let tooMany = Int((alpha * Double(permutations + 1)).rounded(.up))
    var random = Permutation(state: seed &+ UInt64(range.lowerBound) &* 0x1000_0001 &+ UInt64(count))
    var reached = 1
    for _ in 0..<permutations {
      random.shuffle(&ranks)
      if search.largest(ranks).distance >= found.distance - 1e-9 { reached += 1 }
      if reached > tooMany { return [] }
    }
    let p = Double(reached) / Double(permutations + 1)
    guard p < alpha else { return [] }
    return [found.start, found.end].filter { $0 > 0 && $0 < count }.map { Cut(index: range.lowerBound + $0, p: p) }
  }

  /// Mid-ranks less their mean, so that their sums are 0 without a change.
  private static func ranks(_ values: [Double]) -> [Double] {
    let order = values.indices.sorted { values[$0] < values[$1] }
    var ranks = [Double](repeating: 0, count: values.count)
    var start = 0
    while start < order.count {
      var end = start + 1
      while end < order.count, values[order[end]] == values[order[start]] { end += 1 }
      for index in Range(from: start, to: end) {
        ranks[order[index]] = Double(start + end - 1) / 2 - Double(values.count - 1) / 2
      }
      start = end
    }
    return ranks
  }

  /// Tests all stretches of a segment.
  private struct Search {
    private let count: Int
    private let starts: [Int]
    private let ends: [Int]
    /// 1 ÷ standard deviation of the rank sum of k of n; the correction for ties is the same for all k.
    private let weights: [Double]

    init(count: Int, starts: [Int], ends: [Int]) {
      self.count = count
      self.starts = starts
      self.ends = ends
      weights = Range(from: 0, to: count + 1).map { k in
        let variance = Double(k) * Double(count - k) * Double(count + 1) / 12
        return variance > 0 ? 1 / variance.squareRoot() : 0
      }
    }

    /// A stretch and the values around it are both at least `shortest` long. One that reaches the segment's end is
    /// equivalent to its complement before it.
    func largest(_ ranks: [Double]) -> (start: Int, end: Int, distance: Double) {
      var sums = [0.0]
      sums.reserveCapacity(count + 1)
      for rank in ranks { sums.append(sums[sums.count - 1] + rank) }
      var best = (start: 0, end: 0, distance: -1.0)
      for start in starts {
        for end in ends where end - start >= ChangePoints.shortest {
          let distance = abs(sums[end] - sums[start]) * weights[end - start]
          if distance > best.distance { best = (start, end, distance) }
        }
      }
      return best
    }
  }

  /// SplitMix64 and the shuffle of Fisher and Yates: the same cuts on every machine.
  private struct Permutation {
    var state: UInt64

    mutating func shuffle(_ values: inout [Double]) {
      for index in stride(from: values.count - 1, to: 0, by: -1) {
        values.swapAt(index, Int(next().multipliedFullWidth(by: UInt64(index + 1)).high))
      }
    }

    private mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }
}
