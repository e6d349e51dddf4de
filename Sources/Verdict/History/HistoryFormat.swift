import Frames

/// A way to print a history: one row of `HistoryFormat.all`.
public struct HistoryFormat: Sendable {
  /// What a terminal can show.
  public struct Terminal: Sendable {
    public var useColor: Bool
    /// Whether it knows nothing but ASCII, for the line of blocks.
    public var isASCII: Bool

    public init(useColor: Bool = false, isASCII: Bool = false) {
      self.useColor = useColor
      self.isASCII = isASCII
    }
  }

  /// As `--format` takes it.
  public let name: String
  /// A few words for the help text.
  public let summary: String
  private let text: @Sendable (History, Terminal) throws(Failure) -> String

  init(_ name: String, _ summary: String, text: @escaping @Sendable (History, Terminal) throws(Failure) -> String) {
    self.name = name
    self.summary = summary
    self.text = text
  }

  /// The whole text, with a newline at its end.
  public func render(_ history: History, on terminal: Terminal = Terminal()) throws(Failure) -> String {
    try text(history, terminal)
  }

  public static let all: [HistoryFormat] = [.table, .json, .csv, .markdown]

  /// The format of that name, or nil when there is none.
  public static func named(_ name: String) -> HistoryFormat? {
    all.first { $0.name == name }
  }

  /// The history itself.
  public static let json = HistoryFormat("json", "everything, for programs") { history, _ throws(Failure) in
    String(decoding: try RecordCoding.encode(history), as: UTF8.self)
  }

  /// One row per commit, after RFC 4180; a cell that is not known is empty.
  public static let csv = HistoryFormat("csv", "one row per series and commit") { history, _ in
    let header = [
      "input", "machine", "device", "differences", "scenario", "variant", "metric", "unit", "better", "commit",
      "created", "records", "trials", "median", "low", "high", "noise_half_band", "change_percent", "change_p",
    ]
    return CSV.text([header] + history.series.flatMap(rows))
  }

  private static func rows(_ series: HistorySeries) -> [[String]] {
    func cell(_ value: Double?) -> String { value.map { "\($0)" } ?? "" }
    return series.points.enumerated().map { index, point in
      let change = series.changes.first { $0.point == index }
      return [
        series.input, series.machine, series.device ?? "", series.differences.joined(separator: "; "), series.scenario,
        series.variant ?? "", series.metric, series.unit, series.better, point.commit, point.created,
        "\(point.records)", "\(point.trials)", cell(point.median), cell(point.low), cell(point.high),
        cell(series.noise?.halfBand), cell(change?.percent), cell(change?.p),
      ]
    }
  }

  /// For pull requests and job summaries: the answer first, then a table for each series.
  public static let markdown = HistoryFormat("markdown", "for pull requests and job summaries") { history, _ in
    var lines = ["### bench360: history of \(history.metric)", "", "**\(Markdown.escaped(history.sentence))**"]
    for series in history.series {
      lines += ["", "#### \(Markdown.escaped(series.title))", "", "- \(Markdown.escaped(series.place))"]
      lines += ["- \(Markdown.escaped(series.noiseText))", "- \(Markdown.escaped(series.verdict))", ""]
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

extension HistorySeries.Point {
  /// `197.2 … 201.0`
  package var intervalText: String {
    guard let low, let high else { return ReportText.unknown }
    return "\(ReportText.number(low)) … \(ReportText.number(high))"
  }
}
