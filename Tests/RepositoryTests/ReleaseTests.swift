import Foundation
import Support
import Testing

/// `Packaging/release` and `Packaging/bill`, with stand-ins for the scripts that build the archive and the Debian package.
@Suite(.tier(.test), .enabled("dpkg-deb is missing") { (try? CommandOutput.of("dpkg-deb", ["--version"]).status) == 0 })
struct ReleaseTests {
  private static let copied = [
    "Packaging/release", "Packaging/bill", "Packaging/project.env", "Scripts/project", "README.md", "Docs/CI.md",
    "Docs/Library.md", "CHANGELOG.md", "Sources/Lab/Run/BuildInfo.swift",
  ]
  private static let version: String = {
    let text = try? Repository.text("Sources/Lab/Run/BuildInfo.swift")
    return text?.firstMatch(of: #/version = "([0-9.]+)"/#).map { String($0.output.1) } ?? ""
  }()
  private static let pins = """
    {"pins": [
      {"identity": "a-package", "kind": "remoteSourceControl", "location": "https://example.com/there/a-package.git",
       "state": {"revision": "0123", "version": "4.5.6"}}
    ]}
    """
  private static let table = [
    "bin/bench360\tbench360\t\(version)\tMIT", "bin/bench360\ta-package\t4.5.6\tApache-2.0",
    "lib/libone.so.1\tlibone1\t7:1.0-2+b1\tZlib; parts: MIT",
    "lib/fallback/libone-x.so.1\tlibone1\t7:1.0-2+b1\tZlib; parts: MIT",
  ]

  /// The stand-in for Scripts/bundle. It resolves packages, as SwiftPM does. The program's version is `version`.
  private static func bundle(version: String) -> String {
    """
    name=bench360-\(self.version)-linux-x86_64
    mkdir -p bundle tree/$name/bin tree/$name/LICENSES
    [ ! -e differs ] || echo "$RANDOM $RANDOM" >tree/$name/noise
    printf '#!/bin/sh\\necho "bench360 \(version) (%s)"\\n' "$(git rev-parse HEAD | cut -c 1-12)" >tree/$name/bin/bench360
    chmod +x tree/$name/bin/bench360
    printf 'Words\\n\\nlibrary\\tpackage\\tversion\\tlicence\\n%s\\n' '\(table.joined(separator: "\n"))' >tree/$name/LICENSES/LICENSES.txt
    echo '\(pins)' >Package.resolved
    tar -C tree --sort=name --mtime=@0 --owner=0 --group=0 -cJf bundle/$name.tar.xz $name
    """
  }

  /// The stand-in for Scripts/deb.
  private static let debian = """
    root=$PWD/deb
    mkdir -p $root/DEBIAN $root/usr/bin $root/usr/share/man/man1
    cp tree/*/bin/bench360 $root/usr/bin/
    printf '.Dd November 30, 2026\\n.Os bench360 \(version)\\n' | gzip -9n >$root/usr/share/man/man1/bench360.1.gz
    printf '%s\\n' 'Package: bench360' 'Version: \(version)' 'Architecture: amd64' 'Maintainer: A <a@example.com>' \
      'Description: a stand-in' >$root/DEBIAN/control
    dpkg-deb --root-owner-group -Zxz --build $root bundle/bench360_\(version)_amd64.deb >/dev/null
    """

  /// A committed clone of what a release reads.
  private static func withClone(programVersion: String = version, _ body: (_ folder: String) throws -> Void) throws {
    try TestFolders.withTemporary { folder in
      for path in copied {
        let copy = URL(filePath: folder + "/" + path)
        try FileManager.default.createDirectory(
          at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
        try TestFiles.copyProgram(TestFolders.repository + "/" + path, to: copy.path)
      }
      try StandIn.write(bundle(version: programVersion), to: folder + "/Scripts/bundle")
      try StandIn.write(debian, to: folder + "/Scripts/deb")
      try write(".build/\n/bundle/\nPackage.resolved\n/tree/\n/deb/\n", to: folder + "/.gitignore")
      try commit(in: folder)
      try body(folder)
    }
  }

  private static func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  private static func commit(in folder: String) throws {
    let identity = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]
    for words in [["init", "--quiet"], ["add", "--all"], identity + ["commit", "--quiet", "--message", "all"]] {
      let result = try CommandOutput.of("git", words, folder: folder)
      try #require(result.status == 0, "\(result.errors)")
    }
  }

  private static func run(_ arguments: [String] = [], in folder: String) throws -> CommandOutput {
    try CommandOutput.of(folder + "/Packaging/release", arguments, folder: folder)
  }

  /// The bill of materials, as far as it is checked here.
  private struct Bill: Decodable {
    struct Component: Decodable {
      struct Property: Decodable { var name, value: String }
      struct Hash: Decodable { var alg, content: String }
      var name: String
      var version, purl: String?
      var hashes: [Hash]?
      var components: [Component]?
      var properties: [Property]?

      func values(_ name: String) -> [String] { (properties ?? []).filter { $0.name == name }.map(\.value) }
    }
    struct Metadata: Decodable { var component: Component }
    var bomFormat: String
    var metadata: Metadata
    var components: [Component]
  }

  @Test func aReleaseHasAllItsFilesWithTheSameBytesTwice() throws {
    try Self.withClone { folder in
      let result = try Self.run(["--twice"], in: folder)
      try #require(result.status == 0, "\(result.errors)")
      #expect(result.text == "bundle/release-\(Self.version)\n")
      #expect(result.errors.contains("release: two builds have the same bytes\n"), "\(result.errors)")
      let release = "\(folder)/bundle/release-\(Self.version)"
      let name = "bench360-\(Self.version)"
      let files = try FileManager.default.contentsOfDirectory(atPath: release).sorted()
      let archive = "\(name)-linux-x86_64.tar.xz"
      let wanted = [
        "SHA256SUMS", archive, "\(name)-packages.json", "\(name)-source.tar.xz", "\(name).cdx.json",
        "bench360_\(Self.version)_amd64.deb",
      ]
      #expect(files == wanted.sorted())
      let sums = try CommandOutput.of("sha256sum", ["--check", "--strict", "SHA256SUMS"], folder: release)
      #expect(sums.status == 0 && sums.text.split(separator: "\n").count == files.count - 1, "\(sums.errors)")
      let source = try CommandOutput.of("tar", ["-tJf", "\(release)/\(name)-source.tar.xz"])
      #expect(source.text.contains("\(name)/CHANGELOG.md\n") && !source.text.contains("Package.resolved"))
      let bill = try JSONDecoder().decode(
        Bill.self, from: Data(contentsOf: URL(filePath: "\(release)/\(name).cdx.json")))
      #expect(bill.bomFormat == "CycloneDX" && bill.metadata.component.version == Self.version)
      #expect(bill.components.map(\.name) == ["a-package", "libone1"])
      #expect(bill.components[0].purl == "pkg:swift/example.com/there/a-package@4.5.6")
      #expect(bill.components[0].values("bench360:revision") == ["0123"])
      #expect(bill.components[1].purl == "pkg:deb/debian/libone1@7%3A1.0-2%2Bb1?arch=amd64")
      #expect(bill.components[1].values("bench360:file") == ["lib/fallback/libone-x.so.1", "lib/libone.so.1"])
      let hash = bill.metadata.component.components?.first { $0.name == archive }?.hashes?.first?.content
      #expect(
        try String(contentsOfFile: release + "/SHA256SUMS", encoding: .utf8).contains("\(hash ?? "none")  \(archive)\n")
      )
      #expect(try CommandOutput.of("git", ["status", "--porcelain"], folder: folder).output.isEmpty)
    }
  }

