import Foundation
import Glibc
import Support
import Testing

extension CommandLineTests {
  /// `run --scenario density`: one clip many times at once.
  @Suite struct DensityTests {
    private static func run(
      _ options: [String], in folder: String, _ clip: String
    ) throws -> (text: String, record: RecordText, density: [String: Any]) {
      let result = try Program.run(
        ["run", clip, "--trials", "1", "--duration", "1", "--size", "160x90", "-o", "r.json", "--force"] + options,
        in: folder)
      try #require(result.status == 0, "\(result.errors)")
      let record = try RecordText(file: folder + "/r.json")
      let scenarios = try #require(record.values["scenarios"] as? [[String: Any]])
      let trial = try #require((scenarios.first?["trials"] as? [[String: Any]])?.first)
      return (result.flowing, record, try #require(trial["density"] as? [String: Any]))
    }

    /// In one process or in several: each stream plays the whole time, and its pictures are the right ones.
    @Test(arguments: ["density", "density/processes"])
    func asManyPlayAsAreAskedFor(scenario: String) throws {
      try Program.withClip { folder, clip in
        let (text, record, density) = try Self.run(["--scenario", scenario, "--streams", "3"], in: folder, clip)
        let streams = try #require(density["streams"] as? [[String: Any]])
        let tries = try #require(density["tries"] as? [[String: Any]])
        #expect(streams.count == 3 && tries.count == 1 && tries.first?["streams"] as? Int == 3)
        for stream in streams {
          func count(_ name: String) -> Int { stream[name] as? Int ?? -1 }
          // A second at 30 a second.
          #expect(
            count("presented") > 0 && count("presented") + count("dropped") + count("left_out") == 30, "\(stream)")
          #expect(count("late") >= 0 && count("stalls") >= 0)
          let latency = try #require(stream["decode_latency_ms"] as? [String: Double])
          #expect(latency["mean"].map { $0 > 0 && $0 <= latency["max"] ?? 0 } == true && latency["p99"] == nil)
          #expect(stream["frame_overrun_ms"] != nil)
        }
        let sums = streams.reduce(0) { $0 + ($1["presented"] as? Int ?? 0) }
        #expect(record.counter("presented") == sums && record.counter("wrong_frame") == 0)
        #expect(record.samples("streams") == [3] && record.samples("stream_late_pct").count == 3)
        #expect(record.samples("streams_max").isEmpty && record.samples("stream_cpus").allSatisfy { $0 > 0 })
        #expect(record.samples("stream_cpus").count == 1)
        #expect(text.contains("3 streams at once"), "\(text)")
        if PythonJudge.hasJSONSchema || PythonJudge.isRequired {
          #expect(try PythonJudge.schemaRefusals([folder + "/r.json"]).isEmpty)
        }
        let settings = record.values["settings"] as? [String: Any]
        #expect(settings?["streams"] as? Int == 3 && settings?["threads"] as? Int == 1)
        let page = try Program.run(["report", "r.json", "-o", "page.html"], in: folder)
        #expect(page.status == 0, "\(page.errors)")
        let html = try String(contentsOfFile: folder + "/page.html", encoding: .utf8)
        #expect(html.contains("Each of 3 streams") && html.contains("Tried at once"))
      }
    }

    /// The most that are in real time, of a clip that a machine decodes few times at once: found, and confirmed.
    @Test(.tier(.full)) func theMostAreFound() throws {
      try TestFolders.withTemporary { folder in
        let made = try Program.run(
          ["generate", "-o", "large.mp4", "--size", "3840x1920", "--rate", "60", "--duration", "1"], in: folder)
        try #require(made.status == 0, "\(made.errors)")
        let (text, record, density) = try Self.run(["--scenario", "density"], in: folder, folder + "/large.mp4")
        let tries = try #require(density["tries"] as? [[String: Any]])
        let most = try #require(record.samples("streams_max").first)
        func outcomes(_ streams: Int) -> [Bool] {
          tries.filter { $0["streams"] as? Int == streams }.compactMap { $0["held"] as? Bool }
        }
        #expect(most == 0 || outcomes(Int(most)).count { $0 } == 2, "\(most): \(tries)")
        #expect(outcomes(Int(most) + 1).count { !$0 } >= 2, "\(most): \(tries)")
        #expect(record.counter("wrong_frame") == 0)
        #expect(text.contains("real time"), "\(text)")
      }
    }

    @Test(arguments: [
      (["--streams", "0", "--scenario", "density"], "--streams must be between 1 and 256"),
      (["--streams", "2", "--scenario", "decode"], "--streams is of scenario density"),
      (["--scenario", "density", "--trace", "t.json"], "leave --trace and --frames out"),
      (["--scenario", "density", "--present", "window"], "it is drawn offscreen only"),
      (["--scenario", "density/both"], "there are: density/threads, density/processes"),
    ])
    func whatDoesNotFitIsRefused(options: [String], sentence: String) throws {
      try TestFolders.withTemporary { folder in
        let result = try Program.run(["run", "clip.mp4"] + options, in: folder)
        #expect(
          result.status == 64
            && result.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(sentence),
          "\(result.errors)")
      }
    }

    /// Players end with the process that started them, also where that cannot tell them to.
    @Test(arguments: [SIGKILL, SIGINT]) func playersDoNotOutliveTheirTrial(signal: Int32) throws {
      try Program.withClip { folder, clip in
        let program = try RunningProgram(
          ["run", clip, "--scenario", "density/processes", "--streams", "3", "--trials", "1", "--duration", "600"]
            + ["--size", "160x90", "-o", "r.json"], in: folder)
        let trial = try program.trial(1, ticks: 0)
        #expect(Patience.until { RunningProgram.children(of: trial).count == 3 })
        let players = RunningProgram.children(of: trial)
        #expect(Patience.until { players.allSatisfy { RunningProgram.processorTicks($0) >= 40 } })
        if signal == SIGINT { program.interrupt() } else { kill(trial, signal) }
        let result = try program.wait()
        #expect(result.status == (signal == SIGINT ? 130 : 1), "\(result.errors)")
        #expect(Patience.until { !players.contains(where: RunningProgram.isRunning) }, "players go on")
      }
    }
  }
}
