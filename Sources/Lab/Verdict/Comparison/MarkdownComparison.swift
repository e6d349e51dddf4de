extension ComparisonFormat {
  /// For pull requests and job summaries: the answer first, then the gated metrics, the others folded away.
  public static let markdown = ComparisonFormat("markdown", "for pull requests and job summaries") { comparison, _ in
    let gated = comparison.results.filter { $0.verdict != nil }
    let others = comparison.results.filter { $0.verdict == nil }
    var lines = [
      "### bench360: \(comparison.incorrect.isEmpty ? comparison.outcome.rawValue : "incorrect")", "",
      "**\(Markdown.escaped(comparison.sentence))**", "",
    ]
    lines += [side("base", comparison.base), side("head", comparison.head)]
    if let runs = comparison.runs { lines.append("- \(ComparisonText.runs(runs))") }
    lines += comparison.varied.map { Markdown.escaped("- differs: \($0.field), \($0.base) against \($0.head)") }
    lines += ["", head, rule] + gated.map(row) + [""]
    lines += gated.map {
      "- **\($0.verdict?.rawValue ?? "")** \(Markdown.escaped("\(comparison.name($0)): \($0.why)"))"
    }
    if let worth = DecodingWorth(comparison) { lines += ["", Markdown.escaped(worth.sentence)] }
    if !others.isEmpty {
      lines += ["", "<details><summary>not gated</summary>", "", head, rule] + others.map(row) + ["", "</details>"]
    }
    if !comparison.warnings.isEmpty { lines += [""] + comparison.warnings.map(Markdown.note) }
    return lines.map { $0 + "\n" }.joined()
  }

  private static let head = "| input | scenario | metric | base | head | unit | shift | 98 % interval | verdict |"
  private static let rule = "|---|---|---|---:|---:|---|---:|---:|---|"

  private static func side(_ name: String, _ side: Comparison.Side) -> String {
    Markdown.escaped("- \(name): \(ComparisonText.side(side))")
  }

  private static func row(_ result: MetricComparison) -> String {
    let cells = [
      result.input, [result.scenario, result.variant].compactMap { $0 }.joined(separator: " "), result.metric,
      ReportText.number(result.base.median), ReportText.number(result.head.median), result.unit, result.shiftText,
      result.intervalText ?? ReportText.unknown, result.verdict?.rawValue ?? "–",
    ]
    return "| " + cells.map(Markdown.escaped).joined(separator: " | ") + " |"
  }
}
