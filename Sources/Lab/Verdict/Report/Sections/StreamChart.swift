import FoundationEssentials
import Glibc

/// A session as rows on one time axis, stalls shaded across all of them.
struct StreamChart {
  private let trial: StreamTrial
  private let scenario: Record.Scenario
  private let layout: Layout
  private let columns: TimeColumns
  private let requests: RequestRows
  private var session: StreamSession { trial.session }

  private static let stateTop = 18.0
  private static let stateHeight = 14.0
  private static let rateTop = 62.0
  private static let rateHeight = 130.0
  private static let bufferTop = 222.0
  private static let bufferHeight = 56.0
  private static let requestTop = 292.0

  init(_ trial: StreamTrial, _ scenario: Record.Scenario, _ layout: Layout) {
    (self.trial, self.scenario, self.layout) = (trial, scenario, layout)
    columns = TimeColumns(end: trial.session.end, count: layout.columns)
    requests = RequestRows(trial.session, columns, top: Self.requestTop)
  }

  var chart: Chart {
    let place = [scenario.name, scenario.variant].compactMap { $0 }.joined(separator: " · ")
    let events = StreamEvents(session)
    let bottom = requests.bottom
    let axis = Draw.axis(Scale(0, max(session.end, 1e-3)), unit: "s", y: bottom + 4, ticks: 6)
    return Chart(
      id: layout.id("stream-\(RecordFile.fileNameSafe(place))"), title: "Loaded and shown — \(place)\(trial.words)",
      description: events.description, height: Int(bottom) + 28,
      drawing: [stalls(bottom)].compactMap { $0 } + states + rates + buffer + requests.drawing + axis, legend: legend,
      hasScale: true, caption: caption, table: events.table)
  }

  // MARK: Stalls and states

  private func stalls(_ bottom: Double) -> Markup? {
    let spans = columns.spans(session.stalls.map { ($0.start, $0.start + $0.seconds) })
    guard !spans.isEmpty else { return nil }
    return Draw.plane(y: 0, height: bottom, [Draw.path(Self.bars(spans, y: 0, height: bottom), class: "stall")])
  }

  /// Rectangles that are wide enough to be seen.
  static func bars(_ spans: [TimeColumns.Span], y: Double, height: Double) -> PathData {
    var path = PathData()
    for span in spans {
      let start = span.start * Draw.units
      path.move(start, y)
      path.across(max(span.end * Draw.units, start + 1.5))
      path.down(y + height)
      path.across(start)
      path.close()
    }
    return path
  }

  /// How a state looks: by colour, and by shape where colours are alike to some eyes. The most important lie on top.
  private struct Look {
    let state: StreamSession.State
    let name: String
    var inset = 0.0
    var note = ""
  }

  private static let looks = [
    Look(state: .playing, name: "fill-render"), Look(state: .paused, name: "outline", inset: 1),
    Look(state: .joining, name: "fill-wait"), Look(state: .seeking, name: "fill-read", inset: 4, note: " (thin)"),
    Look(state: .rebuffering, name: "fill-upload"), Look(state: .failed, name: "fill-ink"),
  ]

  private var states: [Markup] {
    let spans = session.stateSpans
    let paths = Self.looks.compactMap { look -> Markup? in
      let own = columns.spans(spans.filter { $0.state == look.state }.map { ($0.start, $0.end) })
      guard !own.isEmpty else { return nil }
      return Draw.path(
        Self.bars(own, y: look.inset, height: Self.stateHeight - 2 * look.inset), class: look.name)
    }
    return [
      Draw.text("state", x: 0, y: Self.stateTop - 6, class: "label"),
      Draw.plane(y: Self.stateTop, height: Self.stateHeight, paths),
    ]
  }

  // MARK: Rungs and throughput

  /// Rungs differ by factors, and so the scale is logarithmic.
  private var rates: [Markup] {
    guard let scale = RateScale(session, top: Self.rateTop, height: Self.rateHeight) else { return [] }
    let shown = session.shown.sorted { $0.time < $1.time }
    return [
      Draw.text(
        "line: rung, bars: throughput, Mbit/s", x: 0, y: Self.rateTop - 8, class: "label"
      )
    ] + scale.grid + [
      Draw.plane(
        y: Self.rateTop, height: Self.rateHeight,
        [Draw.path(throughput(scale), class: "throughput"), Draw.path(steps(shown, scale), class: "rung")])
    ]
  }

  private func steps(_ shown: [StreamSession.RungChange], _ scale: RateScale) -> PathData {
    var path = PathData()
    let known = shown.compactMap { change in session.bitrate(of: change.rung).map { (change.time, scale.place($0)) } }
    // Where more rungs follow each other than columns, each column has the lowest and the highest.
    guard known.count <= layout.columns else {
      for level in columns.levels(known.map { (time: $0.0, value: $0.1) }) {
        path.move(level.place * Draw.units, level.low)
        path.down(max(level.high, level.low + 1))
      }
      return path
    }
    for (index, (time, y)) in known.enumerated() {
      let x = columns.place(time) * Draw.units
      if index == 0 { path.move(x, y) } else { path.across(x) }
      path.down(y)
    }
    if !path.isEmpty { path.across(columns.place(lastPicture) * Draw.units) }
    return path
  }

