import Foundation
import Support
import Testing

extension ViewCommandTests {
  /// Another program that plays, watched by `observe`.
  @Suite(.enabled("there is no Xvfb") { VirtualDisplay.isAvailable }) struct ObserveTests {
    private static func withFlatClip(_ body: (_ folder: String) throws -> Void) throws {
      try TestFolders.withTemporary { folder in
        try Program.generate(
          "flat.mp4", in: folder, ["--projection", "flat", "--size", "320x180", "--duration", "1", "--audio"])
        try body(folder)
      }
    }

    @Test func whatFFplayShowsIsRecorded() throws {
      try Self.withFlatClip { folder in
        let result = try Program.run(
          [
            "observe", "flat.mp4", "--trials", "1", "-o", "ffplay.json", "--", "ffplay", "-v", "error", "-autoexit",
            "{}",
          ],
          in: folder)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.text.hasPrefix("ffplay "), "\(result.text)")
        let record = try RecordText(file: folder + "/ffplay.json")
        #expect(record.isComplete == true && record.scenarioNames == ["observe"])
        #expect(try #require(record.counter("presented")) > 0)
        #expect(record.samples("ttff_ms").allSatisfy { $0 > 0 } && record.samples("ttff_ms").count == 1)
        let screen = try #require(record.trials.first?["screen"] as? [String: Any])
        let frames = try #require(screen["frames"] as? [[String: Any]])
        #expect(frames.compactMap { $0["number"] as? Int }.allSatisfy { (0..<30).contains($0) } && !frames.isEmpty)
        #expect(screen["legible_tiles"] as? Int == 9)
        #expect(!FileManager.default.fileExists(atPath: folder + "/ffplay.json.journal"))
        let report = try Program.run(["report", "ffplay.json", "-o", "page.html"], in: folder)
        #expect(report.status == 0, "\(report.errors)")
      }
    }

    @Test func aRecordingIsMeasuredWithoutAPlayer() throws {
      try Self.withFlatClip { folder in
        try Program.ffmpeg(
          ["-i", "flat.mp4", "-vf", "select='not(eq(n,9))',fps=60,pad=480:270:20:30:gray", "-q:v", "2", "screen.avi"],
          in: folder)
        let observe = ["observe", "flat.mp4", "--recording", "screen.avi", "-o", "recording.json"]
        let result = try Program.run(observe, in: folder)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.text.hasPrefix("recording drops 1 of 30 frames"), "\(result.text)")
        let record = try RecordText(file: folder + "/recording.json")
        #expect(record.isComplete == true && record.warningCodes.contains("coarse_sampling"))
        #expect(record.counter("presented") == 29 && record.counter("dropped") == 1)
        #expect(record.samples("ttff_ms").isEmpty && !record.samples("av_sync_ms").isEmpty)
        if PythonJudge.hasJSONSchema {
          #expect(try PythonJudge.schemaRefusals([folder + "/recording.json"]).isEmpty)
        }
        try Program.run(["observe", "flat.mp4", "--recording", "none.mkv"], in: folder)
          .expectRefusal(saying: ["none.mkv", "no such file"])
      }
    }

    @Test func aPlayerThatIsMissingIsNamedWithItsPackage() throws {
      try Self.withFlatClip { folder in
        let none = try Program.run(
          ["observe", "flat.mp4", "--player", "mpv"], in: folder, environment: ["PATH": "/nowhere"])
        none.expectRefusal(saying: ["'mpv'", "there is no program 'mpv'", "install Debian's mpv"])
        let command = try Program.run(["observe", "flat.mp4", "--", "/bin/false", "{}"], in: folder)
        command.expectRefusal(saying: ["'false'", "ended with status 1 before it showed a frame"])
        #expect(try names(in: folder) == ["flat.mp4"])
      }
    }

    @Test func picturesOfAClipWithoutNumbersAreCounted() throws {
      try TestFolders.withTemporary { folder in
        try Program.ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=320x180:d=1:r=30", "plain.mp4"], in: folder)
        let result = try Program.run(
          ["observe", "plain.mp4", "--player", "ffplay", "--trials", "1", "-o", "plain.json"], in: folder)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.text.hasPrefix("ffplay shows "), "\(result.text)")
        let record = try RecordText(file: folder + "/plain.json")
        #expect((1...30).contains(try #require(record.counter("presented"))))
        #expect(record.counter("dropped") == nil && record.samples("ttff_ms").count == 1)
        #expect(
          record.warningCodes.contains("left_out") && result.flowing.contains("carry no numbers"), "\(result.text)")
        if PythonJudge.hasJSONSchema {
          #expect(try PythonJudge.schemaRefusals([folder + "/plain.json"]).isEmpty)
        }
        try Program.run(["observe", "plain.mp4", "--recording", "plain.mp4"], in: folder)
          .expectRefusal(saying: ["plain.mp4", "carry no numbers", "--projection flat"])
        try Program.ffmpeg(["-f", "lavfi", "-i", "color=s=64x64:d=0.1", "-frames:v", "1", "still.png"], in: folder)
        try Program.run(["observe", "still.png", "--player", "ffplay"], in: folder)
          .expectRefusal(saying: ["still.png", "no moving picture"])
      }
    }

    @Test(arguments: [
      (["observe"], "There is no player"),
      (["observe", "--player", "mpv,none"], "there is no player 'none'"),
      (["observe", "--player", "mpv,mpv"], "names a player twice"),
      (["observe", "--player", "mpv", "--", "mpv", "{}"], "leave one out"),
      (["observe", "--", "mpv", "clip.mp4"], "has no {}"),
      (["observe", "--player", "mpv", "--recording", "a.mkv"], "--player and --recording are given: leave one out"),
      (["observe", "--recording", "a.mkv", "--trials", "2"], "--trials is for players that are started"),
      (["observe", "-", "--player", "mpv"], "name a file"),
      (["observe", "--player", "mpv", "--trials", "0"], "--trials must be between 1 and 10000"),
      (["observe", "--player", "mpv", "--size", "8x8"], "--size must be between"),
    ]) func optionsThatDoNotFitAreRefused(_ words: [String], _ reason: String) throws {
      let result = try Program.run(words, in: NSTemporaryDirectory())
      #expect(result.status == 64 && result.errors.contains(reason), "\(result.errors)")
    }
  }
}
