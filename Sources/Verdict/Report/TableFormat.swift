import Frames

extension ReportFormat {
  /// For people at a terminal: at most 100 columns, the answer last.
  public static let table = ReportFormat("table", "for people; ends with the answer") { record, useColor in
    TableFormat(useColor: useColor).text(record)
  }
}

private struct TableFormat {
  let useColor: Bool
  private let width = 100

  private enum Style: String {
    case bold = "1"
    case red = "31"
    case green = "32"
    case yellow = "33"
  }

  func text(_ record: Record) -> String {
    // The device decides what the numbers mean: the machine's description makes room for it.
    let device = " · " + ReportText.device(record.device)
    var lines = [
      ReportText.cut("input    " + ReportText.input(record.input), to: width),
      ReportText.cut("machine  " + ReportText.machine(record.machine), to: width - device.count) + device,
    ]
    let nameWidth = record.scenarios.flatMap { $0.summary.metrics.keys }.map(\.count).max() ?? 0
    for scenario in record.scenarios {
      lines += [""] + section(scenario, nameWidth: max(nameWidth, 10))
    }
    if !record.warnings.isEmpty { lines.append("") }
    for warning in record.warnings {
      lines += wrapped(words: words("\(warning.code): \(warning.text)"), first: "warning  ", style: .yellow)
      if let remedy = warning.remedy { lines += wrapped(words: words(remedy), first: "       → ") }
    }
    if !record.complete { lines += ["", styled("incomplete: the run ended early", .yellow)] }
    let answer = Answer(record)
    lines.append("")
    lines += wrapped(words: words(answer.sentence), first: "", style: answer.isGood.map { $0 ? .green : .red } ?? .bold)
    return lines.map { $0 + "\n" }.joined()
  }

  private func section(_ scenario: Record.Scenario, nameWidth: Int) -> [String] {
    let summary = scenario.summary
    var lines = [styled(ReportText.cut(ReportText.heading(scenario), to: width), .bold)]
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
    lines += wrapped(words: ReportText.counters(summary), separator: " · ", first: "  counters  ")
    let phases = ReportText.phases(summary)
    lines += wrapped(words: phases.path, separator: " · ", first: "  phases    ")
    lines += wrapped(words: phases.beside, separator: " · ", first: "  beside    ")
    return lines
  }

  private func row(_ name: String, _ cells: [String], _ unit: String, nameWidth: Int) -> String {
    let columns = cells.map { String(repeating: " ", count: max(1, 11 - $0.count)) + $0 }.joined()
    return "  " + name + String(repeating: " ", count: max(0, nameWidth - name.count)) + columns + "  " + unit
  }

  private func words(_ text: String) -> [String] {
    ReportText.printable(text).split(separator: " ").map(String.init)
  }

  /// Lines no wider than the table, the following ones indented as far as `first`; none when there are no words.
  private func wrapped(words: [String], separator: String = " ", first: String, style: Style? = nil) -> [String] {
    guard let opening = words.first else { return [] }
    let indent = String(repeating: " ", count: first.count)
    var lines = [first + ReportText.cut(opening, to: width - first.count)]
    for word in words.dropFirst() {
      let longer = lines[lines.count - 1] + separator + word
      if longer.count <= width {
        lines[lines.count - 1] = longer
      } else {
        lines.append(indent + ReportText.cut(word, to: width - first.count))
      }
    }
    return style.map { style in lines.map { styled($0, style) } } ?? lines
  }

  private func styled(_ text: String, _ style: Style) -> String {
    useColor ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}
