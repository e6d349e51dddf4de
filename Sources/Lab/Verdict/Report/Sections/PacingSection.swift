import Frames

extension ReportSection {
  /// How often a frame was shown for one refresh, two, three.
  static let pacing = ReportSection("pacing", "Pacing") { group, layout in
    let record = group.newest
    return record.scenarios.flatMap { scenario -> [Markup] in
      guard let cadence = Cadence(record, scenario), scenario.key?.row.pace == .frames else { return [] }
      return [Metric.displayInterval, .frameInterval].compactMap { metric in
        PacingHistogram(scenario, metric: metric, cadence)?.chart(scenario, layout).figure
      }.prefix(1) + roughness(scenario)
    }
  }

  private static func roughness(_ scenario: Record.Scenario) -> [Markup] {
    guard let rough = scenario.summary.metrics[.roughness]?.p50 else { return [] }
    let ideal = scenario.summary.metrics[.roughnessIdeal]?.p50
    let freezing = scenario.summary.metrics[.freezing]?.max
    return [
      .element(
        "p", [:],
        [
          "The ", .metric(Metric.roughness.name),
          " is \(ReportText.number(rough)) ms, where perfect pacing of this clip on this display would have ",
          "\(ReportText.number(ideal)) ms; the largest error of one frame was \(ReportText.number(freezing)) ms.",
        ])
    ]
  }
}

/// Intervals counted by whole refreshes, beside what perfect pacing would have.
private struct PacingHistogram {
  private let metric: Metric
  private let cadence: Cadence
  private let count: Int
  private let trials: Int
  /// By refreshes, from 0 on; the last holds all that are longer.
  private let counts: [Int]
  private let largest: Double
  private let isCut: Bool

  private static let longest = 12

  init?(_ scenario: Record.Scenario, metric: Metric, _ cadence: Cadence) {
    let samples = scenario.trials.flatMap { $0.metrics[metric]?.samples ?? [] }.filter(\.isFinite)
    guard let largest = samples.max() else { return nil }
    self.metric = metric
    self.cadence = cadence
    self.largest = largest
    count = samples.count
    trials = scenario.trials.count
    let most = max(min(Self.longest, cadence.refreshes(in: largest)), cadence.refreshes(in: cadence.longest))
    isCut = largest / cadence.refresh > Double(Self.longest) + 0.5
    var counts = [Int](repeating: 0, count: most + 1)
    for sample in samples { counts[min(most, cadence.refreshes(in: sample))] += 1 }
    self.counts = counts
  }

  func chart(_ scenario: Record.Scenario, _ layout: Layout) -> Chart {
    let rows = counts.indices.filter { counts[$0] > 0 || ideal($0) > 0 }
    let height = Double(rows.count) * 40
    let largestShare = rows.map { max(Double(counts[$0]) / Double(count), ideal($0)) }.max() ?? 1
    var drawing: [Markup] = []
    for (line, refreshes) in rows.enumerated() {
      let y = Double(line) * 40
      let share = Double(counts[refreshes]) / Double(count)
      let isIdeal = ideal(refreshes) > 0
      drawing += [
        Draw.text(name(refreshes), x: 0, y: y + 12, class: "label"),
        Draw.atEnd(
          "\(HistoryText.size(share * 100)) %, perfect \(HistoryText.size(ideal(refreshes) * 100)) %", y: y + 12),
        Draw.bar(x: (0, share / largestShare), y: y + 18, height: 12, class: isIdeal ? "fill-decode" : "mark-area"),
      ]
      if isIdeal {
        let place = ideal(refreshes) / largestShare
        drawing.append(Draw.line(x: (place, place), y: (y + 15, y + 33), class: "quantile"))
      }
    }
    return Chart(
      id: layout.id("pacing-\(RecordFile.fileNameSafe(scenario.variant ?? scenario.name))"),
      title: "How many refreshes a frame stayed", metric: metric, description: description, height: Int(height),
      drawing: drawing,
      caption:
        "\(count) intervals (\(metric.name)) of \(trials == 1 ? "1 trial" : "\(trials) trials"), to the nearest of "
        + "\(ReportText.number(cadence.refresh)) ms. The upright line is the share that perfect pacing of this clip has"
        + (counts.indices.contains { counts[$0] > 0 && ideal($0) == 0 } ? "; orange lengths have no place in it." : ".")
        + (isCut ? " The last row holds all that are longer, up to \(ReportText.number(largest)) ms." : ""),
      table: Table(
        head: ["refreshes", "ms", "intervals", "share %", "perfect %"],
        rows: rows.map {
          [
            "\($0)", ReportText.number(Double($0) * cadence.refresh), "\(counts[$0])",
            HistoryText.size(Double(counts[$0]) / Double(count) * 100), HistoryText.size(ideal($0) * 100),
          ]
        }))
  }

  private func name(_ refreshes: Int) -> String {
    let isLast = isCut && refreshes == counts.count - 1
    return "\(refreshes)\(isLast ? " and more" : "") · \(ReportText.number(Double(refreshes) * cadence.refresh)) ms"
  }

  /// The share of intervals of that many refreshes in perfect pacing.
  private func ideal(_ refreshes: Int) -> Double {
    cadence.ideals.first { cadence.refreshes(in: $0.interval) == refreshes }?.share ?? 0
  }

  private var description: String {
    let parts = counts.indices.filter { counts[$0] > 0 }.map {
      "\(counts[$0]) of \(count) stayed for \($0) refresh\($0 == 1 ? "" : "es")"
    }
    return parts.joined(separator: ", ") + "."
  }
}
