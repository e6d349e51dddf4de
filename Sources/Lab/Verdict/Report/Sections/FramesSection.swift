import Frames

extension ReportSection {
  /// The display interval of each frame over the run, with the intervals that were too long.
  static let frames = ReportSection("frames", "Frame times over the run") { group, layout in
    let record = group.newest
    // The last stage of a frame first.
    let keys = Scenario.allCases.reversed()
    let paced = keys.filter { $0.row.pace != nil }.flatMap { key in
      record.scenarios(key).flatMap { curves($0, record, layout) }
    }
    let others = keys.filter { $0.row.pace == nil }.flatMap { key in
      record.scenarios(key).compactMap { scenario -> Markup? in
        let figures = curves(scenario, record, layout)
        return figures.isEmpty ? nil : .element("div", ["class": "pair"], figures)
      }
    }
    return paced + others
  }

  private static func curves(_ scenario: Record.Scenario, _ record: Record, _ layout: Layout) -> [Markup] {
    guard let metric = RunCurve.metric(of: scenario) else { return [] }
    let trials = scenario.trials.enumerated().compactMap { index, trial in
      RunCurve(trial, number: index + 1, metric: metric, cadence: Cadence(record, scenario))
    }
    let shown = RunCurve.shown(trials)
    let axes = RunCurve.Axes(shown.map(\.curve))
    return shown.map { $0.curve.chart(scenario, of: trials.count, why: $0.why, axes, layout).figure }
  }
}

/// The samples of one trial in the order in which they were taken.
struct RunCurve {
  private let number: Int
  private let metric: Metric
  private let samples: [Double]
  /// The longest interval of perfect pacing, in milliseconds; nil where frames are not paced.
  private let cadence: Cadence?
  private let overruns: [Double]
  private let counters: [String: Int?]

  private static let height = 150.0

  /// The scales that the curves of one scenario share, so that their heights and lengths compare by eye.
  struct Axes {
    let values: Scale
    /// The frames of the longest trial.
    let frames: Int

    init(_ curves: [RunCurve]) {
      let low = curves.map { min(0, $0.smallest) }.min() ?? 0
      let high = curves.map { max($0.largest, $0.cadence?.longest ?? 0) }.max() ?? 1
      values = Scale(low, high * 1.05)
      frames = max(curves.map(\.samples.count).max() ?? 1, 1)
    }
  }

  /// The metric of a frame's time in that scenario; nil where there is none to plot.
  static func metric(of scenario: Record.Scenario) -> Metric? {
    scenario.key?.row.frameTimes.first { metric in
      scenario.trials.contains { ($0.metrics[metric]?.samples.count ?? 0) > 1 }
    }
  }

  init?(_ trial: Record.Trial, number: Int, metric: Metric, cadence: Cadence?) {
    guard let samples = trial.metrics[metric]?.samples.filter(\.isFinite), samples.count > 1 else { return nil }
    self.number = number
    self.metric = metric
    self.samples = samples
    self.cadence = metric == .displayInterval ? cadence : nil
    let overruns = trial.metrics[.frameOverrun]?.samples ?? []
    // One for each frame, if each has an interval to the next.
    self.overruns = metric == .displayInterval && overruns.count == samples.count + 1 ? overruns : []
    counters = trial.counters
  }

  /// Up to two all; else the worst, which has the most marks or else the largest sample, and the one in the middle. Each with the
  /// reason why it is shown, which is empty for a single trial.
  static func shown(_ all: [RunCurve]) -> [(curve: RunCurve, why: String)] {
    let same = "Both charts have the same scales."
    guard all.count > 2 else {
      return all.map { ($0, all.count == 1 ? "" : "Both trials are shown. \(same)") }
    }
    let sorted = all.sorted { ($0.gaps, $0.largest, $0.number) < ($1.gaps, $1.largest, $1.number) }
    let (worst, middle) = (sorted[sorted.count - 1], sorted[sorted.count / 2])
    let (most, order) =
      worst.gaps > 0
      ? ("the most frames that stayed too long", "by frames that stayed too long, then by the longest time")
      : ("the longest time", "by the longest time")
    return [
      (worst, "Of \(all.count) trials this one is shown because it has \(most). \(same)"),
      (middle, "This is the middle one of the \(all.count) trials, sorted \(order). \(same)"),
    ]
  }

