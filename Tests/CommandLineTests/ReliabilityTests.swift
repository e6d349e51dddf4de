import Foundation
import Glibc
import Support
import Testing

extension CommandTests {
  /// Inputs, limits and signals that other programs hang or crash on: see Docs/Reliability.md.
  @Suite struct ReliabilityTests {
    /// No first Ctrl-C ended these, for they spin where libavformat asks for no interruption.
    @Test(arguments: [(SIGINT, "probe"), (SIGTERM, "run")])
    func aSpinningManifestIsEndedBySignals(signal: Int32, verb: String) throws {
      try Self.endSpinning(signal, verb)
    }

    @Test(.tier(.full), arguments: [SIGINT, SIGTERM], ["probe", "run", "snapshot"])
    func aSpinningManifestIsEndedBySignalsInEachVerb(signal: Int32, verb: String) throws {
      try Self.endSpinning(signal, verb)
    }

    private static func endSpinning(_ signal: Int32, _ verb: String) throws {
      try TestFolders.withTemporary { folder in
        let path = try HostileStreams.spinning(in: folder)
        let options = verb == "probe" ? [] : ["-o", verb == "run" ? "r.json" : "r.png"]
        let running = try RunningProgram([verb, path] + options, in: folder)
        try running.waitUntilBusy(ticks: 30)
        running.interrupt(signal)
        #expect(try running.wait().status == 130)
        #expect(!(try names(in: folder)).contains { $0.hasPrefix("r.") })
      }
    }

    /// Half a minute of work: the one test that waits for the limit of time itself. Both at once.
    @Test(.tier(.full)) func aSpinningManifestIsEndedByTheLimitOfTime() throws {
      try TestFolders.withTemporary { folder in
        let path = try HostileStreams.spinning(in: folder)
        let other = folder + "/other"
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        let opening = try RunningProgram(["probe", path], in: folder)
        let measuring = try RunningProgram(["run", path, "--scenario", "decode", "-o", "r.json"], in: other)
        for running in [opening, measuring] {
          try running.wait().expectRefusal(saying: ["'\(path)'", "within 30 s", "without end"])
        }
      }
    }

    @Test func aPlaylistThatNamesItselfIsRefusedByEveryVerb() throws {
      try TestFolders.withTemporary { folder in
        let path = try HostileStreams.selfNaming(in: folder)
        for arguments in [
          ["probe", path], ["snapshot", path, "-o", "x.png"], ["thumbnails", path, "-o", "x.vtt"],
          Program.shortRun(path) + ["-o", "x.json"],
        ] {
          try Program.run(arguments, in: folder).expectRefusal(saying: ["names itself", "'self.m3u8'"])
        }
      }
    }

    @Test func aSilentPipeIsLeftByTheFirstSignalAndLeavesNothing() throws {
      try TestFolders.withTemporary { folder in
        let spools = folder + "/spools"
        try FileManager.default.createDirectory(atPath: spools, withIntermediateDirectories: true)
        let pipe = Pipe()
        let running = try RunningProgram(["probe", "-"], in: folder, environment: ["TMPDIR": spools], input: pipe)
        try pipe.fileHandleForWriting.write(contentsOf: Data("nothing".utf8))
        try running.waitUntilItHoldsANamelessFile()
        #expect(try names(in: spools).isEmpty, "the spool has no name")
        running.interrupt()
        let result = try running.wait()
        #expect(result.status == 130 && result.errors.contains("it was interrupted"), "\(result.errors)")
      }
    }

    @Test func aClipThatIsReplacedEndsTheRunAndKeepsWhatWasMeasured() throws {
      try Program.withClip { folder, clip in
        let running = try RunningProgram(
          ["run", clip, "--scenario", "decode", "--trials", "40", "--duration", "20", "--size", "160x90"]
            + ["-o", "record.json"], in: folder)
        _ = try running.trial(2, ticks: 0)
        try FileManager.default.copyItem(atPath: folder + "/" + clip, toPath: folder + "/other.mp4")
        try #require(rename(folder + "/other.mp4", folder + "/" + clip) == 0)
        let result = try running.wait()
        #expect(result.status == 1, "\(result.errors)")
        #expect(result.errors.contains("the file was replaced while it was measured"), "\(result.errors)")
        let record = try RecordText(file: folder + "/record.json")
        #expect(record.isComplete == false && record.warningCodes.contains("ended_early"))
        #expect((1...39).contains(record.trials.count))
      }
    }

