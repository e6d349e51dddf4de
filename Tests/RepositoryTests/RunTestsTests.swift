import Foundation
import Support
import Testing

/// `Scripts/testing/run-tests` with a stand-in for the built tests.
@Suite(.tier(.test)) struct RunTestsTests {
  /// The stand-in has three tests in `A.S`, of which `c` belongs to the full tier, and one in `B.S.T`. It appends its arguments to the
  /// file `calls`, and does what the variables `FAILS`, `PASSES_ALONE` and `CRASHES` say, which name tests.
  private static let bundle = """
    #!/usr/bin/env python3
    import json, os, re, signal, sys
    tests = ["A.S/a()", "A.S/b()", "A.S/c()", "B.S/T/d()"]
    words = sys.argv[1:]
    if "--list-tests" in words:
      print("\\n".join(tests))
      sys.exit()
    patterns = [words[place + 1] for place, word in enumerate(words) if word == "--filter"]
    chosen = [test for test in tests if any(re.search(pattern, test) for pattern in patterns)]
    tier = os.environ["BENCH360_TIER"]
    open("calls", "a").write(tier + " " + " ".join(chosen) + "\\n")
    stream = open(words[words.index("--event-stream-output-path") + 1], "w")
    def event(kind, test=None, text="", **more):
      payload = dict(kind=kind, testID=test, messages=[{"text": text}], **more)
      stream.write(json.dumps({"kind": "event", "payload": payload}) + "\\n")
    status = 0
    for test in chosen:
      identifier = test + "/S.swift:1:1"
      stream.write(json.dumps({"kind": "test", "payload": {"kind": "function", "id": identifier, "name": test}}) + "\\n")
      if test == "A.S/c()" and tier != "full":
        event("testSkipped", identifier, "tier full")
        continue
      event("testCaseStarted", identifier)
      if test == os.environ.get("CRASHES"):
        stream.flush()
        print("the last words")
        sys.stdout.flush()
        os.kill(os.getpid(), signal.SIGKILL)
      if test == os.environ.get("FAILS") and not (len(chosen) == 1 and "PASSES_ALONE" in os.environ):
        status = 1
        issue = {"isKnown": False, "sourceLocation": {"fileID": "A/S.swift", "line": 7}}
        event("issueRecorded", identifier, "an issue: " + "long " * 100 + "\\x1b[31m", issue=issue)
      event("testCaseEnded", identifier)
      event("testEnded", identifier)
    stream.close()
    sys.exit(status)
    """

  /// Module A depends on the target `Near`, B on `Far`.
  private static let package = """
    {"targets": [{"name": "Near", "type": "regular", "dependencies": []}, {"name": "Far", "type": "regular", "dependencies": []},
     {"name": "CommandLineTests", "type": "test", "dependencies": []},
     {"name": "A", "type": "test", "dependencies": [{"byName": ["Near", null]}]},
     {"name": "B", "type": "test", "dependencies": [{"byName": ["Far", null]}]}]}
    """

  private static func with(budget: String = "1000000", _ body: (_ clone: Clone) throws -> Void) throws {
    try TestFolders.withTemporary { folder in
      for place in ["/tools", "/Tests", "/Sources/Near"] {
        try FileManager.default.createDirectory(atPath: folder + place, withIntermediateDirectories: true)
      }
      try Data("process\ttest\tfull\tkind\nA\t\(budget)\t2000000\tcomputes\nB.S\t1000000\t2000000\twaits\n".utf8)
        .write(to: URL(filePath: folder + "/Tests/budgets.tsv"))
      try TestFiles.writeProgram(bundle, to: folder + "/tools/bundle")
      // The reference work.
      try StandIn.write("[ \"$4\" = -f ] || python3 -c 'sum(range(200000))'", to: folder + "/tools/ffmpeg")
      try StandIn.write("cat <<'END'\n\(package)\nEND", to: folder + "/tools/swift")
      try body(Clone(folder: folder))
    }
  }

  /// A folder that the script takes for the clone: it reads and writes below the current folder.
  private struct Clone {
    let folder: String

    func run(_ arguments: String..., environment: [String: String] = [:]) throws -> CommandOutput {
      let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
      let own = [
        "PATH": "\(folder)/tools:\(path)", "BENCH360_TEST_BUNDLE": folder + "/tools/bundle", "BENCH360_BASE": "",
      ]
      return try CommandOutput.of(
        TestFolders.repository + "/Scripts/testing/run-tests", arguments, environment: own.merging(environment) { $1 },
        folder: folder)
    }

    func calls() throws -> Set<String> {
      try Set(String(contentsOfFile: folder + "/calls", encoding: .utf8).split(separator: "\n").map(String.init))
    }

    func forgetCalls() throws { try FileManager.default.removeItem(atPath: folder + "/calls") }

    func git(_ arguments: String...) throws {
      let result = try CommandOutput.of(
        "git", ["-C", folder, "-c", "user.name=Test", "-c", "user.email=test@example.org"] + arguments)
      try #require(result.status == 0, "\(result.errors)")
    }
  }

  @Test func eachProcessIsALineWithItsCosts() throws {
    try Self.with { clone in
      let result = try clone.run()
      #expect(result.status == 0 && result.errors.isEmpty, "\(result.text)\(result.errors)")
      #expect(try clone.calls() == ["test A.S/a() A.S/b() A.S/c()", "test B.S/T/d()"])
      #expect(result.text.contains(#/ of 2  A +2 tests +[0-9.]+ CPU s +[0-9.]+ s\n/#), "\(result.text)")
      #expect(result.text.contains(#/ of 2  B\.S +1 tests /#), "\(result.text)")
      #expect(result.text.contains(" times the reference work of "))
      #expect(result.text.hasSuffix("\n3 passed, 0 failed, 1 skipped\n"), "\(result.text)")
    }
  }

  @Test func failuresAreInFullAtTheEnd() throws {
    try Self.with { clone in
      let result = try clone.run(environment: ["FAILS": "A.S/b()"])
      #expect(result.status == 1 && result.text.contains("FAILED  A.S/b()\n"), "\(result.text)\(result.errors)")
      let end = result.text.components(separatedBy: "\nfailures:\n").last ?? ""
      #expect(end.hasPrefix("  A.S/b() (A/S.swift:7): an issue: long "), "\(end)")
      #expect(end.contains(String(repeating: "long ", count: 100) + #"\x1b[31m"#))
      #expect(end.hasSuffix("\n2 passed, 1 failed, 1 skipped\n"), "\(end)")
      #expect(!result.text.utf8.contains(0x1b), "a pipe gets no control characters")
    }
  }

  @Test func aCrashNamesTheTestThatRanAndTheEndOfTheLog() throws {
    try Self.with { clone in
      let result = try clone.run(environment: ["CRASHES": "A.S/b()"])
      #expect(
        result.status == 1 && result.text.contains("A ended with signal 9; not ended: A.S/b(); its log ends with:\n"))
      #expect(result.text.contains("    the last words\n"), "\(result.text)\(result.errors)")
    }
  }

  @Test func aProcessBeyondItsBudgetFailsTheRun() throws {
    try Self.with(budget: "0.00001") { clone in
      let result = try clone.run()
      #expect(result.status == 1 && result.text.contains("\nA needed "), "\(result.text)\(result.errors)")
      #expect(result.text.contains("its budget is 0.0: make its tests cheaper"))
      let part = try clone.run("--filter", "A.S")
      #expect(part.status == 0, "a part of the tests has no budget: \(part.text)")
    }
  }

  @Test func aTestWithoutARowIsRefused() throws {
    try Self.with { clone in
      try Data("process\ttest\tfull\tkind\nA\t1\t2\tcomputes\n".utf8)
        .write(to: URL(filePath: clone.folder + "/Tests/budgets.tsv"))
      let result = try clone.run()
      #expect(result.status == 2 && result.errors.contains("no row of Tests/budgets.tsv holds the test B.S/T/d()"))
    }
  }

  @Test func filtersChooseTests() throws {
    try Self.with { clone in
      let result = try clone.run("quick", "--filter", "^B", "--filter", "S/b", "--skip", "T/d")
      #expect(try result.status == 0 && clone.calls() == ["quick A.S/b()"], "\(result.text)\(result.errors)")
      #expect(try clone.run("--filter", "nothing").status == 1)
    }
  }

  @Test func whatIsLeftToTheFullTierRunsAlone() throws {
    try Self.with { clone in
      #expect(try clone.run("full", "--left").status == 2, "no run of the tier 'test' was before it")
      #expect(try clone.run().status == 0)
      try clone.forgetCalls()
      let result = try clone.run("full", "--left")
      #expect(try result.status == 0 && clone.calls() == ["full A.S/c()"], "\(result.text)\(result.errors)")
    }
  }

  @Test func partsAreDisjointAndHoldAllTests() throws {
    try Self.with { clone in
      var seen: [Substring] = []
      for part in 0..<3 {
        #expect(try clone.run("full", "--shard", "\(part)/3").status == 0)
        seen += try clone.calls().flatMap { $0.split(separator: " ").dropFirst() }.map { Substring($0) }
        try clone.forgetCalls()
      }
      #expect(seen.sorted() == ["A.S/a()", "A.S/b()", "A.S/c()", "B.S/T/d()"])
    }
  }

  @Test func testsOfAChangeAreThoseThatImportWhatChanged() throws {
    try Self.with { clone in
      try clone.git("init", "--quiet", "--initial-branch=main")
      try clone.git("add", "--all")
      try clone.git("commit", "--quiet", "-m", "first")
      try Data("changed".utf8).write(to: URL(filePath: clone.folder + "/Sources/Near/File.swift"))
      try clone.git("add", "--all")
      try clone.git("commit", "--quiet", "-m", "second")
      let touched = try clone.run("full", "--touched", "HEAD~1")
      #expect(try clone.calls() == ["full A.S/a() A.S/b() A.S/c()"], "\(touched.text)\(touched.errors)")
      try clone.forgetCalls()
      let others = try clone.run("full", "--untouched", "HEAD~1")
      #expect(try clone.calls() == ["full B.S/T/d()"], "\(others.text)\(others.errors)")
      try clone.forgetCalls()
      let few = try clone.run("full", "--touched", "HEAD~1", "--limit", "700000")
      #expect(few.text.contains("left out beyond the limit: 1 of A\n"), "\(few.text)\(few.errors)")
    }
  }

  @Test func aFailureThatIsTriedAgainIsARowAndNoFailure() throws {
    try Self.with { clone in
      for (environment, passes) in [(["PASSES_ALONE": "1"], "yes"), ([:], "no")] {
        let result = try clone.run("--retry", environment: environment.merging(["FAILS": "A.S/b()"]) { $1 })
        #expect(result.status == 0, "\(result.text)\(result.errors)")
        let row = result.text.split(separator: "\n").last?.split(separator: "\t") ?? []
        #expect(row.count >= 3 && row[0] == "A.S/b()" && row.contains(Substring(passes)), "\(result.text)")
      }
    }
  }
}
