import Chance
import Foundation
import Verdict

/// Draws whole A B B A blocks with replacement from a long `ab --all-runs`, as many as a usual `ab` makes, and prints how
/// often its verdict would be a regression: false where both sides are the same, found where one was slowed down.
@main
struct ResampleVerdicts {
  static func main() throws {
    let usage = "usage: resample-verdicts [--cases N] [--runs N] [--seed S] COMPARISON.json …\n"
    var cases = 2000
    var runs = 20
    var seed: UInt64 = 360
    var files: [String] = []
    var rest = CommandLine.arguments.dropFirst()
    while let argument = rest.popFirst() {
      switch argument {
      case "--cases": cases = rest.popFirst().flatMap { Int($0) } ?? 0
      case "--runs": runs = rest.popFirst().flatMap { Int($0) } ?? 0
      case "--seed": seed = rest.popFirst().flatMap { UInt64($0) } ?? 0
      default: files.append(argument)
      }
    }
    guard cases > 0, runs >= 2, runs.isMultiple(of: 2), !files.isEmpty else {
      FileHandle.standardError.write(Data(usage.utf8))
      exit(2)
    }
    print("\(cases) resamples of \(runs) runs a side, seed \(seed); percent, 95 % Wilson interval\n")
    print("| file | metric | runs | base | shift | regression | improvement | runs a side when it stopped |")
    print("|---|---|---|---|---|---|---|---|")
    for file in files {
      let comparison = try RecordCoding.decode(
        Comparison.self, from: Data(contentsOf: URL(filePath: file)), name: file)
      var random = RandomSource(seed: seed)
      Recording(comparison).report((file as NSString).lastPathComponent, runs: runs, cases: cases, &random)
    }
  }
}

/// The blocks of a long run, for all of its gated metrics.
struct Recording {
  let metrics: [MetricComparison]
  let blocks: Int

  init(_ comparison: Comparison) {
    metrics = comparison.results.filter { $0.verdict != nil }
    blocks = (metrics.map(\.base.values.count).min() ?? 0) / 2
  }

  func report(_ name: String, runs: Int, cases: Int, _ random: inout RandomSource) {
    let looks = EarlyLooks(runs: runs, metrics: metrics.count).looks
    var anyWorse = Share()
    var worse = metrics.map { _ in Share() }
    var better = metrics.map { _ in Share() }
    var made = 0
    for _ in 0..<cases {
      let chosen = (0..<runs / 2).map { _ in Int.random(in: 0..<blocks, using: &random) }
      let (outcomes, stopped) = decided(chosen, looks)
      anyWorse.add(outcomes.contains(.regression))
      for index in metrics.indices {
        worse[index].add(outcomes[index] == .regression)
        better[index].add(outcomes[index] == .improvement)
      }
      made += stopped
    }
    let mean = String(format: "%.1f", Double(made) / Double(cases))
    for (index, metric) in metrics.enumerated() {
      let shift = metric.percent(metric.estimate.shift).map { String(format: "%+.2f %%", $0) } ?? "n/a"
      let base = String(format: "%.2f %@", metric.base.median ?? 0, metric.unit)
      print(
        "| \(name) | \(metric.title) | \(metric.base.values.count) | \(base) | \(shift) | \(worse[index].text) "
          + "| \(better[index].text) | \(mean) |")
    }
    if metrics.count > 1 { print("| \(name) | any of them | | | | \(anyWorse.text) | | \(mean) |") }
  }

  /// As `ab` decides: at each look, until the answer stands.
  private func decided(_ chosen: [Int], _ looks: [EarlyLooks.Look]) -> (outcomes: [Outcome], runs: Int) {
    var outcomes: [Outcome] = []
    for look in looks {
      let questions = metrics.map { question($0, Array(chosen.prefix(look.runs / 2))) }
      outcomes = decide(questions, alpha: look.alpha).map(\.outcome)
      if outcomes.contains(.regression) || !outcomes.contains(.inconclusive) { return (outcomes, look.runs) }
    }
    return (outcomes, looks.last?.runs ?? 0)
  }

  private func question(_ metric: MetricComparison, _ chosen: [Int]) -> Question {
    func pair(_ values: [Double], _ block: Int) -> [Double] { Array(values[(2 * block)..<(2 * block + 2)]) }
    let strata = chosen.map { Stratum(base: pair(metric.base.values, $0), head: pair(metric.head.values, $0)) }
    let median = Distribution.median(chosen.flatMap { pair(metric.base.values, $0) }) ?? 0
    let floor = Metric.named(metric.metric)?.absoluteFloor ?? 0
    return Question(
      isHigherBetter: metric.better == "high", strata: strata, threshold: max(median * 0.02, floor))
  }
}
