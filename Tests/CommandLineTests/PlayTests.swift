import Foundation
import Support
import Testing

extension CommandLineTests {
  /// Playing by the program: what it shows, what it counts, what it keeps.
  @Suite struct PlayTests {
    private static func settings(_ record: RecordText) -> [String: Any] {
      record.values["settings"] as? [String: Any] ?? [:]
    }

    @Test(.enabled("no python3 can import jsonschema") { PythonJudge.hasJSONSchema || PythonJudge.isRequired })
    func everyFrameIsAccountedFor() throws {
      try Program.withClip { folder, clip in
        let result = try Program.run(
          ["run", clip, "--scenario", "play", "--trials", "2", "--duration", "3", "--size", "160x90"]
            + ["-o", "record.json", "--trace", "trace.json", "--frames", "frames.csv", "--format", "table"], in: folder)
        #expect(result.status == 0, "\(result.errors)")
        for word in ["play · 2 trials · display times: submit_complete", "roughness_ideal_ms", "tick_jitter_ms"] {
          #expect(result.text.contains(word), "\(result.text)")
        }
        #expect(result.flowing.contains("at 60 Hz"), "\(result.text)")
        let record = try RecordText(file: folder + "/record.json")
        #expect(try PythonJudge.schemaRefusals([folder + "/record.json"]).isEmpty)
        func count(_ name: String) -> Int { record.counter(name) ?? -1 }
        // Two trials of three seconds at 30 a second; frames that the decoder leaves out are skipped.
        #expect(count("presented") + count("dropped") + count("skipped") == 180 && count("presented") > 0)
        #expect(count("wrong_frame") == 0 && count("late") >= 0 && count("repeated") >= 0 && count("stalls") >= 0)
        #expect(record.samples("frame_overrun_ms").count == count("presented"))
        #expect(record.samples("display_interval_ms").count == count("presented") - 2)
        #expect(record.samples("animation_error_ms").isEmpty, "the camera stands still")
        #expect(record.samples("tick_jitter_ms").allSatisfy { $0 >= 0 })
        #expect(record.samples("roughness_ideal_ms") == [0, 0], "30 on 60 can be perfect")
        let settings = Self.settings(record)
        #expect(settings["refresh_hz"] as? Double == 60 && settings["look_ahead"] as? Int == 8)
        #expect(settings["stress"] as? String == "none")
        #expect((settings["reasons"] as? [String: String])?["scheduling"]?.hasPrefix("the thread that draws") == true)

        let rows = try String(contentsOfFile: folder + "/frames.csv", encoding: .utf8).split(separator: "\r\n")
        let cells = rows.dropFirst().map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        #expect(rows.first?.hasSuffix(",seen_at_ms") == true)
        #expect(cells.count { $0.last?.isEmpty == false } == count("presented"))
        let trace = try String(contentsOfFile: folder + "/trace.json", encoding: .utf8)
        #expect(trace.matches(of: /"ph":"X".*"name":"present"/).count == count("presented"))
        #expect((try JSONSerialization.jsonObject(with: Data(trace.utf8)) as? [String: Any])?.count == 3)
      }
    }

    /// The film's rate on a television's: never perfect. A camera that moves has a view for every refresh.
    @Test func refreshAndCameraAreAsAskedFor() throws {
      try TestFolders.withTemporary { folder in
        let clip = try Program.generate("film.mp4", in: folder, ["--rate", "24"])
        let result = try Program.run(
          Program.shortRun(clip, scenario: "play", seconds: 1)
            + ["--refresh", "59.94", "--camera", "orbit", "--look-ahead", "4", "-o", "record.json"], in: folder)
        #expect(result.status == 0 && result.flowing.contains("at 59.94 Hz"), "\(result.text) \(result.errors)")
        let record = try RecordText(file: folder + "/record.json")
        let settings = Self.settings(record)
        #expect(abs((settings["refresh_hz"] as? Double ?? 0) - 60000.0 / 1001) < 1e-9)
        #expect(settings["look_ahead"] as? Int == 4 && record.samples("queue_depth").allSatisfy { $0 <= 4 })
        #expect(record.samples("animation_error_ms").count > 20)
        #expect(record.samples("render_gpu_ms").count > record.counter("presented") ?? .max)
        #expect(record.samples("roughness_ideal_ms").first.map { $0 > 5 && $0 < 7 } == true)
      }
    }

    @Test func stressIsRecordedAndEnds() throws { try Self.stress("io") }

    @Test(.tier(.full)) func stressOfProcessorsIsRecordedAndEnds() throws { try Self.stress("cpu") }

    private static func stress(_ kind: String) throws {
      try Program.withClip { folder, clip in
        try FileManager.default.createDirectory(atPath: folder + "/temporary", withIntermediateDirectories: true)
        let result = try Program.run(
          Program.shortRun(clip, scenario: "play", seconds: 1) + ["--stress", kind, "-o", "record.json"], in: folder,
          environment: ["TMPDIR": folder + "/temporary"])
        #expect(result.status == 0, "\(result.errors)")
        let record = try RecordText(file: folder + "/record.json")
        #expect(settings(record)["stress"] as? String == kind)
        // The stress itself does not count, or a second of it on every processor would.
        #expect(record.samples("cpu_seconds").allSatisfy { $0 > 0 && $0 < 1.2 }, "\(record.samples("cpu_seconds"))")
        #expect(try names(in: folder + "/temporary").isEmpty)
      }
    }

    @Test func whatWasNotPlayedHasNoRefresh() throws {
      try Program.withClip { folder, clip in
        let run = Program.shortRun(clip, scenario: "decode") + ["-o", "record.json"]
        #expect(try Program.run(run, in: folder).status == 0)
        let settings = Self.settings(try RecordText(file: folder + "/record.json"))
        #expect(settings["refresh_hz"] is NSNull && settings["look_ahead"] == nil)
      }
    }

    @Test func controlCKeepsWhatWasPlayed() throws {
      try Program.withClip { folder, clip in
        let running = try RunningProgram(
          ["run", clip, "--scenario", "play", "--trials", "1", "--size", "160x90", "--duration", "600"]
            + ["--stress", "cpu", "-o", "record.json"], in: folder)
        // Most of that time is the stress's own.
        _ = try running.trial(1, ticks: 400)
        running.interrupt()
        #expect(try running.wait().status == 130)
        let record = try RecordText(file: folder + "/record.json")
        #expect(record.isComplete == false && (record.counter("presented") ?? 0) > 0)
        #expect(record.samples("frame_overrun_ms").count == record.counter("presented"))
      }
    }
  }
}
