import Foundation
import Run
import Support
import Testing
import Verdict

@Suite struct WarmUpTests {
  private static func scenario(_ name: String, _ metric: Metric, _ trials: [[Double]], complete: Bool = true)
    -> Record.Scenario
  {
    Record.Scenario(
      name: name,
      trials: trials.map {
        Record.Trial(started: "", complete: complete, metrics: [metric.name: MetricResult(of: metric, samples: $0)])
      })
  }

  private static func found(_ trials: [[Double]], _ metric: Metric = .decodeFPS, complete: Bool = true) -> [String] {
    let warnings = WarmUp.warnings([scenario("decode", metric, trials, complete: complete)])
    #expect(warnings.allSatisfy { $0.code == "warm_up" && $0.remedy?.contains("--trials") == true })
    return warnings.map(\.text)
  }

  @Test func aFirstTrialOfItsOwnIsTold() {
    #expect(
      Self.found([[90], [100], [101], [99]]) == ["decode: decode_fps of the first trial is −10 % off the later ones"])
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
      Self.found([falling, falling, steady], .renderGPU)
        == ["decode: render_gpu_ms drifts within a trial: its last quarter is −40 % off the first"])
    #expect(Self.found([falling, steady, steady], .renderGPU).isEmpty, "the typical trial is steady")
    #expect(Self.found([Array(falling.prefix(39))], .renderGPU).isEmpty, "too few samples")
    #expect(Self.found([falling], .decodeService).isEmpty, "decoding depends on the clip")
  }

  /// Scenarios measure other metrics too: rendering copies nothing where frames are uploaded directly, and starting renders.
  @Test(arguments: [
    ("render", Metric.renderGPU, Metric.uploadCPU), ("interaction", .inputLatency, .renderGPU),
    ("startup", .timeToFirstFrame, .renderGPU), ("play", .roughness, .uploadGPU),
  ])
  func theScenariosMainMetricIsJudged(_ name: String, _ main: Metric, _ other: Metric) {
    let trials = [400.0, 300, 301, 302].map { first in
      Record.Trial(
        started: "",
        metrics: [
          main.name: MetricResult(of: main, samples: [first]), other.name: MetricResult(of: other, samples: [0]),
        ])
    }
    let texts = WarmUp.warnings([Record.Scenario(name: name, trials: trials)]).map(\.text)
    #expect(texts == ["\(name): \(main.name) of the first trial is +33 % off the later ones"])
  }

  @Test func theReferenceRecordHadSettled() throws {
    let path = TestFolders.repository + "/results/amd-epyc-2core/reference-built-in-clip.json"
    let record = try RecordCoding.decodeRecord(Data(contentsOf: URL(filePath: path)), name: "reference")
    #expect(!record.scenarios.isEmpty && WarmUp.warnings(record.scenarios).isEmpty)
  }
}
