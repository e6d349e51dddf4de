import Foundation
import Support
import Testing

@Suite(.tier(.test)) struct SourceTests {
  /// Where a tool must exist, its absence is a failure.
  private static let isStrict = ProcessInfo.processInfo.environment["CI"] == "true"
  private static let hasShaderCompiler = (try? CommandOutput.of("glslc", ["--version"]).status) == 0

  @Test(.enabled("glslc is not installed") { hasShaderCompiler || isStrict })
  func shadersInTheProgramAreThoseOfTheirSources() throws {
    let result = try CommandOutput.of(TestFolders.repository + "/Scripts/compile-shaders", ["--check"])
    #expect(result.status == 0, "\(result.text)\(result.errors)")
  }

  /// `BENCH360_LOG` knows each logger by its name, and no other.
  @Test func theLoggersAreThoseThatTheirListNames() throws {
    var labels: Set<String> = []
    for file in try Repository.swiftFiles(below: "Sources") {
      labels.formUnion(try Repository.text(file).matches(of: /engineLogger\("([A-Za-z0-9]+)"\)/).map { String($0.1) })
    }
    let list = try #require(
      try Repository.text("Sources/Lab/Host/Log/LogLevels.swift").firstMatch(of: /labels = \[([^\]]*)\]/)?.1)
    #expect(labels == Set(list.matches(of: /"([A-Za-z0-9]+)"/).map { String($0.1) }))
  }

  /// A function that nothing calls any more leaves the list.
  @Test func theListedFunctionsOfLibrariesAreCalled() throws {
    let list = try Repository.lines("Sources/C/CLibraries/functions.h").compactMap {
      $0.wholeMatch(of: /FUNCTION\(\w+, (\w+)\)/)?.1
    }
    let files = try Repository.committed().filter {
      $0.hasSuffix(".swift") || $0.hasSuffix("shim.h") || $0.hasPrefix("Sources/C/CFFmpeg/")
    }
    let words = Set(
      try files.flatMap { file in
        try Repository.text(file).split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
      })
    #expect(list.count > 200 && Set(list).count == list.count)
    for name in list { #expect(words.contains(String(name)), "\(name)") }
  }

  /// `a..<b` and `a...b` trap where the bounds are in the wrong order, so that computed ones are given to `Range(from:to:)` and
  /// `ClosedRange(from:through:)`.
  @Test func rangesWithComputedBoundsAreChecked() throws {
    for file in try Repository.swiftFiles(below: "Sources") {
      for (number, line) in try Repository.lines(file).enumerated() where RangeOperators.trap(in: String(line)) {
        Issue.record("\(file):\(number + 1): \(line)")
      }
    }
  }

  @Test(arguments: [
    ("for index in first..<last {", true), ("return left + knob...right - knob", true),
    ("bytes[place..<place + 4]", true),
    ("for index in 1...count {", true), ("(0..<count - 1).map", true), ("low...max(low, $0)", true),
    ("for index in 0..<values.count {", false), ("(1...9).contains(x)", false), ("-1.5...1.5", false),
    (#"case "a"..."z", UInt8(ascii: "0")...UInt8(ascii: "9"): true"#, false),
    ("bytes[..<end] + bytes[start...]", false),
    ("1...Self.limit", false), ("time...time", false), ("func add(_ values: Int...) {", false),
    ("// first..<last", false),
    ("case 0x80... where place > 3", false), ("0..<(end - start)", true),
  ])
  func theCheckOfRangesFindsThem(line: String, traps: Bool) { #expect(RangeOperators.trap(in: line) == traps) }

  /// Handles are `nonisolated(unsafe)` one by one, so that the compiler finds variables that threads share without a lock.
  @Test func noTypeOfTheGPUIsUnchecked() throws {
    let files = try Repository.swiftFiles(below: "Sources/Core/GPU")
    #expect(files.count > 20)
    for file in files {
      let text = try Repository.text(file)
      #expect(!text.contains("@unchecked") && !text.contains(#/nonisolated\(unsafe\)(?: [\w()]+)* var /#), "\(file)")
    }
  }

  /// One callback for all: a second would take the first one's errors away.
  @Test func oneFileInstallsTheLogCallbackOfFFmpeg() throws {
    let files = try Repository.swiftFiles(below: "Sources").filter { file in
      let text = try Repository.text(file)
      return text.contains("bench_install_log") || text.contains("av_log_set_callback")
    }
    #expect(files == ["Sources/Core/Media/Log/FFmpegCallback.swift"])
  }

  /// Tests wait for what they can observe: `Patience` pauses between two looks, and nothing else does.
  @Test func noTestSleeps() throws {
    // Written so that this file does not hold what it looks for.
    let pattern = try Regex("\\b(us|nanos|s)leep\\([0-9_]|Thread\\.sleep|Task\\.sleep")
    for file in try Repository.swiftFiles(below: "Tests") where !file.hasSuffix("Support/Patience.swift") {
      for line in try Repository.lines(file) where line.contains(pattern) { Issue.record("\(file): \(line)") }
    }
  }

  /// A busy machine needs a while for anything: a limit ends a test that hangs, and is never what is tested.
  @Test func limitsOfWallTimeAreHalfAMinuteOrMore() throws {
    let patterns = [
      #/Patience\.(?:until|value)\(seconds: (?<seconds>[0-9.]+)[,)]/#,
      #/\.now\.seconds\(since: \w+\) < (?<seconds>[0-9.]+)\)/#,
      #/MonotonicTime\.now\.advanced\(byMilliseconds: (?<seconds>[0-9_]+)\)/#,
    ]
    // Looks that are repeated until something else has happened.
    let repeated: Set<String> = ["Tests/CommandLineTests/ViewTests.swift"]
    for file in try Repository.swiftFiles(below: "Tests") where !repeated.contains(file) {
      let text = try Repository.text(file)
      for (index, pattern) in patterns.enumerated() {
        for match in text.matches(of: pattern) {
          let number = Double(match.output.seconds.replacing("_", with: "")) ?? 0
          #expect(number >= (index == 2 ? 30_000 : 30), "\(file): \(match.output.0)")
        }
      }
    }
  }

  /// `Tests/realtime.tsv` names suites that there are, once each, with a reason.
  @Test func suitesOfRealTimeAreListedWithAReason() throws {
    let rows = try Repository.lines("Tests/realtime.tsv").filter { !$0.isEmpty && !$0.hasPrefix("#") }.dropFirst()
      .map { $0.split(separator: "\t") }
    #expect(rows.count > 10 && rows.allSatisfy { $0.count == 2 })
    #expect(Set(rows.map { $0[0] }).count == rows.count)
    let tests = try Repository.swiftFiles(below: "Tests").map(Repository.text).joined()
    for row in rows { #expect(tests.contains("struct \(row[0]) "), "\(row[0])") }
  }

  /// A path of one machine is wrong on all others. Tests make some up; those of this machine they do not hold either.
  @Test(.enabled("this is no git work tree") { try !Repository.committed().isEmpty || isStrict })
  func committedTextHoldsNoPathsOfOneMachine() throws {
    // Written so that this file does not hold what it looks for.
    let folders = ["home", "root", "Users", "work", "workspace", "builds", "tmp"]
    let pattern = try Regex("(^|[\\s\"'`(=:,])/(\(folders.joined(separator: "|")))/[A-Za-z0-9_.-]")
    let committed = try Repository.committed()
    #expect(!committed.isEmpty)
    for file in committed {
      guard let text = try? Repository.text(file) else { continue }
      #expect(!text.contains(TestFolders.repository), "\(file) names the folder it lies in on this machine")
      for line in text.split(separator: "\n") where line.contains("/") && !file.hasPrefix("Tests/") {
        if let match = line.firstMatch(of: pattern) { Issue.record("\(file): \(line[match.range])") }
      }
    }
  }

  @Test(arguments: [
    "Scripts/setup", "Scripts/compile-shaders", "Scripts/ab-builds", "Scripts/action", "Scripts/bundle",
    "Scripts/bundling/licences", "Scripts/test-bundle", "Scripts/gpu-run", "Scripts/simulated-device", "Scripts/stage",
    "Scripts/install",
    "Scripts/deb", "Scripts/test-deb", "Scripts/swift-build", "Scripts/test", "Scripts/test-fresh",
    "Scripts/test-debian13", "Scripts/testing/as-ordinary-user",
    "Scripts/packaging/link-static", "Packaging/slurm/try", "Scripts/docs", "results/renew", ".ci/run",
  ])
  func scriptsCanBeRun(script: String) throws {
    let path = TestFolders.repository + "/" + script
    #expect(FileManager.default.isExecutableFile(atPath: path))
    #expect(try CommandOutput.of("bash", ["-n", path]).status == 0)
  }
}

/// Finds range operators that may trap.
private enum RangeOperators {
  private static let constant =
    #"(?:-?\([0-9]+ << [0-9]+\)|-?(?:0x[0-9A-Fa-f_]+|[0-9_]+(?:\.[0-9_]+)?(?:e-?[0-9]+)?)|"[^"]*"|UInt(?:8\(ascii: "[^"]*"|32\([0-9]+)\)|(?:Self|[A-Z]\w*)\.\w+"#
    + #"(?:\.rawValue)?|GLFW_\w+|\.[a-z]\w*)"#

  /// Comments; ranges of two constants; ranges of indexes up to a count; one value.
  private static let harmless = [
    #"\s*//.*"#,
    #"(?<![\w.)\]])\(?"# + constant + #"\)?(?:\.\.\.|\.\.<)\(?"# + constant + #"\)?(?![\w.(\[]| [-+*/<])"#,
    #"(?<![\w.)\]])0\.\.<(?:\([^()-]*(?:\(\))?[^()-]*\)|[^ (,)\]{]++)(?! -)"#,
    #"(?<![\w.)\]])([\w.]+)\.\.\.\1(?![\w.(\[])"#,
  ]

  static func trap(in line: String) -> Bool {
    let rest = harmless.reduce(line) { $0.replacingOccurrences(of: $1, with: " ", options: .regularExpression) }
    return rest.range(of: #"[\w)\]"](?:\.\.\.|\.\.<)[\w("$&.-]"#, options: .regularExpression) != nil
  }
}
