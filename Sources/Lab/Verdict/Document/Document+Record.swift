extension ReportFormat {
  /// For people at a terminal: at most 100 columns, the answer last.
  public static let table = ReportFormat("table", "for people; ends with the answer") { record, useColor in
    Document(record).terminal(TerminalStyle(useColor: useColor))
  }

  /// For pull requests and job summaries: the answer first, then one table.
  public static let markdown = ReportFormat("markdown", "for pull requests and job summaries") { record, _ in
    Document(record).markdown
  }
}

extension Document {
  init(_ record: Record) {
    let answer = Answer(record)
    self.init(title: record.label ?? record.input.name, answer: answer.sentence)
    tone = answer.isGood.map { $0 ? .good : .bad } ?? .neutral
    let machine = ReportText.machine(record.environment.machine) + [ReportText.device(record.environment.device)]
    facts = [Fact("input", parts: ReportText.input(record.input)), Fact("machine", parts: machine)]
    sectionColumn = "scenario"
    overview = Section(playersOf: record)
    sections = record.scenarios.map(Section.init)
    warnings = record.warnings
    defect = record.complete ? nil : "incomplete: the run ended early"
  }
}

extension Document.Section {
  init(_ scenario: Record.Scenario) {
    let summary = scenario.summary
    let phases = ReportText.phases(summary)
    self.init(
      name: scenario.variant.map { "\(scenario.name) \($0)" } ?? scenario.name,
      heading: ReportText.heading(scenario), table: Document.Table(summary))
    notes = [
      Document.Fact("counters", parts: ReportText.counters(summary)),
      Document.Fact("histogram", parts: ReportText.histograms(scenario)),
      Document.Fact("phases", long: "phases in ms", parts: phases.path),
      Document.Fact("beside", long: "beside them", parts: phases.beside),
    ]
  }
}

extension Document.Table {
  /// A row for each metric.
  init(_ summary: Record.Summary) {
    self.init(
      columns: [.init("metric", .left, width: 10...64)]
        + ["p50", "p95", "p99", "max"].map { .init($0, width: 10...16) } + [.init("unit", .left, width: 0...24)])
    rows = Metric.ordered(summary.metrics.keys).compactMap { name in
      summary.metrics[name].map { Document.Row(cells: [name] + ReportText.statistics(name, $0) + [$0.unit]) }
    }
  }
}
