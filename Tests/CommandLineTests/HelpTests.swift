import Foundation
import Support
import Testing

extension CommandLineTests {
  @Suite struct HelpTests {
    private static let verbs = [
      "run", "ab", "compare", "merge", "report", "history", "view", "snapshot", "thumbnails", "probe", "devices",
      "doctor",
      "generate",
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
        "decode", "render", "pipeline", "play", "startup", "scrub", "random/exact", "interaction ", "drag-paused",
        "--input-events", "--refresh", "--stress", "--trace",
        "--frames",
        "Exit codes:", "130",
      ] {
        #expect(text.contains(word))
      }
    }

    @Test func versionIsOneLine() throws {
      let result = try Program.run(["--version"], in: NSTemporaryDirectory())
      #expect(result.status == 0 && result.errors.isEmpty)
      #expect(try #/bench360 \d+\.\d+\.\d+ \([0-9a-z]+(, modified)?\)\n/#.wholeMatch(in: result.text) != nil)
    }
  }
}
