import Verdict

extension ReportSection {
  /// Every number of the newest record, as the terminal's table has it.
  static let numbers = ReportSection("numbers", "All numbers") { group, layout in
    group.newest.scenarios.map { scenario in
      let summary = scenario.summary
      let rows = Metric.ordered(summary.metrics.keys).compactMap { name in
        summary.metrics[name].map { [name] + ReportText.statistics(name, $0) + [$0.unit] }
      }
      let heading = ReportText.heading(scenario)
      var parts: [Markup] = [.element("summary", [:], heading)]
      if !rows.isEmpty {
        parts.append(
          Table(head: ["metric", "p50", "p95", "p99", "max", "unit"], rows: rows, texts: [0, 5]).markup(
            caption: heading))
      }
      let phases = ReportText.phases(summary)
      let lines = [
        ("counters", ReportText.counters(summary)), ("histogram", ReportText.histograms(scenario)),
        ("phases in ms", phases.path), ("beside them", phases.beside),
      ]
      parts += lines.filter { !$0.1.isEmpty }.map { name, words in
        .element("p", ["class": "note"], "\(name): \(words.joined(separator: " · "))")
      }
      return .element("details", [:], parts)
    }
  }
}
