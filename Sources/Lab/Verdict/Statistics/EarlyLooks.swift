/// When `ab` may test its samples, and how much of α each test (look) may spend.
///
/// Looks are at 8, 12 and 20 runs a side, as far as these lie below the planned number, and at the planned number. Looking
/// again gives chance another try, so α is split by the power spending function α·t², t being a look's share of the runs
/// (Kim and DeMets, "Design and analysis of group sequential tests based on the type I error spending rate function",
/// 1987, ρ = 2): little is spent early, and the parts add up to α. A look at which that many metrics could not be decided
/// with any samples is left out and spends nothing.
public struct EarlyLooks: Hashable, Sendable {
  /// One of its looks.
  public struct Look: Hashable, Sendable {
    /// Runs a side.
    public let runs: Int
    /// The share of α for the decision at this look.
    public let alpha: Double
  }

  /// Ascending by runs; the last is at the planned number.
  public let looks: [Look]

  /// `runs` a side are planned: even, since a block has two of each, and at least 2; `metrics` are decided together.
  /// Without `early` there is one look with the whole α.
  public init(runs: Int, metrics: Int = 1, early: Bool = true, alpha: Double = 0.01) {
    precondition(runs >= 2 && runs.isMultiple(of: 2), "runs come in pairs")
    var spent = 0.0
    looks = ((early ? [8, 12, 20].filter { $0 < runs } : []) + [runs]).compactMap { count in
      let share = Double(count) / Double(runs)
      let part = alpha * (share * share - spent)
      guard count == runs || Self.smallestP(runs: count) * Double(metrics) < part else { return nil }
      spent = share * share
      return Look(runs: count, alpha: part)
    }
  }

  /// Each block of four has six ways to be labelled, and one of them is the most extreme.
  private static func smallestP(runs: Int) -> Double {
    (0..<runs / 2).reduce(1) { p, _ in p / 6 }
  }
}
