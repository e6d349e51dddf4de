import Foundation
import Support
import Testing

extension CommandLineTests {
  /// `ab`: the order of its runs, when it stops, what it makes of commands that fail, and that it leaves nothing behind.
  ///
  /// The commands are scripts that leave prepared records, for what is tested is not what they measure.
  @Suite struct ABTests {
    /// A folder with the script `side NAME RATE [RECORD]`, which logs its name and leaves a record of about that rate.
    static func withSide(_ body: (_ folder: String) throws -> Void) throws {
      try TestFolders.withTemporary { folder in
        var record = try MadeRecord.rates([987_654_321])
        record.set("session", "SESSION")
        try record.write(folder + "/record.json")
        record.setWrongFrames(2)
        try record.write(folder + "/wrong.json")
        record.set("input", "sha256", String(repeating: "0", count: 64))
        try record.write(folder + "/other.json")
        // Seven values, all within a thousandth, in an order that favours no side.
        let script = """
          echo "$1" >> log
          runs=$(wc -l < log)
          eval "output=\\${$#}"
          record=record.json
          [ $# -gt 4 ] && record=$3
          sed "s/987654321/$(($2 + runs * 5 % 7 * 10))/; s/SESSION/$BENCH360_SESSION/" $record > "$output"
          """
        try Data(script.utf8).write(to: URL(filePath: folder + "/side"))
        try FileManager.default.createDirectory(atPath: folder + "/tmp", withIntermediateDirectories: true)
        try body(folder)
        #expect(try names(in: folder + "/tmp").isEmpty, "temporary files stayed behind")
      }
    }

    static let base = "sh side base 100000"
    static let head = "sh side head 100000"

    private static func arguments(base: String, head: String, _ options: [String]) -> [String] {
      ["ab", "--base", base, "--head", head] + options
    }

    static func ab(
      _ folder: String, base: String = base, head: String = head, _ options: [String] = [],
      environment: [String: String] = [:]
    ) throws -> CommandOutput {
      try Program.run(
        arguments(base: base, head: head, options), in: folder,
        environment: ["TMPDIR": folder + "/tmp"].merging(environment) { $1 })
    }

    /// Which side ran, run by run, the warm-ups first.
    private static func order(_ folder: String) throws -> [String] {
      try String(contentsOfFile: folder + "/log", encoding: .utf8).split(separator: "\n").map(String.init)
    }

    private static let block = ["base", "head", "head", "base"]

    private static func blocks(_ count: Int) -> [String] {
      ["base", "head"] + repeatElement(block, count: count).joined()
    }

    /// A head that does `what` instead of its run when so many runs have been begun, the warm-ups among them.
    private static func head(failingAfter runs: String, _ what: String) -> String {
      "if [ $(wc -l < log) \(runs) ]; then echo failed >> log; \(what); fi; \(head)"
    }

    struct Case: CustomTestStringConvertible, Sendable {
      var head: Int
      var options: [String] = []
      var status: Int32
      var says: String
      var planned = 20
      /// Of four runs.
      var blocks = 4
      var testDescription: String { "\(head) \(options.joined(separator: " "))" }
    }

    @Test(arguments: [
      Case(head: 100_000, status: 0, says: "same: "),
      Case(head: 95_000, status: 2, says: "regression: decode · decode_fps −5"),
      Case(head: 105_000, status: 0, says: "improvement: decode · decode_fps +5"),
      Case(head: 105_000, options: ["--fail-on", "improvement"], status: 4, says: "improvement: "),
      Case(head: 95_000, options: ["--threshold", "10"], status: 0, says: "same: "),
      Case(
        head: 95_000, options: ["--all-runs", "--runs", "10"], status: 2, says: "regression: ", planned: 10, blocks: 5),
      Case(head: 50_000, options: ["--runs", "4"], status: 8, says: "inconclusive: ", planned: 4, blocks: 2),
    ])
    func theVerdictIsTheExitCodeAndEndsTheRuns(_ wanted: Case) throws {
      try Self.withSide { folder in
        let result = try Self.ab(folder, head: "sh side head \(wanted.head)", wanted.options)
        #expect(result.status == wanted.status, "\(result.text)\(result.errors)")
        #expect(result.lines.last?.hasPrefix(wanted.says) == true, "\(result.text)")
        #expect(try Self.order(folder) == Self.blocks(wanted.blocks))
        #expect(
          result.errors.hasPrefix("bench360: \(wanted.blocks * 2) of \(wanted.planned) runs a side: \(wanted.says)"))
        #expect(result.errorLines.count == 1, "\(result.errors)")
      }
    }

