import Foundation
import Frames
import RecordSamples
import Support
import Testing
import Verdict

/// Numbers of other programs: how they are named, read and compared.
@Suite struct CustomRunTests {
  static func output(_ text: String = "", json: String? = nil, peak: Double? = 40) -> CustomReading.Output {
    CustomReading.Output(
      text: text, json: json.map { Data($0.utf8) }, wallMilliseconds: 120, userMilliseconds: 80, peakMiB: peak)
  }

  static func read(_ metrics: [String], _ output: CustomReading.Output) throws -> CustomRun {
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
    let google = try Self.read(["json"], Self.output(json: CustomFormatTests.google))
    let usual = try Self.compare({ _ in google }, { _ in google })
    #expect(
      usual.results.filter { $0.verdict != nil }.map(\.metric) == ["real_time", "real_time"], "of each benchmark")
    let gated = try Self.compare({ _ in google }, { _ in google }, gate: "benchmark/cpu_time")
    #expect(gated.results.filter { $0.verdict != nil }.map(\.metric) == ["cpu_time", "cpu_time"])
    let failure = #expect(throws: Failure.self) { try Self.compare({ _ in google }, { _ in google }, gate: "fps") }
    #expect(failure?.description.contains("real_time") == true, "\(String(describing: failure))")
  }

  @Test func whatOnlyOneSideHasIsSaid() throws {
    let google = try Self.read(["json", "wall"], Self.output(json: CustomFormatTests.google))
    let wall = try Self.read(["wall"], Self.output())
    let comparison = try Self.compare({ _ in google }, { _ in wall })
    #expect(comparison.results.map(\.metric) == ["wall"])
    #expect(comparison.warnings.first?.text.contains("BM_Scale/8 real_time") == true, "\(comparison.warnings)")
  }
}
