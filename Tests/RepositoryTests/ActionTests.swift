import Foundation
import Support
import Testing

/// What the action makes of each exit code of `bench360 ab`, for which a stand-in ends with that code.
@Suite struct ActionTests {
  /// The step's status, its outputs, and what it and the stand-in printed.
  private static func run(
    status: Int, inputs: [String: String] = [:]
  ) throws -> (status: Int32, outputs: String, text: String) {
    try TestFolders.withTemporary { folder in
      try StandIn.write(
        """
        for word in "$@"; do
          echo "[$word]"
          case "$word" in --output=*) echo '{}' >"${word#--output=}" ;; esac
        done
        exit \(status)
        """, to: folder + "/bench360")
      let environment = [
        "INPUT_BASE_COMMAND": "base/bench360 run 'a clip.mp4'",
        "INPUT_HEAD_COMMAND": "$(touch injected); `touch injected`",
        "INPUT_BENCH360": folder + "/bench360", "INPUT_RUNS": "8", "INPUT_THRESHOLD": "2", "INPUT_GATE": "",
        "INPUT_FAIL_ON": "regression", "INPUT_FORMAT": "markdown", "INPUT_REPORT_FILE": "", "INPUT_OUTPUT": "ab.json",
        "INPUT_KEEP": "", "GITHUB_OUTPUT": folder + "/outputs", "GITHUB_STEP_SUMMARY": folder + "/summary",
      ].merging(inputs) { $1 }
      let result = try CommandOutput.of(
        TestFolders.repository + "/Scripts/action", [], environment: environment, folder: folder)
      #expect(!FileManager.default.fileExists(atPath: folder + "/injected"))
      let outputs = (try? String(contentsOfFile: folder + "/outputs", encoding: .utf8)) ?? ""
      return (result.status, outputs, result.text + result.errors)
    }
  }

  @Test(arguments: [
    (0, "same", 0), (1, "failed", 1), (2, "regression", 2), (3, "failed", 3), (4, "improvement", 0), (5, "failed", 5),
    (7, "incomparable", 7), (8, "inconclusive", 0), (64, "failed", 64), (130, "failed", 130),
  ])
  func exitCodesBecomeVerdicts(status: Int, verdict: String, expected: Int) throws {
    let step = try Self.run(status: status)
    #expect(Int(step.status) == expected, "\(step.text)")
    #expect(step.outputs == "verdict=\(verdict)\nexit-code=\(status)\nreport=ab.json\n")
    #expect(step.text.contains("::error") == (expected != 0))
    #expect(step.text.contains("::warning") == (status == 8))
  }

  @Test(arguments: [(2, "", 0), (4, "regression, improvement", 4), (8, "inconclusive", 8), (3, "", 3), (7, "", 7)])
  func theCallerSaysWhatFails(status: Int, failOn: String, expected: Int) throws {
    let step = try Self.run(status: status, inputs: ["INPUT_FAIL_ON": failOn])
    #expect(Int(step.status) == expected, "\(step.text)")
  }

  @Test func inputsArriveAsTheyAre() throws {
    let step = try Self.run(status: 0, inputs: ["INPUT_GATE": "decode_fps", "INPUT_KEEP": "all records"])
    for word in [
      "ab", "--base=base/bench360 run 'a clip.mp4'", "--head=$(touch injected); `touch injected`", "--runs=8",
      "--threshold=2", "--fail-on=regression,improvement", "--format=markdown", "--output=ab.json", "--gate=decode_fps",
      "--keep=all records",
    ] {
      #expect(step.text.contains("[\(word)]\n"), "\(step.text)")
    }
  }

  @Test func metricsAreALineEach() throws {
    let step = try Self.run(status: 0, inputs: ["INPUT_METRICS": "wall\nfps:1/s:high=fps=([0-9.]+)\n"])
    #expect(step.text.contains("[--metric=wall]\n[--metric=fps:1/s:high=fps=([0-9.]+)]\n"), "\(step.text)")
  }

  // MARK: Prebuilt packages

