/// How far behind life the pictures of a live stream were, over time: their latency with the one that was aimed at, the distance from
/// the live edge, and how fast the stream was played.
struct StreamLiveChart {
  private let trial: StreamTrial
  private let scenario: Record.Scenario
  private let layout: Layout
  private let columns: TimeColumns
  private let levels: [StreamSession.LiveLevel]

  private static let (latencyTop, latencyHeight) = (26.0, 110.0)
  private static let (edgeTop, edgeHeight) = (170.0, 56.0)
  private static let (rateTop, rateHeight) = (260.0, 40.0)

  /// Nil for a stream on demand.
  init?(_ trial: StreamTrial, _ scenario: Record.Scenario, _ layout: Layout) {
    guard let levels = trial.session.live, !levels.isEmpty else { return nil }
    (self.trial, self.scenario, self.layout, self.levels) = (trial, scenario, layout, levels)
    columns = TimeColumns(end: trial.session.end, count: layout.columns)
  }

  var chart: Chart {
    let place = [scenario.name, scenario.variant].compactMap { $0 }.joined(separator: " · ")
    let bottom = Self.rateTop + Self.rateHeight
    return Chart(
      id: layout.id("stream-live-\(RecordFile.fileNameSafe(place))"), title: "Live latency — \(place)\(trial.words)",
      description: description, height: Int(bottom) + 32,
      drawing: latency + edge + rate
        + Draw.axis(Scale(0, max(trial.session.end, 1e-3)), unit: "s", y: bottom + 6, ticks: 6),
      legend: legend.map { .element("li", [:], $0) }, hasScale: true, caption: caption, table: table)
  }

  // MARK: Values over time

  private typealias Points = [(time: Double, value: Double)]

  private func points(_ value: (StreamSession.LiveLevel) -> Double?) -> Points {
    levels.compactMap { level in value(level).map { (level.time, $0) } }
  }

  private var byNumber: Points { points(\.latency) }
  private var byDate: Points { points(\.dateLatency) }
  private var target: Points { points(\.target) }

  private var latency: [Markup] {
    let all = (byNumber + byDate + target).map(\.value).filter(\.isFinite)
    guard let high = all.max(), let low = all.min() else {
      return [Draw.text("latency: the stream tells no time of day", x: 0, y: Self.latencyTop - 8, class: "label")]
    }
    let scale = Scale(min(0, low), max(high, 0.1) * 1.1)
    let lines = [(byDate, "thick"), (byNumber, "curve"), (target, "ideal")]
    return rows(
      "latency of the picture on screen, s", lines.filter { !$0.0.isEmpty }, scale, y: Self.latencyTop,
      height: Self.latencyHeight)
  }

  private var edge: [Markup] {
    let own = points(\.edgeDistance)
    let values = own.map(\.value).filter(\.isFinite)
    let scale = Scale(min(0, values.min() ?? 0), max(values.max() ?? 1, 0.1) * 1.1)
    return rows(
      "media to the live edge, s", [(own, "curve")], scale, y: Self.edgeTop, height: Self.edgeHeight, ticks: 2)
  }

  /// Around 1, which is neither faster nor slower than life.
  private var rate: [Markup] {
    let own = points(\.rate)
    let widest = own.map { abs($0.value - 1) }.filter(\.isFinite).max() ?? 0
    let reach = max(0.05, widest) * 1.1
    return rows(
      "media seconds per second", [([(0, 1), (trial.session.end, 1)], "ideal"), (own, "curve")],
      Scale(1 - reach, 1 + reach), y: Self.rateTop, height: Self.rateHeight, ticks: 2)
  }

  private func rows(
    _ title: String, _ lines: [(points: Points, name: String)], _ scale: Scale, y top: Double, height: Double,
    ticks: Int = 3
  ) -> [Markup] {
    [Draw.text(title, x: 0, y: top - 8, class: "label")] + Draw.grid(scale, y: top, height: height, ticks: ticks)
      + [Draw.plane(y: top, height: height, lines.map { path($0.points, scale, height: height, class: $0.name) })]
  }

  private func path(_ points: Points, _ scale: Scale, height: Double, class name: String) -> Markup {
    var path = PathData()
    for (index, level) in columns.levels(points).enumerated() {
      let (x, low, high) = (
        level.place * Draw.units, height * (1 - scale.place(level.low)), height * (1 - scale.place(level.high))
      )
      if index == 0 { path.move(x, low) } else { path.line(x, low) }
      if low != high { path.line(x, high) }
    }
    return Draw.path(path, class: name)
  }

  // MARK: Words

  private var legend: [String] {
    [
      byNumber.isEmpty ? nil : "line: by the number in the picture",
      byDate.isEmpty ? nil : "thick line: by the stream's time of day", target.isEmpty ? nil : "dashed: target",
    ].compactMap { $0 }
  }

  private var rowsOfTable: [(name: String, values: [Double], scale: Double)] {
    [
      (Metric.liveLatency.name, byNumber.map(\.value), 1000), (Metric.dateLatency.name, byDate.map(\.value), 1000),
      (Metric.edgeDistance.name, levels.map(\.edgeDistance), 1), (Metric.catchUpRate.name, levels.map(\.rate), 1),
    ].filter { !$0.1.isEmpty }
  }

  private var table: Table {
    let aim = target.last.map { [["target, s", "\(target.count)", ReportText.number($0.value), "–", "–"]] } ?? []
    return Table(
      head: ["", "readings", "p50", "smallest", "largest"],
      rows: rowsOfTable.map { name, values, scale in
        let scaled = values.filter(\.isFinite).map { $0 * scale }
        return [
          name, "\(values.count)", ReportText.number(Distribution.median(scaled)), ReportText.number(scaled.min()),
          ReportText.number(scaled.max()),
        ]
      } + aim, metrics: [0])
  }

  private var description: String {
    let seconds = byNumber.isEmpty ? byDate : byNumber
    let latency =
      Distribution.median(seconds.map(\.value)).map { "median latency \(ReportText.number($0)) s" }
      ?? "latency unknown"
    let aim = target.last.map { "; target \(ReportText.number($0.value)) s" } ?? ""
    let edge = Distribution.median(levels.map(\.edgeDistance))
    return "\(levels.count) readings of a live stream: \(latency)\(aim); \(ReportText.number(edge)) s to the live edge."
  }

  private var caption: String {
    trial.choice
      + "Latency is from the moment at which a picture was live to its display. Above its target a player plays up to 5 % faster, "
      + "below it slower."
  }
}
