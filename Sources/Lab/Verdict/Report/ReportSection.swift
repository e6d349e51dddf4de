import Frames

/// A section about a group of records: one row of `ReportSection.all`.
struct ReportSection: Sendable {
  /// Part of its id.
  let name: String
  /// Of its heading and in the contents.
  let title: String
  /// Empty where the records have no data for it; the heading is left out then.
  let content: @Sendable (RecordGroup, Layout) -> [Markup]

  init(_ name: String, _ title: String, content: @escaping @Sendable (RecordGroup, Layout) -> [Markup]) {
    self.name = name
    self.title = title
    self.content = content
  }

  /// In the order of the page.
  static let all: [ReportSection] = [
    .stream, .density, .observed, .frames, .pacing, .sound, .queue, .stages, .startup, .seeking, .distributions,
    .history,
    .records,
    .numbers, .setup,
  ]
}

/// One group on the page.
struct GroupPage {
  private let group: RecordGroup
  private let layout: Layout
  private let sections: [(section: ReportSection, content: [Markup])]

  init(_ group: RecordGroup, _ layout: Layout) {
    self.group = group
    self.layout = layout
    sections = ReportSection.all.map { ($0, $0.content(group, layout)) }.filter { !$0.1.isEmpty }
  }

  var contents: [(id: String, title: String)] {
    sections.map { (layout.id($0.section.name), $0.section.title) }
  }

  /// The answer's sentence, and notes about the measured clip and machine.
  var answer: [Markup] {
    let record = group.newest
    let answer = Answer(record)
    let isBad = answer.isGood == false
    var parts: [Markup] = [
      .element("p", ["class": isBad ? "answer verdict bad" : "answer verdict"], Self.clauses(answer.sentence)),
      .element(
        "p", ["class": "note"],
        [
          Markup(text: ReportText.input(record.input, isWhole: true).joined(separator: " · ")), .element("br"),
          Markup(
            text: (ReportText.machine(record.environment.machine, isWhole: true)
              + [ReportText.device(record.environment.device, isWhole: true)]).joined(separator: " · ")),
        ]),
    ]
    if let note = LoopNote(record).sentence { parts.append(.element("p", ["class": "note"], note)) }
    if group.records.count > 1 {
      parts.append(
        .element(
          "p", ["class": "note"],
          "The newest of \(group.records.count) records, of \(HistoryText.day(record.created)), commit "
            + "\(record.build.name); all of them are in the table of records."))
    }
    if !record.complete { parts.append(.element("p", ["class": "note"], "Incomplete: the run ended early.")) }
    return parts
  }

  /// The main numbers.
  var facts: [Markup] {
    let rows = Facts(group.newest).rows
    return rows.isEmpty ? [] : [.labelledTerms(class: "facts", rows)]
  }

  var warnings: [Markup] {
    let place = layout.isAlone ? "" : " of \(group.name)"
    return WarningList(group.newest.warnings, of: "these numbers", place: place).markup
  }

  var body: Markup {
    let parts = sections.map { section, content in
      Markup.element(
        "section", ["aria-labelledby": (layout.isAlone ? "" : "g\(layout.group) ") + layout.id(section.name)],
        [.heading(layout.level, id: layout.id(section.name), section.title)] + content)
    }
    if layout.isAlone { return .joined(parts) }
    return .element(
      "article", ["aria-labelledby": "g\(layout.group)"],
      [.heading(2, id: "g\(layout.group)", group.name)] + answer + facts + warnings + parts)
  }

  /// With a capital at its beginning and a full stop; numbers stay on one line with their unit.
  static func sentence(_ text: String) -> String {
    var sentence = text.prefix(1).uppercased() + text.dropFirst() + "."
    for unit in ["×", "ms", "fps", "Hz", "%", "1/s", "Mbit/s"] {
      sentence = sentence.replacing(" \(unit)", with: "\u{A0}\(unit)")
    }
    return sentence
  }

  /// The same with its first clause, the answer itself, set apart from the others.
  static func clauses(_ text: String) -> [Markup] {
    let sentence = sentence(text)
    guard let end = sentence.firstRange(of: "; ") else { return [Markup(text: sentence)] }
    return [
      Markup(text: String(sentence[..<end.lowerBound])),
      .element("span", ["class": "rest"], String(sentence[end.lowerBound...])),
    ]
  }
}

/// Each scenario's main metric, which a reader looks for first.
struct Facts {
  let rows: [(term: Markup, value: String?)]

  init(_ record: Record) {
    var rows: [(term: Markup, value: String?)] = []
    if let headroom = Answer(record).headroom { rows.append(("of the clip's frame rate", Answer.factor(headroom))) }
    if let play = record.scenarios.first(where: { $0.key?.row.pace == .frames }) {
      func count(_ name: Metric) -> Int? { play.summary.counters[name] ?? nil }
      // Of as many as the sentence counts.
      let all =
        count(.presented).map {
          " of \($0.addingSaturated(count(.dropped) ?? 0).addingSaturated(count(.skipped) ?? 0))"
        } ?? ""
      for counter in [Metric.dropped, .late] where play.summary.counters[counter] != nil {
        let term = Markup.joined(["\(counter.label), in \(play.name) ", .code(counter.name)])
        rows.append((term, count(counter).map { "\($0)\(all)" }))
      }
    }
    var seen: Set<String> = []
    for scenario in record.scenarios where seen.insert(scenario.name).inserted {
      guard let key = scenario.key, !key.has(.sideBySide) else { continue }
      let main = key.mainMetric
      guard let metric = scenario.summary.metrics[main] else { continue }
      let place = [scenario.name, scenario.variant].compactMap { $0 }.joined(separator: " ")
      let unit = metric.unit == "1/s" ? "fps" : ReportText.unit(metric.unit)
      let value = metric.p50.map { [ReportText.number($0), unit].filter { !$0.isEmpty }.joined(separator: " ") }
      rows.append((.joined(["\(main.label), \(place) ", .code(main.name)]), value))
    }
    self.rows = rows
  }
}

/// Warnings with their remedies: one item for each code, further texts folded.
struct WarningList {
  private let warnings: [Record.Warning]
  private let title: String
  /// Distinguishes landmarks with the same title.
  private let place: String

  init(_ warnings: [Record.Warning], of subject: String, place: String = "") {
    self.warnings = warnings
    title = "What disturbs \(subject)"
    self.place = place
  }

  var markup: [Markup] {
    guard !warnings.isEmpty else { return [] }
    var codes: [String] = []
    for warning in warnings where !codes.contains(warning.code) { codes.append(warning.code) }
    let items = codes.map { code in item(warnings.filter { $0.code == code }) }
    return [
      .element(
        "section", ["class": "warnings", "aria-label": title + place],
        [.element("p", [:], [.element("strong", [:], title)]), .element("ul", [:], items)])
    ]
  }

  private func item(_ same: [Record.Warning]) -> Markup {
    guard let first = same.first else { return "" }
    var parts: [Markup] = [.element("strong", [:], first.code), ": \(first.text)"]
    if let remedy = first.remedy { parts.append(.element("span", ["class": "note"], " — \(remedy)")) }
    if same.count > 1 {
      let others = same.dropFirst().map { Markup.element("li", [:], $0.text) }
      parts.append(
        .element(
          "details", [:],
          [
            .element("summary", [:], same.count == 2 ? "1 more" : "\(same.count - 1) more"),
            .element("ul", [:], others),
          ]))
    }
    return .element("li", [:], parts)
  }
}
