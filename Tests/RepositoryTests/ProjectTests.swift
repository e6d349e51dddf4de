import Foundation
import Support
import Testing

/// `Scripts/project`, on the repository itself and on copies of the files that it reads.
@Suite(.tier(.test)) struct ProjectTests {
  private static let environment = "Packaging/project.env"
  private static let pages = ["README.md", "Docs/CI.md", "Docs/Library.md"]
  private static let sha256 = String(repeating: "5", count: 64)
  private static let settings = [
    "REPOSITORY=some-owner/bench360", "DOWNLOADS=https://example.com/there", "ARCHIVE_SHA256=\(sha256)",
    "MAINTAINER=A Person <person@example.com>",
  ]

  /// Copies what the script reads. README gets its parts where it has none.
  private static func withCopy(_ body: (_ folder: String) throws -> Void) throws {
    try TestFolders.withTemporary { folder in
      for path in pages + [environment, "Scripts/project", "Sources/Lab/Run/BuildInfo.swift", "CHANGELOG.md"] {
        let copy = URL(filePath: folder + "/" + path)
        try FileManager.default.createDirectory(
          at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
        try TestFiles.copyProgram(TestFolders.repository + "/" + path, to: copy.path)
      }
      var readme = try text("README.md", in: folder)
      for part in ["badge", "download"] where !readme.contains("<!-- project: \(part) -->") {
        readme += "\n<!-- project: \(part) -->\n<!-- project: end -->\n"
      }
      try write(readme, to: "README.md", in: folder)
      try body(folder)
    }
  }

  private static func text(_ path: String, in folder: String) throws -> String {
    try String(contentsOfFile: folder + "/" + path, encoding: .utf8)
  }

  private static func write(_ text: String, to path: String, in folder: String) throws {
    try Data(text.utf8).write(to: URL(filePath: folder + "/" + path))
  }

  private static func texts(in folder: String) throws -> [String] {
    try ([environment] + pages).map { try text($0, in: folder) }
  }

  private static func run(_ arguments: [String], in folder: String = TestFolders.repository) throws -> CommandOutput {
    try CommandOutput.of(folder + "/Scripts/project", arguments)
  }

  private static func version() throws -> String {
    let found = try Repository.text("Sources/Lab/Run/BuildInfo.swift").firstMatch(
      of: #/static let version = "([0-9.]+)"/#)
    return try String(#require(found).output.1)
  }

  @Test func thePagesAgreeWithTheProjectAndTheVersion() throws {
    let result = try Self.run(["--check"])
    #expect(result.status == 0 && result.output.isEmpty && result.errors.isEmpty, "\(result.errors)")
  }

  /// The newest release of the changelog and the pages have the version of the program.
  @Test func theVersionIsThatOfTheNewestRelease() throws {
    let version = try Self.version()
    let releases = try Repository.lines("CHANGELOG.md").filter { $0.hasPrefix("## [") && $0 != "## [Unreleased]" }
    #expect(releases.first?.contains(#/^## \[[0-9.]+\] - [0-9]{4}-[0-9]{2}-[0-9]{2}$/#) == true)
    #expect(releases.first?.hasPrefix("## [\(version)] - ") == true, "\(releases)")
    #expect(try Repository.text("Docs/CI.md").contains("-\(version)\n"))
    try Self.withCopy { folder in
      let path = "Sources/Lab/Run/BuildInfo.swift"
      try Self.write(Self.text(path, in: folder).replacing(version, with: "99.0.0"), to: path, in: folder)
      let result = try Self.run(["--check"], in: folder)
      #expect(result.status == 1 && result.errors.contains("99.0.0") && result.errors.contains("CHANGELOG.md"))
      let changes = try Self.text("CHANGELOG.md", in: folder).replacing("## [\(version)]", with: "## [99.0.0]")
      try Self.write(changes, to: "CHANGELOG.md", in: folder)
      #expect(try Self.run(["--check"], in: folder).errors.contains("Docs/CI.md differ"))
      #expect(try Self.run([], in: folder).status == 0)
      #expect(try Self.text("Docs/CI.md", in: folder).contains("-99.0.0\n"))
    }
  }

  @Test func aReleaseIsReadInAMinute() throws {
    for release in try Repository.text("CHANGELOG.md").split(separator: "\n## [").dropFirst() {
      #expect(release.split(separator: "\n", omittingEmptySubsequences: false).count <= 60, "\(release.prefix(5))")
    }
  }

  @Test func valuesFillEveryPlaceAndEmptyOnesRestoreTheBytes() throws {
    try Self.withCopy { folder in
      _ = try Self.run(Self.settings.map { $0.prefix { $0 != "=" } + "=" }, in: folder)
      let empty = try Self.texts(in: folder)
      let result = try Self.run(Self.settings, in: folder)
      #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
      #expect(result.text.split(separator: "\n").map(String.init) == [Self.environment] + Self.pages)
      let archive = try "https://example.com/there/bench360-\(Self.version())-linux-x86_64.tar.xz"
      let readme = try Self.text("README.md", in: folder)
      #expect(readme.contains("https://github.com/some-owner/bench360/actions/workflows/tests.yml/badge.svg"))
      #expect(readme.contains("curl -fLO \(archive)\n") && readme.contains("'\(Self.sha256)  bench360-"))
      let action = try Self.text("Docs/CI.md", in: folder)
      #expect(action.contains("uses: some-owner/bench360@v\(try Self.version())\n") && !action.contains("no public"))
      #expect(action.contains("package: \(archive)\n    package-sha256: \(Self.sha256)\n"))
      let library = try Self.text("Docs/Library.md", in: folder)
      #expect(
        library.contains(
          ".package(url: \"https://github.com/some-owner/bench360\", from: \"\(try Self.version())\")\n"))
      #expect(try Self.run(["--check"], in: folder).status == 0)
      let unset = Self.settings.map { (setting: String) -> String in String(setting.prefix { $0 != "=" }) + "=" }
      #expect(try Self.run(unset, in: folder).status == 0)
      #expect(try Self.texts(in: folder) == empty)
    }
  }

  /// A shell reads the file, as Scripts/deb does.
  @Test func aShellReadsTheValues() throws {
    try Self.withCopy { folder in
      #expect(try Self.run(Self.settings, in: folder).status == 0)
      let script = ". \(folder)/\(Self.environment); echo \"$REPOSITORY $MAINTAINER\""
      let result = try CommandOutput.of("bash", ["-eu", "-c", script])
      #expect(result.text == "some-owner/bench360 A Person <person@example.com>\n", "\(result.errors)")
    }
  }

  @Test func aPageThatWasEditedByHandIsReported() throws {
    try Self.withCopy { folder in
      #expect(try Self.run([], in: folder).status == 0)
      let page = try Self.text("Docs/CI.md", in: folder)
      let edited = page.replacing("package-sha256: ", with: "package-sha256: 0")
      #expect(edited != page)
      try Self.write(edited, to: "Docs/CI.md", in: folder)
      let result = try Self.run(["--check"], in: folder)
      #expect(result.status == 1 && result.errors.hasPrefix("project: Docs/CI.md differ"), "\(result.errors)")
      #expect(try Self.text("Docs/CI.md", in: folder) == edited)
      #expect(try Self.run([], in: folder).text == "Docs/CI.md\n")
      #expect(try Self.text("Docs/CI.md", in: folder) == page)
    }
  }

  @Test(arguments: [
    (["REPOSITORY=https://github.com/some-owner/bench360"], 1, "REPOSITORY cannot be"),
    (["REPOSITORY=some-owner/another"], 1, "REPOSITORY cannot be"),
    (["DOWNLOADS=http://example.com"], 1, "DOWNLOADS cannot be"),
    (["DOWNLOADS=https://example.com"], 1, "DOWNLOADS needs ARCHIVE_SHA256"),
    (["ARCHIVE_SHA256=abc"], 1, "ARCHIVE_SHA256 cannot be"), (["OWNER=some-owner"], 1, "has no 'OWNER'"),
    (["--chek"], 64, "There is no option '--chek'"),
  ])
  func unusableArgumentsAreRefused(arguments: [String], status: Int, words: String) throws {
    try Self.withCopy { folder in
      let before = try Self.texts(in: folder)
      let result = try Self.run(arguments, in: folder)
      #expect(Int(result.status) == status && result.errors.contains(words), "\(result.errors)")
      #expect(try Self.texts(in: folder) == before)
    }
  }

  @Test func aPageWithoutItsPartIsRefused() throws {
    try Self.withCopy { folder in
      let page = try Self.text("Docs/Library.md", in: folder)
      try Self.write(
        page.replacing("<!-- project: package -->", with: "<!-- package -->"), to: "Docs/Library.md", in: folder)
      let result = try Self.run([], in: folder)
      #expect(result.status == 1 && result.errors.contains("Docs/Library.md has 0 parts 'project: package'"))
    }
  }
}