    /// Descriptors: with five no process can be started, a dozen are enough.
    @Test(arguments: [4, 6, 11]) func fewOpenFilesAreEnoughOrASentence(limit: Int) throws {
      try Self.runWithFewFiles([limit])
    }

    @Test(.tier(.full)) func anyNumberOfOpenFilesIsEnoughOrASentence() throws {
      try Self.runWithFewFiles(Array(4...16))
    }

    private static func runWithFewFiles(_ limits: [Int]) throws {
      try Program.withClip { folder, clip in
        let command = ([TestFolders.program] + Program.shortRun(clip, scenario: "decode") + ["-o", "r.json"])
          .joined(separator: " ")
        func run(limit: Int) throws -> CommandOutput {
          try CommandOutput.of(
            "/bin/sh", ["-c", "ulimit -n \(limit); exec \(command)"], environment: Program.environment(folder),
            folder: folder)
        }
        for limit in limits {
          let result = try run(limit: limit)
          #expect(result.status == 0 || result.status == 1, "\(limit): \(result.status) \(result.errors)")
          if result.status == 1 { #expect(result.errors.contains("too many open files"), "\(limit): \(result.errors)") }
        }
        #expect(try run(limit: 20).status == 0)
      }
    }

    /// The limit of processes does not hold for root.
    @Test(.enabled(if: geteuid() != 0, "root has no limit of threads"))
    func noMoreThreadsIsASentence() throws {
      try Program.withClip { folder, clip in
        let result = try CommandOutput.of(
          "/bin/bash", ["-c", "ulimit -u 1; exec \(TestFolders.program) snapshot \(clip) -o x.png"],
          environment: Program.environment(folder), folder: folder)
        result.expectRefusal(saying: ["the system gives no more", "ulimit -u"])
      }
    }

    @Test func certificatesAreVerifiedUnlessToldOtherwise() throws {
      try Program.withClip { folder, clip in
        // Python's server gives no ranges: the clip is to be readable from its start to its end.
        try Program.ffmpeg(["-i", clip, "-c", "copy", "-movflags", "faststart", "fast.mp4"], in: folder)
        let server = try SecureServer(folder: folder)
        let url = "https://127.0.0.1:\(server.port)/fast.mp4"
        let refused = try Program.run(["probe", url], in: folder)
        #expect(refused.status == 1 && refused.errors.lowercased().contains("certificate"), "\(refused.errors)")
        #expect(try Program.run(["probe", url, "--insecure"], in: folder).status == 0)
        let known = try Program.run(["probe", url], in: folder, environment: ["SSL_CERT_FILE": server.certificate])
        #expect(known.status == 0, "\(known.errors)")
        let measured = try Program.run(
          Program.shortRun(url, scenario: "decode") + ["--insecure", "-o", "r.json"], in: folder)
        #expect(measured.status == 0, "\(measured.errors)")
        #expect(try RecordText(file: folder + "/r.json").warningCodes.contains("insecure"))
      }
    }

    @Test func aTruncatedClipIsMeasuredWhereEnoughIsThere() throws {
      try Program.withClip { folder, clip in
        try Program.ffmpeg(["-i", clip, "-c", "copy", "-movflags", "faststart", "fast.mp4"], in: folder)
        let data = try Data(contentsOf: URL(filePath: folder + "/fast.mp4"))
        try data.prefix(data.count * 4 / 5).write(to: URL(filePath: folder + "/cut.mp4"))
        let measured = try Program.run(Program.shortRun("cut.mp4", scenario: "decode") + ["-o", "r.json"], in: folder)
        #expect(measured.status == 0, "\(measured.errors)")
        #expect(try RecordText(file: folder + "/r.json").warningCodes.contains("ends_early"))
        let longer = ["run", "cut.mp4", "--scenario", "decode", "--trials", "1", "--duration", "30", "-o", "l.json"]
        try Program.run(longer, in: folder).expectRefusal(saying: ["ends early", "--duration"])
      }
    }
  }
}
