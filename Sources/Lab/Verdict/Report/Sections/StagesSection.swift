import Frames

extension ReportSection {
  /// The cost of one frame in each stage, beside its time budget.
  static let stages = ReportSection("stages", "Stages of a frame") { group, layout in
    guard let costs = StageCosts(group.newest) else { return [] }
    return [costs.chart(layout).figure]
  }
}

/// Milliseconds of a frame in each stage alone.
private struct StageCosts {
  struct Part {
    /// As in `Palette.stages`.
    var stage: String
    var milliseconds: Double
    /// The metric and scenario it is taken from.
    var source: String
  }

  private let parts: [Part]
  /// From one frame of the clip to the next; nil where its rate is not known.
  private let budget: Double?
  private let pipeline: Double?
  private let isShared: Bool

  /// Nil below two stages.
  init?(_ record: Record) {
    func find(_ scenarios: [Scenario], _ metrics: [Metric]) -> (value: Double, source: String)? {
      for key in scenarios {
        for scenario in record.scenarios(key) {
          let values = metrics.compactMap { scenario.summary.metrics[$0]?.p50 }
          if !values.isEmpty {
            return (values.reduce(0, +), "\(metrics.map(\.name).joined(separator: " + ")) of \(key.name)")
          }
        }
      }
      return nil
    }
    let all: [Scenario] = [.pipeline, .play, .render, .upload, .decode]
    let decode =
      find([.decode], [.decodeService])
      ?? find([.decode], [.decodeFPS]).flatMap {
        $0.value > 0 ? (1000 / $0.value, "\(Metric.decodeFPS.name) of \(Scenario.decode.name)") : nil
      }
    let found: [(String, (value: Double, source: String)?)] = [
      ("read", find([.decode, .pipeline, .play], [.demux])), ("decode", decode),
      ("upload", find(all, [.uploadCPU, .uploadGPU])),
      ("render", find([.render, .pipeline, .play], [.renderGPU])),
    ]
    parts = found.compactMap { stage, cost in
      cost.map { Part(stage: stage, milliseconds: max(0, $0.value), source: $0.source) }
    }
    budget = record.input.framesPerSecond.flatMap { $0 > 0 ? 1000 / $0 : nil }
    pipeline = find([.pipeline], [.pipelineFPS]).flatMap { $0.value > 0 ? 1000 / $0.value : nil }
    isShared = record.environment.device?.software ?? false
    guard parts.count > 1 else { return nil }
  }

  private var total: Double { parts.reduce(0) { $0 + $1.milliseconds } }
  private var wait: Double? { budget.map { max(0, $0 - total) } }

  func chart(_ layout: Layout) -> Chart {
    let scale = Scale(0, max(total, budget ?? 0, pipeline ?? 0) * 1.02)
    var drawing = Draw.axis(scale, unit: "ms", y: 112)
    var start = 0.0
    for part in segments {
      let ends = (scale.place(start), scale.place(start + part.milliseconds))
      drawing.append(Draw.bar(x: ends, y: 36, height: 22, class: "fill-\(part.stage)"))
      start += part.milliseconds
    }
    if let pipeline {
      drawing.append(Draw.bar(x: (0, scale.place(pipeline)), y: 86, height: 12, class: "outline"))
    }
    if let budget {
      let place = scale.place(budget)
      drawing += [
        Draw.line(x: (place, place), y: (4, 112), class: "ideal"),
        Draw.aside("clip: \(ReportText.number(budget)) ms", x: place, y: 12, class: "strong"),
      ]
    }
    // Words last, so that no line crosses them.
    drawing.append(Draw.text("one after the other: \(ReportText.number(total)) ms", x: 0, y: 28, class: "label"))
    if let pipeline {
      let text = "together, one frame every \(ReportText.number(pipeline)) ms"
      drawing.append(Draw.text(text, x: 0, y: 78, class: "label"))
    }
    return Chart(
      id: layout.id("stages-chart"), title: "What one frame costs", description: description, height: 134,
      drawing: drawing, legend: legend, caption: caption, table: table)
  }

  private var segments: [Part] {
    parts + (wait.map { $0 > 0 ? [Part(stage: "wait", milliseconds: $0, source: "what is left")] : [] } ?? [])
  }

  private var legend: [Markup] {
    segments.map { part in
      .element(
        "li", [:],
        [
          .element("span", ["class": "swatch swatch-\(part.stage)"]),
          "\(part.stage) \(ReportText.number(part.milliseconds)) ms",
        ])
    }
  }

  private var description: String {
    let costs = segments.map { "\($0.stage) \(ReportText.number($0.milliseconds)) milliseconds" }
    let limit = budget.map { "; the clip has a frame every \(ReportText.number($0)) milliseconds" } ?? ""
    return costs.joined(separator: ", ") + limit + "."
  }

  private var caption: String {
    var sentences = ["Each stage as it was measured with nothing beside it, where that was measured; medians."]
    if budget != nil { sentences.append("Wait is what the clip's frame rate leaves of a frame's time.") }
    if pipeline != nil { sentences.append("In the pipeline the stages work on different frames at the same time.") }
    if isShared { sentences.append("This device renders on the CPU: together they share its cores.") }
    return sentences.joined(separator: " ")
  }

  private var table: Table {
    var rows = segments.map { [$0.stage, ReportText.number($0.milliseconds), $0.source] }
    if let pipeline { rows.append(["together", ReportText.number(pipeline), "1000 ÷ \(Metric.pipelineFPS.name)"]) }
    if let budget { rows.append(["clip", ReportText.number(budget), "1000 ÷ frames per second"]) }
    return Table(head: ["stage", "ms", "taken from"], rows: rows, texts: [0], metrics: [2])
  }
}
