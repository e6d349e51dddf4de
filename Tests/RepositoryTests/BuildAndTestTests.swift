import Foundation
import Support
import Testing

/// `Scripts/swift-build`, `Scripts/test` and `make`, with a stand-in for Swift.
@Suite(.tier(.test)) struct BuildAndTestTests {
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
    let holders = ["Scripts/swift-build"]
    for file in try Repository.committed() where !file.hasPrefix("Tests/") && !holders.contains(file) {
      let match = (try? Repository.text(file))?.firstMatch(of: pattern)?.output
      #expect(match == nil, "\(file) has flags of its own")
    }
    let result = try Self.run("swift-build", ["--product", "x"], swift: "echo \"$*\"")
    #expect(
      result.status == 0
        && result.text == "build -c release --no-color-diagnostics -debug-info-format none --product x\n")
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
