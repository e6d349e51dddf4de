import Foundation
import Frames
import Support
import Testing

extension CommandTests {
  /// On lavapipe in the shape of a discrete GPU, where the validation layer watches.
  @Suite(.enabled("lavapipe, clang or the validation layer is missing") { SimulatedDevice.isAvailable })
  struct SimulatedDeviceTests {
    private static func run(
      _ arguments: [String], in folder: String, _ settings: [String: String] = [:], display: String? = nil
    ) throws -> CommandOutput {
      var environment = try SimulatedDevice.environment(
        validates: arguments.contains("--validate"), settings, countsIn: folder)
      environment["DISPLAY"] = display
      return try Program.run(arguments, in: folder, environment: environment)
    }

    private static func measured(
      _ scenario: String, _ options: [String] = [], _ settings: [String: String] = [:], display: String? = nil,
      _ body: (RecordText, _ folder: String) throws -> Void
    ) throws {
      try Program.withClip { folder, clip in
        let result = try run(
          Program.shortRun(clip, scenario: scenario) + ["--validate", "-o", "record.json"] + options, in: folder,
          settings, display: display)
        #expect(result.status == 0, "\(result.errors)")
        let record = try RecordText(file: folder + "/record.json")
        #expect(record.isComplete == true && !record.warningCodes.contains("validation"), "\(result.errors)")
        try body(record, folder)
      }
    }

    private static func reasons(_ record: RecordText) -> [String: String] {
      (record.values["settings"] as? [String: Any])?["reasons"] as? [String: String] ?? [:]
    }

    private static func upload(_ record: RecordText) -> String? {
      (record.values["settings"] as? [String: Any])?["upload"] as? String
    }

    /// The queue for copies has no timestamps, so that their times are missing where it copies.
    @Test func whatIsStagedIsCopiedByTheQueueForCopies() throws {
      try Self.measured("render,pipeline", [], ["TRANSFER_TIMESTAMP_BITS": "0"]) { record, folder in
        let device = try #require(record.values["device"] as? [String: Any])
        #expect(device["name"] as? String == "Simulated discrete GPU" && device["type"] as? String == "discrete")
        #expect(device["software"] as? Bool == false)
        #expect(Self.upload(record) == "staged")
        #expect(Self.reasons(record)["upload"] == "the device's own memory is not cached by the CPU")
        #expect(record.counter("wrong_frame") == 0 && (record.counter("presented") ?? 0) > 0)
        #expect(record.samples("max_error").allSatisfy { $0 < 3 } && !record.samples("max_error").isEmpty)
        #expect(record.samples("upload_gpu_ms").isEmpty && !record.samples("render_gpu_ms").isEmpty)
        let counts = try #require(SimulatedDevice.counts(in: folder).last)
        #expect(counts.transfers > 0 && counts.transfers == counts.drawing)
      }
    }

    @Test func withoutAQueueForCopiesTheOtherCopies() throws {
      try Self.measured("pipeline", [], ["TRANSFER_FAMILY": "0", "PRESENT_WAIT": "0"]) { record, folder in
        #expect(Self.upload(record) == "staged" && record.counter("wrong_frame") == 0)
        #expect(!record.samples("upload_gpu_ms").isEmpty)
        let counts = try SimulatedDevice.counts(in: folder)
        #expect(!counts.isEmpty && counts.allSatisfy { $0.transfers == 0 })
      }
    }

    /// A display of 50 Hz, whose refreshes no other clock of the program has.
    @Test(.enabled(if: VirtualDisplay.isAvailable, "Xvfb is not installed"))
    func displayTimesAreThoseOfTheDriver() throws {
      let display = try VirtualDisplay()
      defer { withExtendedLifetime(display) {} }
      try Self.measured(
        "play", ["--present", "window"], ["REFRESH_HZ": "50"], display: display.name
      ) { record, folder in
        #expect(record.scenarios.first?["present_source"] as? String == "present_wait")
        #expect(Self.reasons(record)["present_source"] == nil && record.counter("wrong_frame") == 0)
        let counts = try #require(SimulatedDevice.counts(in: folder).last)
        #expect(counts.seen > 0 && counts.seen <= record.counter("presented") ?? 0)
        let intervals = record.samples("display_interval_ms")
        // A wait that a loaded machine ends late changes two intervals.
        let near = intervals.filter { abs($0 - ($0 / 20).rounded() * 20) < 5 }
        let expected = intervals.count / 2 - 2 * counts.overslept
        #expect(!intervals.isEmpty && near.count > expected, "\(intervals), \(counts)")
      }
    }

