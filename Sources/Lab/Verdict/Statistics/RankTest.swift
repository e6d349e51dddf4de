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