  private var smallest: Double { samples.min() ?? 0 }
  private var largest: Double { samples.max() ?? 0 }
  private var gaps: Int { samples.indices.count(where: isGap) }
  private var missed: Int { overruns.count { $0 > 0 } }

  /// Longer than any interval of perfect pacing, by more than half a refresh.
  private func isGap(_ index: Int) -> Bool {
    cadence.map { samples[index] > $0.longest + $0.refresh / 2 } ?? false
  }

  func chart(
    _ scenario: Record.Scenario, of count: Int, why: String, _ axes: Axes, _ layout: Layout
  ) -> Chart {
    let envelope = Envelope(samples, columns: layout.columns, isMarked: isGap)
    let place = [scenario.name, scenario.variant].compactMap { $0 }.joined(separator: " · ")
    let trial = count == 1 ? "" : ", trial \(number) of \(count)"
    return Chart(
      id: layout.id("frames-\(ident(scenario))-\(number)"),
      title: "\(title), ms — \(place)\(trial)", metric: metric, description: description,
      height: Int(Self.height) + 46, drawing: drawing(envelope, axes), legend: legend, hasScale: true,
      caption: [why, caption(envelope)].filter { !$0.isEmpty }.joined(separator: " "), table: table)
  }

  private func ident(_ scenario: Record.Scenario) -> String {
    RecordFile.fileNameSafe(([scenario.name] + [scenario.variant].compactMap { $0 }).joined(separator: "-"))
  }

  private var title: String {
    switch metric {
    case .displayInterval: "How long each frame stayed"
    case .frameInterval: "From each frame to the next"
    case .decodeLatency: "Decoding each frame"
    default: "Rendering each frame"
    }
  }

  private func drawing(_ envelope: Envelope, _ axes: Axes) -> [Markup] {
    let (height, scale) = (Self.height, axes.values)
    let length = Double(samples.count) / Double(axes.frames)
    let top = 16.0
    func y(_ value: Double) -> Double { height * (1 - scale.place(value)) }
    var stems = PathData()
    let width = Draw.units * length / Double(max(envelope.columns.count, 1))
    for (index, column) in envelope.columns.enumerated() {
      guard let marked = column.marked else { continue }
      let x = (Double(index) + 0.5) * width
      stems.move(x, y(cadence?.longest ?? 0))
      stems.down(y(marked))
    }
    var parts = Draw.grid(scale, y: top, height: height)
    if let cadence {
      for ideal in cadence.ideals {
        let place = top + y(ideal.interval)
        parts.append(Draw.line(x: (0, 1), y: (place, place), class: "ideal"))
      }
    }
    parts.append(Draw.plane(y: top, height: height, [curve(envelope, width: width, y)]))
    if !stems.isEmpty { parts.append(Draw.plane(y: top, height: height, [Draw.path(stems, class: "mark")])) }
    // Where no frame stayed too long, the longest says nothing.
    if cadence == nil || gaps > 0,
      let index = envelope.columns.indices.max(by: { envelope.columns[$0].high < envelope.columns[$1].high })
    {
      let column = envelope.columns[index]
      let text = "\(ReportText.number(column.high)) ms"
      parts.append(
        Draw.aside(
          text, x: (Double(index) + 0.5) * width / Draw.units, y: max(10, top + y(column.high) + 4),
          class: column.marked == nil ? "strong" : "alert"))
    }
    let last = Draw.atEnd("frame \(axes.frames)", y: top + height + 22)
    return parts + [Draw.line(x: (0, 1), y: (top + height, top + height), class: "axis")]
      + [Draw.text("1", x: 0, y: top + height + 22), last]
      + missedRug(y: top + height, length: length)
  }

