extension ComparisonFormat {
  /// For people at a terminal: at most 100 columns, the answer last.
  public static let table = ComparisonFormat("table", "for people; ends with the answer") { comparison, look in
    Document(comparison).terminal(TerminalStyle(useColor: look.useColor), listsUnchanged: look.listsUnchanged)
  }

  /// For pull requests and job summaries: the answer first, then the gated metrics, the others folded.
  public static let markdown = ComparisonFormat("markdown", "for pull requests and job summaries") { comparison, _ in
    Document(comparison).markdown
  }
}

extension Document {
  init(_ comparison: Comparison) {
    self.init(
      title: comparison.incorrect.isEmpty ? comparison.outcome.rawValue : "incorrect", answer: comparison.sentence)
    tone =
      switch comparison.outcome {
      case _ where !comparison.incorrect.isEmpty: .bad
      case .regression: .bad
      case .inconclusive: .undecided
      case .improvement, .same: .good
      }
    facts = [
      Fact("base", ComparisonText.side(comparison.base)), Fact("head", ComparisonText.side(comparison.head)),
    ]
    if let runs = comparison.runs { facts.append(Fact("runs", ComparisonText.runs(runs))) }
    facts += comparison.varied.map { Fact("differs", "\($0.field): \($0.base) against \($0.head)") }
    sectionColumn = "input"
    var inputs: [String] = []
    for result in comparison.results where !inputs.contains(result.input) { inputs.append(result.input) }
    sections = inputs.map { input in
      let results = comparison.results.filter { $0.input == input }
      return Section(name: input, heading: input, table: Table(results, in: comparison))
    }
    remarks = DecodingWorth(comparison).map { [$0.sentence] } ?? []
    warnings = comparison.warnings
  }
}

extension Document.Table {
  /// A row for each result: those with a verdict, and the others.
  init(_ results: [MetricComparison], in comparison: Comparison) {
    let longest = Outcome.allCases.map(\.rawValue.count).max() ?? 0
    self.init(columns: [
      .init("metric", .left, width: 0...64), .init("base", width: 0...11), .init("head", width: 0...11),
      .init("unit", .left, width: 0...11), .init("shift", width: 0...14), .init("98 % interval", width: 0...24),
      .init("verdict", .left, width: longest...longest),
    ])
    rows = results.filter { $0.verdict != nil }.map { Document.Row($0, in: comparison) }
    others = results.filter { $0.verdict == nil }.map { Document.Row($0, in: comparison) }
    othersTitle = "not gated"
    folded = { count in
      let metrics = count == 1 ? "metric that is not gated" : "metrics that are not gated"
      return "\(count) \(metrics) did not change; --all lists \(count == 1 ? "it" : "them")"
    }
  }
}

extension Document.Row {
  fileprivate init(_ result: MetricComparison, in comparison: Comparison) {
    self.init(cells: [
      result.title, ReportText.number(result.base.median), ReportText.number(result.head.median), result.unit,
      result.shiftText, result.intervalText ?? ReportText.unknown, result.verdict?.rawValue ?? "",
    ])
    isUnchanged = result.verdict.map { $0 == .same } ?? result.isUnchanged
    if let verdict = result.verdict { remark = (comparison.name(result), verdict.rawValue, result.why) }
  }
}
