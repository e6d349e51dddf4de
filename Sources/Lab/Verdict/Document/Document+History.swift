extension HistoryFormat {
  /// For people at a terminal: at most 100 columns, the answer last.
  public static let table = HistoryFormat("table", "for people; ends with the answer") { history, terminal in
    Document(history).terminal(TerminalStyle(useColor: terminal.useColor), isASCII: terminal.isASCII)
  }

  /// For pull requests and job summaries: the answer first, then a table for each series.
  public static let markdown = HistoryFormat("markdown", "for pull requests and job summaries") { history, _ in
    Document(history).markdown
  }
}

extension Document {
  init(_ history: History) {
    self.init(title: "history of \(history.metric)", answer: history.sentence)
    let directions = history.series.flatMap(\.changes).map(\.direction)
    tone = directions.contains(.worse) ? .bad : directions.contains(.better) ? .good : .neutral
    sections = history.series.map { series in
      var section = Section(name: series.title, heading: series.title, table: Table(series))
      let values = series.points.map(\.median)
      let range = "\(ReportText.number(values.min())) … \(ReportText.number(values.max())) \(series.unit)"
      section.facts = [Fact("", series.place), Fact("", series.noiseText)]
      section.sparkline = (values, range)
      // The answer about a single series is its verdict.
      section.answer = history.series.count > 1 ? series.verdict : nil
      return section
    }
  }
}

extension Document.Table {
  /// A row for each commit.
  init(_ series: HistorySeries) {
    self.init(columns: [
      .init("commit", .left, width: 20...20), .init("first seen", .left, width: 10...10),
      .init("records", width: 7...7),
      .init("median", width: 11...11), .init("95 % interval", width: 24...24), .init("change", .left, width: 0...20),
    ])
    columns[3].title = series.unit == Metric.rebufferRatio.unit ? "median" : "median, \(series.unit)"
    rows = series.points.enumerated().map { index, point in
      let change = series.changes.first { $0.point == index }
      var row = Document.Row(cells: [
        point.commit, HistoryText.day(point.created), "\(point.records)", ReportText.number(point.median),
        point.intervalText,
        change.map { $0.shortText + ($0.direction == .other ? "" : " \($0.direction.rawValue)") } ?? "",
      ])
      if let change { row.tone = change.direction == .worse ? .bad : .undecided }
      return row
    }
  }
}
