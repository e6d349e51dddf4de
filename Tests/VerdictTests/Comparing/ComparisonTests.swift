import Foundation
import Frames
import RecordSamples
import Testing
import Verdict

@Suite struct ComparisonTests {
  // MARK: Which numbers are compared

  @Test func trialsOfAllRecordsArePooled() throws {
    let base = Sides.spread(100)
    let comparison = try Sides.compare(
      [Sides.fps(Array(base[..<3])), Sides.fps(Array(base[3...]))], [Sides.fps(base.map { $0 - 5 })])
    let result = try Sides.only(comparison)
    #expect(result.base.values == base && result.head.values.count == 10)
    #expect(result.base.median == 100 && result.head.median == 95)
    #expect(abs((result.estimate.shift ?? 0) + 5) < 1e-9 && result.verdict == .regression)
    #expect(comparison.method == .independent && comparison.base.records == 2 && comparison.head.records == 1)
  }

  @Test func aTrialCountsByItsMedian() throws {
    func side(_ shift: Double) -> [Record] {
      let trials = Sides.spread(10).map { Sample.trial(["render_gpu_ms": [$0 + shift, $0 + shift, 1000]]) }
      return [Sides.record([Record.Scenario(name: "render", trials: trials)])]
    }
    let result = try Sides.only(try Sides.compare(side(0), side(1)))
    #expect(abs((result.base.median ?? 0) - 10) < 1e-9 && result.base.values.count == 10)
    #expect(abs((result.estimate.shift ?? 0) - 1) < 1e-9 && result.verdict == .regression)
  }

  @Test func incompleteTrialsDoNotCount() throws {
    var base = Sides.fps(Sides.spread(100) + [5000])
    base.scenarios[0].trials[10].complete = false
    base.complete = false
    let comparison = try Sides.compare([base], [Sides.fps(Sides.spread(100))])
    let result = try Sides.only(comparison)
    #expect(result.base.values.count == 10 && (result.base.values.max() ?? 0) < 101 && result.verdict == .same)
    #expect(comparison.warnings.map(\.code) == ["incomplete"])
    #expect(comparison.warnings.first?.text == "1 of 2 records ended early; their complete trials count")
  }

  @Test func clipsAreToldApartByTheirContent() throws {
    var renamed = Sides.fps(Sides.spread(90), clip: "b")
    renamed.input.name = "other-name.mp4"
    let comparison = try Sides.compare(
      [Sides.fps(Sides.spread(100), clip: "a"), Sides.fps(Sides.spread(50), clip: "b")],
      [renamed, Sides.fps(Sides.spread(100), clip: "a")])
    #expect(comparison.results.map(\.input) == ["a.mp4", "b.mp4"])
    #expect(comparison.results.map(\.verdict) == [.same, .improvement])
    #expect(comparison.results.map(\.head.values.count) == [10, 10])
    #expect(comparison.warnings.isEmpty)
    var url = Sides.fps(Sides.spread(100))
    url.input.sha256 = nil
    #expect(try Sides.compare([url], [url]).results.count == 1, "an address is told by its name")
  }

  @Test func aClipOnOneSideIsLeftOutAndSaid() throws {
    let comparison = try Sides.compare(
      [Sides.fps(Sides.spread(100), clip: "a"), Sides.fps([9], clip: "b")],
      [Sides.fps(Sides.spread(100), clip: "a"), Sides.fps([7], clip: "c")])
    #expect(comparison.results.map(\.input) == ["a.mp4"])
    #expect(comparison.warnings.map(\.code) == ["one_side"])
    #expect(comparison.warnings.first?.text == "measured on one side only: b.mp4, c.mp4")
  }

  @Test func withoutACommonClipNothingCanBeSaid() throws {
    var other = Sides.fps([1])
    other.input.sha256 = "changed"
    let failure = try Sides.refusal([Sides.fps([1])], [other])
    #expect(failure.cause.contains("no clip in common") && failure.cause.contains("base measured tour.mp4"))
  }

