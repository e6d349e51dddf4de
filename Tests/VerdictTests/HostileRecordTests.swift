import Foundation
import Frames
import RecordSamples
import Support
import Testing
import Verdict

/// Records whose numbers make no sense: each ends in an output or in one sentence, never in a trap.
@Suite(.tier(.test)) struct HostileRecordTests {
  @Test func extremeSamplesAndRefreshRatesAreDrawn() throws { try Self.render(HostileRecords.extremes) }

  @Test(.tier(.full)) func allExtremesAreDrawn() throws { try Self.render(HostileRecords.allExtremes) }

  private static func render(_ extremes: [HostileRecords.Extreme]) throws {
    for (record, other) in extremes.map(\.records) { try render(record, beside: other) }
  }

  @Test func countersStopAtTheEnds() throws {
    let record = HostileRecords.played(samples: [16], refresh: 60, counters: .max)
    #expect(Answer(record).incorrect == .max)
    #expect(record.scenarios[0].summary.counters["dropped"] == .some(.max))
    #expect(record.scenarios[0].histograms["drop_runs"]?["1"] == .max)
  }

  @Test func mutatedRecordsEndInAnOutputOrASentence() throws { try Self.expectAnswers(mutants: 40) }

  /// `BENCH360_HOSTILE_RECORDS` makes more of them.
  @Test(.tier(.full)) func manyMutatedRecordsEndInAnOutputOrASentence() throws { try Self.expectAnswers(mutants: 150) }

  private static func expectAnswers(mutants count: Int) throws {
    var random = SeededGenerator(for: "mutatedRecordsEndInAnOutputOrASentence")
    let (read, wrong) = try HostileRecords.readMutants(count, using: &random) {
      record, mutant, folder throws(Failure) in
      try render(record, beside: mutant.original)
      _ = try RecordCoding.decodeRecord(mutant.data, name: "mutant", asDigest: true)
      try merge(folder, mutant.original)
    }
    #expect(wrong == [])
    #expect(read > count / 8, "most mutants cannot even be read: seed \(random.seed)")
  }

  private static func merge(_ folder: URL, _ original: Record) throws(Failure) {
    let path = folder.appending(path: "original.json").path
    try RecordFile.write(original, to: path)
    let merge = try Merge(paths: [folder.appending(path: "mutant.json").path, path], expected: nil)
    guard merge.plan.items.count == 1 else { return }
    _ = try RecordCoding.decodeRecord(merge.single(for: "test"), name: "merged")
  }

  /// In every format, by itself, compared, and in a history.
  private static func render(_ record: Record, beside other: Record) throws(Failure) {
    for format in ReportFormat.all { _ = try format.render(record, useColor: true) }
    for comparison in try HostileRecords.comparisons(of: record, with: other) {
      for format in ComparisonFormat.all { _ = try format.render(comparison, useColor: true) }
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
