import Frames

extension ReportSection {
  /// How far sound and picture were apart, picture by picture.
  static let sound = ReportSection("sound", "Sound and picture") { group, layout in
    group.newest.scenarios.flatMap { scenario -> [Markup] in
      let curves = scenario.trials.enumerated().compactMap { SyncCurve($0.element, number: $0.offset + 1) }
      // The trial in which they were farthest apart.
      guard let worst = curves.max(by: { $0.farthest < $1.farthest }) else { return [] }
      return [worst.chart(scenario, of: curves.count, layout).figure]
    }
  }
}

/// The offsets of one trial in the order of the pictures.
private struct SyncCurve {
  private let number: Int
  private let samples: [Double]
  private let trial: Record.Trial

  private static let height = 150.0
  /// ITU-R BT.1359: where an offset is detected, and until where it is accepted.
  private static let (detected, accepted) = (-45.0...125.0, -90.0...185.0)

  init?(_ trial: Record.Trial, number: Int) {
    let samples = (trial.metrics[.avSync]?.samples ?? []).filter(\.isFinite)
    guard samples.count > 1 else { return nil }
    (self.number, self.samples, self.trial) = (number, samples, trial)
  }

  var farthest: Double { samples.map { abs($0) }.max() ?? 0 }

  func chart(_ scenario: Record.Scenario, of count: Int, _ layout: Layout) -> Chart {
    let envelope = Envelope(samples, columns: layout.columns)
    // One bound in sight on either side, so that a small offset looks small.
    let scale = Scale(
      min(Self.detected.lowerBound, envelope.low ?? 0) * 1.1, max(Self.detected.upperBound, envelope.high ?? 0) * 1.05)
    let place = count == 1 ? scenario.title : "\(scenario.title), trial \(number) of \(count)"
    return Chart(
      id: layout.id("sound-\(RecordFile.fileNameSafe(scenario.title))"),
      title: "Sound heard − picture seen, ms — \(place)", metric: .avSync, description: description,
      height: Int(Self.height) + 46, drawing: drawing(envelope, scale), legend: legend, hasScale: true,
      caption: choice(of: count) + caption(envelope), table: table)
  }

  private func drawing(_ envelope: Envelope, _ scale: Scale) -> [Markup] {
    let top = 16.0
    func y(_ value: Double) -> Double { Self.height * (1 - scale.place(value)) }
    var parts = Draw.grid(scale, y: top, height: Self.height)
    for bound in [
      Self.detected.lowerBound, Self.detected.upperBound, Self.accepted.lowerBound, Self.accepted.upperBound,
    ]
    where (0...1).contains(scale.place(bound)) {
      parts.append(Draw.line(x: (0, 1), y: (top + y(bound), top + y(bound)), class: "ideal"))
    }
    parts.append(Draw.plane(y: top, height: Self.height, [curve(envelope, y)]))
    return parts + [
      Draw.line(x: (0, 1), y: (top + Self.height, top + Self.height), class: "axis"),
      Draw.text("1", x: 0, y: top + Self.height + 22),
      Draw.atEnd("picture \(envelope.count)", y: top + Self.height + 22),
    ]
  }

  /// The middle of each column, which spans few samples or one.
  private func curve(_ envelope: Envelope, _ y: (Double) -> Double) -> Markup {
    var path = PathData()
    let width = Draw.units / Double(max(envelope.columns.count, 1))
    for (index, column) in envelope.columns.enumerated() {
      let x = (Double(index) + 0.5) * width
      if index == 0 { path.move(x, y(column.low)) } else { path.line(x, y(column.low)) }
      if column.high > column.low { path.down(y(column.high)) }
    }
    return Draw.path(path, class: "curve")
  }

  private var legend: [Markup] {
    [
      .element("li", [:], "above 0: sound is late; a picture is seen up to a refresh after its sound"),
      .element("li", [:], "dashed: detected from −45 or +125 ms, accepted to −90 and +185 (ITU-R BT.1359)"),
    ]
  }

  private var distribution: Distribution? { Distribution(samples) }

  private var description: String {
    "\(samples.count) offsets in the order of the pictures: median \(ReportText.number(distribution?.p50)), smallest "
      + "\(ReportText.number(samples.min())), largest \(ReportText.number(samples.max())) milliseconds."
  }

  /// How the trial was chosen; empty where there was no choice.
  private func choice(of count: Int) -> String {
    count == 1 ? "" : "Of the \(count) trials this one is shown because sound and picture were farthest apart in it. "
  }

  private func caption(_ envelope: Envelope) -> String {
    let underruns = (trial.counters[.audioUnderruns] ?? nil).map(String.init) ?? ReportText.unknown
    return "\(samples.count) samples of \(Metric.avSync.name)" + (envelope.note.map { "; \($0)" } ?? "")
      + ". The device ran out of samples \(underruns) times, for \(ReportText.number(trial.metrics[.audioGap]?.p50)) ms; "
      + "the offset drifts by \(ReportText.number(trial.metrics[.avDrift]?.p50)) ppm."
  }

  private var table: Table {
    let outside = samples.count { !Self.detected.contains($0) }
    return Table(
      head: ["", "ms"],
      rows: [
        ["pictures", "\(samples.count)"], ["smallest", ReportText.number(samples.min())],
        ["p50", ReportText.number(distribution?.p50)], ["p99", ReportText.number(distribution?.p99)],
        ["largest", ReportText.number(samples.max())], ["outside −45 … +125", "\(outside)"],
      ])
  }
}
