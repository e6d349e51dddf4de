import Foundation
import Frames
import Support
import Verdict

/// Records whose numbers make no sense.
package enum HostileRecords {
  /// Records that are there, small: the made-up one, one that was played, and the reference of a machine.
  package static func originals() throws -> [LooseJSON] {
    let folder = TestFolders.repository + "/results/amd-epyc-2core/reference-built-in-clip.json"
    let reference = try LooseJSON(Data(contentsOf: URL(filePath: folder)))
    return [
      try LooseJSON(RecordCoding.encode(Sample.record())).cut(to: 130), reference.cut(to: 40),
      try LooseJSON(RecordCoding.encode(played(samples: [16.6, 33.3, 16.7], refresh: 60))),
    ]
  }

  package static func played(samples: [Double], refresh: Double, counters: Int = 3) -> Record {
    var trial = Sample.trial(
      [
        "display_interval_ms": samples, "frame_interval_ms": samples, "frame_overrun_ms": samples + samples.prefix(1),
        "queue_depth": samples, "roughness_ms": samples, "render_gpu_ms": samples,
      ],
      counters: [
        "presented": counters, "dropped": counters, "skipped": counters, "late": counters, "stalls": counters,
        "wrong_frame": counters, "out_of_tolerance": counters,
      ])
    trial.histograms = ["drop_runs": ["1": counters, "2": counters]]
    var record = Sample.record(
      scenarios: ["play", "pipeline", "interaction"].map { name in
        Record.Scenario(name: name, presentSource: .simulated, trials: [trial, trial])
      })
    record.settings.pacing.refreshHz = refresh
    return record
  }

  /// A record with other values in places, and the one that it was made of.
  package struct Mutant {
    package var number: Int
    package var data: Data
    package var original: Record
  }

  /// Makes mutants, `BENCH360_HOSTILE_RECORDS` of them where that is set: each lies in the folder as `mutant.json` while `body` runs, so
  /// that what traps leaves it behind.
  package static func forEachMutant(
    in folder: URL, using random: inout SeededGenerator, _ body: (Mutant) -> Void
  ) throws {
    let originals = try originals()
    let whole = try originals.map { try RecordCoding.decodeRecord(Data($0.source.utf8), name: "original") }
    let count = ProcessInfo.processInfo.environment["BENCH360_HOSTILE_RECORDS"].flatMap { Int($0) } ?? 150
    for number in 0..<count {
      var text = originals[number % originals.count]
      text.mutate(using: &random)
      let data = Data(text.source.utf8)
      try data.write(to: folder.appending(path: "mutant.json"))
      body(Mutant(number: number, data: data, original: whole[number % originals.count]))
    }
  }
}
