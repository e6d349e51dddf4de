import Foundation
import Frames
import Testing
import Verdict

@Suite struct ComparisonTests {
  private static func refusal(_ base: [Record], _ head: [Record]) throws -> Failure {
    let failure = try #require(throws: Failure.self) { try Sides.compare(base, head) }
    #expect(failure.kind == .incomparable && failure.remedy != nil)
    return failure
  }

  private static func only(_ comparison: Comparison) throws -> MetricComparison {
    #expect(comparison.results.count == 1)
    return try #require(comparison.results.first)
  }

  // MARK: Which numbers are compared

  @Test func trialsOfAllRecordsArePooled() throws {
    let base = Sides.spread(100)
    let comparison = try Sides.compare(
      [Sides.fps(Array(base[..<3])), Sides.fps(Array(base[3...]))], [Sides.fps(base.map { $0 - 5 })])
    let result = try Self.only(comparison)
    #expect(result.base.values == base && result.head.values.count == 10)
    #expect(result.base.median == 100 && result.head.median == 95)
    #expect(abs((result.shift ?? 0) + 5) < 1e-9 && result.verdict == .regression)
    #expect(comparison.method == .independent && comparison.base.records == 2 && comparison.head.records == 1)
  }

  @Test func aTrialCountsByItsMedian() throws {
    func side(_ shift: Double) -> [Record] {
      let trials = Sides.spread(10).map { Sample.trial(["render_gpu_ms": [$0 + shift, $0 + shift, 1000]]) }
      return [Sides.record([Record.Scenario(name: "render", trials: trials)])]
    }
    let result = try Self.only(try Sides.compare(side(0), side(1)))
    #expect(abs((result.base.median ?? 0) - 10) < 1e-9 && result.base.values.count == 10)
    #expect(abs((result.shift ?? 0) - 1) < 1e-9 && result.verdict == .regression)
  }

  @Test func incompleteTrialsDoNotCount() throws {
    var base = Sides.fps(Sides.spread(100) + [5000])
    base.scenarios[0].trials[10].complete = false
    base.complete = false
    let comparison = try Sides.compare([base], [Sides.fps(Sides.spread(100))])
    let result = try Self.only(comparison)
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
    let failure = try Self.refusal([Sides.fps([1])], [other])
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
    let failure = try Self.refusal([base], [head])
    #expect(failure.attempt == "cannot compare 'results/base' with 'results/head'")
    #expect(failure.cause == "no metric to judge is in both")
    #expect(throws: Failure.self) {
      try Sides.compare([base], [base]) { $0.gates = try #require(Gates("decode/ttff_ms")) }
    }
  }

  // MARK: When numbers may be compared

  /// Each field with a record that differs in it alone, and, where it can be unknown, one that does not know it.
  private static let changes:
    [String: (other: @Sendable (inout Record) -> Void, none: (@Sendable (inout Record) -> Void)?)] = [
      "machine": ({ $0.machine.hostClass = "other" }, nil),
      "device": ({ $0.device?.uuid = "other" }, { $0.device = nil }),
      "driver": ({ $0.device?.driver = "other" }, { $0.device?.driver = nil }),
      "ffmpeg": ({ $0.libraries.ffmpeg.runtime = "other" }, { $0.libraries.ffmpeg.runtime = nil }),
      "size": ({ $0.settings.size = PictureSize(width: 16, height: 9) }, { $0.settings.size = nil }),
      "view": ({ $0.settings.view?.roll = 1 }, { $0.settings.view = nil }),
      "camera": ({ $0.settings.camera = "other" }, { $0.settings.camera = nil }),
      "bounds": ({ $0.settings.bounds = SphereBounds(left: 0, top: 0, width: 0.5, height: 1) }, nil),
      "pose": ({ $0.settings.pose?.yaw = 1 }, { $0.settings.pose = nil }),
      "projection": ({ $0.settings.projection = "other" }, { $0.settings.projection = nil }),
      "geometry": ({ $0.settings.geometry = "other" }, { $0.settings.geometry = nil }),
      "stereo": ({ $0.settings.stereo = "other" }, { $0.settings.stereo = nil }),
      "eye": ({ $0.settings.eye = "other" }, { $0.settings.eye = nil }),
      "lens_fov": ({ $0.settings.lensFov = 190 }, { $0.settings.lensFov = nil }),
      "decoder": ({ $0.settings.decoder = "other" }, { $0.settings.decoder = nil }),
      "threads": ({ $0.settings.threads = 3 }, { $0.settings.threads = nil }),
      "low_delay": ({ $0.settings.lowDelay = true }, nil),
      "converted_from": ({ $0.settings.convertedFrom = "yuv444p" }, nil),
      "color_conversion": ({ $0.settings.colorConversion = "other" }, { $0.settings.colorConversion = nil }),
      "upload": ({ $0.settings.upload = "other" }, { $0.settings.upload = nil }),
      "shading": ({ $0.settings.shading = "other" }, { $0.settings.shading = nil }),
      "refresh": ({ $0.settings.refreshHz = 59.94 }, { $0.settings.refreshHz = nil }),
      "look_ahead": ({ $0.settings.lookAhead = 2 }, { $0.settings.lookAhead = nil }),
      "input_events": ({ $0.settings.inputEventsSha256 = "other" }, { $0.settings.inputEventsSha256 = nil }),
      "present": ({ $0.settings.present = "other" }, { $0.settings.present = nil }),
      "present_source": ({ $0.scenarios[0].presentSource = .presentWait }, { $0.scenarios[0].presentSource = nil }),
      "duration": ({ $0.settings.durationSeconds = 6 }, nil),
      "seed": ({ $0.settings.seed = 1 }, nil),
      "pin": ({ $0.settings.pin = "0" }, nil),
      "stress": ({ $0.settings.stress = "cpu" }, nil),
      "validate": ({ $0.settings.validate = true }, nil),
    ]

