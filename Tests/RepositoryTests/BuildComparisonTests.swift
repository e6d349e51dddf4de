import Foundation
import Support
import Testing

/// `Scripts/ab-builds` in a clone of two commits, where a stand-in for Swift builds stand-ins for bench360.
@Suite(.tier(.test)) struct BuildComparisonTests {
  /// A clone with the commits `first` and `second`, and a folder `tools` with the Swift that builds them.
  private struct Clone {
    let folder: String

    init(in folder: String, abStatus: Int) throws {
      self.folder = folder
      for place in ["/Scripts", "/tools"] {
        try FileManager.default.createDirectory(atPath: folder + place, withIntermediateDirectories: true)
      }
      for script in ["/Scripts/ab-builds", "/Scripts/swift-build"] {
        try TestFiles.copyProgram(TestFolders.repository + script, to: folder + script)
      }
      try StandIn.write(
        """
        [ "$1" = build ] || { echo 'Swift version 6.3'; exit; }
        echo "building $(cat revision)"
        mkdir -p .build/release
        cp bench360 .build/release/
        """, to: folder + "/tools/swift")
      try StandIn.write(
        """
        case "$1" in
          generate) echo clip >"$3" ;;
          ab) shift; printf '[%s]\\n' "$@"; exit \(abStatus) ;;
        esac
        """, to: folder + "/bench360")
      try git("init", "--quiet", "--initial-branch=main")
      for revision in ["first", "second"] {
        try Data(revision.utf8).write(to: URL(filePath: folder + "/revision"))
        try git("add", "--all")
        try git(
          "-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false",
          "commit", "--quiet", "-m", revision)
        try git("tag", revision)
      }
    }

    @discardableResult func git(_ arguments: String...) throws -> String {
      let result = try CommandOutput.of("git", ["-C", folder] + arguments)
      try #require(result.status == 0, "\(result.errors)")
      return result.text.trimmingCharacters(in: .newlines)
    }

    func compare(_ arguments: String..., environment: [String: String] = [:]) throws -> CommandOutput {
      let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
      let own = ["PATH": "\(folder)/tools:\(path)", "TMPDIR": folder + "/tools", "GITHUB_ACTIONS": ""]
      return try CommandOutput.of(
        folder + "/Scripts/ab-builds", arguments, environment: own.merging(environment) { $1 }, folder: folder)
    }

    /// Nothing is left behind: no checkout, no temporary folder.
    func expectNothingLeft() throws {
      #expect(try git("worktree", "list").split(separator: "\n").count == 1)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/tools") == ["swift"])
    }
  }

  private static func withClone(abStatus: Int = 0, _ body: (Clone) throws -> Void) throws {
    try TestFolders.withTemporary { try body(Clone(in: $0, abStatus: abStatus)) }
  }

  @Test(arguments: [0, 1, 2, 3, 5, 7, 8, 130])
  func theExitCodeOfABIsPassedOn(status: Int) throws {
    try Self.withClone(abStatus: status) { clone in
      let result = try clone.compare("first", "second")
      #expect(result.status == Int32(status), "\(result.errors)")
      #expect(result.errors.contains("building first") && result.errors.contains("building second"))
      try clone.expectNothingLeft()
    }
  }

  @Test func anInconclusiveComparisonCanBeAWarning() throws {
    try Self.withClone(abStatus: 8) { clone in
      let result = try clone.compare(
        "--allow-inconclusive", "first", "second", environment: ["GITHUB_ACTIONS": "true"])
      #expect(result.status == 0 && result.errors.contains("::warning "))
    }
    try Self.withClone(abStatus: 2) { clone in
      let result = try clone.compare("--allow-inconclusive", "first", "second")
      #expect(result.status == 2)
    }
  }

  @Test func aFolderKeepsProgramsAndComparison() throws {
    try Self.withClone { clone in
      let (first, second) = try (clone.git("rev-parse", "first"), clone.git("rev-parse", "second"))
      let result = try clone.compare(
        "--folder", "kept here", "--run", "--trials 1", "first", "second", "--", "--runs", "8")
      #expect(result.status == 0, "\(result.errors)")
      for (option, commit) in [("--base", first), ("--head", second)] {
        #expect(result.text.contains("[\(option)]\n[./kept\\ here/builds/\(commit)/bench360 run "), "\(result.text)")
      }
      #expect(result.text.contains(" --trials 1]\n[--output]\n[./kept here/comparison/comparison.json]\n"))
      #expect(result.text.hasSuffix("[--keep]\n[./kept here/comparison/records]\n[--runs]\n[8]\n"))
      let report = try String(contentsOfFile: clone.folder + "/kept here/comparison/report.txt", encoding: .utf8)
      #expect(report == result.text)

      let refused = try clone.compare("--folder", "kept here", "first", "second")
      #expect(refused.status == 1 && refused.errors.contains("holds another comparison"))
      try FileManager.default.removeItem(atPath: clone.folder + "/kept here/comparison")
      let again = try clone.compare("--folder", "kept here", "first", "second")
      #expect(again.status == 0 && !again.errors.contains("building "), "\(again.errors)")
      try clone.expectNothingLeft()
    }
  }

  @Test func theMergeBaseIsWhereTheBranchBegan() throws {
    try Self.withClone { clone in
      let first = try clone.git("rev-parse", "first")
      let result = try clone.compare("--merge-base", "second", "first")
      #expect(result.status == 0 && !result.errors.contains("building second"), "\(result.errors)")
      #expect(result.text.components(separatedBy: "/builds/\(first)/bench360 run").count == 3)
    }
  }

  @Test func aBuildThatFailsIsNamed() throws {
    try Self.withClone { clone in
      try StandIn.write("[ \"$1\" != build ] || exit 1", to: clone.folder + "/tools/swift")
      let result = try clone.compare("first", "second")
      #expect(result.status == 1 && result.output.isEmpty)
      #expect(result.errors.contains("does not build"), "\(result.errors)")
      try clone.expectNothingLeft()
    }
  }

  @Test func uselessArgumentsAreRefused() throws {
    try Self.withClone { clone in
      let unknown = try clone.compare("first", "third")
      #expect(unknown.status == 1 && unknown.errors.hasPrefix("ab-builds: There is no revision 'third'"))
      #expect(unknown.errors.split(separator: "\n").count == 1)
      #expect(try clone.compare("first").status == 64)
      #expect(try clone.compare("first", "second", "--runs", "8").status == 64)
      #expect(try clone.compare("--folder").status == 64)
    }
  }
}
