/// The requests until the first picture, a line each, with the parts of their time.
struct StreamStartChart {
  private let trial: StreamTrial
  private let scenario: Record.Scenario
  private let layout: Layout
  private let requests: [StreamSession.Request]
  /// The first picture, or the end of the last request that is drawn.
  private let end: Double

  private static let most = 16
  private static let step = 27.0

  /// Nil where nothing was requested.
  init?(_ trial: StreamTrial, _ scenario: Record.Scenario, _ layout: Layout) {
    let session = trial.session
    let limit = session.firstFrame ?? session.end
    requests = session.requests.filter { $0.times.queued <= limit }.sorted { $0.times.queued < $1.times.queued }
    let last = requests.prefix(Self.most).map(\.times.ended).max() ?? 0
    end = session.firstFrame ?? min(last, session.end)
    guard !requests.isEmpty, end > 0 else { return nil }
    (self.trial, self.scenario, self.layout) = (trial, scenario, layout)
  }

  private var drawn: ArraySlice<StreamSession.Request> { requests.prefix(Self.most) }

  var chart: Chart {
    let scale = Scale(0, end * 1000)
    let place = [scenario.name, scenario.variant].compactMap { $0 }.joined(separator: " · ")
    let labels = drawn.map { RowLabel(Self.name($0)) }
    let tops = labels.reduce(into: [0.0]) { $0.append($0[$0.count - 1] + Self.step + $1.extra) }
    let bottom = tops[labels.count]
    let left = requests.count - drawn.count
    return Chart(
      id: layout.id("stream-start-\(RecordFile.fileNameSafe(place))"),
      title: "Requests until the first picture — \(place)\(trial.words)", description: description,
      height: Int(bottom) + 30,
      drawing: zip(drawn, zip(labels, tops)).flatMap { line($0, $1.0, scale, y: $1.1) }
        + Draw.axis(scale, unit: "ms", y: bottom + 6), legend: legend,
      caption:
        "Since the stream was opened; the axis ends \(trial.session.firstFrame == nil ? "with them" : "at the first picture"). "
        + "A connection that is open already has no look-up and no handshake."
        + (left > 0 ? " \(left) more requests stand in the record." : ""), table: table)
  }

  private func line(
    _ request: StreamSession.Request, _ label: RowLabel, _ scale: Scale, y: Double
  ) -> [Markup] {
    let isFailed = request.outcome == .failed
    return label.drawing(y: y + 11, class: isFailed ? "alert" : "label")
      + Self.parts(request).map { part in
        Draw.bar(
          x: (scale.place(part.start * 1000), scale.place(part.end * 1000)), y: y + 15 + label.extra, height: 9,
          class: "fill-\(part.look.stage)")
      }
  }

  private struct Look {
    let stage: String
    let name: String
    let end: @Sendable (StreamSession.Request.Times) -> Double?
  }

  /// In the order of a request; each begins where the one before ended.
  private static let looks = [
    Look(stage: "read", name: "name look-up") { $0.nameLookedUp },
    Look(stage: "decode", name: "connection") { $0.connected },
    Look(stage: "upload", name: "TLS") { $0.secured }, Look(stage: "wait", name: "first byte") { $0.firstByte },
    Look(stage: "render", name: "transfer") { $0.ended },
  ]

  private static func parts(_ request: StreamSession.Request) -> [(look: Look, start: Double, end: Double)] {
    var start = request.times.queued
    // Without a first byte, all was waiting for it.
    let isUnanswered = request.times.firstByte == nil
    return looks.filter { !isUnanswered || $0.stage != "render" }.compactMap { look in
      let end = isUnanswered && look.stage == "wait" ? request.times.ended : look.end(request.times)
      guard let end, end > start else { return nil }
      defer { start = end }
      return (look, start, end)
    }
  }

  /// `segment 3, rung 1, 503: failed`
  private static func name(_ request: StreamSession.Request) -> String {
    let words = [
      request.kind.rawValue + (request.segment.map { " \($0)" } ?? ""), request.rung.map { "rung \($0)" },
      request.attempt > 0 ? "attempt \(request.attempt + 1)" : nil,
      request.outcome == .finished ? nil : request.outcome.rawValue,
    ]
    return words.compactMap { $0 }.joined(separator: ", ")
  }

  private var legend: [Markup] {
    let present = Set(drawn.flatMap { Self.parts($0).map(\.look.name) })
    return Self.looks.filter { present.contains($0.name) }.map { look in
      .element("li", [:], [.element("span", ["class": "swatch swatch-\(look.stage)"]), "\(look.name)"])
    }
  }

  private var description: String {
    drawn.map { request in
      "\(Self.name(request)): from \(ReportText.number(request.times.queued * 1000)) to "
        + "\(ReportText.number(request.times.ended * 1000)) milliseconds"
    }.joined(separator: "; ") + "."
  }

  private var table: Table {
    Table(
      head: ["request, ms", "queued"] + Self.looks.map(\.name) + ["bytes"],
      rows: drawn.map { request in
        let parts = Self.parts(request)
        return [Self.name(request), ReportText.number(request.times.queued * 1000)]
          + Self.looks.map { look in
            parts.first { $0.look.name == look.name }.map { ReportText.number(($0.end - $0.start) * 1000) } ?? "–"
          } + ["\(request.transfer.bytes)"]
      })
  }
}
