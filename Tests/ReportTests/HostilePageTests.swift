import Frames
import RecordSamples
import Support
import Testing
import Verdict

/// Records whose numbers make no sense: each ends in a page, never in a trap.
@Suite(.tier(.test)) struct HostilePageTests {
  @Test func extremeSamplesAndRefreshRatesAreDrawn() throws { try Self.render(HostileRecords.extremes) }

  @Test(.tier(.full)) func allExtremesAreDrawn() throws { try Self.render(HostileRecords.allExtremes) }

  private static func render(_ extremes: [HostileRecords.Extreme]) throws {
    for (record, other) in extremes.map(\.records) { try render(record, beside: other) }
  }

  @Test func mutatedRecordsEndInAPageOrASentence() throws { try Self.expectAnswers(mutants: 40) }

  /// `BENCH360_HOSTILE_RECORDS` makes more of them.
  @Test(.tier(.full)) func manyMutatedRecordsEndInAPageOrASentence() throws { try Self.expectAnswers(mutants: 150) }

  private static func expectAnswers(mutants count: Int) throws {
    var random = SeededGenerator(for: "mutatedRecordsEndInAPageOrASentence")
    let (read, wrong) = try HostileRecords.readMutants(count, using: &random) { record, mutant, _ throws(Failure) in
      try render(record, beside: mutant.original)
    }
    #expect(wrong == [])
    #expect(read > count / 8, "most mutants cannot even be read: seed \(random.seed)")
  }

  /// By itself, with others, and compared.
  private static func render(_ record: Record, beside other: Record) throws(Failure) {
    let groups = RecordGroup.groups([record, other, record])
    for page in [groups, RecordGroup.groups([record])] { _ = Report(groups: page).html }
    for comparison in try HostileRecords.comparisons(of: record, with: other) {
      _ = Report(groups: groups, comparison: comparison).html
    }
  }
}
