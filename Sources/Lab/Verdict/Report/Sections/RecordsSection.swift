extension ReportSection {
  /// Every record of the group with its main numbers, where there are several, and what the other sections leave out.
  static let records = ReportSection("records", "Records") { group, layout in
    guard group.records.count > 1 else { return [] }
    let shown = group.records.suffix(layout.isAlone ? 100 : 20)
    let left = group.records.count - shown.count
    return [
      .element("p", [:], leftOut(group) + (left > 0 ? " \(left) older records are left out of the table." : "")),
      Table(
        head: ["made", "commit", "label", "scenarios", "warnings"], rows: shown.reversed().map(row),
        texts: [0, 1, 2, 3]
      )
      .markup(caption: "Records, the newest first; medians over the trials of each"),
    ]
  }

  private static func leftOut(_ group: RecordGroup) -> String {
    var missing: [String] = []
    let drawn = Set(group.newest.scenarios.map(title))
    for name in group.records.flatMap(\.scenarios).map(title) where !drawn.contains(name) && !missing.contains(name) {
      missing.append(name)
    }
    let text =
      "The other sections show the newest of \(group.records.count) records, and the history all of its scenarios."
    guard !missing.isEmpty else { return text }
    return text + " They leave out what only older records have: \(missing.joined(separator: ", "))."
  }

  private static func title(_ scenario: Record.Scenario) -> String {
    [scenario.name, scenario.variant].compactMap { $0 }.joined(separator: " ")
  }

  private static func row(_ record: Record) -> [String] {
    let state = record.complete ? "" : ", incomplete"
    return [
      record.created + state, record.build.name, record.label ?? "",
      record.scenarios.map(number).joined(separator: "; "), "\(record.warnings.count)",
    ]
  }

  /// `pipeline direct 214.0 1/s`, of the main metric.
  private static func number(_ scenario: Record.Scenario) -> String {
    guard let metric = scenario.key?.mainMetric else { return title(scenario) }
    let values = scenario.trials.filter(\.complete).compactMap { $0.metrics[metric]?.p50 }
    return "\(title(scenario)) \(ReportText.number(Distribution.median(values))) \(metric.unit)"
  }
}
