import Foundation
import Frames
import RecordSamples
import Support
import Testing
import Verdict

/// Records whose numbers make no sense: each ends in an output or in one sentence, never in a trap.
@Suite struct HostileRecordTests {
  @Test(arguments: [1e12, 1e25, 1e308, 0x1p-1074, -60, 0, 1e-3, 60])
  func extremeSamplesAndRefreshRatesAreDrawn(refresh: Double) throws {
    for extreme in [-1e25, 1e25, 1e308, -1e308, 0x1p-1074, 0] {
      for counter in [Int.max, .min, 0] {
        let record = HostileRecords.played(
          samples: [extreme, 16.6, -extreme, extreme], refresh: refresh, counters: counter)
        try Self.render(record, beside: HostileRecords.played(samples: [16], refresh: refresh))
      }
    }
  }

  @Test func countersStopAtTheEnds() throws {
    let record = HostileRecords.played(samples: [16], refresh: 60, counters: .max)
    #expect(Answer(record).incorrect == .max)
    #expect(record.scenarios[0].summary.counters["dropped"] == .some(.max))
    #expect(record.scenarios[0].histograms["drop_runs"]?["1"] == .max)
  }

  /// `BENCH360_HOSTILE_RECORDS` makes more of them.
  @Test func mutatedRecordsEndInAnOutputOrASentence() throws {
    var random = SeededGenerator(for: "mutatedRecordsEndInAnOutputOrASentence")
    var read = 0
    try TestFiles.withTemporaryFolder { folder in
      let seed = random.seed
      try HostileRecords.forEachMutant(in: folder, using: &random) { mutant in
        do throws(Failure) {
          let record = try RecordCoding.decodeRecord(mutant.data, name: "mutant")
          read += 1
          try Self.render(record, beside: mutant.original)
          _ = try RecordCoding.decodeRecord(mutant.data, name: "mutant", asDigest: true)
          try Self.merge(folder, mutant.original)
        } catch {
          #expect(
            [.input, .incomparable, .usage].contains(error.kind), "seed \(seed), mutant \(mutant.number): \(error)")
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
    for (base, head) in [(record, record), (other, record), (record, other)] {
      do throws(Failure) {
        var options = ComparisonOptions()
        options.varied = nil
        options.noiseFloorPercent = 1000
        let comparison = try Comparison(
          base: RecordSet(path: "base", records: [base]), head: RecordSet(path: "head", records: [head]),
          options: options)
        for format in ComparisonFormat.all { _ = try format.render(comparison, useColor: true) }
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