  /// The last picture stays until the stream has ended or failed.
  private var lastPicture: Double {
    session.stateSpans.last { $0.state != .ended && $0.state != .failed }?.end ?? session.end
  }

  private func throughput(_ scale: RateScale) -> PathData {
    var path = PathData()
    let segments = session.requests.filter { $0.kind == .segment && $0.throughput != nil }
    guard segments.count <= layout.columns else {
      let points = segments.map { (time: $0.times.ended, value: scale.place($0.throughput ?? 0)) }
      for level in columns.levels(points) {
        path.move(level.place * Draw.units, level.low)
        path.down(max(level.high, level.low + 1.5))
      }
      return path
    }
    for segment in segments {
      let (start, y) = (columns.place(segment.times.firstByte ?? 0) * Draw.units, scale.place(segment.throughput ?? 0))
      path.move(start, y)
      path.across(max(start + 2, columns.place(segment.times.ended) * Draw.units))
    }
    return path
  }

  // MARK: Buffer

  private var buffer: [Markup] {
    let (top, height) = (Self.bufferTop, Self.bufferHeight)
    let levels = columns.levels(session.buffer.map { (time: $0.time, value: max(0, $0.seconds)) })
    guard let first = levels.first, let last = levels.last else { return [] }
    let scale = Scale(0, max(levels.map(\.high).max() ?? 1, 1) * 1.05)
    func y(_ value: Double) -> Double { height * (1 - scale.place(value)) }
    var (area, line) = (PathData(), PathData())
    area.move(first.place * Draw.units, height)
    for (index, level) in levels.enumerated() {
      let x = level.place * Draw.units
      area.line(x, y(level.low))
      if index == 0 { line.move(x, y(level.high)) } else { line.line(x, y(level.high)) }
      if level.low < level.high { line.line(x, y(level.low)) }
    }
    area.line(last.place * Draw.units, height)
    area.close()
    return [Draw.text("buffer ahead of the picture, s", x: 0, y: top - 8, class: "label")]
      + Draw.grid(scale, y: top, height: height, ticks: 2)
      + [Draw.plane(y: top, height: height, [Draw.path(area, class: "band"), Draw.path(line, class: "curve")])]
  }

  // MARK: Words

  private var legend: [Markup] {
    let present = Set(session.stateSpans.map(\.state))
    let states = StreamSession.State.allCases.filter(present.contains).compactMap { state in
      Self.looks.first { $0.state == state }.map { look in
        Markup.element(
          "li", [:], [.element("span", ["class": "swatch \(look.name)"]), "\(state.rawValue)\(look.note)"])
      }
    }
    return states
      + (session.stalls.isEmpty ? [] : [.element("li", [:], "shaded: stalled, \(session.stalls.count)")])
      + requests.legend.map { .element("li", [:], $0) }
  }

  private var caption: String {
    let many =
      "Of more than \(layout.columns) requests, or other entries, all in one column of the chart are drawn as one. "
    let isCut = max(session.requests.count, session.buffer.count, session.shown.count) > layout.columns
    return trial.choice + (isCut ? many : "")
      + "Of a request the thin part waits for the first byte, the thick part receives. The scale of rates is logarithmic; "
      + "throughput beyond it lies at its edge."
  }
}

/// A logarithmic axis from the lowest to the highest rung, with room for throughput around.
struct RateScale {
  private let low: Double
  private let high: Double
  private let rungs: [Double]
  private let top: Double
  private let height: Double

  /// Nil without a rung that has a bit rate.
  init?(_ session: StreamSession, top: Double, height: Double) {
    rungs = session.rungs.map(\.bitrate).filter { $0 >= 1 }
    guard let lowest = rungs.min(), let highest = rungs.max() else { return nil }
    let throughput = session.requests.filter { $0.kind == .segment }.compactMap(\.throughput)
    low = log2(max(lowest / 4, min(throughput.min() ?? lowest, lowest / 1.4)))
    high = log2(min(highest * 4, max(throughput.max() ?? highest, highest * 1.4)))
    (self.top, self.height) = (top, height)
  }

  /// Pixels below the top of the plot.
  func place(_ bitrate: Double) -> Double {
    let share = (log2(max(bitrate, 1)) - low) / (high - low)
    return height * (1 - min(1, max(0, share)))
  }

  /// A line for each rung, with its bit rate where there is room for it.
  var grid: [Markup] {
    var (parts, last) = ([Markup](), -Double.infinity)
    for rung in Set(rungs).sorted(by: >) {
      let y = place(rung)
      guard y - last >= 13 else { continue }
      last = y
      parts += [
        Draw.line(x: (0, 1), y: (top + y, top + y), class: "grid"),
        .element(
          "text", ["x": "-8", "y": Draw.number(top + y + 4), "text-anchor": "end"], StreamEvents.megabits(rung)),
      ]
    }
    return parts
  }
}
