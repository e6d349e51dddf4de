import Foundation
import Frames
import RecordSamples
import Support
import Testing
import Verdict

/// Numbers of other programs: how they are named, read and compared.
@Suite struct CustomRunTests {
  private static func output(_ text: String = "", json: String? = nil, peak: Double? = 40) -> CustomReading.Output {
    CustomReading.Output(
      text: text, json: json.map { Data($0.utf8) }, wallMilliseconds: 120, userMilliseconds: 80, peakMiB: peak)
  }

  private static func read(_ metrics: [String], _ output: CustomReading.Output) throws -> CustomRun {
    try CustomReading(metrics).run(output, place: "run 1 of base")
  }

  @Test func builtInMetricsAreThoseOfTheProcess() throws {
    let run = try Self.read(["wall", "user", "rss"], Self.output())
    #expect(run.metrics.map(\.name) == ["wall", "user", "rss"])
    #expect(run.metrics.map(\.values) == [[120], [80], [40]])
    #expect(run.metrics.map(\.unit) == ["ms", "ms", "MiB"] && run.metrics.allSatisfy { $0.better == .low })
    #expect(throws: Failure.self) { try Self.read(["rss"], Self.output(peak: nil)) }
  }

  @Test(arguments: [
    ("fps:1/s:high=fps=([0-9.]+)", "fps", "1/s", Metric.Polarity.high),
    ("fps:high=fps=([0-9.]+)", "fps", "", .high), ("frame_ms:ms:low=fps=([0-9.]+)", "frame_ms", "ms", .low),
    ("fps:1/s=fps=([0-9.]+)", "fps", "1/s", .neutral), ("fps=fps=([0-9.]+)", "fps", "", .neutral),
  ])
  func theSuffixTellsUnitAndDirection(argument: String, name: String, unit: String, better: Metric.Polarity) throws {
    let run = try Self.read([argument, "wall"], Self.output("fps=10 x\rfps=59.5 speed\nbye"))
    let number = try #require(run.metrics.first)
    #expect((number.name, number.unit, number.better) == (name, unit, better))
    #expect(number.values == [59.5], "the last match counts")
  }

  @Test(arguments: [
    ("frames", "none of wall"), ("Fps:high=(x)", "lower-case"), ("wall:low=(x)", "without an expression"),
    ("fps:high=[", "not a regular expression"), ("fps:high=[0-9]+", "no group"), ("a:b:c:high=(x)", "more than a unit"),
    ("=(x)", "lower-case"), ("fps=([0-9]+)", "which way is better"),
  ])
  func badMetricsAreUsage(argument: String, words: String) {
    let failure = #expect(throws: Failure.self) { try CustomReading([argument]) }
    #expect(failure?.kind == .usage && failure?.description.contains(words) == true, "\(String(describing: failure))")
  }

  @Test func missingNumbersAreNamed() throws {
    for (text, words) in [("no numbers", "matches nothing"), ("fps=1.2.3", "'1.2.3', which is not a number")] {
      let failure = #expect(throws: Failure.self) { try Self.read(["fps:high=fps=([0-9.]+)"], Self.output(text)) }
      #expect(failure?.description.contains(words) == true, "\(String(describing: failure))")
      #expect(failure?.description.hasPrefix("run 1 of base failed: ") == true)
    }
  }

  private static let hyperfine = """
    {"results": [{"command": "sleep 0.1", "mean": 0.2, "stddev": 0.01, "median": 0.15, "user": 0.01, "system": 0.02,
      "min": 0.1, "max": 0.3, "times": [0.1, 0.15, 0.3], "exit_codes": [0, 0, 0]}]}
    """
  private static let google = """
    {"context": {"num_cpus": 2, "library_build_type": "release"}, "benchmarks": [
      {"name": "BM_Scale/8", "run_name": "BM_Scale/8", "run_type": "iteration", "iterations": 9, "real_time": 3.5,
        "cpu_time": 3.4, "time_unit": "us", "items_per_second": 1e6},
      {"name": "BM_Scale/8", "run_name": "BM_Scale/8", "run_type": "iteration", "iterations": 9, "real_time": 4.5,
        "cpu_time": 3.4, "time_unit": "us", "items_per_second": 1e6},
      {"name": "BM_Scale/8_mean", "run_name": "BM_Scale/8", "run_type": "aggregate", "aggregate_name": "mean",
        "real_time": 99, "cpu_time": 99, "time_unit": "us"}]}
    """
  private static let own = """
    {"schema": "bench360-numbers/1", "input": "clip", "device": "cpu", "more": 1,
     "metrics": [{"name": "frame_time", "unit": "ms", "better": "low", "values": [16, 17, 18]}]}
    """

