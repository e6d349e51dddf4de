/// The comparison of two sets of records: the verdict, and each metric's shift and interval beside its threshold.
struct ComparisonPage {
  private let comparison: Comparison

  /// Percent: a drawing that had to show a shift of 5000 % would show nothing else.
  private static let widest = 100.0

  init(_ comparison: Comparison) {
    self.comparison = comparison
  }

  var answer: Markup {
    let isBad = comparison.outcome == .regression || !comparison.incorrect.isEmpty
    return .element(
      "p", ["class": isBad ? "answer verdict bad" : "answer verdict"], GroupPage.clauses(comparison.sentence))
  }

  var section: Markup {
    let gated = comparison.results.filter { $0.verdict != nil }
    let others = comparison.results.filter { $0.verdict == nil && $0.estimate.shift != nil }
    var parts: [Markup] = [
      .heading(2, id: "comparison", "Comparison"),
      .terms(
        class: "setup",
        [("base", ComparisonText.side(comparison.base)), ("head", ComparisonText.side(comparison.head))]
          + comparison.varied.map { (term: "differs", value: "\($0.field): \($0.base) against \($0.head)") }),
    ]
    parts.append(chart("gated", "How head differs from base", gated).figure)
    if !others.isEmpty { parts.append(chart("others", "Metrics that are not judged", others).figure) }
    let reasons = gated.map { result in
      Markup.element(
        "li", [:],
        [
          .element("strong", [:], result.verdict?.rawValue ?? ""), " ", .metric(result.metric),
          " of \(place(result)): \(result.why)",
        ])
    }
    parts.append(.element("ul", [:], reasons))
    parts += WarningList(comparison.warnings, of: "the comparison").markup
    return .element("section", ["aria-labelledby": "comparison"], parts)
  }

  /// In percent of base's median; results that have none are in the table only.
  private func chart(_ id: String, _ title: String, _ results: [MetricComparison]) -> Chart {
    let drawn = results.filter { $0.percent($0.estimate.shift) != nil }
    let ends = drawn.flatMap { result in
      [result.estimate.low, result.estimate.high, result.estimate.shift, result.threshold, -result.threshold].compactMap
      { result.percent($0) }
    }.filter { abs($0) <= Self.widest }
    let reach = max(abs(ends.min() ?? -1), abs(ends.max() ?? 1), 1)
    let scale = Scale(-reach * 1.05, reach * 1.05)
    let rows = drawn.map { Row(label($0), key($0), $0) }
    let tops = rows.reduce(into: [0.0]) { $0.append($0[$0.count - 1] + $1.height) }
    let height = tops[rows.count]
    let zero = scale.place(0)
    return Chart(
      id: "comparison-\(id)", title: title,
      description: results.map {
        "\($0.metric) of \(place($0)): \($0.shiftText)\($0.verdict.map { ", \($0.rawValue)" } ?? "")"
      }
      .joined(separator: "; ") + ".",
      height: Int(height) + 28,
      drawing: Draw.axis(scale, unit: "%", y: height + 4)
        + zip(rows, tops).compactMap { band($0, scale, y: $1) }
        + [Draw.line(x: (zero, zero), y: (0, height + 4), class: "axis")]
        + zip(rows, tops).flatMap { drawing($0, scale, y: $1) },
      caption:
        "Shift of head in percent of base's median (dot) with its 98 % interval (line); the band is what does not "
        + "count. An arrow leads out of the picture. Orange is worse."
        + (drawn.count < results.count ? " Shifts without a percentage stand in the table." : ""),
      table: table(results))
  }

  /// The label of the metric and the shift, then the key and where it was measured, then the interval.
  private struct Row {
    let label: RowLabel
    let key: RowLabel
    let result: MetricComparison

    init(_ label: RowLabel, _ key: RowLabel, _ result: MetricComparison) {
      (self.label, self.key, self.result) = (label, key, result)
    }

    /// From the top to the first line of the key, and to the interval.
    var keyTop: Double { 26 + label.extra }
    var middle: Double { keyTop + 12 + key.extra }
    var height: Double { middle + 14 }
  }

  private func label(_ result: MetricComparison) -> RowLabel {
    RowLabel(
      Metric.named(result.metric)?.label ?? result.metric,
      aside: result.shiftText + (result.verdict.map { " \($0.rawValue)" } ?? ""))
  }

  private func key(_ result: MetricComparison) -> RowLabel {
    RowLabel([result.metric, place(result)].joined(separator: " · "))
  }

  /// The scenario and its variant, after the clip where there are several.
  private func place(_ result: MetricComparison) -> String {
    let hasOneClip = comparison.results.allSatisfy { $0.input == result.input }
    let parts = [hasOneClip ? nil : result.input, result.scenario, result.variant]
    return parts.compactMap { $0 }.joined(separator: " · ")
  }

  private func band(_ row: Row, _ scale: Scale, y: Double) -> Markup? {
    guard let threshold = row.result.percent(row.result.threshold) else { return nil }
    return Draw.bar(
      x: (scale.place(-threshold), scale.place(threshold)), y: y + row.middle - 8, height: 16, class: "band")
  }

  private func drawing(_ row: Row, _ scale: Scale, y: Double) -> [Markup] {
    let result = row.result
    guard let shift = result.percent(result.estimate.shift) else { return [] }
    let kind = result.verdict == .regression ? "bad" : result.verdict == nil ? "muted" : ""
    let middle = y + row.middle
    var parts =
      row.label.drawing(y: y + 12, asideClass: kind == "bad" ? "alert" : "label")
      + row.key.drawing(y: y + row.keyTop, class: "key")
    if let low = result.percent(result.estimate.low), let high = result.percent(result.estimate.high) {
      parts.append(Draw.line(x: (scale.place(low), scale.place(high)), y: (middle, middle), class: "spread \(kind)"))
      if low < scale.low { parts.append(Draw.text("◂", x: 0, y: middle + 4, class: "strong")) }
      if high > scale.high { parts.append(Draw.atEnd("▸", y: middle + 4, class: "strong")) }
    }
    return parts + [Draw.dot(x: scale.place(shift), y: middle, radius: 4.5, class: "dot \(kind)")]
  }

  private func table(_ results: [MetricComparison]) -> Table {
    Table(
      head: ["metric", "scenario", "base", "head", "unit", "shift", "98 % interval", "threshold", "verdict"],
      rows: results.map { result in
        [
          result.metric, place(result), ReportText.number(result.base.median), ReportText.number(result.head.median),
          result.unit, result.shiftText, result.intervalText ?? ReportText.unknown, ReportText.number(result.threshold),
          result.verdict?.rawValue ?? "not judged",
        ]
      }, texts: [1, 4, 8], metrics: [0])
  }
}
