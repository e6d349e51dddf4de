import RecordSamples
import Testing
import Verdict

/// Charts that a reader compares by eye have the same scales, and say why they are shown.
@Suite struct PairTests {
  private static func figures(_ html: String, _ id: String) -> [String] {
    html.split(separator: "<figure ").filter { $0.hasPrefix("id=\"g0-\(id)") }.map(String.init)
  }

  /// Numbers at the grid's lines or below the axis, without the labels of values.
  private static func numbers(_ figure: String) -> [String] {
    figure.matches(of: /<text [^>]*>([−0-9.]+|frame [0-9]+)( ms)?<\/text>/).map { String($0.1) }
  }

  private static func page(_ trials: [[Double]], _ metric: String, _ scenario: String) -> String {
    let trials = trials.map { Sample.trial([metric: $0]) }
    return Report(
      groups: RecordGroup.groups([
        Sample.record(scenarios: [Record.Scenario(name: scenario, trials: trials)])
      ])
    ).html
  }

  private static func rise(to last: Double, count: Int) -> [Double] {
    (0..<count).map { 1 + (last - 1) * Double($0) / Double(count - 1) }
  }

  @Test func twoTrialsShareBothScales() throws {
    let html = Self.page([Self.rise(to: 80, count: 30), Self.rise(to: 12, count: 50)], "render_gpu_ms", "render")
    let figures = Self.figures(html, "frames-")
    #expect(
      figures.count == 2 && figures.allSatisfy { $0.contains("Both trials are shown. Both charts have the same") })
    let (one, other) = (Self.numbers(figures[0]), Self.numbers(figures[1]))
    #expect(
      one.contains("frame 50") && one.filter { !$0.contains(".") } == other.filter { !$0.contains(".") },
      "\(one) \(other)")
    // The shorter trial ends where its last frame is, at three fifths of the width.
    let path = try #require(figures[0].firstMatch(of: /class="curve" d="[^"]*L([0-9.]+) [0-9.]+"/))
    #expect(abs((Double(path.1) ?? 0) - 590) < 1, "\(path.1)")
  }

  @Test func ofManyTrialsTheWorstAndTheMiddleOneAreShownWithTheReason() {
    let html = Self.page([9, 40, 12, 11, 10].map { Self.rise(to: $0, count: 30) }, "render_gpu_ms", "render")
    let figures = Self.figures(html, "frames-")
    #expect(figures.count == 2)
    #expect(figures[0].contains("trial 2 of 5") && figures[0].contains("because it has the longest time"))
    #expect(figures[1].contains("trial 4 of 5") && figures[1].contains("the middle one of the 5 trials, sorted by the"))
    #expect(!Self.page([Self.rise(to: 9, count: 30)], "render_gpu_ms", "render").contains("Both charts"))
  }

  @Test func framesThatStayedTooLongAreTheReasonWhereThereAreSome() {
    func intervals(_ long: Int) -> [Double] { (0..<100).map { $0 < long ? 100 : $0 % 2 == 0 ? 33.3 : 33.4 } }
    let html = Self.page([intervals(1), intervals(5), intervals(2)], "display_interval_ms", "play")
    let figures = Self.figures(html, "frames-")
    #expect(figures[0].contains("trial 2 of 3") && figures[0].contains("it has the most frames that stayed too long"))
    #expect(figures[1].contains("sorted by frames that stayed too long, then by the longest time"))
  }

  /// A pair stays in one row of the page: no other figure moves its second half to the next row.
  @Test func eachScenarioHasARowOfItsOwn() throws {
    let html = Report(groups: RecordGroup.groups([Sample.record()])).html
    let section = try #require(
      html.split(separator: "<section ").first { $0.contains("Frame times over the run</h2>") })
    let rows = section.split(separator: "<div class=\"pair\">").dropFirst()
    #expect(rows.count == 2 && rows.allSatisfy { $0.matches(of: #/<figure /#).count == 2 })
  }

  @Test func histogramsOfOneMetricShareTheirScale() {
    let scenarios = [
      Record.Scenario(name: "render", trials: [Sample.trial(["render_gpu_ms": Self.rise(to: 10, count: 100)])]),
      Record.Scenario(
        name: "pipeline", variant: "direct", trials: [Sample.trial(["render_gpu_ms": Self.rise(to: 90, count: 100)])]),
      Record.Scenario(name: "decode", trials: [Sample.trial(["decode_latency_ms": Self.rise(to: 7, count: 100)])]),
    ]
    let html = Report(groups: RecordGroup.groups([Sample.record(scenarios: scenarios)])).html
    let figures = Self.figures(html, "distribution-")
    #expect(figures.count == 3)
    let axes = figures.map { Self.numbers($0).filter { !$0.contains(".") } }
    let drawn = figures.filter { $0.contains("All charts of render_gpu_ms have the same scale.") }
    #expect(drawn.count == 2 && Set(drawn.map { Self.numbers($0).last }).count == 1, "\(axes)")
    #expect(Set(axes).count == 2, "\(axes)")
  }

  @Test func aStreamSaysWhyItsTrialIsShown() {
    let (good, stalled) = (Sample.stream(seconds: 20), Sample.stream())
    #expect(Pages.stream([good, stalled]).html.contains("This trial is shown because it stalled longest."))
    var failed = good
    failed.states.append(.init(time: 19, state: .failed))
    #expect(Pages.stream([failed, stalled]).html.contains("This trial is shown because it failed."))
    #expect(!Pages.stream([stalled]).html.contains("is shown because"))
  }
}
