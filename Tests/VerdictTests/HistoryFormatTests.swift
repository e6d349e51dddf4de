import Foundation
import Frames
import RecordSamples
import Support
import Testing
import Verdict

@Suite struct HistoryFormatTests {
  /// Two machines: one whose commits changed twice, and one with too few.
  private static func history() throws -> History {
    let values = Past.level(214, count: 8) + Past.level(199, count: 8) + Past.level(207.5, count: 8)
    var records = values.enumerated().flatMap { index, value in
      [
        Past.record([value * 0.999, value, value * 1.001], commit: index / 2, day: index, session: "s\(index)"),
        Past.record(
          [value, value * 1.002, value * 0.998], commit: index / 2, day: index, hour: 9, session: "t\(index)"),
      ]
    }
    for index in 0..<3 {
      var record = Past.record([80 + Double(index)], commit: index, hour: 12)
      record.environment.machine.hostClass = "laptop | <home>"
      records.append(record)
    }
    return try Past.history(records)
  }

  @Test(arguments: ["table", "csv", "markdown"]) func matchesItsGolden(_ name: String) throws {
    let text = try #require(HistoryFormat.named(name)).render(Self.history())
    #expect(text == (try TestFiles.golden("history-\(name)", rewritingWith: text)))
  }

  @Test func theFormatsAreThosePromised() {
    #expect(
      HistoryFormat.all.map(\.name) == ["table", "json", "csv", "markdown"] && HistoryFormat.named("html") == nil)
  }

  @Test func jsonIsTheHistory() throws {
    let history = try Self.history()
    let text = try HistoryFormat.json.render(history)
    #expect(try RecordCoding.decode(History.self, from: Data(text.utf8), name: "-") == history)
    #expect(text.contains(#""schema" : "bench360-history/1""#) && history.series[0].changes.count == 2)
  }

  @Test func theTableFitsAndIsPlainWhereItIsAskedTo() throws {
    let history = try Self.history()
    let table = try HistoryFormat.table.render(history)
    #expect(table.split(separator: "\n").allSatisfy { $0.count <= 100 } && table.contains("█") && table.contains("▁"))
    #expect(!table.contains("\u{1B}"))
    let plain = try HistoryFormat.table.render(history, on: .init(isASCII: true))
    #expect(!plain.contains("█") && plain.contains("#"))
    let colored = try HistoryFormat.table.render(history, on: .init(useColor: true))
    #expect(colored.replacing(/\u{1B}\[[0-9;]*m/, with: "") == table && colored != table)
  }

  /// The answer about a single series is its verdict.
  @Test(arguments: ["table", "markdown"]) func theVerdictOfOneSeriesIsToldOnce(_ name: String) throws {
    let history = try Past.history(Past.records([100, 102, 90]))
    let text = try #require(HistoryFormat.named(name)).render(history).replacing("\n", with: " ")
    #expect(text.ranges(of: "too few to tell").count == 1, "\(text)")
  }

  @Test func namesCannotSteerTheTerminal() throws {
    var record = Past.record([1], commit: 0)
    record.input.name = "a\u{1B}[2J\u{202E}.mp4"
    record.build.commit = "\u{1B}[31m"
    for format in [HistoryFormat.table, .markdown] {
      let text = try format.render(Past.history([record]))
      #expect(text == printable(text, keepsLines: true))
    }
  }
}
