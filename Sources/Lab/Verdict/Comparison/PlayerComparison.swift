import Frames

/// The players of a record of `observe` side by side: the numbers of each, and how each differs from the first player by its trials.
///
/// Players take turns, so that drift of the machine affects all alike, and each trial counts as one value: Mann–Whitney over the trials, with
/// Holm's procedure over the numbers of a pair of players, as in a comparison of two records.
struct PlayerComparison {
  /// A number of the table.
  struct Column: Sendable {
    var title: String
    var unit: String?
    var metric: Metric
  }

  struct Player {
    var name: String
    /// One for each column.
    var cells: [Cell]
  }

  struct Cell {
    /// A counter's sum over all trials, or the median over the trials of any other number; nil if unknown.
    var value: Double?
    /// Beside the first player; nil for that one.
    var verdict: Outcome?
  }

  static let columns = [
    Column(title: "dropped", metric: .dropped), Column(title: "torn", metric: .torn),
    Column(title: "frozen", metric: .freezes), Column(title: "first", unit: "ms", metric: .timeToFirstFrame),
    Column(title: "rough", unit: "ms", metric: .roughness), Column(title: "sound", unit: "ms", metric: .avSync),
    Column(title: "CPU", unit: "s", metric: .cpuTime), Column(title: "RAM", unit: "MiB", metric: .peakRSS),
  ]

  let players: [Player]
  /// The smallest number of trials of a player.
  let trials: Int

  /// Nil for a record with fewer than two players.
  init?(_ record: Record) {
    let scenarios = record.scenarios(.observe)
    guard let first = scenarios.first, scenarios.count > 1 else { return nil }
    trials = scenarios.map { $0.trials.count(where: \.complete) }.min() ?? 0
    players = scenarios.enumerated().map { index, scenario in
      let verdicts = index == 0 ? [:] : Self.verdicts(of: scenario, beside: first, record.input.name)
      return Player(
        name: scenario.variant ?? scenario.name,
        cells: Self.columns.map { Cell(value: $0.total(scenario), verdict: verdicts[$0.metric.name]) })
    }
  }

  private static func verdicts(
    of head: Record.Scenario, beside base: Record.Scenario, _ input: String
  ) -> [String: Outcome] {
    let series = columns.compactMap { column -> Series? in
      let (base, head) = (column.values(base), column.values(head))
      guard !base.isEmpty, !head.isEmpty else { return nil }
      return Series(
        input: input, key: SeriesKey(scenario: Scenario.observe.name, variant: nil, metric: column.metric.name),
        quantity: column.metric.quantity, strata: [Stratum(base: base, head: head)], isGated: true, isOneSession: true)
    }
    let results = judge(series, of: .trials, options: ComparisonOptions())
    return Dictionary(results.compactMap { result in result.verdict.map { (result.metric, $0) } }) { $1 }
  }
}

extension PlayerComparison.Column {
  fileprivate init(title: String, metric: Metric) { self.init(title: title, unit: nil, metric: metric) }

  /// One value for each complete trial.
  fileprivate func values(_ scenario: Record.Scenario) -> [Double] {
    scenario.trials.filter(\.complete).compactMap { trial in
      let value =
        metric.kind == .counter
        ? (trial.counters[metric.name] ?? nil).map(Double.init) : trial.metrics[metric.name]?.p50
      return metric.polarity == .zero ? value.map(abs) : value
    }.filter(\.isFinite)
  }

  fileprivate func total(_ scenario: Record.Scenario) -> Double? {
    metric.kind == .counter
      ? (scenario.summary.counters[metric] ?? nil).map(Double.init) : scenario.summary.metrics[metric]?.p50
  }
}

extension Document.Section {
  /// Nil for a record with fewer than two players.
  init?(playersOf record: Record) {
    guard let comparison = PlayerComparison(record) else { return nil }
    var table = Document.Table(
      columns: [.init("player", .left, width: 6...16)]
        + PlayerComparison.columns.map {
          .init([$0.title, $0.unit].compactMap(\.self).joined(separator: " "), width: 4...9)
        })
    table.rows = comparison.players.map { player in
      Document.Row(cells: [player.name] + zip(PlayerComparison.columns, player.cells).map(Self.text))
    }
    self.init(name: "players", heading: "players side by side", table: table)
    let first = comparison.players[0].name
    let verdicts = comparison.players.flatMap(\.cells).compactMap(\.verdict)
    let isUndecided = verdicts.allSatisfy { $0 == .inconclusive }
    notes = [
      Document.Fact(
        "",
        "Frames dropped, torn and frozen, of all trials; the typical trial's first frame, roughness, sound behind the picture, "
          + "processor time and memory."),
      Document.Fact(
        "",
        isUndecided && comparison.trials < Self.leastTrials
          ? "Too few trials for verdicts beside \(first): give --trials \(Self.leastTrials)."
          : "+ is better and ! is worse than \(first), by the ranks of the trials at 1 %."),
    ]
  }

  /// With eight numbers, fewer trials a player cannot reach the level.
  private static let leastTrials = 6

  private static func text(_ column: PlayerComparison.Column, _ cell: PlayerComparison.Cell) -> String {
    let value =
      column.metric.kind == .counter
      ? cell.value.map { "\(Int(saturating: $0))" } ?? ReportText.unknown : ReportText.number(cell.value)
    switch cell.verdict {
    case .regression: return "! " + value
    case .improvement: return "+ " + value
    case .same, .inconclusive, nil: return value
    }
  }
}
