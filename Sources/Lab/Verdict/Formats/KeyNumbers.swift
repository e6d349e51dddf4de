import Frames

/// The few numbers of a record that an answer gives: main ones first, of whole scenarios before single stages.
///
/// Each scenario gives one number before any gives a second, and its first variant comes before the others.
struct KeyNumbers {
  /// One metric or counter of a scenario.
  struct Number {
    let name: String
    /// The median over the trials, or the sum of a counter.
    let value: String
    let unit: String
    /// `pipeline/direct · 58.94 … 61.45 in 12 trials`
    let place: String
  }

  let numbers: [Number]

  init(_ record: Record, count: Int = 3) {
    let scenarios = Self.ordered(record)
    let rounds = scenarios.map { scenario in
      Self.metrics(of: scenario).compactMap { Number(scenario, $0) }
    }
    let longest = rounds.map(\.count).max() ?? 0
    let all = (0..<longest).flatMap { round in
      rounds.compactMap { $0.indices.contains(round) ? $0[round] : nil }
    }
    numbers = Array(all.prefix(count))
  }

  /// First variants before the others, of these whole scenarios before single stages, else the record's order.
  static func ordered(_ record: Record) -> [Record.Scenario] {
    var variants: [String: Int] = [:]
    let ranked = record.scenarios.enumerated().map { index, scenario in
      let variant = variants[scenario.name, default: 0]
      variants[scenario.name] = variant + 1
      let isStage = scenario.key?.row.stage != nil
      return (scenario, rank: (variant == 0 ? 0 : 1, isStage ? 1 : 0, index))
    }
    return ranked.sorted { $0.rank < $1.rank }.map(\.0)
  }

  private static func metrics(of scenario: Record.Scenario) -> [Metric] {
    guard let row = scenario.key?.row else { return [] }
    return [row.main] + row.numbers
  }
}

extension KeyNumbers.Number {
  /// Nil if the scenario has no such number.
  init?(_ scenario: Record.Scenario, _ metric: Metric) {
    let title = ReportText.printable(scenario.title)
    if metric.kind == .counter {
      guard let count = scenario.summary.counters[metric] ?? nil else { return nil }
      self.init(name: metric.name, value: "\(count)", unit: "", place: title)
      return
    }
    guard let summary = scenario.summary.metrics[metric], let median = summary.p50 else { return nil }
    var details = [title]
    if summary.n > 1, let low = summary.trialLow, let high = summary.trialHigh {
      details.append("\(ReportText.number(low)) … \(ReportText.number(high)) in \(summary.n) trials")
    }
    if metric.kind == .distribution, let p99 = summary.p99 { details.append("p99 \(ReportText.number(p99))") }
    self.init(
      name: metric.name, value: ReportText.number(median), unit: ReportText.unit(summary.unit),
      place: details.joined(separator: " · "))
  }
}