  /// A folder with `bench360-1-linux-x86_64.tar.xz`, a bundle of a stand-in that prints its words and leaves a comparison, and
  /// stand-ins of the programs that need root or a network.
  private static func withBundle(_ body: (_ folder: String, _ sha256: String) throws -> Void) throws {
    try TestFolders.withTemporary { folder in
      for place in ["/bundle/bench360-1/bin", "/tools", "/tmp"] {
        try FileManager.default.createDirectory(atPath: folder + place, withIntermediateDirectories: true)
      }
      let program = folder + "/bundle/bench360-1/bin/bench360"
      try StandIn.write(#"[ "$1" = --version ] || printf '[%s]\n' "$@" "$(command -v bench360)""#, to: program)
      try StandIn.write(#"while [ "$1" != --output ]; do shift; done; cp "$BUNDLE" "$2""#, to: folder + "/tools/curl")
      try StandIn.write(
        #"[ "$1" != apt-get ] || shift; echo "$@" >"$LOG"; cp "$PROGRAM" "$(dirname "$0")/bench360""#,
        to: folder + "/tools/apt-get")
      try StandIn.write(#"shift; exec "$@""#, to: folder + "/tools/sudo")
      let bundle = folder + "/bench360-1-linux-x86_64.tar.xz"
      let packed = try CommandOutput.of("tar", ["-C", folder + "/bundle", "-cJf", bundle, "bench360-1"])
      try #require(packed.status == 0, "\(packed.errors)")
      try FileManager.default.copyItem(atPath: bundle, toPath: folder + "/bench360_1_amd64.deb")
      try body(folder, String(CommandOutput.of("sha256sum", [bundle]).text.prefix(64)))
    }
  }

  private static func run(package: String, sha256: String = "", in folder: String) throws -> (
    status: Int32, outputs: String, text: String
  ) {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return try run(
      status: 0,
      inputs: [
        "INPUT_PACKAGE": package, "INPUT_PACKAGE_SHA256": sha256, "RUNNER_TEMP": folder + "/tmp",
        "INPUT_BENCH360": "bench360", "PATH": "\(folder)/tools:\(path)", "LOG": folder + "/log",
        "BUNDLE": folder + "/bench360-1-linux-x86_64.tar.xz", "PROGRAM": folder + "/bundle/bench360-1/bin/bench360",
        "GITHUB_PATH": folder + "/path",
      ])
  }

  @Test func aBundleIsUnpackedAndOnThePath() throws {
    try Self.withBundle { folder, sha256 in
      for (package, sum) in [
        (folder + "/bench360-1-linux-x86_64.tar.xz", ""),
        ("https://example.com/bench360-1-linux-x86_64.tar.xz", sha256),
      ] {
        let step = try Self.run(package: package, sha256: sum, in: folder)
        #expect(step.status == 0 && step.outputs.hasPrefix("verdict=same\n"), "\(step.text)")
        #expect(step.text.contains("[ab]\n") && step.text.contains("/bench360-1/bin/bench360]\n"), "\(step.text)")
      }
      let added = try String(contentsOfFile: folder + "/path", encoding: .utf8).split(separator: "\n")
      #expect(added.count == 2 && added.allSatisfy { $0.hasSuffix("/bench360-1/bin") }, "\(added)")
    }
  }

  @Test func aDebianPackageIsInstalledByApt() throws {
    try Self.withBundle { folder, _ in
      let step = try Self.run(package: folder + "/bench360_1_amd64.deb", in: folder)
      #expect(step.status == 0 && step.text.contains("[ab]\n"), "\(step.text)")
      let call = try String(contentsOfFile: folder + "/log", encoding: .utf8)
      #expect(call.hasPrefix("install -y ") && call.hasSuffix("/bench360_1_amd64.deb\n"), "\(call)")
    }
  }

  @Test func uselessPackagesAreRefused() throws {
    try Self.withBundle { folder, sha256 in
      try Data("no archive".utf8).write(to: URL(filePath: folder + "/damaged.tar.xz"))
      for (package, sum, words) in [
        ("https://example.com/b.tar.xz", "", "needs its SHA-256"),
        ("http://example.com/b.tar.xz", sha256, "Only https://"),
        ("https://example.com/b.tar.xz", String(repeating: "0", count: 64), "has the SHA-256 \(sha256)"),
        (folder + "/nowhere.tar.xz", "", "no file"), (folder + "/tools/curl", "", "neither a bundle"),
        (folder + "/damaged.tar.xz", "", "cannot be unpacked"), (folder + "/damaged.tar.xz", "12", "no SHA-256"),
      ] {
        let step = try Self.run(package: package, sha256: sum, in: folder)
        #expect(step.status == 1 && step.outputs.isEmpty && step.text.contains(words), "\(words): \(step.text)")
        #expect(step.text.hasPrefix("::error title=bench360::The input 'package' cannot be used: "), "\(step.text)")
      }
    }
  }

  @Test(arguments: [
    ("INPUT_RUNS", "", "'runs' is empty"), ("INPUT_FAIL_ON", "regresion", "'regresion'"),
    ("INPUT_BENCH360", "bench361", "'bench361'"), ("INPUT_OUTPUT", "a\nb", "line break"),
  ])
  func uselessInputsAreRefused(input: String, value: String, message: String) throws {
    let step = try Self.run(status: 0, inputs: [input: value])
    #expect(step.status == 1 && step.outputs.isEmpty)
    #expect(step.text.contains(message) && step.text.split(separator: "\n").count == 1, "\(step.text)")
  }
}

/// A small program in the place of a large one.
enum StandIn {
  static func write(_ script: String, to path: String) throws {
    try Data("#!/usr/bin/env bash\nset -eu\n\(script)\n".utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }
}