  @Test func whatIsOnOneSideOnlyIsNotCompared() throws {
    let base = Sides.record([
      Sides.scenario("decode", ["decode_fps": Sides.spread(100), "cpu_seconds": Sides.spread(2)]),
      Sides.scenario("render", variant: "mesh", ["render_gpu_ms": Sides.spread(9)]),
    ])
    let head = Sides.record([
      Sides.scenario("decode", ["decode_fps": Sides.spread(100), "demux_ms": Sides.spread(1), "cpu_seconds": []]),
      Sides.scenario("render", variant: "ray", ["render_gpu_ms": Sides.spread(9)]),
      Sides.scenario("startup", ["ttff_ms": Sides.spread(400)]),
    ])
    #expect(try Sides.compare([base], [head]).results.map(\.metric) == ["decode_fps"])
  }

  @Test func withoutACommonGatedMetricNothingCanBeSaid() throws {
    let base = Sides.record([Sides.scenario("decode", ["decode_fps": [1], "cpu_seconds": [2]])])
    let head = Sides.record([Sides.scenario("decode", ["cpu_seconds": [2]])])
    let failure = try Sides.refusal([base], [head])
    #expect(failure.attempt == "cannot compare 'results/base' with 'results/head'")
    #expect(failure.cause == "no metric to judge is in both")
    #expect(throws: Failure.self) {
      try Sides.compare([base], [base]) { $0.gates = try #require(Gates("decode/ttff_ms")) }
    }
  }

  // MARK: Sessions and noise

  private static func verdict(_ base: [Record], _ head: [Record], noise: Double? = nil) throws -> MetricComparison {
    try Sides.only(try Sides.compare(base, head) { $0.noiseFloorPercent = noise })
  }

  @Test func timesOfOtherSessionsAreInconclusive() throws {
    let values = Sides.spread(100)
    let head = [Sides.fps(values.map { $0 - 10 }, session: "two")]
    let result = try Self.verdict([Sides.fps(values)], head)
    #expect(result.verdict == .inconclusive && result.p == nil && result.noiseFloor == nil)
    #expect(abs((result.estimate.shift ?? 0) + 10) < 1e-9 && result.estimate.low != nil, "it is described all the same")
    #expect(result.why.hasPrefix("base and head were measured in different sessions"))
    // One shared session among others does not help, nor do unknown sessions.
    let both = try Self.verdict([Sides.fps(values), Sides.fps(values, session: "two")], head)
    #expect(both.verdict == .inconclusive && both.p == nil)
    let unknown = try Self.verdict([Sides.fps(values, session: nil)], [Sides.fps(values, session: nil)])
    #expect(unknown.verdict == .inconclusive && unknown.p == nil)
    #expect(try Self.verdict([Sides.fps(values)], [Sides.fps(values.map { $0 - 10 })]).verdict == .regression)
  }

