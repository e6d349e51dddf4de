extension ComparisonFormat {
  /// For people at a terminal: at most 100 columns, the answer last.
  public static let table = ComparisonFormat("table", "for people; ends with the answer") { comparison, useColor in
    TableComparison(style: TextStyle(useColor: useColor)).text(comparison)
  }
}

private struct TableComparison {
  let style: TextStyle

  func text(_ comparison: Comparison) -> String {
    var lines = style.wrapped(ComparisonText.side(comparison.base), first: "base     ")
    lines += style.wrapped(ComparisonText.side(comparison.head), first: "head     ")
    if let runs = comparison.runs { lines.append("runs     \(ComparisonText.runs(runs))") }
    for difference in comparison.varied {
      lines += style.wrapped("\(difference.field): \(difference.base) against \(difference.head)", first: "differs  ")
    }
    var inputs: [String] = []
    for result in comparison.results where !inputs.contains(result.input) { inputs.append(result.input) }
    for input in inputs {
      lines += ["", style.styled(ReportText.cut(ReportText.printable(input), to: TextStyle.width), .bold)]
      lines += section(comparison.results.filter { $0.input == input })
    }
    if !comparison.warnings.isEmpty { lines.append("") }
    for warning in comparison.warnings { lines += style.warning(warning) }
    let color: TextStyle.Color =
      switch comparison.outcome {
      case .regression: .red
      case .inconclusive: .yellow
      case .improvement, .same: .green
      }
    lines.append("")
    lines += style.wrapped(comparison.sentence, first: "", color: comparison.incorrect.isEmpty ? color : .red)
    return lines.map { $0 + "\n" }.joined()
  }

  private func section(_ results: [MetricComparison]) -> [String] {
    let width = min(36, (results.map(\.title.count).max() ?? 0))
    let gated = results.filter { $0.verdict != nil }
    let others = results.filter { $0.verdict == nil }
    var lines = [row("metric", ["base", "head", "unit", "shift", "98 % interval"], "verdict", width)]
    for result in gated {
      lines.append(row(result, width))
      lines += style.wrapped(result.why, first: "    ")
    }
    if !others.isEmpty { lines.append("  not gated") }
    return lines + others.map { row($0, width) }
  }

  private func row(_ result: MetricComparison, _ width: Int) -> String {
    row(
      result.title,
      [
        ReportText.number(result.base.median), ReportText.number(result.head.median), result.unit, result.shiftText,
        result.intervalText ?? ReportText.unknown,
      ], result.verdict?.rawValue ?? "", width)
  }

  private func row(_ title: String, _ cells: [String], _ verdict: String, _ width: Int) -> String {
    let widths = [9, 9, 5, 9, 18]
    let columns = zip(cells, widths).enumerated().map { index, cell in
      let padding = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
      return index == 2 ? cell.0 + padding : padding + cell.0
    }
    let name = ReportText.cut(ReportText.printable(title), to: width)
    let line = "  " + name + String(repeating: " ", count: width - name.count) + " " + columns.joined(separator: " ")
    return verdict.isEmpty ? line : line + "  " + verdict
  }
}
