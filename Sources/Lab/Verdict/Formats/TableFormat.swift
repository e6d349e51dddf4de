import Frames

extension ReportFormat {
  /// For people at a terminal: at most 100 columns, the answer last.
  public static let table = ReportFormat("table", "for people; ends with the answer") { record, useColor in
    TableFormat(style: TerminalStyle(useColor: useColor)).text(record)
  }
}

private struct TableFormat {
  let style: TerminalStyle
  private var width: Int { TerminalStyle.width }

  func text(_ record: Record) -> String {
    let machine = ReportText.machine(record.environment.machine) + [ReportText.device(record.environment.device)]
    var lines = style.wrapped(words: ReportText.input(record.input), separator: " · ", first: "input    ")
    lines += style.wrapped(words: machine, separator: " · ", first: "machine  ")
    let nameWidth = record.scenarios.flatMap { $0.summary.metrics.keys }.map(\.count).max() ?? 0
    for scenario in record.scenarios {
      lines += [""] + section(scenario, nameWidth: max(nameWidth, 10))
    }
    if !record.warnings.isEmpty { lines.append("") }
    lines += style.warnings(record.warnings)
    if !record.complete { lines += ["", style.styled("incomplete: the run ended early", .yellow)] }
    let answer = Answer(record)
    lines.append("")
    lines += style.wrapped(
      answer.sentence, first: "", color: answer.isGood.map { $0 ? .green : .red } ?? .bold)
    return lines.map { $0 + "\n" }.joined()
  }

  private func section(_ scenario: Record.Scenario, nameWidth: Int) -> [String] {
    let summary = scenario.summary
    var lines = [style.styled(ReportText.cut(ReportText.heading(scenario), to: width), .bold)]
    if !summary.metrics.isEmpty {
      lines.append(row("metric", ["p50", "p95", "p99", "max"], "unit", nameWidth: nameWidth))
    }
    for name in Metric.ordered(summary.metrics.keys) {
      guard let metric = summary.metrics[name] else { continue }
      lines.append(
        row(
          ReportText.printable(name), ReportText.statistics(name, metric), ReportText.printable(metric.unit),
          nameWidth: nameWidth))
    }
    lines += style.wrapped(words: ReportText.counters(summary), separator: " · ", first: "  counters  ")
    lines += style.wrapped(words: ReportText.histograms(scenario), separator: " · ", first: "  histogram ")
    let phases = ReportText.phases(summary)
    lines += style.wrapped(words: phases.path, separator: " · ", first: "  phases    ")
    lines += style.wrapped(words: phases.beside, separator: " · ", first: "  beside    ")
    return lines
  }

  private func row(_ name: String, _ cells: [String], _ unit: String, nameWidth: Int) -> String {
    let columns = cells.map { String(repeating: " ", count: max(1, 11 - $0.count)) + $0 }.joined()
    return "  " + name + String(repeating: " ", count: max(0, nameWidth - name.count)) + columns + "  " + unit
  }
}
