import Foundation
import Frames
import Report
import Support
import Testing
import Verdict

/// Records whose numbers make no sense: each ends in an output or in one sentence, never in a trap.
@Suite struct HostileRecordTests {
  /// Records that are there, small: the made-up one, one that was played, and the reference of a machine.
  private static func originals() throws -> [LooseJSON] {
    let folder = TestFolders.repository + "/results/amd-epyc-2core/reference-built-in-clip.json"
    let reference = try LooseJSON(Data(contentsOf: URL(filePath: folder)))
    return [
      try LooseJSON(RecordCoding.encode(Sample.record())).cut(to: 130), reference.cut(to: 40),
      try LooseJSON(RecordCoding.encode(played(samples: [16.6, 33.3, 16.7], refresh: 60))),
    ]
  }

  private static func played(samples: [Double], refresh: Double, counters: Int = 3) -> Record {
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
    record.settings.refreshHz = refresh
    return record
  }

  @Test(arguments: [1e12, 1e25, 1e308, 0x1p-1074, -60, 0, 1e-3, 60])
  func extremeSamplesAndRefreshRatesAreDrawn(refresh: Double) throws {
    for extreme in [-1e25, 1e25, 1e308, -1e308, 0x1p-1074, 0] {
      for counter in [Int.max, .min, 0] {
        let record = Self.played(samples: [extreme, 16.6, -extreme, extreme], refresh: refresh, counters: counter)
        try Self.render(record, beside: Self.played(samples: [16], refresh: refresh))
      }
    }
  }

  @Test func countersStopAtTheEnds() throws {
    let record = Self.played(samples: [16], refresh: 60, counters: .max)
    #expect(Answer(record).incorrect == .max)
    #expect(record.scenarios[0].summary.counters["dropped"] == .some(.max))
    #expect(record.scenarios[0].histograms["drop_runs"]?["1"] == .max)
  }

  /// `BENCH360_HOSTILE_RECORDS` makes more of them.
  @Test func mutatedRecordsEndInAnOutputOrASentence() throws {
    var random = SeededGenerator(for: "mutatedRecordsEndInAnOutputOrASentence")
    let variable = ProcessInfo.processInfo.environment["BENCH360_HOSTILE_RECORDS"]
    let originals = try Self.originals()
    let whole = try originals.map { try RecordCoding.decodeRecord(Data($0.source.utf8), name: "original") }
    var read = 0
    try TestFiles.withTemporaryFolder { folder in
      for number in 0..<(variable.flatMap { Int($0) } ?? 150) {
        let place = number % originals.count
        var text = originals[place]
        text.mutate(using: &random)
        let data = Data(text.source.utf8)
        // What traps leaves the file and the seed behind.
        try data.write(to: folder.appending(path: "mutant.json"))
        do throws(Failure) {
          let record = try RecordCoding.decodeRecord(data, name: "mutant")
          read += 1
          try Self.render(record, beside: whole[place])
          _ = try RecordCoding.decodeRecord(data, name: "mutant", asDigest: true)
          try Self.merge(folder, whole[place])
        } catch {
          #expect(
            [.input, .incomparable, .usage].contains(error.kind), "seed \(random.seed), mutant \(number): \(error)")
        }
      }
    }
    #expect(read > 20, "most mutants cannot even be read: seed \(random.seed)")
  }

  private static func merge(_ folder: URL, _ original: Record) throws(Failure) {
    let path = folder.appending(path: "original.json").path
    try RecordFile.write(original, to: path)
    let merge = try Merge(paths: [folder.appending(path: "mutant.json").path, path], expected: nil)
    guard merge.plan.items.count == 1 else { return }
    _ = try RecordCoding.decodeRecord(merge.single(for: "test"), name: "merged")
  }

  /// In every format; what cannot be compared is a sentence.
  private static func render(_ record: Record, beside other: Record) throws(Failure) {
    for format in ReportFormat.all { _ = try format.render(record, useColor: true) }
    let groups = RecordGroup.groups([record, other, record])
    for page in [groups, RecordGroup.groups([record])] { _ = Report(groups: page).html }
    for (base, head) in [(record, record), (other, record), (record, other)] {
      do throws(Failure) {
        var options = ComparisonOptions()
        options.varied = nil
        options.noiseFloorPercent = 1000
        let comparison = try Comparison(
          base: RecordSet(path: "base", records: [base]), head: RecordSet(path: "head", records: [head]),
          options: options)
        for format in ComparisonFormat.all { _ = try format.render(comparison, useColor: true) }
        _ = Report(groups: groups, comparison: comparison).html
      } catch {
        guard error.kind == .incomparable else { throw error }
      }
    }
    let history = Array(repeating: [record, other], count: 6).flatMap { $0 }
    for metric in ["decode_fps", "display_interval_ms", "dropped", "pipeline_fps"] {
      do throws(Failure) {
        let history = try History(RecordGroup.groups(history), metric: metric)
        for format in HistoryFormat.all { _ = try format.render(history) }
      } catch {
        guard error.kind == .input else { throw error }
      }
    }
  }
}