    @Test func aCrashIsToldAndItsBlockMadeAgain() throws {
      try Self.withSide { folder in
        let crash = Self.head(failingAfter: "-eq 8", "echo 'out of luck' >&2; kill -SEGV $$")
        let result = try Self.ab(folder, head: crash.replacing("100000", with: "95000"), ["--keep", "kept"])
        #expect(result.status == 2, "\(result.text)\(result.errors)")
        let told = try #require(result.errorLines.first)
        #expect(
          told.hasPrefix("bench360: run 4 of head failed: ") && told.hasSuffix("its block is made again"), "\(told)")
        #expect(told.contains("signal 11: out of luck"), "\(told)")
        #expect(
          result.flowing.contains("run 4 of head failed") && result.flowing.contains("out of luck"), "\(result.text)")
        let wanted =
          Self.blocks(1) + ["base", "head", "failed"] + Array(repeating: Self.block, count: 3).flatMap { $0 }
        #expect(try Self.order(folder) == wanted)
        #expect(try names(in: folder + "/kept/head").count == 8)
      }
    }

    @Test func whatCrashesAgainAndAgainIsGivenUp() throws {
      try Self.withSide { folder in
        // A record beside a failure is none.
        let crash = Self.head(failingAfter: "-ge 6", "sh side head 1 --output kept/head/003.json; exit 9")
        let result = try Self.ab(folder, head: crash, ["--keep", "kept"])
        #expect(result.status == 1)
        #expect(result.errorLines.filter { $0.hasSuffix("its block is made again") }.count == 2, "\(result.errors)")
        let last = try #require(result.errorLines.last)
        for word in ["bench360: run 3 of head failed", "status 9", "the third that failed", "by hand"] {
          #expect(last.contains(word), "\(last)")
        }
        #expect(result.flowing.contains("2 of 20 runs a side"), "measurements are told: \(result.text)")
        #expect(result.flowing.components(separatedBy: "its block was made again").count == 3, "\(result.text)")
        #expect(try names(in: folder + "/kept/head") == ["001.json", "002.json"])
      }
    }

    /// A command that does not work at all, and the words that must tell why.
    @Test(arguments: [
      (
        "echo first >&2; printf 'the \\033[1mlast\\377 word\\n\\n' >&2; exit 4",
        ["status 4", "last", "word", "by hand"]
      ),
      ("kill -KILL $$;", ["signal 9"]), ("no-such-program", ["status 127", "no-such-program"]),
      ("(", ["status 2", "yntax"]), ("true", ["wrote no record", "without --output"]),
      ("exit 3;", ["status 3", "wrote no record"]),
      ("cp side", ["cannot read record", "not JSON"]),
      ("stty raw < /dev/tty &&", ["status"]),
    ])
    func aCommandThatDoesNotWorkIsRefused(command: String, words: [String]) throws {
      try Self.withSide { folder in
        for sides in [["--base", command, "--head", Self.head], ["--base", Self.base, "--head", command]] {
          let isBase = sides[1] == command
          let command = command == "cp side" ? "f() { cp side \"$2\"; }; f" : command
          let result = try Self.ab(folder, base: isBase ? command : Self.base, head: isBase ? Self.head : command)
          #expect(result.status == 1 && result.output.isEmpty)
          #expect(result.errorLines.count == 1 && !result.errors.contains("\u{1B}"), "\(result.errors)")
          let isRead = words[0] == "cannot read record"
          let start = "bench360: " + (isRead ? "" : "warm-up of \(isBase ? "base" : "head") failed: ")
          #expect(result.errors.hasPrefix(start), "\(result.errors)")
          for word in words { #expect(result.errors.contains(word), "'\(word)' is not in: \(result.errors)") }
        }
      }
    }

    /// A script that leaves its own process and two more behind it: one in the background, one that has left the group.
    private static let hang = """
      (rm -f pid2 pid3; echo $$ > pid1
      sh -c 'echo $$ > pid2; exec sleep 600' & setsid sh -c 'echo $$ > pid3; exec sleep 600' &
      while [ ! -s pid2 -o ! -s pid3 ]; do sleep 0.01; done; echo > hangs; wait);
      """

    /// The processes of `hang` that still do something; a zombie has no command line.
    private static func left(_ folder: String) throws -> [String] {
      try ["pid1", "pid2", "pid3"].filter { name in
        let text = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
        let id = try #require(pid_t(text.trimmingCharacters(in: .newlines)))
        return (try? Data(contentsOf: URL(filePath: "/proc/\(id)/cmdline")).isEmpty) == false
      }
    }

    @Test func aCommandThatHangsIsEndedWithAllItStarted() throws {
      try Self.withSide { folder in
        let result = try Self.ab(folder, base: Self.hang, ["--timeout", "1"])
        result.expectFailure(saying: ["warm-up of base failed", "within 1 s", "--timeout"])
        #expect(try Self.left(folder).isEmpty)
      }
    }

    /// What a command leaves in the background neither delays its end nor disturbs the next run.
    @Test func aDaemonEndsWithItsRun() throws {
      try Self.withSide { folder in
        let daemon = Self.hang.replacing("; wait", with: "")
        let result = try Self.ab(folder, head: daemon + Self.head, ["--runs", "2", "--timeout", "20"])
        #expect(result.status == 8, "\(result.errors)")
        #expect(try Self.left(folder).isEmpty)
      }
    }

    @Test func controlCGivesTheAnswerSoFar() throws {
      for (runs, isAnswered) in [(7, true), (3, false)] {
        try Self.withSide { folder in
          let head = "if [ $(wc -l < log) -ge \(runs) ]; then \(Self.hang) fi; \(Self.head)"
          let running = try RunningProgram(
            Self.arguments(base: Self.base, head: head, []), in: folder, environment: ["TMPDIR": folder + "/tmp"])
          try running.wait(for: folder + "/hangs")
          running.interrupt()
          let result = try running.wait()
          #expect(result.status == 130, "\(result.errors)")
          #expect(try Self.left(folder).isEmpty)
          #expect(result.flowing.contains("2 of 20 runs a side") == isAnswered, "\(result.text)")
          #expect(
            result.errors.contains(isAnswered ? "the answer is that of" : "there is no answer"), "\(result.errors)")
          #expect(!result.errors.contains("failed"), "\(result.errors)")
        }
      }
    }

    @Test func aWrongPictureIsAWrongRun() throws {
      try Self.withSide { folder in
        let wrong = "f() { sh side head 95000 wrong.json \"$@\"; exit 3; }; f"
        let result = try Self.ab(folder, head: wrong)
        #expect(result.status == 3, "\(result.text)\(result.errors)")
        #expect(result.flowing.contains("head was incorrect: wrong_frame"), "\(result.text)")
        #expect(try Self.order(folder) == Self.blocks(4))
      }
    }

    @Test func aCommandOfAnotherProgramIsSaidToBeTheWrongOne() throws {
      try Self.withSide { folder in
        let result = try Self.ab(folder, base: "echo Option not found >&2; false")
        #expect(result.status == 1 && result.errorLines.count == 1, "\(result.errors)")
        for words in ["warm-up of base failed", "Option not found", "it must be a 'bench360 run …' line", "--output"] {
          #expect(result.errors.contains(words), "\(result.errors)")
        }
      }
    }

    /// Where a line of standard error is cut, half of a URL is not to be shown.
    @Test func secretsOfCommandsAreNotTold() throws {
      try Self.withSide { folder in
        let url = "'http://me:secret@127.0.0.1/a.mp4?token=hidden'"
        for says in ["printf '%70000s' ''; printf %s \(url)", "echo \(url)"] {
          let failing = try Self.ab(folder, base: "{ \(says); } >&2; false")
          #expect(failing.status == 1 && !failing.errors.contains("secret") && !failing.errors.contains("hidden"))
        }
        let head = Self.head + " record.json \(url)"
        for format in ["table", "json", "markdown"] {
          let told = try Self.ab(folder, head: head, ["--runs", "2", "--format", format, "-o", "x.json"])
          let kept = try String(contentsOfFile: folder + "/x.json", encoding: .utf8)
          for text in [told.text, told.errors, kept] {
            #expect(!text.contains("secret") && !text.contains("hidden"), "\(text)")
          }
          #expect(told.text.contains("127.0.0.1/a.mp4?…"))
        }
      }
    }

    @Test func anotherClipEndsTheRuns() throws {
      try Self.withSide { folder in
        try Self.ab(folder, head: "sh side head 100000 other.json")
          .expectRefusal(status: 7, saying: ["no clip in common"])
        #expect(try Self.order(folder) == Self.blocks(1))
      }
    }

    @Test(arguments: [
      ["--runs", "7"], ["--runs", "0"], ["--runs", "-2"], ["--runs", "10002"], ["--timeout", "0"],
      ["--timeout", "nan"],
      ["--gate", "nonsense"], ["--keep", ""], ["--output", ""], ["--vary", "threads"], ["--base", " \n"],
    ])
    func badArgumentsAreUsage(options: [String]) throws {
      try Self.withSide { folder in
        let result = try Self.ab(folder, options)
        #expect(result.status == 64 && result.output.isEmpty, "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder + "/log"), "it ran something")
      }
    }

    @Test func whatCannotBeWrittenIsToldBeforeTheFirstRun() throws {
      try Self.withSide { folder in
        try Data().write(to: URL(filePath: folder + "/used/head/mine.json"), creatingFolders: true)
        for (options, words) in [
          (["--output", "side/x.json"], ["cannot write comparison 'side/x.json'", "not a folder"]),
          (["--output", "tmp"], ["cannot write comparison 'tmp'", "it is a folder"]),
          (["--keep", "used"], ["cannot keep records in", "'head' is not empty", "--keep"]),
          (["--keep", "side"], ["cannot keep records in", "cannot be made", "--keep"]),
        ] {
          try Self.ab(folder, options).expectRefusal(saying: words)
        }
        #expect(try names(in: folder + "/used") == ["head"])
        #expect(!FileManager.default.fileExists(atPath: folder + "/log"), "it ran something")
      }
    }

    @Test func keptRecordsAreOneSession() throws {
      try Self.withSide { folder in
        try Data("mine".utf8).write(to: URL(filePath: folder + "/kept/stderr.txt"), creatingFolders: true)
        // A command may go elsewhere, and a block of YAML ends with a newline.
        let head = "mkdir -p away && cd away && cp ../log ../side ../record.json . && sh side head 95000\n"
        let result = try Self.ab(folder, head: head, ["--keep", "kept", "--all-runs", "--runs", "8"])
        #expect(result.status == 2, "\(result.text)\(result.errors)")
        #expect(try names(in: folder + "/kept") == ["base", "head", "stderr.txt"])
        let files = (1...8).map { "00\($0).json" }
        #expect(try names(in: folder + "/kept/base") == files && names(in: folder + "/kept/head") == files)
        let compared = try Program.run(["compare", "kept/base", "kept/head"], in: folder)
        #expect(compared.status == 2, "\(compared.text)\(compared.errors)")
        #expect(try Self.ab(folder, ["--keep", "kept"]).status == 1, "it replaced the kept records")
      }
    }

    @Test func commandsAndPathsAreQuotedAsAShellHasThem() throws {
      try Self.withSide { folder in
        let place = "it's a \"side\" of $HOME \\ `x`"
        try FileManager.default.createDirectory(atPath: folder + "/" + place, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: folder + "/side", toPath: folder + "/\(place)/the side")
        let quoted = #"sh it\'s' a "side" of $HOME \ `x`'/the\ side base 100000"#
        let prefixed = #"RECORD="a b" NUMBER=100000 sh -c '[ "$RECORD" = "a b" ] && exec sh side head $NUMBER "$@"' sh"#
        let result = try Self.ab(
          folder, base: quoted, head: prefixed, ["--keep", place + "/kept", "-o", place + "/x.json", "--runs", "2"],
          environment: ["TMPDIR": folder + "/tmp"])
        #expect(result.status == 8, "\(result.errors)")
        #expect(try Self.order(folder) == Self.blocks(1))
        #expect(try names(in: folder + "/\(place)/kept/head") == ["001.json", "002.json"])
        #expect(try names(in: folder + "/" + place) == ["kept", "the side", "x.json"])
      }
    }

    @Test func theComparisonIsKeptAndSummarised() throws {
      try Self.withSide { folder in
        let summary = folder + "/summary.md"
        let result = try Self.ab(
          folder, ["--runs", "2", "--format", "markdown", "-o", "kept.json"],
          environment: ["GITHUB_STEP_SUMMARY": summary])
        #expect(result.status == 8 && result.errorLines.last == "comparison: kept.json", "\(result.errors)")
        #expect(result.text.hasPrefix("### bench360: inconclusive") && result.text.contains("2 runs a side"))
        #expect(try String(contentsOfFile: summary, encoding: .utf8) == result.text)
        let kept = try RecordText(file: folder + "/kept.json").values
        #expect(kept["schema"] as? String == "bench360-comparison/1" && kept["method"] as? String == "interleaved")
        #expect((kept["runs"] as? [String: Int]) == ["made": 2, "planned": 2])

        let printed = try Self.ab(folder, ["--runs", "2", "-o", "-"])
        #expect(printed.status == 8)
        #expect(try RecordText(printed.output).values["method"] as? String == "interleaved")
      }
    }

    @Test func theProgramItselfIsMeasuredWithoutAWarmUpOfItsOwn() throws {
      try Program.withClip { folder, clip in
        let command = "NOTHING=1 '\(TestFolders.program)' run \(clip) --scenario decode --trials 1 --duration 0.1"
        let result = try Program.run(
          Self.arguments(base: command, head: command + " --threads 1", ["--runs", "2", "--keep", "kept"]), in: folder)
        #expect(result.status == 8, "\(result.text)\(result.errors)")
        #expect(result.text.contains("threads: ") && result.text.contains("decode_fps"), "\(result.text)")
        let records = try ["base/001", "base/002", "head/001", "head/002"].map {
          try RecordText(file: "\(folder)/kept/\($0).json")
        }
        let sessions = Set(records.map { $0.values["session"] as? String })
        #expect(sessions.count == 1 && sessions.first != .some(nil))

        let run = ["run", clip, "--scenario", "decode", "--trials", "1", "--duration", "0.1", "-o", "x.json"]
        let running = try RunningProgram(run, in: folder, environment: ["BENCH360_SESSION": "ours"])
        #expect(try running.waitForTrials().trials == 1)
      }
    }
  }
}

extension CommandOutput {
  /// As `expectRefusal`, for a command that was tried.
  fileprivate func expectFailure(saying words: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(status == 1 && output.isEmpty && errorLines.count == 1, "\(errors)", sourceLocation: sourceLocation)
    for word in words {
      #expect(errors.contains(word), "'\(word)' is not in: \(errors)", sourceLocation: sourceLocation)
    }
  }
}

extension Data {
  fileprivate func write(to url: URL, creatingFolders: Bool) throws {
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try write(to: url)
  }
}
