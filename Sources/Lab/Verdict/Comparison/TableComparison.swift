extension ComparisonFormat {
  /// For people at a terminal: at most 100 columns, the answer last.
  public static let table = ComparisonFormat("table", "for people; ends with the answer") { comparison, look in
    TableComparison(style: TerminalStyle(useColor: look.useColor), listsUnchanged: look.listsUnchanged).text(comparison)
  }
}

private struct TableComparison {
  let style: TerminalStyle
  let listsUnchanged: Bool

  func text(_ comparison: Comparison) -> String {
    var lines = style.wrapped(ComparisonText.side(comparison.base), first: "base     ")
    lines += style.wrapped(ComparisonText.side(comparison.head), first: "head     ")
    if let runs = comparison.runs { lines.append("runs     \(ComparisonText.runs(runs))") }
    for difference in comparison.varied {
      lines += style.wrapped("\(difference.field): \(difference.base) against \(difference.head)", first: "differs  ")
    }
    let columns = Columns(comparison.results)
    var inputs: [String] = []
    for result in comparison.results where !inputs.contains(result.input) { inputs.append(result.input) }
    for input in inputs {
      lines += ["", style.styled(ReportText.cut(ReportText.printable(input), to: TerminalStyle.width), .bold)]
      lines += section(comparison.results.filter { $0.input == input }, columns)
    }
    if let worth = DecodingWorth(comparison) { lines += [""] + style.wrapped(worth.sentence, first: "") }
    if !comparison.warnings.isEmpty { lines.append("") }
    lines += style.warnings(comparison.warnings)
    let color: TerminalStyle.Color =
      switch comparison.outcome {
      case .regression: .red
      case .inconclusive: .yellow
      case .improvement, .same: .green
      }
    lines.append("")
    lines += style.wrapped(comparison.sentence, first: "", color: comparison.incorrect.isEmpty ? color : .red)
    return lines.map { $0 + "\n" }.joined()
  }

  private func section(_ results: [MetricComparison], _ columns: Columns) -> [String] {
    let gated = results.filter { $0.verdict != nil }
    let others = results.filter { $0.verdict == nil }
    let listed = listsUnchanged ? others : others.filter { !$0.isUnchanged }
    var lines = [columns.line("metric", Columns.head, "verdict")]
    for (index, result) in gated.enumerated() {
      lines.append(columns.line(result))
      // Once for those in a row that share it.
      let isShared = index + 1 < gated.count && gated[index + 1].why == result.why
      if !isShared, result.verdict != .same || listsUnchanged { lines += style.wrapped(result.why, first: "    ") }
    }
    if !listed.isEmpty { lines.append("  not gated") }
    lines += listed.map(columns.line)
    let folded = others.count - listed.count
    if folded > 0 {
      let metrics = folded == 1 ? "metric that is not gated" : "metrics that are not gated"
      lines.append("  \(folded) \(metrics) did not change; --all lists \(folded == 1 ? "it" : "them")")
    }
    return lines
  }
}

/// As wide as the cells, up to 100 columns in all: long cells are cut, the verdict never.
private struct Columns {
  static let head = ["base", "head", "unit", "shift", "98 % interval"]
  private static let largest = [11, 11, 11, 14, 24]
  private static let verdict = Outcome.allCases.map(\.rawValue.count).max() ?? 0

  private let name: Int
  private let widths: [Int]

  init(_ results: [MetricComparison]) {
    let rows = [Self.head] + results.map(Self.cells)
    widths = Self.largest.enumerated().map { column, largest in
      min(largest, rows.map { $0[column].count }.max() ?? 0)
    }
    let others = 2 + widths.reduce(0) { $0 + 1 + $1 } + 2 + Self.verdict
    name = min(TerminalStyle.width - others, results.map { ReportText.printable($0.title).count }.max() ?? 0)
  }

  func line(_ result: MetricComparison) -> String {
    line(ReportText.printable(result.title), Self.cells(result), result.verdict?.rawValue ?? "")
  }

  func line(_ title: String, _ cells: [String], _ verdict: String) -> String {
    let title = ReportText.cut(title, to: name)
    let columns = zip(cells, widths).enumerated().map { index, column in
      let cell = ReportText.cut(column.0, to: column.1)
      let padding = String(repeating: " ", count: column.1 - cell.count)
      return " " + (index == 2 ? cell + padding : padding + cell)
    }
    let line = "  " + title + String(repeating: " ", count: name - title.count) + columns.joined()
    return verdict.isEmpty ? line : line + "  " + verdict
  }

  private static func cells(_ result: MetricComparison) -> [String] {
    [
      ReportText.number(result.base.median), ReportText.number(result.head.median), ReportText.printable(result.unit),
      result.shiftText, result.intervalText ?? ReportText.unknown,
    ]
  }
}
