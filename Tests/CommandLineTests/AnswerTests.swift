import Foundation
import Support
import Testing

extension CommandTests {
  /// What `run` prints, and where.
  @Suite(.enabled(if: TestDevice.isAvailable, "no Vulkan device"))
  struct AnswerTests {
    @Test func theAnswerIsPrintedAndTheTableWhereItIsAskedFor() throws {
      try Program.withClip { folder, clip in
        func printed(_ options: String..., scenario: String = "decode") throws -> CommandOutput {
          let result = try Program.run(
            Program.shortRun(clip, scenario: scenario) + ["-o", "a record.json"] + options, in: folder,
            environment: ["DISPLAY": ":12345"])
          #expect(result.status == 0, "\(result.errors)")
          return result
        }
        let answer = try printed(scenario: "decode,startup/warm")
        // As it was started: it is on no PATH.
        let program = TestFolders.program
        #expect(answer.lines.first?.hasPrefix("decode alone reaches") == true, "\(answer.text)")
        let numbers = answer.text.split(separator: "\n\n").dropFirst().first?.split(separator: "\n") ?? []
        #expect(numbers.map { $0.split(separator: " ").first } == ["ttff_ms", "decode_fps", "cpu_seconds"])
        for words in [
          "\(program) report 'a record.json' -o report.html", "\(program) view \(clip)",
          "\(program) ab \(clip) --base '--threads 1' --head '--threads 2'",
        ] {
          #expect(answer.text.contains(words), "\(answer.text)")
        }
        #expect(!answer.text.contains("p95") && !answer.text.contains("█"))
        let errors = answer.errorLines
        #expect(errors.count == 3 && errors.last == "record: a record.json", "\(answer.errors)")
        #expect(errors.first?.hasPrefix("decode: decode_fps ") == true, "\(answer.errors)")
        #expect(errors.dropFirst().first?.hasPrefix("startup/warm: ttff_ms ") == true, "\(answer.errors)")

        for table in [try printed("--format", "table", scenario: "startup/warm"), try printed("--verbose")] {
          #expect(table.text.hasPrefix("input    ") && table.text.contains("p95"))
          #expect(table.text.contains("phases") == table.text.contains("ttff_ms"))
        }
        #expect(try printed("-v").errors.contains(" debug started "))
        #expect(try printed("-v", "--format", "csv").text.hasPrefix("created,label,"))
      }
    }

    /// The commands can be typed as they stand: by the name on PATH, if that is this program, or by the path it was started by.
    @Test func theNextCommandsNameTheProgramAsItCanBeStarted() throws {
      try Program.withClip { folder, clip in
        let manager = FileManager.default
        try manager.createDirectory(atPath: folder + "/bin", withIntermediateDirectories: true)
        try manager.createDirectory(atPath: folder + "/other", withIntermediateDirectories: true)
        try manager.createDirectory(atPath: folder + "/results", withIntermediateDirectories: true)
        try manager.createSymbolicLink(atPath: folder + "/bin/bench360", withDestinationPath: TestFolders.program)
        try manager.createSymbolicLink(atPath: folder + "/other/bench360", withDestinationPath: "/bin/true")
        let run = " run \(clip) --scenario decode --trials 1 --duration 0.1"
        let own = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        for (path, started, shown) in [
          (own, "bin/bench360", "bin/bench360"), ("other:bin:" + own, "bin/bench360", "bin/bench360"),
          ("bin:other:" + own, "bin/bench360", "bench360"), (folder + "/bin:" + own, "bench360", "bench360"),
        ] {
          let result = try CommandOutput.of(
            "/bin/sh", ["-c", started + run], environment: Program.environment(folder).merging(["PATH": path]) { $1 },
            folder: folder)
          let next = result.lines.first { $0.hasPrefix("next ") } ?? ""
          #expect(next.hasPrefix("next     \(shown) report results/"), "\(path): \(result.text)\(result.errors)")
        }
      }
    }

    @Test func linesOfAScenarioTellHowManyTrialsAreStillToCome() throws {
      try Program.withClip { folder, clip in
        let result = try Program.run(
          ["run", clip, "--scenario", "decode", "--trials", "3", "--duration", "0.1", "-o", "r.json"], in: folder,
          environment: ["DISPLAY": "", "WAYLAND_DISPLAY": ""])
        #expect(result.errorLines.count { $0.contains("first of") } == 1, "\(result.errors)")
        #expect(result.errorLines.first?.contains(" 1/s, first of 3 trials") == true, "\(result.errors)")
        #expect(result.text.contains("\nnext ") && !result.text.contains(" view clip.mp4"), "there is no display")
      }
    }

    /// `script` gives the program a terminal.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "script(1) is not installed"))
    func aTerminalHasFrameTimesAndTheTimeLeft() throws {
      try Program.withClip { folder, clip in
        let run = ["run", clip, "--scenario", "decode", "--trials", "6", "--duration", "0.5", "-o", "x.json"]
        let command = ([TestFolders.program] + run).joined(separator: " ")
        let result = try CommandOutput.of(
          "/usr/bin/script", ["-qec", command, "/dev/null"],
          environment: Program.environment(folder).merging([
            "TERM": "xterm", "NO_COLOR": "1", "LC_ALL": "C.UTF-8", "DISPLAY": ":12345",
          ]) {
            $1
          },
          folder: folder)
        #expect(result.text.contains("decode_latency_ms of decode, "), "\(result.text)")
        #expect(result.text.contains("%  about ") && result.text.contains(" s left · decode "), "\(result.text)")
        #expect(!result.text.contains("first of 6 trials"), "a terminal has the bar instead")
        #expect(result.text.contains(" view clip.mp4"), "\(result.text)")
      }
    }
  }
}
