extension ReportSection {
  /// Every number of the newest record, as the terminal's table has it.
  static let numbers = ReportSection("numbers", "All numbers") { group, layout in
    group.newest.scenarios.map { scenario in
      let summary = scenario.summary
      let table = Document.Table(summary)
      let heading = ReportText.heading(scenario)
      var parts: [Markup] = [.element("summary", [:], heading)]
      if !table.rows.isEmpty {
        parts.append(
          Table(table, metrics: [0]).markup(
            caption: "\(heading): quantiles of the typical trial, the median over the trials of each one's own"))
      }
      if !summary.counters.isEmpty {
        let counts = Metric.ordered(summary.counters.keys).map { name in
          [name, (summary.counters[name] ?? nil).map(String.init) ?? ReportText.unknown]
        }
        parts.append(
          Table(head: ["counter", "all trials"], rows: counts, metrics: [0]).markup(
            caption: "Counters: \(heading)"))
      }
      parts += histograms(scenario) + phases(summary)
      return .element("details", [:], parts)
    }
  }

  /// How often each value occurred.
  private static func histograms(_ scenario: Record.Scenario) -> [Markup] {
    let histograms = scenario.histograms
    return Metric.ordered(histograms.keys).filter { histograms[$0]?.isEmpty == false }.map { name in
      let counts = (histograms[name] ?? [:]).sorted { (Double($0.key) ?? 0, $0.key) < (Double($1.key) ?? 0, $1.key) }
      let words = counts.map { "\($0.value) of \($0.key)" }.joined(separator: " · ")
      return .element("p", ["class": "note"], [.metric(name), ": \(words)"])
    }
  }

  private static func phases(_ summary: Record.Summary) -> [Markup] {
    let phases = ReportText.phases(summary)
    let lines = [("in ms", phases.path), ("beside them", phases.beside)]
    return lines.filter { !$0.1.isEmpty }.map { name, words in
      .element(
        "p", ["class": "note"], [.metric(Metric.phases.name), ", \(name): \(words.joined(separator: " · "))"])
    }
  }
}