    /// Its presents lag behind, so that some are still waited for when the window gets other images.
    @Test(.enabled(if: VirtualDisplay.isAvailable, "Xvfb is not installed"))
    func presentsOfReplacedImagesAreNotWaitedFor() throws {
      try Program.withClip { folder, clip in
        let display = try VirtualDisplay()
        defer { withExtendedLifetime(display) {} }
        var environment = try SimulatedDevice.environment(validates: true, ["REFRESH_HZ": "5"], countsIn: folder)
        environment["DISPLAY"] = display.name
        let running = try RunningProgram(
          ["run", clip, "--scenario", "play", "--trials", "1", "--size", "160x90", "--duration", "600"]
            + ["--present", "window", "--validate", "-o", "record.json"], in: folder, environment: environment)
        _ = try running.trial(1)
        let title = "bench360 — clip.mp4"
        let part = PictureSize(width: 160, height: 90)
        for size in ["240 130", "320 180", "400 220"] {
          #expect(Patience.until(every: 50) { (try? display.act("size \(size)", on: title)) != nil })
          #expect(try display.shows(changes: 3, size: part))
        }
        try display.act("close", on: title)
        let result = try running.wait()
        #expect(result.status == 130, "\(result.errors)")
        let record = try RecordText(file: folder + "/record.json")
        #expect((record.counter("presented") ?? 0) > 0 && !record.warningCodes.contains("validation"))
      }
    }

    // MARK: Memory

    /// Three views of 3600 KiB and the textures fit, or do not.
    @Test(arguments: [("10.4", false), ("13", true)])
    func theDeviceHasSoMuchMemory(_ mebibytes: String, isEnough: Bool) throws {
      try Self.checkMemory(mebibytes, isEnough: isEnough)
    }

    @Test(.tier(.full), arguments: ["1", "7.5", "10.5"])
    func otherDevicesHaveLessMemory(_ mebibytes: String) throws { try Self.checkMemory(mebibytes, isEnough: false) }

    private static func checkMemory(_ mebibytes: String, isEnough: Bool) throws {
      try Program.withClip { folder, clip in
        let result = try run(
          ["snapshot", clip, "-o", "x.png", "--size", "1280x720", "--validate"], in: folder,
          ["DEVICE_MIB": mebibytes])
        if isEnough {
          #expect(result.status == 0 && !result.errors.contains("alidation"), "\(result.errors)")
        } else {
          result.expectRefusal(saying: ["cannot allocate", "out of device memory", "use a smaller clip or view"])
        }
      }
    }

    /// The pool of decoders' pictures leaves memory for the copies of what it refused.
    @Test func framesAreCopiedWhereHostMemoryIsSmall() throws {
      try Self.measured("pipeline", [], ["HOST_MIB": "0.5"]) { record, _ in
        #expect(Self.upload(record) == "copy" && record.counter("wrong_frame") == 0)
        #expect(Self.reasons(record)["upload"] == "the device has no more memory for this process")
      }
    }

    /// The mesh, 866 KiB, lies in the system's memory where the device's own that the CPU writes is smaller, or full.
    @Test(arguments: [["BAR_MIB": "0.25"], ["BAR_MIB": "1", "BAR_TAKEN_MIB": "0.5"]])
    func meshesLieWhereThereIsRoom(_ settings: [String: String]) throws { try Self.checkMesh(settings) }

    @Test(.tier(.full)) func meshesLieInTheDevicesMemory() throws { try Self.checkMesh(["BAR_MIB": "1"]) }

