import Foundation
import Frames
import RecordSamples
import Support
import Testing
import Verdict

/// Records of players that were watched.
@Suite struct ObservedRecordTests {
  @Test func theAnswerHasAClauseForEachPlayer() {
    var record = Sample.observed
    record.input.frames = 50
    #expect(
      Answer(record).sentence
        == "mpv shows all 50 frames; ffplay drops 3 of 50 frames and freezes once, starts 0.4 s later")
  }

  /// Frames behind the last one that was seen are not shown: "all" would be wrong.
  @Test func framesThatWereNotReachedAreNamed() {
    var record = Sample.observed
    record.input.frames = 52
    record.scenarios = record.scenarios.prefix(1).map { scenario in
      var trial = scenario.trials[0]
      trial.metrics["last_frame"] = MetricResult(named: "last_frame", samples: [49])
      return Record.Scenario(name: scenario.name, variant: scenario.variant, presentSource: .screen, trials: [trial])
    }
    #expect(Answer(record).sentence == "mpv ends 2 frames early")
  }

  @Test func aRecordReadsAsItWasWritten() throws {
    let record = Sample.observed
    let data = try RecordCoding.encode(record)
    #expect(try RecordCoding.decodeRecord(data, name: "record.json") == record)
    for (old, new) in [(#""number" : 7"#, #""number" : -7"#)] {
      let text = String(decoding: data, as: UTF8.self).replacing(old, with: new, maxReplacements: 1)
      #expect(throws: (any Error).self) { try RecordCoding.decodeRecord(Data(text.utf8), name: "record.json") }
    }
  }

  /// The same player with another command is another thing; players that one side lacks are left out.
  @Test func commandsMustAgree() throws {
    var other = Sample.observed
    other.settings.observation?.players[0].command = "mpv --vo=x11 {}"
    let failure = try Sides.refusal([Sample.observed], [other])
    #expect(failure.cause.hasPrefix("base and head differ in players ("))
    let results = try Sides.compare([Sample.observed], [Sample.observed]).results
    #expect(results.contains { $0.scenario == "observe" && $0.variant == "mpv" && $0.metric == "roughness_ms" })
  }

  @Test func theReportHasThePlayersSideBySide() throws {
    let html = Report(groups: RecordGroup.groups([Sample.observed])).html
    for words in [
      "Players side by side", "Frames on screen, mpv", "Frames on screen, ffplay",
      "frames were dropped at 1 places, and 1 were frozen",
    ] {
      #expect(html.contains(words), "\(words)")
    }
  }

  /// Two players of eight trials: the second starts later and needs less processor time, and one of its trials drops a frame.
  private static func players(trials: Int) -> Record {
    var record = Sample.observed
    record.scenarios = [("mpv", 500.0, 4.0), ("ffplay", 700, 2)].map { name, start, cpu in
      Record.Scenario(
        name: "observe", variant: name, presentSource: .screen,
        trials: (0..<trials).map { index in
          let spread = Double(index)
          return Sample.trial(
            ["ttff_ms": [start + spread * 5], "cpu_seconds": [cpu + spread / 50], "roughness_ms": [1 + spread / 100]],
            counters: ["dropped": name == "ffplay" && index == 3 ? 1 : 0, "torn": 0, "freezes": 0])
        })
    }
    return record
  }

  @Test func playersAreJudgedBesideTheFirst() throws {
    let table = try ReportFormat.table.render(Self.players(trials: 8))
    let rows = table.split(separator: "\n").filter { $0.hasPrefix("  mpv ") || $0.hasPrefix("  ffplay ") }
      .map { $0.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ") }
    #expect(rows == ["mpv 0 0 0 517.5 1.03 n/a 4.07 n/a", "ffplay 1 0 0 ! 717.5 1.03 n/a + 2.07 n/a"], "\(table)")
    #expect(table.contains("+ is better and ! is worse than mpv, by the ranks of the trials at 1 %."))
    let markdown = try ReportFormat.markdown.render(Self.players(trials: 8))
    #expect(markdown.contains("| ffplay | 1 | 0 | 0 | ! 717.5 | 1.03 | n/a | + 2.07 | n/a |"), "\(markdown)")
  }

  @Test func fewTrialsGiveNoVerdict() throws {
    let table = try ReportFormat.table.render(Self.players(trials: 3))
    #expect(!table.contains("!") && !table.contains("+"), "\(table)")
    #expect(table.contains("Too few trials for verdicts beside mpv: give --trials 6."))
    let text = AnswerText(Self.players(trials: 6), next: []).text
    #expect(text.contains("! 712.5"), "\(text)")
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }
}
