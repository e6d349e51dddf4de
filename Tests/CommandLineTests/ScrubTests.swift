import Foundation
import Support
import Testing

extension CommandLineTests {
  /// Scrubbing by the program: where it lands, what it counts, what it keeps.
  @Suite struct ScrubTests {
    /// One scenario's only trial.
    private struct Trial {
      let variant: String
      let metrics: [String: [Double]]
      let counters: [String: Int]

      init(_ scenario: [String: Any]) throws {
        variant = try #require(scenario["variant"] as? String)
        let trial = try #require((scenario["trials"] as? [[String: Any]])?.first)
        metrics = try #require(trial["metrics"] as? [String: [String: Any]]).compactMapValues {
          $0["samples"] as? [Double]
        }
        counters = try #require(trial["counters"] as? [String: Any]).compactMapValues { $0 as? Int }
      }

      func samples(_ name: String) -> [Double] { metrics[name] ?? [] }
    }

    private static func run(
      _ variants: [String], on clip: String, in folder: String, _ options: [String] = []
    ) throws -> (record: RecordText, trials: [String: Trial]) {
      let names = variants.map { "scrub/\($0)" }.joined(separator: ",")
      let arguments = Program.shortRun(clip, scenario: names) + ["-o", "record.json"] + options
      let result = try Program.run(arguments, in: folder, environment: ["TMPDIR": folder + "/temporary"])
      #expect(result.status == 0, "\(result.errors)")
      let record = try RecordText(file: folder + "/record.json")
      let trials = try record.scenarios.map(Trial.init)
      #expect(trials.map(\.variant) == variants)
      return (record, Dictionary(uniqueKeysWithValues: trials.map { ($0.variant, $0) }))
    }

    private static func withClip(_ body: (_ folder: String, _ clip: String) throws -> Void) throws {
      try Program.withClip { folder, clip in
        try FileManager.default.createDirectory(atPath: folder + "/temporary", withIntermediateDirectories: true)
        try body(folder, clip)
        #expect(try names(in: folder + "/temporary").isEmpty, "something was left behind")
      }
    }

    @Test(.enabled("no python3 can import jsonschema") { PythonJudge.hasJSONSchema || PythonJudge.isRequired })
    func everySeekIsAccountedForAndRight() throws {
      try Self.check(
        jumps: ["random/exact", "random/half-pixel/long"], drags: ["drag-forward/exact", "fling/infinite"],
        steps: ["step-back/exact"])
    }

    @Test(
      .tier(.full),
      .enabled("no python3 can import jsonschema") { PythonJudge.hasJSONSchema || PythonJudge.isRequired })
    func everySeekOfEveryVariantIsAccountedForAndRight() throws {
      try Self.check(
        jumps: ["random/exact", "random/0.1s", "random/infinite", "random/half-pixel/long"],
        drags: ["drag-forward/exact", "ping-pong/1s", "fling/infinite", "drag-back/half-pixel/long"],
        steps: ["step-forward/exact", "step-back/exact"])
    }

    private static func check(jumps: [String], drags: [String], steps: [String]) throws {
      try withClip { folder, clip in
        let (record, trials) = try run(jumps + drags + steps, on: clip, in: folder)
        #expect(try PythonJudge.schemaRefusals([folder + "/record.json"]).isEmpty)
        for trial in trials.values {
          let issued = trial.counters["seeks_issued"] ?? -1
          #expect(trial.counters["out_of_tolerance"] == 0 && trial.counters["wrong_frame"] == 0, "\(trial.variant)")
          #expect(issued >= 1 && trial.counters["presented"] == issued, "\(trial.variant)")
          for name in ["seek_latency_ms", "frames_decoded_per_seek", "render_gpu_ms"] {
            #expect(trial.samples(name).count == issued, "\(trial.variant): \(name)")
          }
          #expect(trial.samples("seek_latency_ms").allSatisfy { $0 > 0 })
          #expect(drags.contains(trial.variant) != trial.samples("scrub_lag_ms").isEmpty, "\(trial.variant)")
          #expect(drags.contains(trial.variant) || trial.counters["seeks_coalesced"] == 0)
        }
        func errors(_ variant: String) -> [Double] { trials[variant]?.samples("seek_error_ms") ?? [] }
        // Frames of 33.3 ms; half a pixel of ten minutes is 234.4 ms. What is sought exactly lies in the frame.
        #expect(errors("random/exact").allSatisfy { $0 > -33.4 && $0 <= 0 } && errors("random/exact").count >= 6)
        #expect(errors("drag-forward/exact").allSatisfy { $0 > -33.4 && $0 <= 0 })
        #expect(errors("random/0.1s").allSatisfy { abs($0) < 133.4 })
        #expect(errors("random/half-pixel/long").allSatisfy { abs($0) < 267.8 })
        #expect(errors("random/half-pixel/long").contains { abs($0) > 33.4 }, "coarser than exact")
        // Only sync samples, 2 s apart, but for where the hand lets go.
        let decoded = trials["random/infinite"]?.samples("frames_decoded_per_seek") ?? []
        #expect(decoded.allSatisfy { $0 < 30 })
        #expect(errors("fling/infinite").last.map { $0 > -33.4 && $0 <= 0 } == true)
        #expect(errors("step-back/exact").isEmpty, "a step asks for no time")

        let settings = try #require(record.values["settings"] as? [String: Any])
        #expect(settings["scenarios"] as? [String] == ["scrub"] && settings["refresh_hz"] as? Double == 60)
        #expect(settings["seed"] as? Int == 1 && settings["look_ahead"] == nil)
        #expect((settings["reasons"] as? [String: String])?["long"]?.contains("300 times over") == true)
      }
    }

