import Foundation
import Support
import Testing

/// `Scripts/swift-build` and `Scripts/test` with a stand-in for Swift.
@Suite struct BuildAndTestTests {
  private static let scripts = ["swift-build", "test", "testing/run-tests"]

  /// Runs a script in a clone of its own, where `swift` is `standIn`.
  private static func run(_ script: String, _ arguments: [String] = [], swift standIn: String) throws -> CommandOutput {
    try TestFolders.withTemporary { folder in
      for place in ["/Scripts/testing", "/tools", "/.build"] {
        try FileManager.default.createDirectory(atPath: folder + place, withIntermediateDirectories: true)
      }
      for name in scripts {
        try FileManager.default.copyItem(
          atPath: "\(TestFolders.repository)/Scripts/\(name)", toPath: "\(folder)/Scripts/\(name)")
      }
      try StandIn.write(standIn, to: folder + "/tools/swift")
      let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
      return try CommandOutput.of(
        "\(folder)/Scripts/\(script)", arguments, environment: ["PATH": "\(folder)/tools:\(path)"], folder: folder)
    }
  }

  // MARK: Building

  /// Two sets of flags would compile everything twice.
  @Test func theFlagsAreInOnePlace() throws {
    let pattern = #/swift (?:build|test)\b[^\n]* -c release/#
    let holders = ["Scripts/swift-build", "Scripts/test"]
    for file in try Repository.committed() where !file.hasPrefix("Tests/") && !holders.contains(file) {
      let match = (try? Repository.text(file))?.firstMatch(of: pattern)?.output
      #expect(match == nil, "\(file) has flags of its own")
    }
    let result = try Self.run("swift-build", ["--product", "x"], swift: "echo \"$*\"")
    #expect(
      result.status == 0
        && result.text == "build -c release --no-color-diagnostics -debug-info-format none --product x\n")
    // Those of a build, and what makes those of a test the same.
    let test = try Repository.text("Scripts/test")
    #expect(test.contains(" -c release --no-color-diagnostics -debug-info-format none --disable-testable-imports "))
    for file in try Repository.swiftFiles(below: "Tests") {
      #expect(try !Repository.lines(file).contains { $0.hasPrefix("@testable") }, "\(file)")
    }
  }

  @Test func aPackageThatCannotBeFetchedIsNamed() throws {
    let result = try Self.run(
      "swift-build",
      swift: """
        echo 'Fetching https://example.org/there' >&2
        echo 'Fetched https://example.org/there from cache (0.02s)' >&2
        echo 'Fetching https://example.org/missing' >&2
        echo "error: Git command 'git config --get remote.origin.url' failed: No such file or directory" >&2
        exit 3
        """)
    #expect(result.status == 3)
    let last = result.errors.split(separator: "\n").last ?? ""
    #expect(last.hasPrefix("swift-build: cannot fetch the package https://example.org/missing: "), "\(result.errors)")
    #expect(last.contains("GitHub"))
  }

  @Test func anErrorInTheCodeIsLeftToTheCompiler() throws {
    let result = try Self.run(
      "swift-build",
      swift: """
        echo 'Fetching https://example.org/there' >&2
        echo 'Fetched https://example.org/there from cache (0.02s)' >&2
        echo 'x.swift:1:1: error: broken'
        exit 1
        """)
    #expect(result.status == 1 && !result.errors.contains("swift-build:"), "\(result.errors)")
    #expect(result.text == "x.swift:1:1: error: broken\n")
  }

  // MARK: Testing

  /// The library's event stream and its log of a run of two tests in a suite, one of which has `issues`.
  private static func tests(issues: [String], status: Int, ends: Bool = true) -> String {
    var events = [
      #"{"kind":"test","payload":{"kind":"suite","id":"M.S","name":"S"}}"#,
      #"{"kind":"test","payload":{"kind":"function","id":"M.S/a()/S.swift:1:1","name":"a()"}}"#,
      #"{"kind":"test","payload":{"kind":"function","id":"M.S/b()/S.swift:2:1","name":"b()"}}"#,
      #"{"kind":"event","payload":{"kind":"testStarted","testID":"M.S","messages":[]}}"#,
      #"{"kind":"event","payload":{"kind":"testCaseStarted","testID":"M.S/a()/S.swift:1:1","messages":[]}}"#,
    ]
    events += issues.map {
      #"{"kind":"event","payload":{"kind":"issueRecorded","testID":"M.S/a()/S.swift:1:1","#
        + #""issue":{"isKnown":false,"sourceLocation":{"fileID":"M/S.swift","line":7}},"messages":[{"text":"\#($0)"}]}}"#
    }
    if ends {
      events += [
        #"{"kind":"event","payload":{"kind":"testCaseEnded","testID":"M.S/a()/S.swift:1:1","messages":[]}}"#,
        #"{"kind":"event","payload":{"kind":"testSkipped","testID":"M.S/b()/S.swift:2:1","messages":[]}}"#,
        #"{"kind":"event","payload":{"kind":"testEnded","testID":"M.S","messages":[]}}"#,
        #"{"kind":"event","payload":{"kind":"runEnded","messages":[{"text":"Test run with 2 tests in 1 suite ended"}]}}"#,
      ]
    }
    let records = events.map { "'\($0)'" }.joined(separator: " ")
    return """
      [ "$1" = test ] || exit 0
      for line in {1..2000}; do printf '\\e[31mTest a() started. %s\\n' "$line"; done
      while [ "$1" != --event-stream-output-path ]; do shift; done
      printf '%s\\n' \(records) >"$2"
      exit \(status)
      """
  }

  @Test func aRunIsALineForEachSuiteAndTheLibrarysLast() throws {
    let result = try Self.run("test", swift: Self.tests(issues: [], status: 0))
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    let lines = result.text.split(separator: "\n")
    #expect(lines.count == 3 && lines.first?.hasPrefix("    2 of 2 ") == true, "\(result.text)")
    #expect(lines.first?.hasSuffix(" s  M.S: 2 tests") == true, "\(result.text)")
    #expect(lines.contains("the whole log: .build/test.log"))
    #expect(lines.last == "✔ Test run with 2 tests in 1 suite ended")
  }

  @Test func failuresAreToldInFullAtTheEnd() throws {
    let issue = "Test a() recorded an issue: " + String(repeating: "long ", count: 100) + #"\u001b[31m"#
    let result = try Self.run("test", swift: Self.tests(issues: [issue, "another"], status: 1))
    #expect(result.status == 1)
    #expect(result.text.contains("FAILED  M.S/a()\n") && result.text.contains("M.S: 1 of 2 tests failed\n"))
    let end = result.text.components(separatedBy: "\nswift test ended with status 1; failures:\n").last ?? ""
    #expect(end.hasPrefix("  M.S/a() (M/S.swift:7): Test a() recorded an issue: long "), "\(end)")
    #expect(end.contains(String(repeating: "long ", count: 100) + #"\x1b[31m"#) && end.contains(": another\n"))
    #expect(end.hasSuffix("✘ Test run with 2 tests in 1 suite ended\n"))
    #expect(!result.text.utf8.contains(0x1b), "a pipe gets no control characters")
  }

  @Test func aCrashNamesTheTestsThatHadNotEnded() throws {
    let result = try Self.run("test", swift: Self.tests(issues: [], status: 133, ends: false))
    #expect(result.status == 133)
    #expect(result.text.contains("swift test ended with status 133; failures:\n  M.S/a() had not ended\n"))
    #expect(result.text.contains("Test a() started. 2000\n") && !result.text.contains("Test run with"))
  }

  @Test func testsThatDoNotBuildAreNotRun() throws {
    let result = try Self.run("test", swift: "[ \"$1\" = build ] && exit 7; touch ran")
    #expect(result.status == 7 && result.output.isEmpty)
  }

  // MARK: make

  /// `column`, which Debian's minimal system lacks, is not needed for it.
  @Test func makeAloneListsEveryTarget() throws {
    let result = try CommandOutput.of("make", ["--no-print-directory"], folder: TestFolders.repository)
    let targets = try #require(try Repository.text("Makefile").firstMatch(of: #/\.PHONY: (.*)/#)).output.1
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    #expect(result.text.split(separator: "\n").map { $0.split(separator: " ")[1] } == targets.split(separator: " "))
    #expect(try !Repository.text("Makefile").contains("column"))
  }
}
