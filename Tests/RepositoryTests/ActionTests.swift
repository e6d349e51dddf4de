import Foundation
import Support
import Testing

/// What the action makes of each exit code of `bench360 ab`, for which a stand-in ends with that code.
@Suite(.tier(.test)) struct ActionTests {
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

  private static let bundle = "bench360-1-linux-x86_64.tar.xz"
  private static let debianPackage = "bench360_1_amd64.deb"

  /// A folder with a bundle and a Debian package of a stand-in that prints its words and leaves a comparison, and stand-ins of
  /// the programs that need root or a network: apt-get installs in `/root` of the folder.
  private static func withPackages(_ body: (_ folder: String) throws -> Void) throws {
    try TestFolders.withTemporary { folder in
      for place in ["bundle/bench360-1/bin", "tree/DEBIAN", "tree/usr/bin", "root/usr/bin", "tools", "tmp"] {
        try FileManager.default.createDirectory(atPath: folder + "/" + place, withIntermediateDirectories: true)
      }
      let program = #"[ "$1" = --version ] || printf '[%s]\n' "$@" "$(command -v bench360)""#
      try StandIn.write(program, to: folder + "/bundle/bench360-1/bin/bench360")
      try StandIn.write(program, to: folder + "/tree/usr/bin/bench360")
      try StandIn.write(
        #"while [ "$1" != --output ]; do shift; done; cp "$DOWNLOAD" "$2""#,
        to: folder + "/tools/curl")
      try StandIn.write(#"echo "$@" >"$LOG"; dpkg-deb -x "${!#}" "$ROOT""#, to: folder + "/tools/apt-get")
      try StandIn.write(#"shift; exec "$@""#, to: folder + "/tools/sudo")
      try Data("Package: bench360\nVersion: 1\nArchitecture: all\nMaintainer: a <a@b.example>\nDescription: a\n".utf8)
        .write(to: URL(filePath: folder + "/tree/DEBIAN/control"))
      for command in [
        ["tar", "-C", folder + "/bundle", "-cJf", "\(folder)/\(bundle)", "bench360-1"],
        ["dpkg-deb", "--root-owner-group", "--build", folder + "/tree", "\(folder)/\(debianPackage)"],
      ] {
        let packed = try CommandOutput.of(command[0], Array(command.dropFirst()))
        try #require(packed.status == 0, "\(packed.errors)")
      }
      try body(folder)
    }
  }

  private static func sha256(of file: String) throws -> String {
    String(try CommandOutput.of("sha256sum", [file]).text.prefix(64))
  }

  /// - Parameter download: the file that the network has.
  private static func run(
    package: String, sha256: String = "", download: String = bundle, in folder: String
  ) throws -> (status: Int32, outputs: String, text: String) {
    // Without the folder that 'make install' has put a bench360 in.
    let path = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
      .filter { !FileManager.default.isExecutableFile(atPath: $0 + "/bench360") }.joined(separator: ":")
    return try run(
      status: 0,
      inputs: [
        "INPUT_PACKAGE": package, "INPUT_PACKAGE_SHA256": sha256, "RUNNER_TEMP": folder + "/tmp",
        "INPUT_BENCH360": "bench360", "PATH": "\(folder)/tools:\(folder)/root/usr/bin:\(path)", "LOG": folder + "/log",
        "DOWNLOAD": "\(folder)/\(download)", "ROOT": folder + "/root", "GITHUB_PATH": folder + "/path",
      ])
  }

  /// A file or a download, of either kind: its program does the comparison, and is on the path of later steps.
  @Test(arguments: [bundle, debianPackage])
  func packagesAreOnThePath(name: String) throws {
    try Self.withPackages { folder in
      let sum = try Self.sha256(of: "\(folder)/\(name)")
      let place = name == Self.bundle ? "/bench360-1/bin" : "/root/usr/bin"
      for (package, sha256) in [("\(folder)/\(name)", ""), ("https://example.com/\(name)?token=1", sum.uppercased())] {
        let step = try Self.run(package: package, sha256: sha256, download: name, in: folder)
        #expect(step.status == 0 && step.outputs.hasPrefix("verdict=same\n"), "\(step.text)")
        #expect(step.text.contains("[ab]\n") && step.text.contains("\(place)/bench360]\n"), "\(step.text)")
        try? FileManager.default.removeItem(atPath: folder + "/root/usr/bin/bench360")
      }
      let added = try String(contentsOfFile: folder + "/path", encoding: .utf8).split(separator: "\n")
      #expect(added.count == 2 && added.allSatisfy { $0.hasSuffix(place) }, "\(added)")
    }
  }

  @Test func aDebianPackageIsInstalledByApt() throws {
    try Self.withPackages { folder in
      // apt-get takes a path for a file only where it has a folder.
      let relative = "../\(URL(filePath: folder).lastPathComponent)/\(Self.debianPackage)"
      _ = try Self.run(package: relative, in: folder)
      let call = try String(contentsOfFile: folder + "/log", encoding: .utf8)
      #expect(call == "install -y --no-install-recommends \(folder)/\(Self.debianPackage)\n")
    }
  }

  @Test func uselessPackagesAreRefused() throws {
    try Self.withPackages { folder in
      for name in ["damaged.tar.xz", "damaged.deb"] {
        try Data("no archive".utf8).write(to: URL(filePath: folder + "/" + name))
      }
      try FileManager.default.removeItem(atPath: folder + "/tree/usr/bin/bench360")
      try FileManager.default.removeItem(atPath: folder + "/bundle/bench360-1/bin/bench360")
      _ = try CommandOutput.of("dpkg-deb", ["--build", folder + "/tree", folder + "/empty.deb"])
      _ = try CommandOutput.of("tar", ["-C", folder + "/bundle", "-cJf", folder + "/empty.tar.xz", "bench360-1"])
      let sha256 = try Self.sha256(of: "\(folder)/\(Self.bundle)")
      for (package, sum, words) in [
        ("https://example.com/b.tar.xz", "", "needs its SHA-256"),
        ("https://example.com/b.deb", "", "needs its SHA-256"),
        ("http://example.com/b.tar.xz", sha256, "Only https://"),
        ("https://example.com/b.tar.xz", String(repeating: "0", count: 64), "has the SHA-256 \(sha256)"),
        ("\(folder)/\(Self.debianPackage)", sha256, "not \(sha256)"),
        (folder + "/nowhere.tar.xz", "", "no file"), (folder + "/nowhere.deb", "", "no file"),
        (folder + "/tools/curl", "", "neither a bundle"),
        (folder + "/damaged.tar.xz", "", "cannot be unpacked"), (folder + "/damaged.tar.xz", "12", "no SHA-256"),
        (folder + "/damaged.deb", "", "apt-get does not install 'damaged.deb'"),
        (folder + "/empty.tar.xz", "", "holds no bin/bench360"), (folder + "/empty.deb", "", "no bench360 on PATH"),
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
    try TestFiles.writeProgram("#!/usr/bin/env bash\nset -eu\n\(script)\n", to: path)
  }
}
