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

  /// Runs the script in a clone of its own, for root, where every package is missing and `apt-get install` ends with `status`.
  private static func install(in folder: String, status: Int) throws -> CommandOutput {
    let tools = folder + "/tools"
    for place in [tools, folder + "/Scripts"] {
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    }
    try FileManager.default.copyItem(atPath: setup, toPath: folder + "/Scripts/setup")
    try StandIn.write("echo 'Swift version 6.3'", to: tools + "/swift")
    try StandIn.write("echo 0", to: tools + "/id")
    try StandIn.write("exit 1", to: tools + "/dpkg-query")
    try StandIn.write(
      """
      case "$*" in
        *--print-uris*) echo "'http://mirror/a.deb' a.deb 9500000 MD5Sum:0" ;;
        *) for line in {1..2000}; do echo "Unpacking $line"; done ;;
      esac
      case "$1" in install) echo "E: the end"; exit \(status) ;; esac
      """, to: tools + "/apt-get")
    return try CommandOutput.of(folder + "/Scripts/setup", [], environment: ["PATH": tools + ":" + path])
  }

  @Test func whatAptPrintsGoesToALog() throws {
    try TestFolders.withTemporary { folder in
      let result = try Self.install(in: folder, status: 0)
      #expect(result.status == 0 && result.output.isEmpty, "\(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1)
      #expect(result.errors.contains("bsdextrautils") && result.errors.contains("(10 MB to download)"))
      #expect(result.errors.contains(folder + "/.build/setup.log"))
      let log = try String(contentsOfFile: folder + "/.build/setup.log", encoding: .utf8)
      #expect(log.split(separator: "\n").count == 4001, "of 'update' and of 'install'")
    }
  }

  @Test func theEndOfTheLogTellsWhyAptFailed() throws {
    try TestFolders.withTemporary { folder in
      let result = try Self.install(in: folder, status: 100)
      let lines = result.errors.split(separator: "\n")
      #expect(result.status == 1 && lines.count < 30 && lines.contains("E: the end"), "\(result.errors)")
      #expect(lines.last?.hasPrefix("setup: apt-get install fails") == true, "\(result.errors)")
    }
  }
}