  @Test func hyperfinesTimesAreRead() throws {
    let run = try Self.read(["json"], Self.output(json: Self.hyperfine))
    #expect(run.metrics.map(\.name) == ["time", "user", "system"] && run.metrics[0].values == [0.1, 0.15, 0.3])
    #expect(run.metrics[0].unit == "s" && run.metrics[0].variant == nil)
    #expect(run.metrics.map(\.isMain) == [true, false, false])
  }

  @Test func googleBenchmarksRepetitionsAreRead() throws {
    let run = try Self.read(["json", "wall"], Self.output(json: Self.google))
    #expect(run.metrics.map(\.name) == ["real_time", "cpu_time", "items_per_second", "wall"])
    #expect(run.metrics[0].values == [3.5, 4.5] && run.metrics[0].variant == "BM_Scale/8")
    #expect(run.metrics[0].unit == "us" && run.metrics[2].better == .high)
    let failed = Self.google.replacing(
      #""iterations": 9, "real_time": 3.5"#, with: #""error_occurred": true, "iterations": 0"#)
    #expect(throws: Failure.self) { try Self.read(["json"], Self.output(json: failed)) }
  }

  @Test func ourFormIsWhatIsKept() throws {
    let run = try Self.read(["json"], Self.output(json: Self.own))
    #expect(run.input == "clip" && run.device == "cpu" && run.metrics[0].values == [16, 17, 18])
    let kept = String(decoding: try RecordCoding.encode(run), as: UTF8.self)
    #expect(try Self.read(["json"], Self.output(json: kept)) == run)
  }

  @Test(.enabled("no python3 can import jsonschema") { PythonJudge.hasJSONSchema || PythonJudge.isRequired })
  func theSchemaTakesOurForm() throws {
    try TestFiles.withTemporaryFolder { folder in
      var paths: [String] = []
      for (name, text) in [("own", Self.own), ("none", Self.own.replacing("[16, 17, 18]", with: "[]"))] {
        let url = folder.appending(path: name + ".json")
        try Data(text.utf8).write(to: url)
        paths.append(url.path)
      }
      let refusals = try PythonJudge.schemaRefusals(paths, of: .numbers)
      #expect(refusals.count == 1 && refusals.first?.contains("none.json") == true, "\(refusals)")
    }
  }

  @Test(arguments: [
    ("", "no JSON of a known form"), ("[1]", "no JSON of a known form"), ("{}", "no JSON of a known form"),
    (#"{"schema": "bench360/1"}"#, "leave --metric json out"),
    (#"{"schema": "bench360-numbers/1", "metrics": []}"#, "holds no metric"),
    (#"{"schema": "bench360-numbers/1", "metrics": [{"name": "a", "values": []}]}"#, "has no value"),
    (#"{"schema": "bench360-numbers/1", "metrics": [{"name": "a", "values": ["x"]}]}"#, "is damaged"),
    (String(repeating: "[", count: 5000), "nested too deeply"),
  ])
  func otherJSONIsRefused(json: String, words: String) {
    let failure = #expect(throws: Failure.self) { try Self.read(["json"], Self.output(json: json)) }
    #expect(failure?.description.contains(words) == true, "\(String(describing: failure))")
  }

  // MARK: Comparing

  private static func run(
    _ value: Double, unit: String = "1/s", better: Metric.Polarity = .high, input: String? = nil, device: String? = nil
  ) throws -> CustomRun {
    let json = """
      {"schema": "bench360-numbers/1", \(input.map { #""input": "\#($0)","# } ?? "") \(device.map { #""device": "\#($0)","# } ?? "")
       "metrics": [{"name": "fps", "unit": "\(unit)", "better": "\(better.rawValue)", "values": [\(value)]}]}
      """
    return try read(["json"], output(json: json))
  }

  private static func compare(
    _ base: (Int) throws -> CustomRun, _ head: (Int) throws -> CustomRun, gate: String? = nil
  ) throws -> Comparison {
    var options = ComparisonOptions()
    options.gates = .custom(gate)
    let blocks = try (0..<4).map { block in
      (base: try [base(2 * block), base(2 * block + 1)], head: try [head(2 * block), head(2 * block + 1)])
    }
    return try Comparison(customBlocks: blocks, names: ("base", "head"), options: options)
  }

  @Test func theDirectionDecidesTheVerdict() throws {
    for (better, outcome) in [(Metric.Polarity.high, Outcome.regression), (.low, .improvement)] {
      let comparison = try Self.compare(
        { try Self.run(100 + Double($0) / 100, better: better) },
        { try Self.run(90 + Double($0) / 100, better: better) })
      let result = try #require(comparison.results.first)
      #expect(result.verdict == outcome && result.title == "command · fps", "\(result.why)")
      #expect(result.base.values.count == 8 && result.unit == "1/s")
      let text = try ComparisonFormat.table.render(comparison)
      #expect(text.contains("\(outcome.rawValue): command · fps −10.0 %"), "\(text)")
      let refusals = try PythonJudge.hasJSONSchema ? Self.refusals(comparison) : []
      #expect(refusals.isEmpty, "\(refusals)")
    }
  }

  private static func refusals(_ comparison: Comparison) throws -> [String] {
    try TestFiles.withTemporaryFolder { folder in
      let url = folder.appending(path: "comparison.json")
      try RecordCoding.encode(comparison).write(to: url)
      return try PythonJudge.schemaRefusals([url.path], of: .comparison)
    }
  }

  @Test func anotherInputOrDeviceIsRefused() throws {
    func failure(_ base: CustomRun, _ head: CustomRun) -> Failure? {
      #expect(throws: Failure.self) { try Self.compare({ _ in base }, { _ in head }) }
    }
    let clip = try Self.run(1, input: "a.mp4", device: "GPU 0")
    for (other, words) in [
      (try Self.run(1, input: "b.mp4", device: "GPU 0"), "base says input 'a.mp4', head 'b.mp4'"),
      (try Self.run(1, input: "a.mp4", device: "GPU 1"), "base says device 'GPU 0', head 'GPU 1'"),
      (try Self.run(1, unit: "fps", input: "a.mp4"), "'1/s'"),
    ] {
      let refusal = failure(clip, other)
      #expect(
        refusal?.kind == .incomparable && refusal?.description.contains(words) == true, "\(String(describing: refusal))"
      )
    }
    #expect(throws: Never.self) { try Self.compare({ _ in clip }, { _ in try Self.run(1, device: "GPU 0") }) }
    let mixed = #expect(throws: Failure.self) {
      try Self.compare({ try Self.run(1, input: "\($0 % 2)") }, { _ in try Self.run(1) })
    }
    #expect(mixed?.description.contains("the runs of base say input '0' and '1'") == true)
  }

  @Test func aGateNamesOneOfTheirs() throws {
    let google = try Self.read(["json"], Self.output(json: Self.google))
    let usual = try Self.compare({ _ in google }, { _ in google })
    #expect(usual.results.filter { $0.verdict != nil }.map(\.metric) == ["real_time"])
    let gated = try Self.compare({ _ in google }, { _ in google }, gate: "benchmark/cpu_time")
    #expect(gated.results.filter { $0.verdict != nil }.map(\.metric) == ["cpu_time"])
    let failure = #expect(throws: Failure.self) { try Self.compare({ _ in google }, { _ in google }, gate: "fps") }
    #expect(failure?.description.contains("real_time") == true, "\(String(describing: failure))")
  }

  @Test func whatOnlyOneSideHasIsSaid() throws {
    let google = try Self.read(["json", "wall"], Self.output(json: Self.google))
    let wall = try Self.read(["wall"], Self.output())
    let comparison = try Self.compare({ _ in google }, { _ in wall })
    #expect(comparison.results.map(\.metric) == ["wall"])
    #expect(comparison.warnings.first?.text.contains("BM_Scale/8 real_time") == true, "\(comparison.warnings)")
  }
}
