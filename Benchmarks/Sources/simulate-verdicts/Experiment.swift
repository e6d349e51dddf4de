import Chance
import Verdict

/// One row of the table: how runs are taken, how many, and how they differ.
struct Experiment {
  enum Kind: String, CaseIterable {
    /// Independent samples, looked at once.
    case compare
    /// A B B A blocks with early looks.
    case ab
  }

  static let metrics = 10
  /// As a share of the median of base.
  static let threshold = 0.02

  var kind: Kind
  /// A side.
  var runs: Int
  var deviation: Double
  var noise: Noise

  struct Result {
    /// Which metrics were called a regression.
    var regressions: [Bool]
    /// A side, when it stopped.
    var runs: Int
  }

  /// One case. The first metric of head is larger by `shift`, a share of it; lower is better.
  func run(shift: Double, _ random: inout RandomSource) -> Result {
    switch kind {
    case .compare: compare(shift, &random)
    case .ab: ab(shift, &random)
    }
  }

  private func compare(_ shift: Double, _ random: inout RandomSource) -> Result {
    let questions = (0..<Self.metrics).map { metric in
      var series = Series(noise, deviation: deviation, runs: 2 * runs)
      let base = (0..<runs).map { _ in series.next(&random) }
      let factor = metric == 0 ? 1 + shift : 1
      let head = (0..<runs).map { _ in series.next(&random) * factor }
      return question([Stratum(base: base, head: head)], base: base)
    }
    return Result(regressions: decide(questions).map { $0.outcome == .regression }, runs: runs)
  }

  /// Samples of one metric as they come in.
  private struct Metric {
    var series: Series
    var factor: Double
    var strata: [Stratum] = []
    var base: [Double] = []

    mutating func takeBlock(_ random: inout RandomSource) {
      let a = series.next(&random)
      let b = series.next(&random) * factor
      let c = series.next(&random) * factor
      let d = series.next(&random)
      strata.append(Stratum(base: [a, d], head: [b, c]))
      base.append(a)
      base.append(d)
    }
  }

  private func ab(_ shift: Double, _ random: inout RandomSource) -> Result {
    var metrics = (0..<Self.metrics).map { metric in
      Metric(series: Series(noise, deviation: deviation, runs: 2 * runs), factor: metric == 0 ? 1 + shift : 1)
    }
    var result = Result(regressions: [], runs: 0)
    for look in EarlyLooks(runs: runs, metrics: 10).looks {
      for index in metrics.indices {
        for _ in (result.runs / 2)..<(look.runs / 2) { metrics[index].takeBlock(&random) }
      }
      let decisions = decide(metrics.map { question($0.strata, base: $0.base) }, alpha: look.alpha)
      result = Result(regressions: decisions.map { $0.outcome == .regression }, runs: look.runs)
      if result.regressions.contains(true) || decisions.allSatisfy({ $0.outcome == .same }) { break }
    }
    return result
  }

  private func question(_ strata: [Stratum], base: [Double]) -> Question {
    let median = Distribution.median(base) ?? 0
    return Question(isHigherBetter: false, strata: strata, threshold: Self.threshold * median)
  }
}
