extension HistoryFormat {
  /// For pull requests and job summaries: the answer first, then a table for each series.
  public static let markdown = HistoryFormat("markdown", "for pull requests and job summaries") { history, _ in
    var lines = ["### bench360: history of \(history.metric)", "", "**\(Markdown.escaped(history.sentence))**"]
    for series in history.series {
      lines += ["", "#### \(Markdown.escaped(series.title))", "", "- \(Markdown.escaped(series.place))"]
      lines.append("- \(Markdown.escaped(series.noiseText))")
      // The answer about a single series is its verdict.
      if history.series.count > 1 { lines.append("- \(Markdown.escaped(series.verdict))") }
      lines.append("")
      lines += ["| commit | created | records | median | 95 % interval | unit | change |"]
      lines += ["|---|---|---:|---:|---:|---|---|"]
      for (index, point) in series.points.enumerated() {
        let change = series.changes.first { $0.point == index }
        let cells = [
          point.commit, HistoryText.day(point.created), "\(point.records)", ReportText.number(point.median),
          point.intervalText, series.unit, change.map { "\($0.shortText) \($0.direction.rawValue)" } ?? "",
        ]
        lines.append("| " + cells.map(Markdown.escaped).joined(separator: " | ") + " |")
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }
}
