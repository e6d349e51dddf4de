import Foundation
import Frames
import RecordSamples
import Support
import Testing
import Verdict

/// Records are joined as text: the slow twin joins their numbers.
@Suite struct MergedTextTests {
  /// A scenario of random trials with random samples, some metrics without any.
  private static func random(_ random: inout SeededGenerator, session: String, second: Int) -> Record {
    var record = Shards.record("a", [], session: session, second: second)
    let trials = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      let values = (0..<Int.random(in: 0...150, using: &random)).map { _ in
        [0, 0.0001, 12345.6789, 7, 1e-9].randomElement(using: &random).map {
          $0 * Double.random(in: -1...3, using: &random)
        }
          ?? 0
      }
      var trial = Sample.trial(["frame_overrun_ms": values, "queue_depth": [3, 4], "gpu_memory_mib": []])
      trial.complete = Bool.random(using: &random)
      return trial
    }
    record.scenarios = [Record.Scenario(name: "play", presentSource: .simulated, trials: trials)]
    return record
  }

  /// Samples are moved as text. The record equals the one that reading and summing up all of them gives.
  @Test func joiningTextIsJoiningNumbers() throws {
    var generator = SeededGenerator(for: "joiningTextIsJoiningNumbers")
    for round in 0..<40 {
      let parts = (0..<3).map { Self.random(&generator, session: "s\($0)", second: $0) }
      let (files, _) = try Shards.merged(
        Dictionary(uniqueKeysWithValues: parts.enumerated().map { ("\($0).json", $1) }))
      let joined = try RecordCoding.decodeRecord(try #require(files["a.json"]), name: "a")
      var trials: [Record.Trial] = []
      for part in parts {
        for trial in part.scenarios[0].trials {
          var kept = trial
          kept.session = part.session
          trials.append(kept)
        }
      }
      let wanted = Record.Scenario(name: "play", presentSource: .simulated, trials: trials)
      #expect(joined.scenarios == [wanted], "seed \(generator.seed), round \(round)")
      #expect(try RecordCoding.encode(joined) == files["a.json"], "seed \(generator.seed): as any record is written")
    }
  }

  /// Numbers of more digits than we write are read to the last one.
  @Test(arguments: ["0.95408556734169085", "0.93709606776222886", "0.77623507758178217", "0.89376429877626436"])
  func theLeastSampleIsExact(number: String) throws {
    try Shards.withRecords(["in/b.json": Shards.record("a", [80], session: "2")]) { folder in
      var text = String(decoding: try RecordCoding.encode(Shards.record("a", [70], session: "1")), as: UTF8.self)
      text = text.replacing("\"samples\" : [70]", with: "\"samples\" : [\(number)]")
      try Data(text.utf8).write(to: URL(filePath: folder + "/in/a.json"))
      let data = try Merge(paths: [folder + "/in"], expected: nil).single(for: "x")
      let joined = try RecordCoding.decodeRecord(data, name: "x")
      #expect(joined.scenarios[0].summary.metrics["decode_fps"]?.min == Double(number))
    }
  }
}
