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
