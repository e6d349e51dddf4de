extension ReportSection {
  /// Seek latency by tolerance, and input latency.
  static let seeking = ReportSection("seeking", "Seeking and looking around") { group, layout in
    Scenario.allCases.flatMap { key in
      key.row.spreads.flatMap { charts(group.newest.scenarios(key), key, $0, layout) }
    }
  }

  /// In the order in which tolerances widen.
  private static let tolerances = ["exact", "half-pixel", "0.1s", "1s", "infinite", "adaptive"]

  private static func charts(
    _ scenarios: [Record.Scenario], _ key: Scenario, _ spread: Scenario.Spread, _ layout: Layout
  ) -> [Markup] {
    let metric = spread.metric
    var patterns: [String] = []
    let known = scenarios.filter { $0.summary.metrics[metric]?.p50 != nil }
    for scenario in known where !patterns.contains(pattern(scenario)) { patterns.append(pattern(scenario)) }
    let rows = patterns.flatMap { pattern in
      known.filter { self.pattern($0) == pattern }.sorted { rank($0) < rank($1) }.compactMap { scenario in
        scenario.summary.metrics[metric].flatMap { SpreadRow(rowName(scenario), $0) }
      }
    }
    guard !rows.isEmpty else { return [] }
    return [
      SpreadChart(
        id: layout.id("\(key.name)-\(metric.name)"), title: spread.title, metric: metric, unit: "ms", rows: rows,
        from: 0,
        counted: "trials",
        note: "\(metric.name), \(spread.note)."
      ).figure
    ]
  }

  private static func pattern(_ scenario: Record.Scenario) -> String {
    let parts = (scenario.variant ?? "").split(separator: "/").map(String.init)
    return (parts.prefix(1) + (parts.last == "long" ? ["long"] : [])).joined(separator: " ")
  }

  private static func rank(_ scenario: Record.Scenario) -> Int {
    let parts = (scenario.variant ?? "").split(separator: "/").map(String.init)
    return tolerances.firstIndex { parts.dropFirst().contains($0) } ?? tolerances.count
  }

  private static func rowName(_ scenario: Record.Scenario) -> String {
    (scenario.variant ?? scenario.name).split(separator: "/").joined(separator: " · ")
  }
}