  @Test(arguments: [("ws_psnr_db", true), ("max_error", true), ("ttff_ms", false), ("decode_fps", false)])
  func picturesDoNotDependOnTheSession(_ metric: String, _ isDecided: Bool) throws {
    func side(_ center: Double, _ session: String) -> [Record] {
      [Sides.record([Sides.scenario("any", [metric: Sides.spread(center)])], session: session)]
    }
    let comparison = try Sides.compare(side(50, "one"), side(40, "two")) { $0.gates = try #require(Gates(metric)) }
    #expect((try Sides.only(comparison).verdict != .inconclusive) == isDecided)
  }

  @Test func aKnownNoiseFloorDecides() throws {
    let base = [Sides.fps(Sides.spread(100))]
    func head(_ center: Double) -> [Record] { [Sides.fps(Sides.spread(center), session: "two")] }
    let regression = try Self.verdict(base, head(90), noise: 6)
    #expect(regression.verdict == .regression && regression.noiseFloor == 6 && regression.threshold == 6)
    #expect(try Self.verdict(base, head(95), noise: 6).verdict == .same)
    #expect(try Self.verdict(base, head(95), noise: 1).threshold == 2)
    #expect(try Self.verdict(base, head(95), noise: 1).verdict == .regression)
  }

  @Test func fiveSessionsOfBaseTellTheNoiseFloor() throws {
    // Medians 100, 101, 102, 103, 104: of the ten distances 1 1 1 1 2 2 2 3 3 4 the 95th percentile is 3.55.
    func sessions(_ count: Int) -> [Record] {
      (0..<count).map { index in
        Sides.fps([99, 100, 105].map { $0 + Double(index) }, session: "\(index)")
      }
    }
    func head(_ center: Double) -> [Record] { [Sides.fps(Sides.spread(center), session: "head")] }
    let few = try Self.verdict(sessions(4), head(90))
    #expect(few.verdict == .inconclusive && few.noiseFloor == nil && few.why.contains("five sessions"))
    let many = try Self.verdict(sessions(5), head(90))
    #expect(abs((many.noiseFloor ?? 0) - 3.55) < 1e-9 && many.threshold == many.noiseFloor)
    #expect(many.verdict == .regression)
    #expect(try Self.verdict(sessions(5), head(102)).noiseFloor == many.noiseFloor, "head has no part in it")
    let told = try Self.verdict(sessions(5), head(90), noise: 10)
    #expect(abs((told.noiseFloor ?? 0) - 10.3) < 1e-9, "what the user knows comes first")
    // Five records of four sessions are four.
    let twice = sessions(4) + [Sides.fps([100], session: "3")]
    #expect(try Self.verdict(twice, head(90)).noiseFloor == nil)
  }

  // MARK: Thresholds and directions

  @Test func theThresholdIsTheLargestOfThree() throws {
    func threshold(_ percent: Double, noise: Double?) throws -> Double {
      let side = [Sides.fps(Sides.spread(100))]
      return try Sides.only(
        try Sides.compare(side, side) {
          $0.thresholdPercent = percent
          $0.noiseFloorPercent = noise
        }
      ).threshold
    }
    #expect(try threshold(2, noise: nil) == 2 && threshold(3, noise: 1) == 3)
    #expect(try threshold(0.05, noise: nil) == 0.1, "the floor of rates")
    #expect(try threshold(0, noise: 0) == 0.1 && threshold(2, noise: 5) == 5)
    // Of base's median, not of head's.
    let result = try Sides.only(try Sides.compare([Sides.fps(Sides.spread(100))], [Sides.fps(Sides.spread(300))]))
    #expect(result.threshold == 2)
  }

  private static let judged = Metric.allCases.filter { Gates.problem(with: $0.name) == nil }.map(\.name)

  @Test(arguments: judged) func worseIsARegressionWhicheverWayIsBetter(_ name: String) throws {
    let metric = try #require(Metric.named(name))
    func side(_ center: Double) -> [Record] {
      [Sides.record([Sides.scenario("render", [name: Sides.spread(center)])])]
    }
    let (more, less): (Outcome, Outcome) =
      metric.polarity == .high ? (.improvement, .regression) : (.regression, .improvement)
    for (center, outcome, word) in [(150.0, more, "higher"), (70, less, "lower"), (100, .same, "no change")] {
      let result = try Sides.only(
        try Sides.compare(side(100), side(center)) { $0.gates = try #require(Gates(name)) })
      #expect(result.verdict == outcome && result.why.contains(word), "\(name) at \(center): \(result.why)")
      #expect(outcome == .same || result.why.contains(outcome == .regression ? "worse" : "better"))
      #expect(result.better == metric.polarity.rawValue && result.unit == metric.unit)
    }
  }

  // MARK: Gates

  /// Where 0 is best, either sign is as bad.
  @Test(arguments: [(20.0, Outcome.regression), (-20, .regression), (8, .same), (-1, .improvement)])
  func magnitudesAreJudgedWhereZeroIsBest(_ center: Double, _ outcome: Outcome) throws {
    func side(_ center: Double) -> [Record] {
      [Sides.record([Sides.scenario("play", ["av_sync_ms": Sides.spread(center)])])]
    }
    let result = try Sides.only(try Sides.compare(side(-8), side(center)))
    #expect(result.verdict == outcome, "\(result.why)")
  }

  @Test func eachScenarioIsJudgedByItsMainMetricAndItsFaults() throws {
    let main = [
      "decode": "decode_fps", "upload": "pipeline_fps", "render": "render_gpu_ms", "pipeline": "pipeline_fps",
      "play": "roughness_ms", "startup": "ttff_ms", "scrub": "seek_latency_ms",
    ]
    let values = Dictionary(uniqueKeysWithValues: Self.judged.map { ($0, Sides.spread(100)) })
    let record = Sides.record(main.keys.sorted().map { Sides.scenario($0, values) })
    let comparison = try Sides.compare([record], [record])
    let gated = comparison.results.filter { $0.verdict != nil }
    let faults = gated.filter { main[$0.scenario] != $0.metric }
    #expect(Set(faults.map(\.scenario)) == ["play"])
    #expect(Set(faults.map(\.metric)) == ["av_sync_ms", "av_drift_ppm", "audio_gap_ms"] && faults.count == 3)
    #expect(Set(gated.map(\.scenario)) == Set(main.keys) && gated.count == main.count + 3)
    #expect(comparison.results.count == main.count * Self.judged.count)
    #expect(
      comparison.results.allSatisfy { ($0.verdict == nil) == $0.why.isEmpty && ($0.verdict == nil) == ($0.p == nil) })
  }

  @Test(arguments: [
    ("decode_fps", ["decode/decode_fps", "play/decode_fps"]), ("play/decode_fps", ["play/decode_fps"]),
    ("play/decode_fps,cpu_seconds_", []), ("decode/ttff_ms,decode_fps", ["decode/decode_fps", "play/decode_fps"]),
    ("demux_ms,play/decode_fps", ["decode/demux_ms", "play/demux_ms", "play/decode_fps"]),
  ])
  func gatesAreReadAsWritten(_ list: String, _ gated: [String]) throws {
    guard let gates = Gates(list) else {
      #expect(gated.isEmpty)
      return
    }
    let values = ["decode_fps": Sides.spread(100), "demux_ms": Sides.spread(1)]
    let record = Sides.record([Sides.scenario("decode", values), Sides.scenario("play", values)])
    let comparison = try Sides.compare([record], [record]) { $0.gates = gates }
    let names = comparison.results.filter { $0.verdict != nil }.map { "\($0.scenario)/\($0.metric)" }
    #expect(Set(names) == Set(gated))
  }

  @Test(
    arguments: [
      ("decode_fps", nil), ("startup/ttff_ms", nil), ("fps", "there is no metric 'fps'"), ("", "there is no metric ''"),
      ("startup/", "there is no metric 'startup'"), ("presented", "'presented' has no samples to compare"),
      ("phases", "'phases' has no samples to compare"), ("play/drop_runs", "'drop_runs' has no samples to compare"),
      ("frame_interval_ms", "'frame_interval_ms' has no better direction"),
      ("queue_depth", "'queue_depth' has no better direction"),
    ] as [(String, String?)])
  func whatCannotBeAGateIsExplained(_ name: String, _ problem: String?) {
    #expect(Gates.problem(with: name) == problem)
    #expect((Gates("decode_fps,\(name)") == nil) == (problem != nil))
  }

  @Test func onACPUDeviceRenderTimesAreJudgedInRenderAlone() throws {
    func gated(software: Bool, _ gates: Gates) throws -> [String] {
      let values = ["render_gpu_ms": Sides.spread(9), "pipeline_fps": Sides.spread(70)]
      var record = Sides.record(["render", "pipeline", "play"].map { Sides.scenario($0, values) })
      record.environment.device = Sample.device(software: software)
      return try Sides.compare([record], [record]) { $0.gates = gates }.results
        .filter { $0.verdict != nil && $0.metric == "render_gpu_ms" }.map(\.scenario)
    }
    let named = try #require(Gates("render_gpu_ms,pipeline/render_gpu_ms"))
    #expect(try gated(software: false, named) == ["render", "pipeline", "play"])
    #expect(try gated(software: true, named) == ["render"])
    #expect(try gated(software: true, .standard) == ["render"] && gated(software: false, .standard) == ["render"])
  }
}