    /// The landing depends on the seed alone, not on the machine's speed.
    @Test func theSeedDecidesWhereItSeeks() throws {
      try Self.withClip { folder, clip in
        func errors(_ seed: String) throws -> [Double] {
          try Self.run(["random/exact"], on: clip, in: folder, ["--seed", seed]).record.samples("seek_error_ms")
        }
        let first = try errors("7")
        #expect(try errors("7") == first && errors("8") != first && !first.isEmpty)
      }
    }

    /// What cannot be made longer is left out; what can be measured is.
    @Test func aClipThatCannotBeRepeatedIsMeasuredAsItIs() throws {
      try Self.withClip { folder, clip in
        try Program.ffmpeg(
          ["-i", clip, "-map_metadata", "-1", "-c", "copy", "-bsf:v", "h264_mp4toannexb", "raw.avi"], in: folder)
        let arguments = Program.shortRun("raw.avi", scenario: "decode,scrub/random/exact/long") + ["-o", "record.json"]
        let result = try Program.run(arguments, in: folder, environment: ["TMPDIR": folder + "/temporary"])
        #expect(result.status == 0, "\(result.errors)")
        let record = try RecordText(file: folder + "/record.json")
        #expect(record.scenarioNames == ["decode"] && record.warningCodes.contains("left_out"))
        #expect(result.flowing.contains("scrub/random/exact/long was left out: cannot repeat"), "\(result.text)")
        try Program.run(
          Program.shortRun("raw.avi", scenario: "scrub/random/exact/long"), in: folder,
          environment: ["TMPDIR": folder + "/temporary"]
        ).expectRefusal(saying: ["'raw.avi'", "no time stamps"])
      }
    }

    @Test func controlCKeepsWhatWasSought() throws {
      try Self.withClip { folder, clip in
        let running = try RunningProgram(
          ["run", clip, "--scenario", "scrub/random/exact", "--trials", "5000", "--size", "160x90"]
            + ["--stress", "cpu", "-o", "record.json"], in: folder)
        _ = try running.trial(3, ticks: 0)
        running.interrupt()
        #expect(try running.wait().status == 130)
        let record = try RecordText(file: folder + "/record.json")
        #expect(record.isComplete == false && record.counter("out_of_tolerance") == 0)
      }
    }

    @Test func generateRepeatsAClip() throws {
      try TestFolders.withTemporary { folder in
        try Program.generate("long.mp4", in: folder, ["--repeat", "3"])
        #expect(try names(in: folder) == ["long.mp4"])
        let probe = try Program.run(["probe", "long.mp4"], in: folder)
        #expect(probe.status == 0 && probe.text.contains("6"), "\(probe.text)")
        let result = try Program.run(
          Program.shortRun("long.mp4", scenario: "decode") + ["--duration", "6", "-o", "record.json"], in: folder)
        #expect(result.status == 0, "\(result.errors)")
        let record = try RecordText(file: folder + "/record.json")
        #expect((record.values["input"] as? [String: Any])?["frames"] as? Int == 180)
        #expect(record.counter("wrong_frame") == 0)
      }
    }
  }

  /// Cold and warm, with and without compiled shaders on the disk.
  @Suite struct StartupTests {
    @Test func phasesOfEveryVariantAddUp() throws {
      try Program.withClip { folder, clip in
        let temporary = folder + "/temporary"
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
        let result = try Program.run(
          Program.shortRun(clip, scenario: "startup") + ["-o", "record.json"], in: folder,
          environment: ["TMPDIR": temporary])
        #expect(result.status == 0, "\(result.errors)")
        let record = try RecordText(file: folder + "/record.json")
        #expect(record.scenarios.map { $0["variant"] as? String } == ["warm", "cold", "no-pipeline-cache"])
        let beside = "device_beside"
        for trial in record.trials {
          let phases = try #require(trial["phases"] as? [String: Double])
          let metrics = trial["metrics"] as? [String: [String: Any]]
          let total = try #require((metrics?["ttff_ms"]?["samples"] as? [Double])?.first)
          let sum = phases.filter { $0.key != beside }.values.reduce(0, +)
          #expect(abs(sum - total) < 0.01 && phases[beside] != nil, "\(sum), \(total)")
        }
        #expect(record.trials.count == 9 && record.counter("wrong_frame") == 0)
        let reasons = (record.values["settings"] as? [String: Any])?["reasons"] as? [String: String]
        #expect(reasons?["startup_cold"]?.contains("page cache") == true)
        #expect(reasons?["startup_no_pipeline_cache"]?.contains("XDG_CACHE_HOME") == true)
        #expect(try names(in: temporary).isEmpty, "an empty cache was left behind")
      }
    }
  }
}
