import Verdict

/// The comparison of two sets of records: the verdict, and each metric's shift and interval beside its threshold.
struct ComparisonPage {
  private let comparison: Comparison

  private static let step = 38.0
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
        [.element("strong", [:], result.verdict?.rawValue ?? ""), " \(comparison.name(result)): \(result.why)"])
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
    let height = Double(drawn.count) * Self.step
    let zero = scale.place(0)
    return Chart(
      id: "comparison-\(id)", title: title,
      description: results.map {
        "\(comparison.name($0)): \($0.shiftText)\($0.verdict.map { ", \($0.rawValue)" } ?? "")"
      }
      .joined(separator: "; ") + ".",
      height: Int(height) + 28,
      drawing: Draw.axis(scale, unit: "%", y: height + 4) + bands(drawn, scale)
        + [Draw.line(x: (zero, zero), y: (0, height + 4), class: "axis")]
        + drawn.enumerated().flatMap { row($1, scale, y: Double($0) * Self.step) },
      caption:
        "Shift of head in percent of base's median (dot) with its 98 % interval (line); the band is what does not "
        + "count. An arrow leads out of the picture. Orange is worse."
        + (drawn.count < results.count ? " Shifts without a percentage stand in the table." : ""),
      table: table(results))
  }

  private func bands(_ results: [MetricComparison], _ scale: Scale) -> [Markup] {
    results.enumerated().compactMap { index, result in
      guard let threshold = result.percent(result.threshold) else { return nil }
      let y = Double(index) * Self.step + 16
      return Draw.bar(x: (scale.place(-threshold), scale.place(threshold)), y: y, height: 16, class: "band")
    }
  }

  private func row(_ result: MetricComparison, _ scale: Scale, y: Double) -> [Markup] {
    guard let shift = result.percent(result.estimate.shift) else { return [] }
    let kind = result.verdict == .regression ? "bad" : result.verdict == nil ? "muted" : ""
    let middle = y + 24
    var parts: [Markup] = [
      Draw.text(ReportText.cut(comparison.name(result), to: 44), x: 0, y: y + 12, class: "label"),
      Draw.atEnd(
        result.shiftText + (result.verdict.map { " \($0.rawValue)" } ?? ""), y: y + 12,
        class: kind == "bad" ? "alert" : "label"),
    ]
    if let low = result.percent(result.estimate.low), let high = result.percent(result.estimate.high) {
      parts.append(Draw.line(x: (scale.place(low), scale.place(high)), y: (middle, middle), class: "spread \(kind)"))
      if low < scale.low { parts.append(Draw.text("◂", x: 0, y: middle + 4, class: "strong")) }
      if high > scale.high { parts.append(Draw.atEnd("▸", y: middle + 4, class: "strong")) }
    }
    return parts + [Draw.dot(x: scale.place(shift), y: middle, radius: 4.5, class: "dot \(kind)")]
  }

  private func table(_ results: [MetricComparison]) -> Table {
    Table(
      head: ["metric", "base", "head", "unit", "shift", "98 % interval", "threshold", "verdict"],
      rows: results.map { result in
        [
          comparison.name(result), ReportText.number(result.base.median), ReportText.number(result.head.median),
          result.unit, result.shiftText, result.intervalText ?? ReportText.unknown, ReportText.number(result.threshold),
          result.verdict?.rawValue ?? "not judged",
        ]
      }, texts: [0, 3, 7])
  }
}
