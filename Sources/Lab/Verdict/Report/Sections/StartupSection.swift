extension ReportSection {
  /// The time to the first picture, by phases.
  static let startup = ReportSection("startup", "First picture") { group, layout in
    let scenarios = group.newest.scenarios.filter { $0.key?.has(.phases) == true && !Startup.phases($0).isEmpty }
    guard !scenarios.isEmpty else { return [] }
    return [Startup(scenarios).chart(layout).figure]
  }
}

private struct Startup {
  private let scenarios: [Record.Scenario]

  init(_ scenarios: [Record.Scenario]) {
    self.scenarios = scenarios
  }

  /// The known phases of the critical path.
  static func phases(_ scenario: Record.Scenario) -> [(phase: Phase, milliseconds: Double)] {
    Phase.criticalPath.compactMap { phase in
      (scenario.summary.phases[phase.name] ?? nil).map { (phase, max(0, $0)) }
    }
  }

  func chart(_ layout: Layout) -> Chart {
    let totals = scenarios.map { Self.phases($0).reduce(0) { $0 + $1.milliseconds } }
    let scale = Scale(0, max(1, totals.max() ?? 1))
    var (drawing, bottom) = ([Markup](), 0.0)
    for scenario in scenarios {
      let ttff = scenario.summary.metrics[.timeToFirstFrame]?.p50
      let label = RowLabel(scenario.variant ?? scenario.name, aside: "\(ReportText.number(ttff)) ms")
      drawing += label.drawing(y: bottom + 12, asideClass: "label")
      let y = bottom + label.extra
      bottom += 46 + label.extra
      var start = 0.0
      for (stage, _, time) in Self.stages(scenario) {
        let end = start + time
        drawing.append(
          Draw.bar(x: (scale.place(start), scale.place(end)), y: y + 18, height: 18, class: "fill-\(stage)"))
        start = end
      }
    }
    return Chart(
      id: layout.id("startup-chart"), title: "From the start of the program to its first picture",
      metric: .timeToFirstFrame, description: description, height: Int(bottom) + 26,
      drawing: Draw.axis(scale, unit: "ms", y: bottom + 2) + drawing, legend: legend,
      caption: "Phases of the critical path, each the median over the trials, so that they need not add up to the time "
        + "at the right, which is the median too.",
      table: table)
  }

  /// Phases that belong together share a colour.
  private static let groups: [(stage: String, name: String, phases: Set<Phase>)] = [
    ("wait", "process", [.spawn]), ("read", "input", [.open, .manifest, .initSegment, .firstSegment, .probe]),
    ("decode", "decoder", [.codecInit, .firstDecode]), ("upload", "device", [.deviceInit, .pipelineInit]),
    ("render", "picture", [.firstUpload, .firstRender, .firstPresent]),
  ]

  private static func stages(_ scenario: Record.Scenario) -> [(stage: String, name: String, time: Double)] {
    let phases = phases(scenario)
    return groups.map { group in
      (group.stage, group.name, phases.filter { group.phases.contains($0.phase) }.reduce(0) { $0 + $1.milliseconds })
    }
  }

  private var legend: [Markup] {
    let known = Set(scenarios.flatMap { Self.phases($0).map(\.phase) })
    return Self.groups.filter { !$0.phases.isDisjoint(with: known) }.map { group in
      let phases = Phase.criticalPath.filter(group.phases.intersection(known).contains).map(\.name)
        .joined(separator: ", ")
      return .element(
        "li", [:],
        [.element("span", ["class": "swatch swatch-\(group.stage)"]), "\(group.name): \(phases)"])
    }
  }

  private var description: String {
    scenarios.map { scenario in
      let parts = Self.stages(scenario).map { "\($0.name) \(ReportText.number($0.time))" }
      return "\(scenario.variant ?? scenario.name): \(parts.joined(separator: ", ")) milliseconds"
    }.joined(separator: "; ") + "."
  }

  private var table: Table {
    let names = Phase.ordered(Set(scenarios.flatMap(\.summary.phases.keys)))
    return Table(
      head: ["phase, ms"] + scenarios.map { $0.variant ?? $0.name },
      rows: names.map { name in
        let isBeside = !Phase.isCritical(name)
        return [name + (isBeside ? " (beside)" : "")]
          + scenarios.map { ReportText.number($0.summary.phases[name] ?? nil) }
      } + [
        [Metric.timeToFirstFrame.name] + scenarios.map { ReportText.number($0.summary.metrics[.timeToFirstFrame]?.p50) }
      ], metrics: [0])
  }
}