  @Test func filesWhoseBytesDifferAreNamed() throws {
    try Self.withClone { folder in
      try Self.write("", to: folder + "/differs")
      try Self.commit(in: folder)
      let result = try Self.run(["--twice"], in: folder)
      #expect(result.status == 1 && result.output.isEmpty)
      #expect(result.errors.contains("'bench360-\(Self.version)-linux-x86_64.tar.xz' differs"), "\(result.errors)")
      #expect(!result.errors.contains(".deb' differs"), "\(result.errors)")
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/bundle/release-\(Self.version)"))
    }
  }

  @Test func anUnfinishedTreeIsRefused() throws {
    try Self.withClone { folder in
      try Self.write("", to: folder + "/new")
      let dirty = try Self.run(in: folder)
      #expect(dirty.status == 1 && dirty.errors.contains("commit or remove the changes"), "\(dirty.errors)")
      try FileManager.default.removeItem(atPath: folder + "/new")
      let changes = try String(contentsOfFile: folder + "/CHANGELOG.md", encoding: .utf8)
      try Self.write(changes.replacing("## [\(Self.version)] - ", with: "## [99.0.0] - "), to: folder + "/CHANGELOG.md")
      try Self.commit(in: folder)
      let untold = try Self.run(in: folder)
      #expect(
        untold.status == 1 && untold.errors.contains("no section '## [\(Self.version)] - DATE'"), "\(untold.errors)")
      #expect(!FileManager.default.fileExists(atPath: folder + "/bundle"))
    }
  }

  @Test func aProgramOfAnotherVersionIsRefused() throws {
    try Self.withClone(programVersion: "9.9.9") { folder in
      let result = try Self.run(in: folder)
      #expect(result.status == 1 && result.errors.contains("'bench360 9.9.9 ("), "\(result.errors)")
    }
  }

  @Test(arguments: [["--thrice"], ["--twice", "more"]]) func uselessArgumentsAreRefused(arguments: [String]) throws {
    try Self.withClone { folder in
      let result = try Self.run(arguments, in: folder)
      #expect(result.status == 64 && result.output.isEmpty)
    }
  }
}
