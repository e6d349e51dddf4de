import Foundation
import Support
import Testing

/// `Scripts/setup` with stand-ins for Swift and apt.
@Suite(.tier(.test)) struct SetupTests {
  private static let setup = TestFolders.repository + "/Scripts/setup"
  private static var path: String { ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin" }

  @Test func withoutSwiftItSaysWhereToGetIt() throws {
    try TestFolders.withTemporary { folder in
      for tool in ["env", "bash", "sed", "head", "sort", "tr", "id", "dirname"] {
        let found = try #require(["/usr/bin/", "/bin/"].map { $0 + tool }.first(where: FileManager.default.fileExists))
        try FileManager.default.createSymbolicLink(atPath: folder + "/" + tool, withDestinationPath: found)
      }
      let result = try CommandOutput.of(Self.setup, [], environment: ["PATH": folder])
      #expect(result.status == 1 && result.output.isEmpty)
      #expect(result.errors.contains("Swift is missing") && result.errors.contains("https://www.swift.org/install"))
      #expect(result.errors.split(separator: "\n").count == 1)
    }
  }

  @Test func anOldSwiftIsNamed() throws {
    try TestFolders.withTemporary { folder in
      try StandIn.write("echo 'Swift version 5.10.1 (swift-5.10.1-RELEASE)'", to: folder + "/swift")
      let result = try CommandOutput.of(Self.setup, [], environment: ["PATH": folder + ":" + Self.path])
      #expect(result.status == 1)
      #expect(result.errors.contains("Swift 5.10 is too old, 6.2 is needed"))
      #expect(result.errors.split(separator: "\n").count == 1)
    }
  }

  /// Runs the script in a clone of its own, for root, where every package is missing and `apt-get install` ends with `status`. The
  /// stand-in for apt-get installs two packages, and reports its progress as apt-get does.
  private static func install(in folder: String, status: Int, onTerminal: Bool = false) throws -> CommandOutput {
    let tools = folder + "/tools"
    for place in [tools, folder + "/Scripts"] {
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    }
    try TestFiles.copyProgram(setup, to: folder + "/Scripts/setup")
    try StandIn.write("echo 'Swift version 6.3'", to: tools + "/swift")
    try StandIn.write("echo 0", to: tools + "/id")
    try StandIn.write("exit 1", to: tools + "/dpkg-query")
    try StandIn.write(
      """
      case "$*" in
        *--print-uris*) echo "'http://mirror/a.deb' a.deb 9500000 MD5Sum:0"; exit ;;
        *" -s "*) printf 'Inst %s (1.0 Debian)\\nConf %s (1.0 Debian)\\n' a a b b; exit ;;
      esac
      for line in {1..2000}; do echo "Unpacking $line"; done
      case "$*" in
        "-o APT::Status-Fd=3 install "*)
          for number in 1 1 2; do echo "dlstatus:1:0.0000:Retrieving file $number of 2" >&3; done
          for step in Preparing Unpacking Installing; do printf 'pmstatus:%s:9.9:%s %s (amd64)\\n' a $step a b $step b >&3; done
          for step in Configuring Installed; do printf 'pmstatus:%s:9.9:%s %s (amd64)\\n' a $step a b $step b >&3; done
          echo "E: the end"
          exit \(status)
          ;;
      esac
      """, to: tools + "/apt-get")
    let environment = ["PATH": tools + ":" + path, "SETUP_PROGRESS_SECONDS": "0", "TERM": "xterm"]
    return onTerminal
      ? try CommandOutput.of("script", ["-qec", folder + "/Scripts/setup", "/dev/null"], environment: environment)
      : try CommandOutput.of(folder + "/Scripts/setup", [], environment: environment)
  }

  @Test func announcesSizeTimeAndLogThenReportsProgress() throws {
    try TestFolders.withTemporary { folder in
      let result = try Self.install(in: folder, status: 0)
      #expect(result.status == 0 && result.output.isEmpty, "\(result.errors)")
      let lines = result.errors.split(separator: "\n")
      try #require(lines.count > 3, "\(result.errors)")
      #expect(lines[0].contains(#/^setup: [0-9]+ packages are missing: .*bsdextrautils/#), "\(lines[0])")
      #expect(lines[1].hasSuffix("its log is \(folder)/.build/setup.log"), "\(lines[1])")
      #expect(lines[2].contains("installs 2 packages, dependencies included: 10 MB to download, about 1 min"))
      #expect(
        lines[3...].dropLast() == [
          "setup: downloading file 1 of 2", "setup: downloading file 2 of 2",
          "setup: 1 of 2 packages unpacked, 0 set up", "setup: 2 of 2 packages unpacked, 0 set up",
          "setup: 2 of 2 packages unpacked, 1 set up", "setup: 2 of 2 packages unpacked, 2 set up",
        ], "\(result.errors)")
      #expect(lines.last?.hasPrefix("setup: 2 packages are installed, after ") == true, "\(result.errors)")
    }
  }

  @Test func whatAptPrintsGoesToALog() throws {
    try TestFolders.withTemporary { folder in
      let result = try Self.install(in: folder, status: 0)
      #expect(!result.errors.contains("Unpacking") && !result.errors.contains("E: the end"), "\(result.errors)")
      let log = try String(contentsOfFile: folder + "/.build/setup.log", encoding: .utf8)
      #expect(log.split(separator: "\n").count == 4001, "of 'update' and of 'install'")
    }
  }

  @Test func progressIsOneLineOnATerminal() throws {
    try TestFolders.withTemporary { folder in
      let result = try Self.install(in: folder, status: 0, onTerminal: true)
      let lines = result.text.split { $0 == "\n" || $0 == "\r\n" }
      #expect(result.status == 0 && lines.count == 5, "\(result.text)")
      let steps = lines.dropLast().last?.split(separator: "\r", omittingEmptySubsequences: true) ?? []
      #expect(steps.count == 7, "\(steps)")
      #expect(steps.last?.hasPrefix("setup: 2 of 2 packages unpacked, 2 set up ") == true, "\(steps)")
    }
  }

  @Test func theEndOfTheLogTellsWhyAptFailed() throws {
    try TestFolders.withTemporary { folder in
      let result = try Self.install(in: folder, status: 100)
      let lines = result.errors.split(separator: "\n")
      #expect(result.status == 1 && lines.count < 40 && lines.contains("E: the end"), "\(result.errors)")
      #expect(lines.last?.hasPrefix("setup: apt-get install fails") == true, "\(result.errors)")
    }
  }
}
