import Foundation
import Support
import Testing

/// `results/renew` in a clone with a stand-in for bench360 that says and measures what a test wants.
@Suite(.tier(.test)) struct RenewTests {
  private static let reference = "/results/made-up-2core/reference-built-in-clip.json"

  /// A clone with the script and the stand-in, all committed.
  private struct Clone {
    let folder: String

    /// - Parameters:
    ///   - doctor: what `doctor` prints.
    ///   - warning: the code of a warning in the record.
    ///   - run: exit code of `run`.
    ///   - compare: exit code of `compare`.
    init(
      in folder: String, doctor: String = "warning  device  none", warning: String = "software_device", run: Int = 0,
      complete: Bool = true, compare: Int = 8
    ) throws {
      self.folder = folder
      for place in ["/results", "/tools"] {
        try FileManager.default.createDirectory(atPath: folder + place, withIntermediateDirectories: true)
      }
      try TestFiles.copyProgram(TestFolders.repository + "/results/renew", to: folder + "/results/renew")
      try Data("/results/*/*\n!/results/*/reference*.json\n".utf8).write(to: URL(filePath: folder + "/.gitignore"))
      try StandIn.write(
        """
        verb=$1; shift
        case "$verb" in
          doctor) echo '\(doctor)' ;;
          compare) echo "compared $1 with $2"; exit \(compare) ;;
          run)
            echo "ran $*"
            while [ "$1" != --output ]; do shift; done
            printf '{\\n  "complete" : \(complete),\\n    "host_class" : "made-up-2core",\\n' >"$2"
            printf '          "complete" : true,\\n      "code" : "\(warning)",\\n  "run" : %s\\n}\\n' "$RANDOM" >>"$2"
            exit \(run) ;;
        esac
        """, to: folder + "/tools/bench360")
      try git("init", "--quiet", "--initial-branch=main")
      try commit()
    }

    func git(_ arguments: String...) throws {
      let result = try CommandOutput.of("git", ["-C", folder] + arguments)
      try #require(result.status == 0, "\(result.errors)")
    }

    func commit() throws {
      try git("add", "--all")
      try git(
        "-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false", "commit", "--quiet",
        "-m", "renewed")
    }

    func renew(_ arguments: String...) throws -> CommandOutput {
      try CommandOutput.of(
        folder + "/results/renew", ["--program", "tools/bench360"] + arguments, folder: folder)
    }

    var text: String? { try? String(contentsOfFile: folder + RenewTests.reference, encoding: .utf8) }
    var leftover: Bool { FileManager.default.fileExists(atPath: folder + "/results/renewed/record.json") }
  }

  @Test func aFirstReferenceIsMadeAndASecondReplacesIt() throws {
    try TestFolders.withTemporary { folder in
      let clone = try Clone(in: folder)
      let first = try clone.renew()
      #expect(first.status == 0 && !first.text.contains("compared"), "\(first.errors)")
      #expect(first.text.contains("ran --suite standard --trials 12 --output results/renewed/record.json"))
      let text = try #require(clone.text)
      try clone.commit()
      let second = try clone.renew("--trials", "8")
      #expect(second.status == 0 && second.text.contains("--trials 8"), "\(second.errors)")
      #expect(second.text.contains("compared results/made-up-2core/reference-built-in-clip.json with results/renewed/"))
      #expect(clone.text != nil && clone.text != text && !clone.leftover)
    }
  }

  @Test(arguments: [0, 4, 7, 8])
  func itIsReplacedWhereItIsNotWorse(status: Int) throws {
    try TestFolders.withTemporary { folder in
      let clone = try Clone(in: folder, compare: status)
      #expect(try clone.renew().status == 0)
      let old = clone.text
      try clone.commit()
      #expect(try clone.renew().status == 0 && clone.text != old)
    }
  }

  @Test(arguments: [(2, 2), (3, 1), (1, 1)])
  func theLastOneStaysWhereTheNewOneIsWorse(status: Int, expected: Int) throws {
    try TestFolders.withTemporary { folder in
      let clone = try Clone(in: folder, compare: status)
      #expect(try clone.renew().status == 0)
      let old = clone.text
      try clone.commit()
      let result = try clone.renew()
      #expect(Int(result.status) == expected && clone.text == old && clone.leftover, "\(result.errors)")
    }
  }

  @Test(arguments: [
    ("warning  load  busy", "software_device", 0, true, 1, "load"), ("ok", "steal", 0, true, 1, "steal"),
    ("ok", "software_device", 3, true, 3, "wrong"), ("ok", "software_device", 130, true, 1, "130"),
    ("ok", "software_device", 0, false, 1, "not complete"),
  ])
  func whatIsNoReferenceIsRefused(
    doctor: String, warning: String, run: Int, complete: Bool, expected: Int, word: String
  ) throws {
    try TestFolders.withTemporary { folder in
      let clone = try Clone(in: folder, doctor: doctor, warning: warning, run: run, complete: complete)
      let result = try clone.renew()
      #expect(Int(result.status) == expected && clone.text == nil, "\(result.errors)")
      #expect(result.errors.contains(word), "\(result.errors)")
      // Noise can be overlooked, a wrong or half run cannot.
      let anyway = try clone.renew("--anyway")
      #expect((anyway.status == 0) == (run == 0 && complete), "\(anyway.errors)")
    }
  }

  @Test func aChangedCheckoutIsRefused() throws {
    try TestFolders.withTemporary { folder in
      let clone = try Clone(in: folder)
      try Data().write(to: URL(filePath: folder + "/new"))
      let result = try clone.renew()
      #expect(result.status == 1 && result.errors.contains("has changes") && clone.text == nil, "\(result.errors)")
      #expect(try clone.renew("--nonsense").status == 64)
      #expect(try clone.renew("--trials").status == 64)
      #expect(try clone.renew("--program", "/usr/bin/true").status == 64)
    }
  }
}