  /// Each sample where there is room, else steps from the smallest to the largest of each column.
  private func curve(_ envelope: Envelope, width: Double, _ y: (Double) -> Double) -> Markup {
    var path = PathData()
    let columns = envelope.columns
    guard !envelope.isWhole else {
      for (index, column) in columns.enumerated() {
        let x = (Double(index) + 0.5) * width
        if index == 0 { path.move(x, y(column.high)) } else { path.line(x, y(column.high)) }
      }
      return Draw.path(path, class: "curve")
    }
    path.move(0, y(columns[0].high))
    for (index, column) in columns.enumerated() {
      path.down(y(column.high))
      path.across(Double(index + 1) * width)
    }
    for (index, column) in columns.enumerated().reversed() {
      path.down(y(column.low))
      path.across(Double(index) * width)
    }
    path.close()
    return Draw.path(path, class: "area")
  }

  /// Frames that were ready too late, as ticks below the axis.
  private func missedRug(y: Double, length: Double) -> [Markup] {
    let envelope = Envelope(overruns, columns: 480) { overruns[$0] > 0 }
    var rug = PathData()
    for (index, column) in envelope.columns.enumerated() where column.marks > 0 {
      rug.move((Double(index) + 0.5) * Draw.units * length / Double(envelope.columns.count), 0)
      rug.down(6)
    }
    return rug.isEmpty ? [] : [Draw.plane(y: y + 1, height: 6, [Draw.path(rug, class: "missed")])]
  }

  private var legend: [Markup] {
    guard let cadence else { return [] }
    let ideals = cadence.ideals.map { ReportText.number($0.interval) }.joined(separator: " and ")
    var items: [Markup] = [.element("li", [:], "dashed: perfect pacing, \(ideals) ms")]
    if gaps > 0 { items.append(.element("li", [:], "orange: stayed longer than that, \(gaps)")) }
    if missed > 0 { items.append(.element("li", [:], "ticks below: ready too late, \(missed)")) }
    return items
  }

  private var description: String {
    let distribution = Distribution(samples)
    let numbers =
      "median \(ReportText.number(distribution?.p50)), 99th percentile \(ReportText.number(distribution?.p99)), "
      + "largest \(ReportText.number(distribution?.max)) milliseconds"
    let marks =
      cadence == nil ? "" : " \(gaps) stayed longer than perfect pacing has it; \(missed) were ready too late."
    return "\(samples.count) times in the order of the run: \(numbers).\(marks)"
  }

  private func caption(_ envelope: Envelope) -> String {
    var parts = ["\(samples.count) samples of \(metric.name)" + (envelope.note.map { "; \($0)" } ?? "") + "."]
    if counters[.dropped] != nil {
      let counted: [Metric] = [.dropped, .skipped, .late, .repeated, .stalls]
      let counts = counted.map { "\($0.name) \((counters[$0] ?? nil).map(String.init) ?? ReportText.unknown)" }
      parts.append("The trial counted \(counts.joined(separator: ", ")).")
    }
    if cadence != nil { parts.append("A dropped or late frame shows as the one before it staying too long.") }
    return parts.joined(separator: " ")
  }

  private var table: Table {
    let distribution = Distribution(samples)
    var rows = [
      ["samples", "\(samples.count)"], ["p50", ReportText.number(distribution?.p50)],
      ["p90", ReportText.number(distribution?.p90)], ["p95", ReportText.number(distribution?.p95)],
      ["p99", ReportText.number(distribution?.p99)], ["max", ReportText.number(distribution?.max)],
    ]
    if cadence != nil { rows += [["stayed too long", "\(gaps)"], ["ready too late", "\(missed)"]] }
    let worst = samples.indices.sorted { samples[$0] > samples[$1] }.prefix(10)
    rows += worst.map { ["frame \($0 + 1)", ReportText.number(samples[$0])] }
    return Table(head: ["", "ms"], rows: rows)
  }
}
