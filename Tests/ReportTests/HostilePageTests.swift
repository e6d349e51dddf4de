import Frames
import RecordSamples
import Report
import Support
import Testing
import Verdict

/// Records whose numbers make no sense: each ends in a page, never in a trap.
@Suite struct HostilePageTests {
  @Test(arguments: HostileRecords.extremeRefreshRates)
  func extremeSamplesAndRefreshRatesAreDrawn(refresh: Double) throws {
    for (record, other) in HostileRecords.extremes(at: refresh) { try Self.render(record, beside: other) }
  }

  /// `BENCH360_HOSTILE_RECORDS` makes more of them.
  @Test func mutatedRecordsEndInAPageOrASentence() throws {
    var random = SeededGenerator(for: "mutatedRecordsEndInAPageOrASentence")
    let (read, wrong) = try HostileRecords.readMutants(using: &random) { record, mutant, _ throws(Failure) in
      try Self.render(record, beside: mutant.original)
    }
    #expect(wrong == [])
    #expect(read > 20, "most mutants cannot even be read: seed \(random.seed)")
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
