import Foundation
import Support
import Testing

extension CommandLineTests {
  /// Playing in a window, on a display of its own.
  @Suite(
    .enabled(if: VirtualDisplay.isAvailable, "Xvfb is not installed"),
    .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
  struct WindowPlayTests {
    private static let display = Result { try VirtualDisplay() }

    private static func settings(_ record: RecordText) -> [String: Any] {
      record.values["settings"] as? [String: Any] ?? [:]
    }

    @Test func theRecordSaysWhereItWasShown() throws {
      try Program.withClip { folder, clip in
        let result = try Program.run(
          Program.shortRun(clip, scenario: "play", seconds: 1) + [
            "--present", "window", "--validate", "-o", "record.json",
          ],
          in: folder, environment: ["DISPLAY": Self.display.get().name])
        #expect(result.status == 0, "\(result.errors)")
        let record = try RecordText(file: folder + "/record.json")
        let settings = Self.settings(record)
        let reasons = settings["reasons"] as? [String: String] ?? [:]
        #expect(settings["present"] as? String == "window" && settings["refresh_hz"] as? Double == 60)
        #expect(reasons["refresh_hz"] != nil && reasons["present"] == nil)
        let source = try #require(record.scenarios.first?["present_source"] as? String)
        #expect(["present_wait", "submit_complete"].contains(source))
        #expect((source == "submit_complete") == (reasons["present_source"] != nil))
        // How many frames a busy machine drops is not for a test to say.
        let count = { record.counter($0) ?? 0 }
        #expect(count("presented") > 0 && count("presented") + count("dropped") + count("skipped") == 30)
        #expect(record.isComplete == true && record.counter("wrong_frame") == 0)
        #expect(!record.warningCodes.contains("validation") && !record.warningCodes.contains("not_shown"))
        if PythonJudge.hasJSONSchema {
          #expect(try PythonJudge.schemaRefusals([folder + "/record.json"]).isEmpty)
        }
      }
    }

    @Test func closingTheWindowKeepsWhatWasPlayed() throws {
      try Program.withClip { folder, clip in
        let display = try Self.display.get()
        let running = try RunningProgram(
          ["run", clip, "--scenario", "play", "--trials", "3", "--size", "160x90", "--duration", "600"]
            + ["--stress", "cpu", "--present", "window", "-o", "record.json"], in: folder,
          environment: ["DISPLAY": display.name])
        _ = try running.trial(1, ticks: 400)
        try display.act("close", on: "bench360 — clip.mp4")
        let result = try running.wait()
        #expect(result.status == 130 && result.errors.contains("the measurements so far are kept"), "\(result.errors)")
        let record = try RecordText(file: folder + "/record.json")
        #expect(record.isComplete == false && record.trials.count == 1 && (record.counter("presented") ?? 0) > 0)
        #expect(record.warningCodes.contains("interrupted"))
      }
    }

    @Test(arguments: ["", ":4711"])
    func withoutADisplayItSaysSo(_ display: String) throws {
      try Program.withClip { folder, clip in
        try Program.run(
          Program.shortRun(clip, scenario: "play", seconds: 1) + ["--present", "window"], in: folder,
          environment: ["DISPLAY": display, "WAYLAND_DISPLAY": ""]
        ).expectRefusal(saying: ["cannot open a window", "DISPLAY", "xvfb-run"])
      }
    }

    @Test(arguments: ["decode,play", "startup/warm"])
    func whatIsDrawnOffscreenIsRefused(_ scenario: String) throws {
      try TestFolders.withTemporary { folder in
        let result = try Program.run(["run", "--scenario", scenario, "--present", "window"], in: folder)
        #expect(
          result.status == 64 && result.errors.contains("the scenarios that a window can show: play"),
          "\(result.errors)")
      }
    }
  }
}
