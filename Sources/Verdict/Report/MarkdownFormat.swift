extension ReportFormat {
  /// For pull requests and job summaries: the answer first, then one table.
  public static let markdown = ReportFormat("markdown", "for pull requests and job summaries") { record, _ in
    let machine = ReportText.machine(record.machine) + " · " + ReportText.device(record.device)
    var lines = [
      "### bench360: \(escaped(record.label ?? record.input.name))", "",
      "**\(escaped(Answer(record).sentence))**", "",
      "- input: \(escaped(ReportText.input(record.input)))", "- machine: \(escaped(machine))",
    ]
    if !record.complete { lines.append("- incomplete: the run ended early") }
    let rows = record.scenarios.flatMap(metricRows)
    if !rows.isEmpty {
      lines += ["", "| scenario | metric | p50 | p95 | p99 | max | unit |", "|---|---|---:|---:|---:|---:|---|"] + rows
    }
    let notes = record.scenarios.flatMap(notes) + record.warnings.map(note)
    if !notes.isEmpty { lines += [""] + notes }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func metricRows(_ scenario: Record.Scenario) -> [String] {
    Metric.ordered(scenario.summary.metrics.keys).compactMap { name in
      scenario.summary.metrics[name].map { metric in
        let cells = [title(scenario), name] + ReportText.statistics(name, metric) + [metric.unit]
        return "| " + cells.map(escaped).joined(separator: " | ") + " |"
      }
    }
  }

  private static func notes(_ scenario: Record.Scenario) -> [String] {
    let phases = ReportText.phases(scenario.summary)
    let groups = [
      ("counters", ReportText.counters(scenario.summary)), ("phases in ms", phases.path),
      ("beside them", phases.beside),
    ]
    return groups.filter { !$0.1.isEmpty }.map { name, parts in
      "- \(escaped(title(scenario))), \(name): \(escaped(parts.joined(separator: " · ")))"
    }
  }

  private static func note(_ warning: Record.Warning) -> String {
    let remedy = warning.remedy.map { " — \(escaped($0))" } ?? ""
    return "- warning `\(escaped(warning.code))`: \(escaped(warning.text))\(remedy)"
  }

  private static func title(_ scenario: Record.Scenario) -> String {
    scenario.variant.map { "\(scenario.name) \($0)" } ?? scenario.name
  }

  /// Text that stays text: no markup, no cell of its own, one line.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in ReportText.printable(text) {
      switch character {
      case "|", "`", "*", "[", "]", "\\": result += "\\\(character)"
      case "<": result += "&lt;"
      default: result.append(character)
      }
    }
    return result
  }
}
