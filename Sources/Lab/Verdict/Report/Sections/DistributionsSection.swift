extension ReportSection {
  /// The distribution of each scenario's times, and the spread of its trials.
  static let distributions = ReportSection("distributions", "Distributions") { group, layout in
    let histograms = group.newest.scenarios.flatMap { scenario in
      (scenario.key?.row.distributions ?? []).prefix(layout.isAlone ? 2 : 1).compactMap { Histogram(scenario, $0) }
    }
    let alike = Dictionary(grouping: histograms, by: \.metric)
    let figures = histograms.map { histogram -> Markup in
      let scales = (alike[histogram.metric] ?? []).map(\.bins.scale)
      guard scales.count > 1, let shared = histogram.over(Scale.spanning(scales)) else {
        return histogram.chart(layout, isOneOfMany: false).figure
      }
      return shared.chart(layout, isOneOfMany: true).figure
    }
    guard !figures.isEmpty else { return [] }
    return [
      .element(
        "p", [:],
        "All trials together, with their quantiles. The lines below are the trials: median (dot) to 95th percentile, and "
          + "from the smallest to the largest sample."), .element("div", ["class": "pair"], figures),
    ]
  }
}

/// All samples of a metric in one histogram, with the quantiles, and a line for each trial below.
private struct Histogram {
  private let scenario: Record.Scenario
  let metric: Metric
  private let unit: String
  let bins: Bins
  private let pooled: Distribution
  private let rows: [SpreadRow]

  private static let bars = 60
  private static let height = 110.0
  private static let top = 60.0
  private static let row = 16.0
  private static let most = 12

  /// Nil below twenty samples, for which the table says more than a chart.
  ///
  /// - Parameter scale: of all histograms of this metric; nil: the samples' own.
  init?(_ scenario: Record.Scenario, _ metric: Metric, over scale: Scale? = nil) {
    let samples = scenario.trials.flatMap { $0.metrics[metric]?.samples ?? [] }
    guard let bins = Bins(samples, count: Self.bars, over: scale), let pooled = Distribution(samples), pooled.n >= 20
    else {
      return nil
    }
    self.scenario = scenario
    self.metric = metric
    self.bins = bins
    self.pooled = pooled
    unit = scenario.summary.metrics[metric]?.unit ?? ""
    rows = scenario.trials.enumerated().compactMap { index, trial in
      SpreadRow("trial \(index + 1)", trial.metrics[metric]?.samples ?? [])
    }
  }

  /// Returns these samples in bins of another range. Histograms of one metric share a range.
  func over(_ scale: Scale?) -> Histogram? { Histogram(scenario, metric, over: scale) }

  private var place: String { [scenario.name, scenario.variant].compactMap { $0 }.joined(separator: " · ") }

  func chart(_ layout: Layout, isOneOfMany: Bool) -> Chart {
    let strips = Double(min(rows.count, Self.most)) * Self.row
    let bottom = Self.top + Self.height
    let name = RecordFile.fileNameSafe(
      ([scenario.name, scenario.variant, metric.name].compactMap { $0 }).joined(separator: "-"))
    return Chart(
      id: layout.id("distribution-\(name)"), title: "\(metric.heading) — \(place)", metric: metric,
      description: description,
      height: Int(bottom + 22 + strips),
      drawing: [Draw.plane(y: Self.top, height: Self.height, [Draw.path(bars, class: "area")])] + overflow
        + quantiles(bottom) + Draw.axis(bins.scale, unit: unit, y: bottom) + lines(bottom + 26),
      caption: caption + (isOneOfMany ? " All charts of \(metric.name) have the same scale." : ""), table: table)
  }

  private var bars: PathData {
    var path = PathData()
    let largest = Double(max(bins.counts.max() ?? 1, 1))
    let width = Draw.units / Double(bins.counts.count)
    for (index, count) in bins.counts.enumerated() where count > 0 {
      // At least half a pixel: one sample among a million stays visible.
      let height = max(0.5, Double(count) / largest * Self.height)
      path.move((Double(index) + 0.08) * width, Self.height)
      path.down(Self.height - height)
      path.across((Double(index) + 0.92) * width)
      path.down(Self.height)
      path.close()
    }
    return path
  }

  private var overflow: [Markup] {
    guard bins.above > 0 else { return [] }
    return [
      Draw.atEnd(
        "\(bins.above) above, to \(ReportText.number(bins.largest)) →", y: 54, class: "alert")
    ]
  }

  /// Each label has its own line, so that close quantiles do not overlap.
  private func quantiles(_ bottom: Double) -> [Markup] {
    let marks = [("p50", pooled.p50), ("p95", pooled.p95), ("p99", pooled.p99)]
    return marks.enumerated().flatMap { line, mark -> [Markup] in
      guard let value = mark.1 else { return [] }
      let x = bins.scale.place(value)
      let y = Double(line) * 14 + 4
      return [
        Draw.line(x: (x, x), y: (y, bottom), class: "quantile"),
        Draw.aside("\(mark.0) \(ReportText.number(value))", x: x, y: y + 8, class: "label"),
      ]
    }
  }

  private func lines(_ top: Double) -> [Markup] {
    rows.prefix(Self.most).enumerated().flatMap { index, row -> [Markup] in
      let y = top + Double(index) * Self.row
      let scale = bins.scale
      return [
        Draw.line(x: (scale.place(row.low), scale.place(row.high)), y: (y, y), class: "range"),
        Draw.line(x: (scale.place(row.p50), scale.place(row.p95 ?? row.p50)), y: (y, y), class: "spread"),
        Draw.dot(x: scale.place(row.p50), y: y, radius: 3.5, class: "dot"),
      ]
    }
  }

  private var description: String {
    "\(pooled.n) samples of \(metric.name) in \(place): median \(ReportText.number(pooled.p50)), 95th percentile "
      + "\(ReportText.number(pooled.p95)), 99th percentile \(ReportText.number(pooled.p99)), largest "
      + "\(ReportText.number(pooled.max)) \(unit)."
  }

  private var caption: String {
    let count = rows.count == 1 ? "1 trial" : "\(rows.count) trials"
    let trials = rows.count > Self.most ? "\(count), of which \(Self.most) are drawn" : count
    return "\(pooled.n) samples of \(trials). \(metric.definition)"
  }

  private var table: Table {
    let all =
      ["all", "\(pooled.n)"] + [pooled.min, pooled.p50, pooled.p95, pooled.p99, pooled.max].map(ReportText.number)
    return Table(
      head: [unit.isEmpty ? "" : "in \(unit)", "samples", "min", "p50", "p95", "p99", "max"],
      rows: rows.map { row in
        [row.name, "\(row.n)"] + [row.low, row.p50, row.p95, row.p99, row.high].map(ReportText.number)
      } + [all])
  }
}
