extension ReportSection {
  /// Each scenario's main metric over commits, where there are several.
  static let history = ReportSection("history", "History") { group, layout in
    guard Set(group.records.map(\.build.name)).count > 1 else { return [] }
    var metrics: [Metric] = []
    for scenario in group.newest.scenarios {
      if let metric = scenario.key?.mainMetric, !metrics.contains(metric) { metrics.append(metric) }
    }
    let series = metrics.flatMap { metric in
      HistorySeries.all(metric, in: group, scenario: nil).filter { Scenario.named($0.scenario)?.mainMetric == metric }
    }.filter { $0.points.count > 1 }
    guard !series.isEmpty else { return [] }
    let changed = series.filter { !$0.changes.isEmpty }
    let able = series.filter(\.canTellChanges)
    let sentence =
      able.isEmpty
      ? "Too few sessions to tell a change from noise, which takes \(ChangePoints.fewest)."
      : changed.isEmpty
        ? "No change in \(able.count == 1 ? "the one series" : "any of \(able.count) series") that can tell."
        : "\(changed.count) of \(able.count) series changed."
    let shown = changed + series.filter(\.changes.isEmpty).prefix(max(0, (layout.isAlone ? 12 : 3) - changed.count))
    let rest = series.count - shown.count
    return [
      .element("p", [:], sentence + (rest > 0 ? " \(rest) without a change are not drawn." : "") + legend),
      .element("div", ["class": "pair"], shown.enumerated().map { HistoryChart($1).chart(layout, number: $0).figure }),
    ]
  }

  private static let legend =
    " A dot is a commit, the median of its sessions, which are rings; a line the level between changes; the band is where "
    + "95 of 100 sessions lie when nothing changes."
}

/// Commits from left to right at equal distances: the axis is not time.
struct HistoryChart {
  private let series: HistorySeries
  private let scale: Scale

  private static let height = 170.0
  private static let top = 30.0

  init(_ series: HistorySeries) {
    self.series = series
    let values = series.points.flatMap(\.sessions)
    let half = series.noise?.halfBand ?? 0
    let levels = series.levels.map(\.median)
    scale = Scale.nice(
      min(values.min() ?? 0, (levels.min() ?? 0) - half), max(values.max() ?? 1, (levels.max() ?? 1) + half), ticks: 3)
  }

  func chart(_ layout: Layout, number: Int) -> Chart {
    let bottom = Self.top + Self.height
    return Chart(
      id: layout.id("history-\(number)"), title: title, metric: Metric.named(series.metric), description: description,
      height: Int(bottom) + 24,
      drawing: bands + Draw.grid(scale, y: Self.top, height: Self.height) + levels + dots + changes
        + [
          Draw.line(x: (0, 1), y: (bottom, bottom), class: "axis"),
          Draw.text(end(series.points.first), x: 0, y: bottom + 17),
          Draw.atEnd(end(series.points.last), y: bottom + 17),
        ],
      hasScale: true, caption: caption, table: table)
  }

  private var title: String {
    let place = [series.scenario, series.variant].compactMap { $0 }.joined(separator: " · ")
    let unit = ReportText.unit(series.unit)
    let name = Metric.named(series.metric)?.heading ?? series.metric
    return name + (unit.isEmpty ? "" : ", \(unit)") + " — \(place)"
  }

  private func end(_ point: HistorySeries.Point?) -> String {
    point.map { "\($0.commit.prefix(8)) \(HistoryText.day($0.created))" } ?? ""
  }

  private func x(_ index: Double) -> Double { (index + 0.5) / Double(max(series.points.count, 1)) }
  private func y(_ value: Double) -> Double { Self.top + Self.height * (1 - scale.place(value)) }

  private var bands: [Markup] {
    guard let half = series.noise?.halfBand else { return [] }
    return series.levels.map { level in
      let ends = (x(Double(level.points.lowerBound) - 0.5), x(Double(level.points.upperBound) - 0.5))
      let top = y(level.median + half)
      return Draw.bar(x: ends, y: top, height: max(1, y(level.median - half) - top), class: "band")
    }
  }

  private var levels: [Markup] {
    series.levels.map { level in
      let ends = (x(Double(level.points.lowerBound) - 0.5), x(Double(level.points.upperBound) - 0.5))
      return Draw.line(x: ends, y: (y(level.median), y(level.median)), class: "level")
    }
  }

  /// A ring for each session, a dot for each commit.
  private var dots: [Markup] {
    series.points.enumerated().flatMap { index, point -> [Markup] in
      let place = x(Double(index))
      let rings = point.sessions.count > 1 ? point.sessions : []
      return rings.map { Draw.dot(x: place, y: y($0), radius: 2, class: "record") }
        + [Draw.dot(x: place, y: y(point.median), radius: 3, class: "dot")]
    }
  }

  /// Every label lies in the upper or lower of two lines, so that neighbours do not cover each other.
  private var changes: [Markup] {
    series.changes.enumerated().flatMap { number, change -> [Markup] in
      let place = x(Double(change.point) - 0.5)
      let line = 10 + Double(number % 2) * 14
      let name = change.direction == .worse ? "alert" : "strong"
      return [
        Draw.line(x: (place, place), y: (line - 6, Self.top + Self.height), class: "change"),
        Draw.aside("\(change.commit.prefix(8)) \(change.shortText)", x: place, y: line, class: name),
      ]
    }
  }

  private var description: String {
    "\(series.points.count) commits, from \(ReportText.number(series.points.first?.median)) to "
      + "\(ReportText.number(series.points.last?.median)) \(series.unit). \(GroupPage.sentence(series.verdict))"
  }

  private var caption: String {
    let source = series.presentSource.map { " Display times: \($0.rawValue)." } ?? ""
    return GroupPage.sentence(series.verdict) + " " + GroupPage.sentence(series.noiseText)
      + source
  }

  private var table: Table {
    Table(
      head: ["commit", "first seen", "records", "trials", "median", "95 % interval", "unit", "change"],
      rows: series.points.enumerated().map { index, point in
        let change = series.changes.first { $0.point == index }
        return [
          point.commit, HistoryText.day(point.created), "\(point.records)", "\(point.trials)",
          ReportText.number(point.median), point.intervalText, series.unit,
          change.map { "\($0.shortText) \($0.direction.rawValue)" } ?? "",
        ]
      }, texts: [0, 1, 6, 7])
  }
}
