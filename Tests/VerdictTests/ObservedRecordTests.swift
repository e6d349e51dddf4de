import Foundation
import Frames
import RecordSamples
import Support
import Testing
import Verdict

/// Records of players that were watched.
@Suite struct ObservedRecordTests {
  @Test func theAnswerHasAClauseForEachPlayer() {
    #expect(
      Answer(Sample.observed).sentence
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
}