  /// A record that knows every field.
  private static var whole: Record {
    var record = Sides.fps(Sides.spread(100))
    record.settings.camera = "still"
    record.settings.projection = "equirectangular"
    record.settings.pose = Pose()
    record.settings.geometry = "ray"
    record.settings.stereo = "mono"
    record.settings.eye = "left"
    record.settings.lensFov = 180
    record.settings.shading = "fragment"
    record.settings.present = "offscreen"
    record.settings.lookAhead = 8
    record.settings.inputEventsSha256 = String(repeating: "a", count: 64)
    return record
  }

  private static func changed(_ field: ComparedField) throws -> Record {
    var record = whole
    try #require(changes[field.name], "the table of changes lacks '\(field.name)'").other(&record)
    #expect(record != whole)
    return record
  }

  /// Two files of a name are two cameras; a file under two names is one.
  @Test func cameraFilesAreWhatIsInThem() throws {
    let field = try #require(ComparedField.named("camera"))
    var (first, second) = (Self.whole, Self.whole)
    (first.settings.camera, first.settings.cameraSha256) = ("tour.json", String(repeating: "a", count: 64))
    (second.settings.camera, second.settings.cameraSha256) = ("tour.json", String(repeating: "b", count: 64))
    let failure = #expect(throws: Failure.self) { try Sides.compare([first], [second]) }
    #expect(failure?.kind == .incomparable && failure?.description.contains(field.name) ?? false)
    (second.settings.camera, second.settings.cameraSha256) = ("copy.json", first.settings.cameraSha256)
    #expect(throws: Never.self) { try Sides.compare([first], [second]) }
  }

  @Test func theTableOfChangesHasNoOtherRows() {
    #expect(Set(Self.changes.keys) == Set(ComparedField.all.map(\.name)))
    #expect(ComparedField.named("clip") == nil && ComparedField.named("schema") == nil)
  }

  @Test(arguments: ComparedField.all.map(\.name)) func aDifferenceIsRefusedUnlessItIsTheThingTested(_ name: String)
    throws
  {
    let field = try #require(ComparedField.named(name))
    let (base, head) = ([Self.whole], [try Self.changed(field)])
    let failure = try Self.refusal(base, head)
    #expect(failure.cause.hasPrefix("base and head differ in \(name) ("), "\(failure)")
    #expect(!failure.cause.contains("), "), "another field differs too: \(failure)")
    #expect(failure.remedy == "give --vary \(name) if that is the thing tested")
    let others = Set(ComparedField.all.map(\.name)).subtracting([name])
    #expect(throws: Failure.self) { try Sides.compare(base, head) { $0.varied = others } }
    for varied in [[name], nil] as [Set<String>?] {
      let comparison = try Sides.compare(base, head) { $0.varied = varied }
      #expect(comparison.varied.map(\.field) == [name] && comparison.results.map(\.verdict) == [.same])
      #expect(comparison.varied.allSatisfy { $0.base != $0.head })
    }
  }

  @Test(arguments: ComparedField.all.map(\.name)) func aSideThatMixesIsRefused(_ name: String) throws {
    let field = try #require(ComparedField.named(name))
    let (pure, mixed) = ([Self.whole], [Self.whole, try Self.changed(field)])
    for (base, head) in [(pure, mixed), (mixed, pure), (mixed, mixed)] {
      for varied in [[], [name], nil] as [Set<String>?] {
        let failure = try #require(throws: Failure.self) { try Sides.compare(base, head) { $0.varied = varied } }
        #expect(failure.kind == .incomparable)
        #expect(failure.cause.hasPrefix("a side mixes records that differ in \(name) ("), "\(failure)")
      }
    }
  }

