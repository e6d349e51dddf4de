import Foundation
import RecordSamples
import Support
import Testing
import Verdict

/// A stream's numbers go the way of all others: formats, comparisons, histories, gates.
@Suite struct StreamJudgingTests {
  private static func side(_ ratio: Double, _ quality: Double) -> [Record] {
    [
      Sides.record([
        Sides.scenario(
          "stream",
          [
            "rebuffer_ratio": Sides.spread(ratio, count: 12, percent: 5),
            "qoe_lin": Sides.spread(quality, count: 12), "mean_bitrate_bps": Sides.spread(5e6, count: 12),
          ], counters: ["rebuffers": 3])
      ])
    ]
  }

  @Test func aWorseRatioIsARegression() throws {
    let gates = try #require(Gates("rebuffer_ratio,stream/qoe_lin"))
    let worse = try Sides.compare(Self.side(0.02, 30), Self.side(0.05, 30)) { $0.gates = gates }
    #expect(worse.outcome == .regression && ExitStatus(after: worse, failsOn: [.regression]) == .regression)
    #expect(worse.results.filter { $0.verdict == .regression }.map(\.metric) == ["rebuffer_ratio"])
    let better = try Sides.compare(Self.side(0.05, 30), Self.side(0.02, 30)) { $0.gates = gates }
    #expect(better.results.first { $0.metric == "rebuffer_ratio" }?.verdict == .improvement)
    // A base that never stalls has no percentage: a thousandth is what counts.
    let zero = try Sides.compare(Self.side(0, 30), Self.side(0.05, 30)) { $0.gates = gates }
    #expect(zero.results.first { $0.metric == "rebuffer_ratio" }?.verdict == .regression)
    let tiny = try Sides.compare(Self.side(0, 30), Self.side(0.0002, 30)) { $0.gates = gates }
    #expect(tiny.results.first { $0.metric == "rebuffer_ratio" }?.verdict == .same)
  }

  @Test func qualityIsJudgedUnlessOthersAreNamed() throws {
    let comparison = try Sides.compare(Self.side(0.02, 30), Self.side(0.02, 20))
    #expect(comparison.results.filter { $0.verdict != nil }.map(\.metric) == ["qoe_lin"])
    #expect(comparison.results.first { $0.metric == "qoe_lin" }?.verdict == .regression)
    // Stalls cost more than the rungs give: the quality is negative then, and falling is still worse.
    let negative = try Sides.compare(Self.side(0.02, -20), Self.side(0.02, -30))
    #expect(negative.results.first { $0.metric == "qoe_lin" }?.verdict == .regression)
    #expect(try Sides.compare(Self.side(0.02, -30), Self.side(0.02, -20)).outcome == .improvement)
  }

  /// The network of another day is another one.
  @Test func otherSessionsNeedANoiseFloor() throws {
    var head = Self.side(0.05, 20)
    head[0].session = "two"
    let gates = try #require(Gates("rebuffer_ratio,qoe_lin,mean_bitrate_bps"))
    let comparison = try Sides.compare(Self.side(0.02, 30), head) { $0.gates = gates }
    #expect(comparison.results.filter { $0.verdict == .inconclusive }.count == 3)
  }

  @Test func negativeQualityIsNoDamage() throws {
    try TestFiles.withTemporaryFolder { folder in
      try RecordFile.write(Self.side(0.02, -20)[0], to: folder.appending(path: "a.json").path)
      #expect(try RecordSet.load(folder.path).records.count == 1)
    }
  }

  @Test func aWrongRungIsIncorrect() throws {
    let wrong = Sides.record([Sides.scenario("stream", ["qoe_lin": Sides.spread(30)], counters: ["wrong_rung": 2])])
    let well = Sides.record([Sides.scenario("stream", ["qoe_lin": Sides.spread(30)], counters: ["wrong_rung": nil])])
    let comparison = try Sides.compare([well], [wrong])
    #expect(
      comparison.incorrect.map(\.counter) == ["wrong_rung"] && ExitStatus(after: comparison, failsOn: []) == .incorrect)
  }

  @Test func historiesFollowAStream() throws {
    let records = (0..<12).map { index in
      var record = Self.side(0.02, index < 6 ? 30 : 20)[0]
      record.build.commit = Past.commit(index)
      record.created = Past.day(index)
      record.session = "session \(index)"
      return record
    }
    let history = try Past.history(records, metric: "qoe_lin")
    #expect(history.series.count == 1 && history.series[0].changes.count == 1)
  }

  @Test func everyFormatHasTheNumbers() throws {
    let record = Sample.record(of: [Sample.stream()])
    for format in ReportFormat.all {
      let text = try format.render(record)
      for name in ["qoe_lin", "mean_bitrate_bps", "rebuffer_ratio", "bytes_wasted"] {
        #expect(text.contains(name), "\(name) in \(format.name)")
      }
    }
    let answer = AnswerText(record, next: []).text
    #expect(answer.contains("  qoe_lin") && answer.contains("bit/s") && answer.contains("rebuffer_ratio"), "\(answer)")
  }
}
