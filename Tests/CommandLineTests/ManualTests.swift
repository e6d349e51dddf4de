import Foundation
import Support
import Testing

extension PageCommandTests {
  /// The manual's pages, which `Scripts/packaging/manual` makes out of the program's own definitions.
  @Suite struct ManualTests {
    private static let hasMandoc =
      ProcessInfo.processInfo.environment["CI"] == "true"
      || (try? CommandOutput.of("sh", ["-c", "command -v mandoc"]).status) == 0

    private static let made = Result { try makePages(seconds: 0) }

    /// Pages by name, dated to the first second of 1970.
    private static func pages() throws -> [String: String] { try made.get() }

    private static func makePages(seconds: Int) throws -> [String: String] {
      try TestFolders.withTemporary { folder in
        let result = try CommandOutput.of(
          TestFolders.repository + "/Scripts/packaging/manual", [TestFolders.program, folder + "/man", "\(seconds)"])
        try #require(result.status == 0, "\(result.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/man")
        return try Dictionary(
          uniqueKeysWithValues: names.map { name in
            (name, try String(contentsOfFile: folder + "/man/" + name, encoding: .utf8))
          })
      }
    }

    /// What `--help` lists for people.
    private static func verbs() throws -> [String] {
      let help = try Program.run(["--help"], in: NSTemporaryDirectory()).text
      let rows = help.split(separator: "SUBCOMMANDS:").last ?? ""
      return rows.matches(of: try Regex("(?m)^  ([a-z]+) ", as: (Substring, Substring).self)).map { String($0.1) }
    }

    @Test func everyVerbHasAPageWithEveryOptionOfItsHelp() throws {
      let (pages, verbs) = try (Self.pages(), Self.verbs())
      #expect(verbs.count > 8)
      #expect(Set(pages.keys) == Set(verbs.map { "bench360-\($0).1" } + ["bench360.1"]))
      for verb in verbs {
        let page = try #require(pages["bench360-\(verb).1"]).replacing("\\-", with: "-")
        let help = try Program.run([verb, "--help-all"], in: NSTemporaryDirectory()).text
        let options = help.matches(of: try Regex("(?m)^  (?:-[a-z], )?--([a-z-]+)", as: (Substring, Substring).self))
        #expect(options.count >= 2, "\(verb)")
        for option in options { #expect(page.contains("Fl -\(option.1)"), "\(verb): --\(option.1)") }
        #expect(pages["bench360.1"]?.contains(".It Cm \(verb)\n") == true)
        for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "EXAMPLES", "SEE ALSO"] {
          #expect(page.contains("\n.Sh \(section)\n"), "\(verb): \(section)")
        }
      }
    }

    @Test func pagesTellDefaultsValuesAndExitCodes() throws {
      let pages = try Self.pages()
      let run = try #require(pages["bench360-run.1"])
      for words in [
        "The default is 1280x720.", "One of auto, shared, direct, staged, copy.", ".It 0\nFine.",
        ".It 130\nInterrupted.",
        "bench360 run \\-\\-suite smoke",
      ] {
        #expect(run.contains(words), "\(words)")
      }
      let main = try #require(pages["bench360.1"])
      for code in [0, 1, 2, 3, 4, 5, 7, 8, 64, 130] { #expect(main.contains("\n.It \(code)\n"), "\(code)") }
      #expect(!main.contains("trial\n"), "the trial is no verb for people")
    }

    @Test func theSameCommitGivesTheSamePages() throws {
      let pages = try Self.makePages(seconds: 86_400)
      let earlier = try Self.pages().mapValues { $0.split(separator: "\n").dropFirst() }
      #expect(pages.mapValues { $0.split(separator: "\n").dropFirst() } == earlier)
      #expect(pages["bench360.1"]?.hasPrefix(".Dd January 2, 1970\n") == true)
    }

    @Test(.enabled("mandoc is not installed") { hasMandoc })
    func pagesRenderWithoutAWarning() throws {
      for (name, page) in try Self.pages() {
        let lint = try CommandOutput.of("mandoc", ["-T", "lint", "-W", "warning"], input: Data(page.utf8))
        #expect(lint.output.isEmpty && lint.errors.isEmpty, "\(name): \(lint.text)\(lint.errors)")
      }
    }
  }

  /// The commands of the manual's EXAMPLES, as a shell takes them.
  @Suite(.enabled(if: TestDevice.isAvailable, "no Vulkan device"))
  struct ExampleTests {
    @Test(.tier(.full)) func examplesRun() throws {
      let commands = try Page.manualExamples()
      #expect(commands.count > 10)
      try ManualExamples.execute(commands)
    }
  }
}

extension ChangedPageCommandTests {
  @Test(.enabled(if: TestDevice.isAvailable, "no Vulkan device"))
  func changedExamplesRun() throws {
    let earlier = try Set(Page.earlierText(of: "Packaging/examples").map { try Page.manualExamples(in: $0) } ?? [])
    guard !earlier.isEmpty else { return }
    try ManualExamples.execute(try Page.manualExamples().filter { !earlier.contains($0) })
  }
}

private enum ManualExamples {
  private static func shell(
    _ command: String, in folder: String, _ environment: [String: String] = [:]
  ) throws -> CommandOutput {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let own = Program.home(folder).merging(["PATH": "\(TestFolders.products):\(path)"]) { $1 }
    return try CommandOutput.of(
      "sh", ["-c", command], environment: own.merging(environment) { $1 }, folder: folder)
  }

  static func execute(_ commands: [String]) throws {
    guard !commands.isEmpty else { return }
    try TestFolders.withTemporary { folder in
      try Program.generate("clip.mp4", in: folder, ["--duration", "3"])
      for record in ["before.json", "after.json"] {
        let result = try Program.run(Program.shortRun("clip.mp4", scenario: "decode") + ["-o", record], in: folder)
        try #require(result.status == 0, "\(result.errors)")
      }
      for command in commands {
        var environment: [String: String] = [:]
        var fine: Set<Int32> = [0]
        if command.hasPrefix("bench360 view ") {
          // Without a display it ends where it opens its window: the command line was understood.
          (environment, fine) = (["DISPLAY": ""], [1])
        } else if command == "bench360 run --suite smoke" {
          // The built-in clip takes a minute to make: this cache cannot hold it.
          (environment, fine) = (["XDG_CACHE_HOME": folder + "/clip.mp4"], [1])
        } else if command.hasPrefix("bench360 download ") {
          // There is no such stream: the command line was understood.
          fine = [1]
        } else if command.hasPrefix("bench360 ab ") || command.hasPrefix("bench360 compare ") {
          fine = [0, 2, 4, 8]
        }
        let result = try shell(command, in: folder, environment)
        #expect(fine.contains(result.status), "\(command): \(result.status) \(result.errors)")
      }
    }
  }
}