  @Test(arguments: ComparedField.all.map(\.name)) func whatIsUnknownAgreesWithAnything(_ name: String) throws {
    guard let forget = Self.changes[name]?.none else { return }
    var unknown = Self.whole
    forget(&unknown)
    for (base, head) in [([Self.whole], [unknown]), ([unknown], [Self.whole]), ([Self.whole, unknown], [Self.whole])] {
      let comparison = try Sides.compare(base, head)
      #expect(comparison.varied.isEmpty && comparison.results.map(\.verdict) == [.same])
    }
  }

  @Test func allDifferencesAreNamedAtOnce() throws {
    var head = Self.whole
    head.settings.threads = 8
    head.device?.driver = "Mesa 24.0.1"
    let failure = try Self.refusal([Self.whole], [head])
    #expect(
      failure.cause
        == "base and head differ in driver (Mesa 22.3.6 against Mesa 24.0.1), threads (2 against 8)")
    #expect(failure.remedy == "give --vary driver,threads if that is the thing tested")
  }

  @Test func aDifferenceBetweenClipsIsNone() throws {
    var (a, b) = (Sides.fps(Sides.spread(100), clip: "a"), Sides.fps(Sides.spread(100), clip: "b"))
    a.settings.projection = "flat"
    b.settings.projection = "equirectangular"
    #expect(try Sides.compare([a, b], [b, a]).varied.isEmpty)
  }

  // MARK: Sessions and noise

  private static func verdict(_ base: [Record], _ head: [Record], noise: Double? = nil) throws -> MetricComparison {
    try only(try Sides.compare(base, head) { $0.noiseFloorPercent = noise })
  }

  @Test func timesOfOtherSessionsAreInconclusive() throws {
    let values = Sides.spread(100)
    let head = [Sides.fps(values.map { $0 - 10 }, session: "two")]
    let result = try Self.verdict([Sides.fps(values)], head)
    #expect(result.verdict == .inconclusive && result.p == nil && result.noiseFloor == nil)
    #expect(abs((result.shift ?? 0) + 10) < 1e-9 && result.low != nil, "it is described all the same")
    #expect(result.why.hasPrefix("base and head were measured in different sessions"))
    // One shared session among others does not help, nor do sessions that nobody knows.
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
    #expect((try Self.only(comparison).verdict != .inconclusive) == isDecided)
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
      return try Self.only(
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
    let result = try Self.only(try Sides.compare([Sides.fps(Sides.spread(100))], [Sides.fps(Sides.spread(300))]))
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
      let result = try Self.only(
        try Sides.compare(side(100), side(center)) { $0.gates = try #require(Gates(name)) })
      #expect(result.verdict == outcome && result.why.contains(word), "\(name) at \(center): \(result.why)")
      #expect(outcome == .same || result.why.contains(outcome == .regression ? "worse" : "better"))
      #expect(result.better == metric.polarity.rawValue && result.unit == metric.unit)
    }
  }

  // MARK: Gates

  @Test func eachScenarioIsJudgedByItsMainMetric() throws {
    let main = [
      "decode": "decode_fps", "upload": "pipeline_fps", "render": "render_gpu_ms", "pipeline": "pipeline_fps",
      "play": "roughness_ms", "startup": "ttff_ms", "scrub": "seek_latency_ms",
    ]
    let values = Dictionary(uniqueKeysWithValues: Self.judged.map { ($0, Sides.spread(100)) })
    let record = Sides.record(main.keys.sorted().map { Sides.scenario($0, values) })
    let comparison = try Sides.compare([record], [record])
    let gated = comparison.results.filter { $0.verdict != nil }
    #expect(Dictionary(uniqueKeysWithValues: gated.map { ($0.scenario, $0.metric) }) == main)
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
      ("seek_error_ms", "'seek_error_ms' has no better direction"),
    ] as [(String, String?)])
  func whatCannotBeAGateIsExplained(_ name: String, _ problem: String?) {
    #expect(Gates.problem(with: name) == problem)
    #expect((Gates("decode_fps,\(name)") == nil) == (problem != nil))
  }

  @Test func onACPUDeviceRenderTimesAreJudgedInRenderAlone() throws {
    func gated(software: Bool, _ gates: Gates) throws -> [String] {
      let values = ["render_gpu_ms": Sides.spread(9), "pipeline_fps": Sides.spread(70)]
      var record = Sides.record(["render", "pipeline", "play"].map { Sides.scenario($0, values) })
      record.device = Sample.device(software: software)
      return try Sides.compare([record], [record]) { $0.gates = gates }.results
        .filter { $0.verdict != nil && $0.metric == "render_gpu_ms" }.map(\.scenario)
    }
    let named = try #require(Gates("render_gpu_ms,pipeline/render_gpu_ms"))
    #expect(try gated(software: false, named) == ["render", "pipeline", "play"])
    #expect(try gated(software: true, named) == ["render"])
    #expect(try gated(software: true, .standard) == ["render"] && gated(software: false, .standard) == ["render"])
  }

  // MARK: Correctness and exit codes

  @Test(arguments: ["wrong_frame", "out_of_tolerance"]) func aWrongPictureIsIncorrectOnEitherSide(_ counter: String)
    throws
  {
    func side(_ counts: [Int?], clip: String = "tour") -> [Record] {
      counts.map { count in
        Sides.record(
          [Sides.scenario("decode", ["decode_fps": Sides.spread(100)], counters: [counter: count])], clip: clip)
      }
    }
    let well = side([0, nil])
    #expect(try Sides.compare(well, well).incorrect.isEmpty)
    for (name, base, head) in [("head", well, side([2, 0, 3])), ("base", side([2, 0, 3]), well)] {
      let comparison = try Sides.compare(base, head)
      let incorrect = try #require(comparison.incorrect.first)
      #expect(comparison.incorrect.count == 1 && incorrect.side == name && incorrect.input == "tour.mp4")
      #expect(incorrect.scenario == "decode" && incorrect.counter == counter && incorrect.count == 5)
      #expect(comparison.exitCode(failsOn: [.regression]) == 3 && comparison.exitCode(failsOn: []) == 3)
      #expect(comparison.sentence.hasPrefix("\(name) was incorrect: \(counter) 5 in decode of tour.mp4; same: "))
    }
    // A clip on one side is not compared, but it is not well either.
    #expect(try Sides.compare(well, well + side([1], clip: "new")).incorrect.map(\.input) == ["new.mp4"])
  }

  @Test func incompleteTrialsCountForCorrectness() throws {
    var cut = Sides.record([Sides.scenario("decode", ["decode_fps": Sides.spread(100)], counters: ["wrong_frame": 1])])
    cut.scenarios[0].trials[0].complete = false
    let comparison = try Sides.compare([Sides.fps(Sides.spread(100))], [cut])
    #expect(comparison.incorrect.map(\.count) == [1] && comparison.results[0].head.values.count == 9)
  }

  /// Exit codes by precedence: 3, 2, 8, 4, 0.
  @Test func theWorstIsTold() throws {
    let codes:
      [(wrong: Bool, verdicts: Set<Outcome>, both: Int32, regression: Int32, improvement: Int32, none: Int32)] = [
        (false, [.same], 0, 0, 0, 0), (false, [.improvement], 4, 0, 4, 0), (false, [.regression], 2, 2, 0, 0),
        (false, [.inconclusive], 8, 8, 8, 8), (false, [.same, .improvement], 4, 0, 4, 0),
        (false, [.regression, .improvement], 2, 2, 4, 0), (false, [.inconclusive, .improvement], 8, 8, 8, 8),
        (false, [.regression, .inconclusive, .improvement, .same], 2, 2, 8, 8), (true, [.same], 3, 3, 3, 3),
        (true, [.regression, .inconclusive, .improvement], 3, 3, 3, 3),
      ]
    let whole = try Sides.full()
    for code in codes {
      var comparison = whole
      if !code.wrong { comparison.incorrect = [] }
      comparison.results = code.verdicts.compactMap { verdict in whole.results.first { $0.verdict == verdict } }
      comparison.results += whole.results.filter { $0.verdict == nil }
      #expect(comparison.results.count > code.verdicts.count)
      #expect(comparison.exitCode(failsOn: [.regression, .improvement]) == code.both, "\(code)")
      #expect(comparison.exitCode(failsOn: [.regression]) == code.regression, "\(code)")
      #expect(comparison.exitCode(failsOn: [.improvement]) == code.improvement, "\(code)")
      #expect(comparison.exitCode(failsOn: []) == code.none, "\(code)")
    }
  }

  @Test func theOutcomeIsTheWorstVerdict() throws {
    var comparison = try Sides.full()
    for worst in [Outcome.regression, .inconclusive, .improvement, .same] {
      #expect(comparison.outcome == worst)
      comparison.results.removeAll { $0.verdict == worst }
    }
  }
}
