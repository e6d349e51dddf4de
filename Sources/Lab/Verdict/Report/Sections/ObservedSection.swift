extension ReportSection {
  /// Players side by side, and for each the frames on screen over time with its faults.
  static let observed = ReportSection("observed", "On the watched screen") { group, layout in
    let scenarios = group.newest.scenarios(.observe)
    guard !scenarios.isEmpty else { return [] }
    return table(group.newest)
      + scenarios.enumerated().compactMap { index, scenario in
        guard let trial = scenario.trials.first(where: { ($0.screen?.frames.count ?? 0) > 1 }) else { return nil }
        return FrameStrip(trial, of: scenario, in: group.newest)?.chart(id: layout.id("observed-\(index)")).figure
      }
  }

  private static func table(_ record: Record) -> [Markup] {
    guard let players = Document.Section(playersOf: record) else { return [] }
    let title = "Players side by side"
    return [
      .element("p", ["class": "title"], title),
      .element("p", ["class": "note"], players.notes.map(\.text).joined(separator: " ")),
      Table(head: players.table.columns.map(\.title), rows: players.table.rows.map(\.cells)).markup(caption: title),
    ]
  }
}

/// The frames of one trial over time: a point for each at its number. A steady player draws a straight line.
private struct FrameStrip {
  private let title: String
  private let points: [(seconds: Double, number: Int)]
  /// The frames before which numbers are missing, and the frames that stayed too long.
  private let drops: [Int]
  private let freezes: [Int]

  private static let height = 120.0

  /// Nil where fewer than two frames were on screen.
  init?(_ trial: Record.Trial, of scenario: Record.Scenario, in record: Record) {
    guard let frames = trial.screen?.frames, frames.count > 1 else { return nil }
    title = "Frames on screen, \(scenario.variant ?? scenario.name)"
    points = frames.map { ($0.shownMs / 1000, $0.number) }
    drops = frames.indices.dropFirst().filter { frames[$0].number > frames[$0 - 1].number + 1 }
    let period = record.input.framesPerSecond.map { 1000 / $0 } ?? 40
    let limit = WatchedScreen.freezeLimit(period: period)
    freezes = frames.indices.dropLast().filter { frames[$0 + 1].shownMs - frames[$0].shownMs >= limit }
  }

  func chart(id: String) -> Chart {
    let times = Scale(points.map(\.seconds).min() ?? 0, points.map(\.seconds).max() ?? 1)
    let numbers = Scale(0, Double(max(1, points.map(\.number).max() ?? 1)) * 1.05)
    func x(_ index: Int) -> Double { times.place(points[index].seconds) }
    func y(_ index: Int) -> Double { Self.height * (1 - numbers.place(Double(points[index].number))) }
    var path = PathData()
    for index in points.indices {
      let (across, down) = (x(index) * Draw.units, y(index))
      index == 0 ? path.move(across, down) : path.line(across, down)
    }
    let marks =
      drops.map { Draw.line(x: (x($0), x($0)), y: (0, Self.height), class: "spread bad") }
      + freezes.map { index in
        Draw.bar(x: (x(index), x(index + 1)), y: 0, height: Self.height, class: "band")
      }
    return Chart(
      id: id, title: title,
      description:
        "\(points.count) frames on screen; frames were dropped at \(drops.count) places, and \(freezes.count) were frozen.",
      height: Int(Self.height) + 28,
      drawing: Draw.grid(numbers, y: 0, height: Self.height) + marks
        + [Draw.plane(y: 0, height: Self.height, [Draw.path(path, class: "curve")])]
        + Draw.axis(times, unit: "s", y: Self.height + 4),
      hasScale: true,
      caption:
        "The number of the frame on screen, over the seconds since the program was started. A line across the drawing marks "
        + "dropped frames, a band a freeze.",
      table: Table(
        head: ["frame", "on screen, s"],
        rows: points.prefix(1000).map { ["\($0.number)", ReportText.number($0.seconds)] }))
  }
}
