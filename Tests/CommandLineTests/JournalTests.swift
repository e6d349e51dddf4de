import Foundation
import Support
import Testing

extension CommandTests {
  /// A run that is killed leaves the trials that had ended.
  @Suite struct JournalTests {
    private static let run = [
      "--scenario", "decode", "--trials", "40", "--duration", "1", "--size", "160x90", "-o", "records/record.json",
    ]

    @Test func killedItLeavesTheTrialsThatHadEnded() throws {
      try Program.withClip { folder, clip in
        let running = try RunningProgram(["run", clip] + Self.run, in: folder)
        // The warm-up is 0.
        _ = try running.trial(3, ticks: 0)
        running.kill()
        let (result, started) = try running.waitForTrials()
        try #require(result.status == -9)
        #expect(try names(in: folder + "/records") == ["record.json.journal"])

        let report = try Program.run(["report", "records", "-o", "page.html"], in: folder)
        #expect(report.status == 0, "\(report.errors)")
        #expect(try names(in: folder + "/records") == ["record.json.journal"], "a report writes its page alone")
        let merged = try Program.run(["merge", "records", "-o", "records/record.json"], in: folder)
        #expect(merged.status == 0, "\(merged.errors)")
        let record = try RecordText(file: folder + "/records/record.json")
        #expect(record.isComplete == false && record.warningCodes.contains("interrupted"))
        // Beside the warm-up. The last one may have ended.
        let count = record.trials.count
        #expect((started - 2...started - 1).contains(count) && count >= 2, "\(count) of \(started)")
        #expect(record.trials.allSatisfy { $0["complete"] as? Bool == true })
        #expect(record.samples("decode_fps").count == count && record.counter("wrong_frame") == 0)
        if PythonJudge.hasJSONSchema {
          #expect(try PythonJudge.schemaRefusals([folder + "/records/record.json"]).isEmpty)
        }
      }
    }

    @Test func whatIsWrittenWholeLeavesNoJournal() throws {
      try Program.withClip { folder, clip in
        let result = try Program.run(Program.shortRun(clip, scenario: "decode") + ["-o", "records/a.json"], in: folder)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try names(in: folder + "/records") == ["a.json"])
        let printed = try Program.run(Program.shortRun(clip, scenario: "decode") + ["-o", "-"], in: folder)
        #expect(printed.status == 0, "\(printed.errors)")
        #expect(try names(in: folder) == ["clip.mp4", "records"])
      }
    }
  }
}
