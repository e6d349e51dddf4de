import Foundation
import Support
import Testing

extension CommandTests {
  @Suite struct HelpTests {
    private static let verbs = [
      "run", "ab", "compare", "merge", "report", "history", "abr", "view", "snapshot", "thumbnails", "probe", "devices",
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

    @Test func helpOfRunNamesScenariosAndExitCodes() throws {
      let text = try Program.run(["run", "--help"], in: NSTemporaryDirectory()).text
      for word in [
        "decode", "render", "pipeline", "play", "startup", "scrub", "interaction ", "--list-scenarios",
        "--input-events", "--refresh", "--stress", "--trace",
        "--frames",
        "Exit codes:", "130",
      ] {
        #expect(text.contains(word))
      }
    }

    /// The lines of a verb's help.
    private static func lines(_ verb: String) throws -> [Substring] {
      try Program.run([verb, "--help"], in: NSTemporaryDirectory()).text
        .split(separator: "\n", omittingEmptySubsequences: false)
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
      ("run", ["plays in real time with", "pipeline_fps"], ["--scenario", "--suite"]),
      ("ab", ["improvement: "], []), ("view", ["look around", "list of keys"], []),
    ])
    func theFirstScreenShowsTheTool(verb: String, example: [String], options: [String]) throws {
      let screen = try Self.lines(verb).prefix(24).joined(separator: "\n")
      for words in example + ["USAGE: "] + options { #expect(screen.contains(words), "\(screen)") }
    }

    @Test func everydayOptionsOfRunComeFirst() throws {
      let lines = try Self.lines("run")
      let titles = lines.filter { $0.hasSuffix(":") && $0 == $0.uppercased()[...] }.map(String.init)
      #expect(titles.starts(with: ["ARGUMENTS:", "EVERYDAY OPTIONS:", "VIEW AND DEVICE OPTIONS:"]), "\(titles)")
      let everyday = lines.drop { $0 != "EVERYDAY OPTIONS:" }.dropFirst().prefix { !$0.isEmpty }
      let named = everyday.compactMap { try? #/^  (?:-o, )?--([a-z-]+)/#.firstMatch(in: $0)?.output.1 }
      #expect(named == ["scenario", "list-scenarios", "suite", "trials", "duration", "output", "format", "label"])
    }

    /// The text of a wrapped line continues below its beginning.
    @Test func wrappedLinesKeepTheirIndent() throws {
      let lines = try Self.lines("run")
      for (start, column) in [("  decode       decode only", 15), ("  --scenario ", 26), ("  --pose ", 26)] {
        let index = try #require(lines.firstIndex { $0.hasPrefix(start) })
        #expect(lines[index + 1].prefix { $0 == " " }.count == column, "\(lines[index + 1])")
      }
      for verb in Self.verbs {
        for line in try Self.lines(verb) { #expect(line.count <= 80, "\(verb): \(line)") }
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
      let help = try Self.lines("run").joined()
      #expect(!help.contains("random/half-pixel") && !help.contains("drag-paused"), "variants have a list of their own")
    }

    @Test func versionIsOneLine() throws {
      let result = try Program.run(["--version"], in: NSTemporaryDirectory())
      #expect(result.status == 0 && result.errors.isEmpty)
      #expect(try #/bench360 \d+\.\d+\.\d+ \([0-9a-z]+(, modified)?\)\n/#.wholeMatch(in: result.text) != nil)
    }
  }
}
