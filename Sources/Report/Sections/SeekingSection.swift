import Verdict

extension ReportSection {
  /// How long a seek takes, by how exact it must be; and what a hand on the view waits for.
  static let seeking = ReportSection("seeking", "Seeking and looking around") { group, layout in
    let scenarios = group.newest.scenarios
    return charts(
      scenarios, "scrub", "seek_latency_ms", "Seek latency", "exact above, whatever is nearest below", layout)
      + charts(
        scenarios, "scrub", "scrub_lag_ms", "How far the picture lags behind a dragging hand", "at each refresh", layout
      )
      + charts(
        scenarios, "interaction", "input_latency_ms", "From a hand's move to the picture that shows it",
        "by what the hand does", layout)
  }

  /// In the order in which tolerances widen.
  private static let tolerances = ["exact", "half-pixel", "0.1s", "1s", "infinite", "adaptive"]

  private static func charts(
    _ scenarios: [Record.Scenario], _ name: String, _ metric: String, _ title: String, _ order: String, _ layout: Layout
  ) -> [Markup] {
    var patterns: [String] = []
    let known = scenarios.filter { $0.name == name && $0.summary.metrics[metric]?.p50 != nil }
    for scenario in known where !patterns.contains(pattern(scenario)) { patterns.append(pattern(scenario)) }
    let rows = patterns.flatMap { pattern in
      known.filter { self.pattern($0) == pattern }.sorted { rank($0) < rank($1) }.compactMap { scenario in
        scenario.summary.metrics[metric].flatMap { SpreadRow(rowName(scenario), $0) }
      }
    }
    guard !rows.isEmpty else { return [] }
    return [
      SpreadChart(
        id: layout.id("\(name)-\(metric)"), title: title, unit: "ms", rows: rows, from: 0, counted: "trials",
        note: "\(metric), \(order)."
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
    ReportText.cut((scenario.variant ?? scenario.name).split(separator: "/").joined(separator: " · "), to: 36)
  }
}