    private static func checkMesh(_ settings: [String: String]) throws {
      try Program.withClip { folder, clip in
        let result = try run(
          ["snapshot", clip, "-o", "x.png", "--size", "160x90", "--geometry", "mesh", "--validate"], in: folder,
          settings)
        #expect(result.status == 0 && !result.errors.contains("alidation"), "\(result.errors)")
        let refused = try SimulatedDevice.counts(in: folder).map(\.refused).reduce(0, +)
        #expect(refused == (settings["BAR_TAKEN_MIB"] == nil ? 0 : 1))
      }
    }

    /// Any call may find no memory: the program goes on without, or says so in one sentence.
    @Test func oneSentenceTellsWhichCallFoundNoMemory() throws { try Self.refuseMemory(calls: 2) }

    @Test(.tier(.full)) func oneSentenceTellsWhichOfManyCallsFoundNoMemory() throws {
      try Self.refuseMemory(calls: 12)
    }

    private static func refuseMemory(calls: Int) throws {
      var random = SeededGenerator(for: "calls that find no memory")
      try Program.withClip { folder, clip in
        for call in (0..<calls).map({ _ in Int.random(in: 1...60, using: &random) }) {
          var result = try run(
            ["snapshot", clip, "-o", "x.png", "--size", "160x90"], in: folder, ["FAILING_CALL": "\(call)"])
          let lines = result.errors.split(separator: "\n")
          #expect(lines.first?.hasPrefix("simulated device: call \(call), ") == true, "\(result.errors)")
          guard result.status != 0 else { continue }
          result.errors = lines.dropFirst().joined(separator: "\n")
          result.expectRefusal(saying: ["memory", "use a smaller clip or view"])
        }
      }
    }

    // MARK: Losses

    @Test func aLostDeviceIsASentence() throws { try Self.loseDevice(atSubmissions: [1], andOthers: 1) }

    /// At the first submissions, and in the middle.
    @Test(.tier(.full)) func aDeviceThatIsLostAnytimeIsASentence() throws {
      try Self.loseDevice(atSubmissions: [1, 2], andOthers: 4)
    }

    private static func loseDevice(atSubmissions first: [Int], andOthers count: Int) throws {
      var random = SeededGenerator(for: "submissions that lose the device")
      try Program.withClip { folder, clip in
        for submission in first + (0..<count).map({ _ in Int.random(in: 3...40, using: &random) }) {
          let result = try run(
            Program.shortRun(clip, scenario: "decode,play", seconds: 1) + ["-o", "record.json", "--force"], in: folder,
            ["LOST_SUBMIT": "\(submission)"])
          #expect(result.status == 1, "\(submission): \(result.errors)")
          #expect(
            result.errorLines.last == """
              bench360: cannot submit work to the GPU: the device was lost — see the kernel log for the driver's message
              """, "\(submission): \(result.errors)")
        }
      }
    }

    @Test(.enabled(if: VirtualDisplay.isAvailable, "Xvfb is not installed"))
    func aLostSurfaceIsASentence() throws {
      try Program.withClip { folder, clip in
        let display = try VirtualDisplay()
        let result = try Self.run(
          Program.shortRun(clip, scenario: "play", seconds: 1) + ["--present", "window", "-o", "record.json"],
          in: folder,
          ["FAILING_PRESENT": "5"], display: display.name)
        #expect(result.status == 1 && result.errors.contains("the window has gone"), "\(result.errors)")
      }
    }

    @Test func trialsMeasuredBeforeAreKept() throws {
      try Program.withClip { folder, clip in
        let result = try Self.run(
          Program.shortRun(clip, scenario: "startup/warm,pipeline") + ["--threads", "2", "-o", "record.json"],
          in: folder,
          ["FAILING_CALL": "201"])
        #expect(result.status == 1, "\(result.errors)")
        #expect(result.errorLines.last?.hasPrefix("bench360: cannot ") == true, "\(result.errors)")
        let record = try RecordText(file: folder + "/record.json")
        #expect(record.isComplete == false && record.scenarioNames == ["startup"] && record.trials.count == 3)
        #expect(record.warningCodes.contains("ended_early"))
      }
    }
  }
}
