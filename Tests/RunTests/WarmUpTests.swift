import Foundation
import Run
import Support
import Testing
import Verdict

@Suite struct WarmUpTests {
  private static func scenario(_ name: String, _ metric: String, _ trials: [[Double]], complete: Bool = true)
    -> Record.Scenario
  {
    Record.Scenario(
      name: name,
      trials: trials.map {
        Record.Trial(started: "", complete: complete, metrics: [metric: MetricResult(of: metric, samples: $0)])
      })
  }

  private static func found(_ trials: [[Double]], _ metric: String = "decode_fps", complete: Bool = true) -> [String] {
    let warnings = WarmUp.warnings([scenario("decode", metric, trials, complete: complete)])
    #expect(warnings.allSatisfy { $0.code == "warm_up" && $0.remedy?.contains("--trials") == true })
    return warnings.map(\.text)
  }

  @Test func aFirstTrialOfItsOwnIsTold() {
    #expect(
      Self.found([[90], [100], [101], [99]]) == ["decode: decode_fps of the first trial is -10 % off the later ones"])
    #expect(Self.found([[96], [100], [101], [99]]).isEmpty, "within 5 %")
    #expect(Self.found([[90], [100], [101], [89]]).isEmpty, "a later one is as slow")
    #expect(Self.found([[90], [100], [101]]).isEmpty, "too few to tell")
    #expect(Self.found([[90], [100], [101], [99]], complete: false).isEmpty)
    #expect(
      Self.found([[], [100], [101], [99]]).isEmpty && Self.found([]).isEmpty
        && Self.found([[0], [0], [0], [0]]).isEmpty)
  }

  @Test func aDriftWithinTrialsIsTold() {
    let falling = (0..<100).map { 20 - Double($0) * 0.1 }
    let steady = (0..<100).map { 20 + Double($0 % 7) }
    #expect(
      Self.found([falling, falling, steady], "render_gpu_ms")
        == ["decode: render_gpu_ms drifts within a trial: its last quarter is -40 % off the first"])
    #expect(Self.found([falling, steady, steady], "render_gpu_ms").isEmpty, "the typical trial is steady")
    #expect(Self.found([Array(falling.prefix(39))], "render_gpu_ms").isEmpty, "too few samples")
    #expect(Self.found([falling], "decode_service_ms").isEmpty, "decoding depends on the clip")
  }

  /// Scenarios measure other metrics too: rendering copies nothing where frames are uploaded directly, and starting renders.
  @Test(arguments: [
    ("render", "render_gpu_ms", "upload_cpu_ms"), ("interaction", "input_latency_ms", "render_gpu_ms"),
    ("startup", "ttff_ms", "render_gpu_ms"), ("play", "roughness_ms", "upload_gpu_ms"),
  ])
  func theScenariosMainMetricIsJudged(_ name: String, _ main: String, _ other: String) {
    let trials = [400.0, 300, 301, 302].map { first in
      Record.Trial(
        started: "",
        metrics: [
          main: MetricResult(of: main, samples: [first]), other: MetricResult(of: other, samples: [0]),
        ])
    }
    let texts = WarmUp.warnings([Record.Scenario(name: name, trials: trials)]).map(\.text)
    #expect(texts == ["\(name): \(main) of the first trial is +33 % off the later ones"])
  }

  @Test func theReferenceRecordHadSettled() throws {
    let path = TestFolders.repository + "/results/amd-epyc-2core/reference-built-in-clip.json"
    let record = try RecordCoding.decodeRecord(Data(contentsOf: URL(filePath: path)), name: "reference")
    #expect(!record.scenarios.isEmpty && WarmUp.warnings(record.scenarios).isEmpty)
  }
}
