import Foundation
import Frames
import RecordSamples
import Support
import Testing
import Verdict

/// The JSON forms in which programs tell their numbers: each field, unit and direction.
@Suite struct CustomFormatTests {
  private static func read(_ json: String) throws -> CustomRun {
    try CustomRunTests.read(["json"], CustomRunTests.output(json: json))
  }

  /// All that is read of each metric, a line each; a star marks what is judged without a gate.
  private static func lines(_ run: CustomRun) -> [String] {
    run.metrics.map { metric in
      let place = [metric.scenario, metric.variant].map { $0 ?? "–" }.joined(separator: " ")
      return "\(place) \(metric.name) [\(metric.unit)] \(metric.better) \(metric.values)" + (metric.isMain ? " *" : "")
    }
  }

  // MARK: hyperfine

  /// As `--export-json` writes it.
  private static let hyperfine = """
    {"results": [{"command": "sleep 0.1", "mean": 0.2, "stddev": 0.01, "median": 0.15, "user": 0.01, "system": 0.02,
      "min": 0.1, "max": 0.3, "times": [0.1, 0.15, 0.3], "exit_codes": [0, 0, 0]}]}
    """

  @Test func hyperfinesTimesAreRead() throws {
    #expect(
      Self.lines(try Self.read(Self.hyperfine)) == [
        "hyperfine – time [s] low [0.1, 0.15, 0.3] *", "hyperfine – user [s] low [0.01]",
        "hyperfine – system [s] low [0.02]",
      ])
  }

  /// Several commands are variants; without the times of its runs, their mean counts.
  @Test func hyperfinesCommandsAreVariants() throws {
    let json = #"{"results": [{"command": "a b", "mean": 0.2, "median": 0.1}, {"command": "c", "mean": 3, "min": 2}]}"#
    #expect(
      Self.lines(try Self.read(json)) == ["hyperfine a b time [s] low [0.2] *", "hyperfine c time [s] low [3.0] *"])
  }

  // MARK: google-benchmark

  /// As google-benchmark 1.9.5 writes it, with fewer digits and neither caches nor indices: two repetitions of a benchmark that
  /// counts items and bytes, and one without a unit of its own.
  static let google = """
    {"context": {"num_cpus": 2, "library_version": "1.9.5", "library_build_type": "release", "json_schema_version": 1},
     "benchmarks": [
      \(googleEntry("BM_Scale/8", time: 7.6, cpu: 0.75, bytes: 1.05e7, items: 1.3e6, #""run_type": "iteration""#)),
      \(googleEntry("BM_Scale/8", time: 6.4, cpu: 0.62, bytes: 1.28e7, items: 1.6e6, #""run_type": "iteration""#)),
      \(googleAggregates),
      {"name": "BM_Empty", "run_name": "BM_Empty", "run_type": "iteration", "repetitions": 1, "repetition_index": 0,
        "threads": 1, "iterations": 9, "real_time": 0.4, "cpu_time": 0.3, "time_unit": "ns"}]}
    """
  private static let googleAggregates = ["mean", "median", "stddev", "cv"].enumerated().map { number, aggregate in
    googleEntry(
      "BM_Scale/8", as: "BM_Scale/8_\(aggregate)", time: Double(number + 90), cpu: Double(number + 80),
      bytes: Double(number + 70),
      items: Double(number + 60),
      #""run_type": "aggregate", "aggregate_name": "\#(aggregate)", "aggregate_unit": "time""#)
  }.joined(separator: ",\n")

  private static func googleEntry(
    _ name: String, as title: String? = nil, time: Double, cpu: Double, bytes: Double, items: Double, _ more: String
  ) -> String {
    """
    {"name": "\(title ?? name)", "family_index": 0, "run_name": "\(name)", "repetitions": 2, "threads": 1, "iterations": 9, \(more),
      "real_time": \(time), "cpu_time": \(cpu), "time_unit": "us", "bytes_per_second": \(bytes), "items_per_second": \(items)}
    """
  }

  @Test func googleBenchmarksRepetitionsAreRead() throws {
    let scale = "benchmark BM_Scale/8"
    #expect(
      Self.lines(try Self.read(Self.google)) == [
        "\(scale) real_time [us] low [7.6, 6.4] *", "\(scale) cpu_time [us] low [0.75, 0.62]",
        "\(scale) items_per_second [1/s] high [1300000.0, 1600000.0]",
        "\(scale) bytes_per_second [B/s] high [10500000.0, 12800000.0]",
        "benchmark BM_Empty real_time [ns] low [0.4] *", "benchmark BM_Empty cpu_time [ns] low [0.3]",
      ])
  }

  /// With `--benchmark_report_aggregates_only` there are no repetitions: their median counts.
  @Test func ofGoogleBenchmarksAggregatesTheMedianCounts() throws {
    let scale = "benchmark BM_Scale/8"
    #expect(
      Self.lines(try Self.read(#"{"benchmarks": [\#(Self.googleAggregates)]}"#)) == [
        "\(scale) real_time [us] low [91.0] *", "\(scale) cpu_time [us] low [81.0]",
        "\(scale) items_per_second [1/s] high [61.0]", "\(scale) bytes_per_second [B/s] high [71.0]",
      ])
  }

  /// Old versions write neither `run_name` nor `run_type`; times without a unit are nanoseconds.
  @Test func oldGoogleBenchmarksAreRead() throws {
    let json = #"{"benchmarks": [{"name": "BM_Old", "iterations": 9, "real_time": 2, "cpu_time": 1}]}"#
    #expect(
      Self.lines(try Self.read(json)) == [
        "benchmark BM_Old real_time [ns] low [2.0] *", "benchmark BM_Old cpu_time [ns] low [1.0]",
      ])
  }

  /// Its zeros are no measurements.
  @Test func failedGoogleBenchmarksAreNamed() {
    let json = """
      {"benchmarks": [{"name": "bad", "run_name": "bad", "run_type": "iteration", "error_occurred": true,
        "error_message": "no device", "iterations": 1, "real_time": 0, "cpu_time": 0, "time_unit": "ns"}]}
      """
    let failure = #expect(throws: Failure.self) { try Self.read(json) }
    #expect(
      failure?.description.hasPrefix("benchmark 'bad' failed: no device") == true, "\(String(describing: failure))")
  }

  // MARK: Our own

  private static let own = """
    {"schema": "bench360-numbers/1", "input": "clip", "device": "cpu", "more": 1, "metrics": [
      {"scenario": "city", "variant": "night", "name": "frame_time", "unit": "ms", "better": "low", "values": [16, 17, 18]},
      {"name": "fps", "unit": "1/s", "better": "high", "values": [60.5]}, {"name": "seed", "values": [7]}]}
    """

  @Test func ourFormIsRead() throws {
    let run = try Self.read(Self.own)
    #expect(run.input == "clip" && run.device == "cpu")
    #expect(
      Self.lines(run) == [
        "city night frame_time [ms] low [16.0, 17.0, 18.0] *", "– – fps [1/s] high [60.5] *",
        "– – seed [] neutral [7.0] *",
      ])
  }

  @Test func ourFormIsWhatIsKept() throws {
    let run = try Self.read(Self.own)
    let kept = String(decoding: try RecordCoding.encode(run), as: UTF8.self)
    #expect(try Self.read(kept) == run)
  }

  @Test(
    .tier(.test), .enabled("no python3 can import jsonschema") { PythonJudge.hasJSONSchema || PythonJudge.isRequired })
  func theSchemaTakesOurForm() throws {
    try TestFiles.withTemporaryFolder { folder in
      var paths: [String] = []
      for (name, text) in [
        ("own", Self.own), ("kept", String(decoding: try RecordCoding.encode(try Self.read(Self.own)), as: UTF8.self)),
        ("none", Self.own.replacing("[16, 17, 18]", with: "[]")),
      ] {
        let url = folder.appending(path: name + ".json")
        try Data(text.utf8).write(to: url)
        paths.append(url.path)
      }
      let refusals = try PythonJudge.schemaRefusals(paths, of: .numbers)
      #expect(refusals.count == 1 && refusals.first?.contains("none.json") == true, "\(refusals)")
    }
  }

  // MARK: Neither

  @Test(arguments: [
    ("", "no JSON of a known form"), ("[1]", "no JSON of a known form"), ("{}", "no JSON of a known form"),
    (#"{"schema": "bench360/1"}"#, "leave --metric json out"),
    (#"{"schema": "bench360-numbers/1", "metrics": []}"#, "holds no metric"),
    (#"{"schema": "bench360-numbers/1", "metrics": [{"name": "a", "values": []}]}"#, "has no value"),
    (#"{"schema": "bench360-numbers/1", "metrics": [{"name": "a", "values": ["x"]}]}"#, "is damaged"),
    (String(repeating: "[", count: 5000), "nested too deeply"),
  ])
  func otherJSONIsRefused(json: String, words: String) {
    let failure = #expect(throws: Failure.self) { try Self.read(json) }
    #expect(failure?.description.contains(words) == true, "\(String(describing: failure))")
  }
}
