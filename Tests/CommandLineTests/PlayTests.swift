import Foundation
import Frames
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

    /// The server of a clip does not answer for longer than `--timeout`. The trial does not hang: it goes on where it was, and its record says
    /// that the times include an outage.
    @Test func anOutageOfAClipsServerEndsNothing() throws { try Self.outage("play") }

    @Test(.tier(.full), arguments: ["decode", "pipeline"])
    func anOutageOfAClipsServerEndsNothing(scenario: String) throws { try Self.outage(scenario) }

    private static func outage(_ scenario: String) throws {
      // What describes the clip before the trial reads the beginning alone: Matroska has nothing at its end that is wanted.
      let content = try TestFolders.withTemporary { folder in
        let name = try Program.generate("clip.mkv", in: folder, ["--duration", "4"])
        return [UInt8](try Data(contentsOf: URL(filePath: folder + "/" + name)))
      }
      let (cut, seconds) = (content.count * 2 / 3, 8.0)
      let end = Monitor(MonotonicTime?.none)
      let server = try ScriptedServer { request, connection in
        let first = request.range?.first ?? 0
        let isOver = end.read { $0.map { $0 < .now } }
        if isOver == true { return connection.serve(content, request) }
        guard first < cut else {
          // The first one that needs what the first connection did not bring.
          end.withLock { $0 = $0 ?? .now.advanced(byMilliseconds: seconds * 1000) }
          return false
        }
        guard isOver == nil else { return false }
        let place = "Content-Range: bytes \(first)-\(content.count - 1)/\(content.count)"
        connection.send("HTTP/1.1 206 Partial Content\r\n\(place)\r\nContent-Length: \(content.count - first)\r\n\r\n")
        connection.send(content[first..<cut])
        return false
      }
      try TestFolders.withTemporary { folder in
        let result = try Program.run(
          Program.shortRun(server.url("/clip.mkv"), scenario: scenario, seconds: 4)
            + ["--timeout", "5", "-o", "record.json"], in: folder)
        #expect(result.status == 0, "\(result.errors)")
        let record = try RecordText(file: folder + "/record.json")
        #expect(record.isComplete == true && record.counter("wrong_frame") ?? 0 == 0)
        #expect(record.warningCodes.contains("outage"), "\(result.text)")
      }
    }

    /// Each trial is a process of its own, and opens the clip anew: also while its server cannot be reached.
    @Test func anOutageWhereATrialBeginsEndsNothing() throws {
      let content = try TestFolders.withTemporary { folder in
        [UInt8](try Data(contentsOf: URL(filePath: folder + "/" + (try Program.generate("clip.mkv", in: folder)))))
      }
      let server = try ScriptedServer { request, connection in connection.serve(content, request) }
      let gate = try OutageGate(to: server.port)
      try TestFolders.withTemporary { folder in
        let running = try RunningProgram(
          Program.shortRun("http://127.0.0.1:\(gate.port)/clip.mkv", scenario: "decode")
            + ["--timeout", "5", "-o", "record.json"], in: folder)
        // The clip was described, and the first trial's process is about to start: the warm-up's, whose times are not kept.
        #expect(Patience.until { server.connectionsAccepted >= 1 && server.connectionsOpen == 0 })
        gate.begin(.refused)
        let seconds = 7.0
        let end = MonotonicTime.now.advanced(byMilliseconds: seconds * 1000)
        #expect(Patience.until { end < .now })
        try gate.end()
        let result = try running.wait()
        #expect(result.status == 0, "\(result.errors)")
        #expect(try RecordText(file: folder + "/record.json").isComplete == true, "\(result.text)")
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
