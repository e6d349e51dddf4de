extension ReportFormat {
  /// For pull requests and job summaries: the answer first, then one table.
  public static let markdown = ReportFormat("markdown", "for pull requests and job summaries") { record, _ in
    let machine = ReportText.machine(record.environment.machine) + [ReportText.device(record.environment.device)]
    var lines = [
      "### bench360: \(Markdown.escaped(record.label ?? record.input.name))", "",
      "**\(Markdown.escaped(Answer(record).sentence))**", "",
      "- input: \(Markdown.escaped(ReportText.input(record.input).joined(separator: " · ")))",
      "- machine: \(Markdown.escaped(machine.joined(separator: " · ")))",
    ]
    if !record.complete { lines.append("- incomplete: the run ended early") }
    let rows = record.scenarios.flatMap(metricRows)
    if !rows.isEmpty {
      lines += ["", "| scenario | metric | p50 | p95 | p99 | max | unit |", "|---|---|---:|---:|---:|---:|---|"] + rows
    }
    let notes = record.scenarios.flatMap(notes) + record.warnings.map(Markdown.note)
    if !notes.isEmpty { lines += [""] + notes }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func metricRows(_ scenario: Record.Scenario) -> [String] {
    Metric.ordered(scenario.summary.metrics.keys).compactMap { name in
      scenario.summary.metrics[name].map { metric in
        let cells = [title(scenario), name] + ReportText.statistics(name, metric) + [metric.unit]
        return "| " + cells.map(Markdown.escaped).joined(separator: " | ") + " |"
      }
    }
  }

  private static func notes(_ scenario: Record.Scenario) -> [String] {
    let phases = ReportText.phases(scenario.summary)
    let groups = [
      ("counters", ReportText.counters(scenario.summary)), ("histogram", ReportText.histograms(scenario)),
      ("phases in ms", phases.path),
      ("beside them", phases.beside),
    ]
    return groups.filter { !$0.1.isEmpty }.map { name, parts in
      "- \(Markdown.escaped(title(scenario))), \(name): \(Markdown.escaped(parts.joined(separator: " · ")))"
    }
  }

  private static func title(_ scenario: Record.Scenario) -> String {
    scenario.variant.map { "\(scenario.name) \($0)" } ?? scenario.name
  }
}
