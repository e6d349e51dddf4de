import Foundation
import Frames
import RecordSamples
import Support
import Testing
import Verdict

/// Records of one cell that several shards measured, and what merging makes of them.
enum Shards {
  static func cell(_ name: String) -> Record.Cell {
    // As long as a SHA-256, and different for different names.
    let id = name.utf8.map { String($0, radix: 16) }.joined()
    return Record.Cell(id: String((id + String(repeating: "0", count: 64)).prefix(64)), name: name)
  }

  /// A record of one scenario with a trial for each rate, measured in `session` at a second of its own.
  static func record(
    _ name: String?, _ rates: [Double], session: String, second: Int = 0, complete: Bool = true,
    change: (inout Record) -> Void = { _ in }
  ) -> Record {
    let trials = rates.enumerated().map { index, rate in
      var trial = Sample.trial(
        ["decode_fps": [rate], "decode_latency_ms": Sample.samples(rate / 10, count: 120)], counters: ["wrong_frame": 0]
      )
      trial.started = String(format: "2025-11-21T09:%02d:%02dZ", second, index)
      return trial
    }
    var record = Sample.record(scenarios: [Record.Scenario(name: "decode", trials: trials)])
    record.created = String(format: "2025-11-21T09:%02d:00Z", second)
    record.cell = name.map(cell)
    record.session = session
    record.complete = complete
    record.settings.repetition.trials = rates.count
    change(&record)
    return record
  }

  static func withRecords<Result>(_ records: [String: Record], _ body: (String) throws -> Result) throws
    -> Result
  {
    try TestFiles.withTemporaryFolder { folder in
      for (path, record) in records {
        let url = folder.appending(path: path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try RecordCoding.encode(record).write(to: url)
      }
      return try body(folder.path)
    }
  }

  /// Merges `in/` into `out/`: what lies there afterwards, by name, and the plan.
  static func merged(
    _ records: [String: Record], expected: [MergePlan.Expected]? = nil, paths: [String] = ["in"]
  ) throws -> (files: [String: Data], plan: MergePlan) {
    try withRecords(Dictionary(uniqueKeysWithValues: records.map { ("in/" + $0, $1) })) { folder in
      let merge = try Merge(paths: paths.map { folder + "/" + $0 }, expected: expected)
      try merge.write(toFolder: folder + "/out/deep")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/out/deep")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/out") == ["deep"], "nothing else is left")
      let files = try names.map { ($0, try Data(contentsOf: URL(filePath: folder + "/out/deep/" + $0))) }
      return (Dictionary(uniqueKeysWithValues: files), merge.plan)
    }
  }

  static func expected(_ names: [String], shards: Int) -> [MergePlan.Expected] {
    names.enumerated().map { MergePlan.Expected(cell: cell($1), shard: $0 % shards) }
  }
}
