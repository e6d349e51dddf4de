import Foundation
import Frames
import RecordSamples
import Support
import Testing
import Verdict

/// How large the record of a standard run is, and that it holds every sample.
@Suite struct RecordSizeTests {
  private static let limit = 2 << 20

  /// The suite as it runs on a clip of 60 frames a second, each metric with a sample a frame and all digits in use, on a device
  /// twice as fast as the clip: a second of it at 600 frames.
  @Test func aStandardRunStaysBelowTwoMebibytesWithEverySample() throws {
    var generator = SeededGenerator(for: "aStandardRunStaysBelowTwoMebibytesWithEverySample")
    func samples(_ count: Int) -> [Double] { (0..<count).map { _ in Double.random(in: 10..<100, using: &generator) } }
    let perFrame = [
      "decode": ["demux_ms", "decode_latency_ms", "decode_service_ms"],
      "render": ["render_gpu_ms", "frame_interval_ms"],
      "pipeline": [
        "demux_ms", "decode_latency_ms", "upload_cpu_ms", "upload_gpu_ms", "render_gpu_ms", "frame_interval_ms",
        "queue_depth",
      ],
    ]
    var count = 0
    let scenarios = perFrame.map { name, metrics in
      Record.Scenario(
        name: name,
        trials: (0..<5).map { _ in
          count += 600 * metrics.count
          return Sample.trial(Dictionary(uniqueKeysWithValues: metrics.map { ($0, samples(600)) }))
        })
    }
    let record = Sample.record(scenarios: scenarios)
    let data = try RecordCoding.encode(record)
    #expect(data.count < Self.limit, "\(data.count) bytes")
    let read = try RecordCoding.decodeRecord(data, name: "standard")
    let kept = read.scenarios.flatMap(\.trials).flatMap(\.metrics.values)
    #expect(kept.reduce(0) { $0 + $1.samples.count } == count && kept.allSatisfy { $0.n == $0.samples.count })
    #expect(read == record)
    // 100 ns, where the samples are milliseconds: what a sample is off by is at most half of it.
    let given = samples(1000)
    let off = zip(given, MetricResult(of: .demux, samples: given).samples).map { abs($0 - $1) }.max() ?? 1
    #expect(off <= 0.5001e-4)
  }

  @Test func theReferencesDo() throws {
    let results = TestFolders.repository + "/results"
    let paths = try #require(FileManager.default.subpaths(atPath: results)).filter { $0.contains("/reference-") }
    #expect(!paths.isEmpty)
    for path in paths {
      let data = try Data(contentsOf: URL(filePath: results + "/" + path))
      let record = try RecordCoding.decodeRecord(data, name: path)
      #expect(data.count < Self.limit && record.settings.repetition.suite == "standard", "\(path): \(data.count) bytes")
      for scenario in record.scenarios where ["decode", "render", "pipeline"].contains(scenario.name) {
        for trial in scenario.trials {
          #expect(trial.metrics.values.allSatisfy { $0.n == $0.samples.count })
          #expect((trial.metrics.values.map(\.n).max() ?? 0) >= 300, "a sample for every frame of ten seconds")
        }
      }
    }
  }
}
