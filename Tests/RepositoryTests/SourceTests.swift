import Foundation
import Support
import Testing

@Suite struct SourceTests {
  /// Where a tool must exist, its absence is a failure.
  private static let isStrict = ProcessInfo.processInfo.environment["CI"] == "true"
  private static let hasShaderCompiler = (try? CommandOutput.of("glslc", ["--version"]).status) == 0

  @Test(.enabled("glslc is not installed") { hasShaderCompiler || isStrict })
  func shadersInSwiftAreThoseOfTheirSources() throws {
    let result = try CommandOutput.of(TestFolders.repository + "/Scripts/compile-shaders", ["--check"])
    #expect(result.status == 0, "\(result.text)\(result.errors)")
  }

  @Test func theFormatterIsSilent() throws {
    let result = try CommandOutput.of(
      "swift", ["format", "lint", "--strict", "-r", "Package.swift", "Sources", "Tests"],
      folder: TestFolders.repository)
    #expect(result.status == 0 && result.output.isEmpty && result.errors.isEmpty, "\(result.text)\(result.errors)")
  }

  @Test func noSourceFileIsLongerThan500Lines() throws {
    for file in try Repository.swiftFiles(below: "Sources") where !file.hasSuffix(".generated.swift") {
      let count = try Repository.lines(file).count
      #expect(count <= 500, "\(file) has \(count) lines")
    }
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
    "Scripts/bundling/licences", "Scripts/test-bundle", "Scripts/gpu-run", "Scripts/stage", "Scripts/install",
    "Scripts/deb", "Scripts/test-deb",
    "Scripts/packaging/link-static", "Packaging/slurm/try", "Scripts/docs", "results/renew", ".ci/run",
  ])
  func scriptsCanBeRun(script: String) throws {
    let path = TestFolders.repository + "/" + script
    #expect(FileManager.default.isExecutableFile(atPath: path))
    #expect(try CommandOutput.of("bash", ["-n", path]).status == 0)
  }
}

@Suite struct SetupTests {
  private static let setup = TestFolders.repository + "/Scripts/setup"

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
      let swift = folder + "/swift"
      try Data("#!/bin/sh\necho 'Swift version 5.10.1 (swift-5.10.1-RELEASE)'\n".utf8).write(to: URL(filePath: swift))
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: swift)
      let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
      let result = try CommandOutput.of(Self.setup, [], environment: ["PATH": folder + ":" + path])
      #expect(result.status == 1)
      #expect(result.errors.contains("Swift 5.10 is too old, 6.2 is needed"))
      #expect(result.errors.split(separator: "\n").count == 1)
    }
  }
}
