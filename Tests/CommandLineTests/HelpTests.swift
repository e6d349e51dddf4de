import Foundation
import Support
import Testing

extension CommandTests {
  @Suite struct HelpTests {
    private static let verbs = [
      "run", "observe", "ab", "compare", "merge", "report", "history", "abr", "view", "snapshot", "thumbnails", "probe",
      "devices",
      "doctor", "generate", "serve",
    ]

    @Test func helpNamesEveryVerb() throws {
      let result = try Program.run(["--help"], in: NSTemporaryDirectory())
      #expect(result.status == 0 && result.errors.isEmpty)
      for verb in Self.verbs { #expect(result.text.contains("\n  \(verb) ")) }
      #expect(!result.text.contains("\n  trial "), "the trial is no verb for people")
    }

    @Test(arguments: verbs)
    func everyVerbHasHelp(verb: String) throws {
      let result = try Program.run([verb, "--help"], in: NSTemporaryDirectory())
      #expect(result.status == 0 && result.errors.isEmpty)
      #expect(result.text.hasPrefix("OVERVIEW: ") && result.text.contains("USAGE: bench360 \(verb)"))
    }

    @Test func wholeHelpOfRunNamesScenariosAndExitCodes() throws {
      let text = try Program.run(["run", "--help-all"], in: NSTemporaryDirectory()).text
      for word in [
        "decode", "render", "pipeline", "play", "startup", "scrub", "interaction ", "--list-scenarios",
        "--input-events", "--refresh", "--stress", "--trace",
        "--frames",
        "Exit codes:", "130",
      ] {
        #expect(text.contains(word))
      }
      // MatrixTests compare the schema with the table of settings.
      let schema = try Data(contentsOf: URL(filePath: TestFolders.repository + "/results/matrix.schema.json"))
      struct Schema: Decodable {
        struct Definitions: Decodable { var name: Names }
        struct Names: Decodable { var `enum`: [String] }
        var definitions: Definitions
        enum CodingKeys: String, CodingKey { case definitions = "$defs" }
      }
      for setting in try JSONDecoder().decode(Schema.self, from: schema).definitions.name.enum {
        #expect(text.contains("\n  --\(setting)"), "no option of run sets '\(setting)'")
      }
    }

    /// The lines of a verb's help.
    private static func lines(_ verb: String, _ option: String = "--help") throws -> [Substring] {
      try Program.run([verb, option], in: NSTemporaryDirectory()).text
        .split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The long names of the options below each title, in order.
    private static func options(_ lines: [Substring]) throws -> [(title: Substring, names: [String])] {
      var groups: [(title: Substring, names: [String])] = []
      for line in lines {
        if line.hasSuffix(":"), line == line.uppercased()[...] { groups.append((line.dropLast(), [])) }
        guard let match = try #/^  (?:-[a-z], )?--([a-z0-9-]+)/#.firstMatch(in: line), !groups.isEmpty else { continue }
        groups[groups.count - 1].names.append(String(match.output.1))
      }
      return groups
    }

    @Test(arguments: verbs)
    func helpBeginsWithAnExampleAndEndsWithTheExitCodes(verb: String) throws {
      let lines = try Self.lines(verb)
      let example = try #require(lines.first { $0.hasPrefix("  ") })
      #expect(example.hasPrefix("  bench360 \(verb)"), "\(example)")
      let first = { (prefix: String) in lines.firstIndex { $0.hasPrefix(prefix) } ?? .max }
      #expect(first("  bench360 ") < first("USAGE: ") && first("USAGE: ") < first("NOTES:"))
      #expect(first("NOTES:") < first("Exit codes: "))
      let last = lines.drop { !$0.hasPrefix("Exit codes: ") }.dropLast()
      #expect(!last.isEmpty && !last.contains(""), "the exit codes are last")
    }

    /// The first screen holds an example with its output, and the everyday options of `run`.
    @Test(arguments: [
      ("run", ["plays in real time with", "pipeline_fps"], ["--scenario", "--list-scenarios", "--suite"]),
      ("ab", ["improvement: "], []), ("view", ["look around", "list of keys"], []),
    ])
    func theFirstScreenShowsTheTool(verb: String, example: [String], options: [String]) throws {
      let screen = try Self.lines(verb).prefix(24).joined(separator: "\n")
      for words in example + ["USAGE: "] + options { #expect(screen.contains(words), "\(screen)") }
    }

    /// `--help` of verbs with many options fits on a screen; `--help-all` and the manual have the rest.
    @Test func helpOfRunHasFifteenOptionsOnAScreen() throws {
      let lines = try Self.lines("run")
      #expect(lines.count <= 48, "\(lines.count) lines")
      let groups = try Self.options(lines)
      #expect(
        groups.map(\.title) == ["ARGUMENTS", "WHAT IS MEASURED", "HOW IT IS PLAYED", "THE RECORD", "OPTIONS", "NOTES"])
      #expect(groups.dropLast(2).flatMap(\.names).count == 15)
      #expect(groups.first { $0.title == "OPTIONS" }?.names == ["verbose", "help", "help-all"])
    }

    @Test(arguments: ["run", "view"]) func theWholeHelpHasMoreOptions(verb: String) throws {
      let daily = try Self.options(Self.lines(verb)).flatMap(\.names)
      let whole = try Self.options(Self.lines(verb, "--help-all")).flatMap(\.names)
      #expect(Set(daily).isSubset(of: whole) && whole.count > daily.count + 15)
      let line = try #require(try Self.lines(verb).first { $0.hasPrefix("  --help-all") })
      #expect(line.hasSuffix("List all \(whole.count) options."), "\(line)")
      // Each has a text of its own on its line, or on the next one.
      let texts = try Self.lines(verb).filter { $0.hasPrefix("  -") || $0.hasPrefix("   ") }
      #expect(texts.allSatisfy { $0.count <= 80 })
    }

    /// Elsewhere all options are on the screen, and the word behind `help` is as good.
    @Test func theWholeHelpIsThatOfTheVerb() throws {
      func text(_ words: String...) throws -> String { try Program.run(words, in: NSTemporaryDirectory()).text }
      #expect(try text("probe", "--help-all") == text("probe", "--help"))
      #expect(try text("help", "run", "--help-all") == text("run", "clip.mp4", "--help-all"))
      #expect(try text("help", "run") == text("run", "-h"))
      #expect(try text("--help-all") == text("--help"))
    }

    /// `-v` says what it does for its own verb.
    @Test func verboseIsExplainedForItsVerb() throws {
      let ofRun = try Self.lines("run", "--help-all").joined(separator: " ")
      #expect(ofRun.contains("Print the whole record as tables"))
      for verb in Self.verbs where !["run", "observe"].contains(verb) {
        let text = try Self.lines(verb, "--help-all").joined(separator: " ")
        #expect(!text.contains("Print the whole record") && text.contains("-v, --verbose"), "\(verb)")
      }
    }

    /// The text of a wrapped line continues below its beginning.
    @Test func wrappedLinesKeepTheirIndent() throws {
      let lines = try Self.lines("run", "--help-all")
      for (start, column) in [("  decode       decode only", 15), ("  --scenario ", 26), ("  --pose ", 26)] {
        let index = try #require(lines.firstIndex { $0.hasPrefix(start) })
        #expect(lines[index + 1].prefix { $0 == " " }.count == column, "\(lines[index + 1])")
      }
      for verb in Self.verbs {
        for option in ["--help", "--help-all"] {
          for line in try Self.lines(verb, option) { #expect(line.count <= 80, "\(verb): \(line)") }
        }
      }
    }

    @Test func scenariosAreListedWithTheirVariants() throws {
      let list = try Program.run(["run", "--list-scenarios"], in: NSTemporaryDirectory())
      #expect(list.status == 0 && list.errors.isEmpty)
      for line in [
        "  scrub/random/exact *", "  scrub/random/half-pixel", "  startup/warm *", "  interaction/recorded",
        "  upload/direct *",
      ] {
        #expect(list.lines.contains(line[...]), "\(line)")
      }
      #expect(list.lines.count { !$0.hasPrefix(" ") && !$0.hasPrefix("*") } == 12)
      let help = try Self.lines("run", "--help-all").joined()
      #expect(!help.contains("random/half-pixel") && !help.contains("drag-paused"), "variants have a list of their own")
    }

    @Test func versionIsOneLine() throws {
      let result = try Program.run(["--version"], in: NSTemporaryDirectory())
      #expect(result.status == 0 && result.errors.isEmpty)
      #expect(try #/bench360 \d+\.\d+\.\d+ \([0-9a-z]+(, modified)?\)\n/#.wholeMatch(in: result.text) != nil)
    }
  }
}
