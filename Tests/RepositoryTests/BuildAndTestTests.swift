import Foundation
import Support
import Testing

/// `Scripts/swift-build`, `Scripts/test` and `make`, with a stand-in for Swift.
@Suite(.tier(.test)) struct BuildAndTestTests {
  private static let scripts = ["swift-build", "test", "testing/run-tests"]

  /// Runs a script in a clone of its own, where `swift` is `standIn` and the folder of builds has the files `built`.
  private static func run(
    _ script: String, _ arguments: [String] = [], built: [String] = ["Run.build"], onTerminal: Bool = false,
    swift standIn: String
  ) throws -> CommandOutput {
    try TestFolders.withTemporary { folder in
      for place in ["/Scripts/testing", "/tools", "/.build/release"] {
        try FileManager.default.createDirectory(atPath: folder + place, withIntermediateDirectories: true)
      }
      for name in scripts {
        try TestFiles.copyProgram("\(TestFolders.repository)/Scripts/\(name)", to: "\(folder)/Scripts/\(name)")
      }
      for name in built { try Data().write(to: URL(filePath: "\(folder)/.build/release/\(name)")) }
      try Data("let package = Package(\n  name: \"bench360\"".utf8).write(to: URL(filePath: folder + "/Package.swift"))
      try StandIn.write(standIn, to: folder + "/tools/swift")
      let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
      let command = ["\(folder)/Scripts/\(script)"] + arguments
      return try CommandOutput.of(
        onTerminal ? "script" : "env", onTerminal ? ["-qec", command.joined(separator: " "), "/dev/null"] : command,
        environment: ["PATH": "\(folder)/tools:\(path)", "TERM": "xterm"], folder: folder)
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

  /// Foundation's archive names `mktemp`; the warning about it is the only one that the script leaves out.
  @Test func onlyTheLinkersWarningAboutFoundationIsLeftOut() throws {
    let warning = "warning: the use of `mktemp' is dangerous, better use `mkstemp' or `mkdtemp'"
    let kept = [
      "main.o:main.c:function f: \(warning)", "x/libFoundationEssentials.a(Data.o): warning: another", "last",
    ]
    let lines = ["/swift/libFoundationEssentials.a(Data+Writing.swift.o):function f: \(warning)"] + kept
    let result = try Self.run("swift-build", swift: "cat <<'END'\n\(lines.joined(separator: "\n"))\nEND\nexit 5")
    #expect(result.status == 5 && result.text == kept.joined(separator: "\n") + "\n", "\(result.text)")
  }

  @Test(arguments: [
    (["--product", "bench360"], [], "the program"), (["--product", "bench360"], ["Run.build"], nil),
    (["--build-tests"], [], "the program and the tests"), (["--build-tests"], ["Run.build"], "the tests"),
    (["--build-tests"], ["Run.build", "bench360PackageTests.xctest"], nil),
    (["--scratch-path", "elsewhere"], [], nil), (["--show-bin-path"], [], nil),
  ])
  func aFirstBuildStatesItsTime(arguments: [String], built: [String], what: String?) throws {
    let result = try Self.run("swift-build", arguments, built: built, swift: "echo built")
    #expect(result.status == 0 && result.text == "built\n")
    let line = #/swift-build: the first build compiles ([a-z ]+): about [0-9]+ minutes on two cores \([0-9]+ here\)/#
    #expect(try line.prefixMatch(in: result.errors).map { String($0.output.1) } == what, "\(result.errors)")
    #expect(result.errors.split(separator: "\n").count == (what == nil ? 0 : 1), "\(result.errors)")
  }

  @Test func stepsAreOneLineOnATerminal() throws {
    let result = try Self.run(
      "swift-build", onTerminal: true,
      swift: "printf '%s\\n' '[1/3] Compiling A' '[2/3] Compiling B' 'x.swift:1:1: warning: w' '[3/3] Linking B' Done")
    let lines = result.text.split { $0 == "\n" || $0 == "\r\n" }.map { $0.filter { $0 != "\r" } }
    #expect(result.status == 0 && lines.count == 4, "\(result.text)")
    #expect(lines.first?.contains(#/^\[1/3\] Compiling A +\[2/3\] Compiling B +$/#) == true, "\(lines)")
    #expect(lines.dropFirst().first == "x.swift:1:1: warning: w" && lines.last == "Done", "\(lines)")
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
    let listed = result.text.split(separator: "\n").map { (line: Substring) -> Substring in
      line.split(separator: " ")[1]
    }
    #expect(listed == targets.split(separator: " "))
    #expect(try !Repository.text("Makefile").contains("column"))
  }
}
