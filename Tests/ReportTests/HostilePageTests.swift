import Foundation
import Frames
import RecordSamples
import Report
import Support
import Testing
import Verdict

/// Records whose numbers make no sense: each ends in a page, never in a trap.
@Suite struct HostilePageTests {
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

  /// `BENCH360_HOSTILE_RECORDS` makes more of them.
  @Test func mutatedRecordsEndInAPageOrASentence() throws {
    var random = SeededGenerator(for: "mutatedRecordsEndInAPageOrASentence")
    var read = 0
    try TestFiles.withTemporaryFolder { folder in
      let seed = random.seed
      try HostileRecords.forEachMutant(in: folder, using: &random) { mutant in
        do throws(Failure) {
          let record = try RecordCoding.decodeRecord(mutant.data, name: "mutant")
          read += 1
          try Self.render(record, beside: mutant.original)
        } catch {
          #expect(
            [.input, .incomparable, .usage].contains(error.kind), "seed \(seed), mutant \(mutant.number): \(error)")
        }
      }
    }
    #expect(read > 20, "most mutants cannot even be read: seed \(random.seed)")
  }

  /// By itself, with others, and compared; what cannot be compared is a sentence.
  private static func render(_ record: Record, beside other: Record) throws(Failure) {
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
        _ = Report(groups: groups, comparison: comparison).html
      } catch {
        guard error.kind == .incomparable else { throw error }
      }
    }
  }
}
