extension HistoryFormat {
  /// For people at a terminal: at most 100 columns, the answer last.
  public static let table = HistoryFormat("table", "for people; ends with the answer") { history, terminal in
    TableHistory(style: TerminalStyle(useColor: terminal.useColor), isASCII: terminal.isASCII).text(history)
  }
}

private struct TableHistory {
  let style: TerminalStyle
  let isASCII: Bool

  func text(_ history: History) -> String {
    var lines: [String] = []
    for series in history.series {
      lines += section(series)
      // The answer about a single series is its verdict.
      if history.series.count > 1 { lines += style.wrapped(series.verdict, first: "  ") }
      lines.append("")
    }
    let worst = history.series.flatMap(\.changes).map(\.direction)
    let color: TerminalStyle.Color = worst.contains(.worse) ? .red : worst.contains(.better) ? .green : .bold
    lines += style.wrapped(history.sentence, first: "", color: color)
    return lines.map { $0 + "\n" }.joined()
  }

  private func section(_ series: HistorySeries) -> [String] {
    var lines = style.wrapped(ReportText.printable(series.title), first: "", color: .bold)
    lines += style.wrapped(series.place, first: "  ")
    let values = series.points.map(\.median)
    let range = "\(ReportText.number(values.min())) … \(ReportText.number(values.max())) \(series.unit)"
    lines.append("  " + Sparkline.text(values, isASCII: isASCII) + "  " + ReportText.printable(range))
    lines += style.wrapped(series.noiseText, first: "  ")
    lines.append("  " + row(["commit", "first seen", "records", "median", "95 % interval", "change"], series.unit))
    for (index, point) in series.points.enumerated() {
      let change = series.changes.first { $0.point == index }
      let cells = [
        ReportText.cut(ReportText.printable(point.commit), to: 20), HistoryText.day(point.created), "\(point.records)",
        ReportText.number(point.median), point.intervalText,
        change.map { "\($0.shortText) \($0.direction == .other ? "" : $0.direction.rawValue)" } ?? "",
      ]
      let line = "  " + row(cells, "")
      lines.append(change.map { style.styled(line, $0.direction == .worse ? .red : .bold) } ?? line)
    }
    return lines
  }

  /// Widths of the longest possible cells: a commit, a day, a count, two numbers.
  private func row(_ cells: [String], _ unit: String) -> String {
    let widths = [20, 10, 7, 11, 24]
    var line = ""
    for (index, width) in widths.enumerated() {
      let cell = ReportText.cut(cells[index], to: width)
      let padding = String(repeating: " ", count: width - cell.count)
      line += (index == 0 ? "" : " ") + (index < 2 ? cell + padding : padding + cell)
    }
    return (cells[5].isEmpty ? line : line + "  " + cells[5]).trimmedRight
  }
}

extension String {
  fileprivate var trimmedRight: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
