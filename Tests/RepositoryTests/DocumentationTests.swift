import Foundation
import Support
import Testing

/// The catalogue `Docs/Bench360.docc` and `Scripts/docs`, which builds it; what its pages promise of the program is tried in
/// CommandLineTests.
@Suite(.tier(.test)) struct DocumentationTests {
  private static let isStrict = ProcessInfo.processInfo.environment["CI"] == "true"
  private static let hasCompiler = (try? CommandOutput.of("docc", ["--help"]).status) == 0
  /// Those of the build that this test belongs to.
  private static let modules = TestFolders.products + "/Modules"

  private static func build(_ arguments: [String]) throws -> CommandOutput {
    try CommandOutput.of(TestFolders.repository + "/Scripts/docs", arguments)
  }

  @Test(.tier(.full), .enabled("docc is not installed") { hasCompiler || isStrict })
  func theDocumentationIsBuiltWithoutAWarning() throws {
    try TestFolders.withTemporary { folder in
      let result = try Self.build(["--modules", Self.modules, "--output", folder + "/docs"])
      #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
      let pages = folder + "/docs/data/documentation"
      for name in ["bench360", "bench360/metrics", "frames/videoframe", "verdict/metric", "session/rendersession"] {
        #expect(FileManager.default.fileExists(atPath: "\(pages)/\(name).json"), "there is no page of \(name)")
      }
    }
  }

  @Test func whatIsMissingIsNamed() throws {
    try TestFolders.withTemporary { folder in
      let result = try Self.build(["--modules", folder, "--output", folder + "/docs"])
      #expect(result.status == 1 && result.errors.contains("run 'make build' first"), "\(result.errors)")
      #expect(try Self.build(["--modules"]).status == 64)
      #expect(try Self.build(["--nonsense", "x"]).status == 64)
      #expect(!FileManager.default.fileExists(atPath: folder + "/docs"))
    }
  }

  /// Runs the script with stand-ins for Swift and for docc, which has a template beside it as in a toolchain.
  private static func build(in folder: String, docc: String) throws -> CommandOutput {
    for place in ["/usr/bin", "/usr/share/docc/render", "/modules"] {
      try FileManager.default.createDirectory(atPath: folder + place, withIntermediateDirectories: true)
    }
    for module in [
      "Frames", "Media", "Decode", "TestPicture", "Encode", "GPU", "Render", "Session", "Playback",
      "Window", "Bench360Player", "Offline", "Verdict",
    ] {
      try Data().write(to: URL(filePath: "\(folder)/modules/\(module).swiftmodule"))
    }
    try Data("page".utf8).write(to: URL(filePath: folder + "/usr/share/docc/render/index.html"))
    try StandIn.write("", to: folder + "/usr/bin/swift")
    try StandIn.write(docc, to: folder + "/usr/bin/docc")
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return try CommandOutput.of(
      TestFolders.repository + "/Scripts/docs", ["--modules", folder + "/modules", "--output", folder + "/docs"],
      environment: ["PATH": "\(folder)/usr/bin:\(path)", "DOCC_HTML_DIR": ""])
  }

  /// docc gives pages their template's owner, which an ordinary user cannot where the toolchain is root's.
  @Test func theTemplateBelongsToTheUser() throws {
    try TestFolders.withTemporary { folder in
      let result = try Self.build(
        in: folder,
        docc: """
          [ -O "$DOCC_HTML_DIR/index.html" ] && [ -w "$DOCC_HTML_DIR" ]
          case "$(readlink -f "$DOCC_HTML_DIR")" in "$(readlink -f \(folder))"/*) exit 1 ;; esac
          while [ "$1" != --output-dir ]; do shift; done
          cp -R "$DOCC_HTML_DIR" "$2"
          """)
      #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
      #expect(try String(contentsOfFile: folder + "/docs/index.html", encoding: .utf8) == "page")
    }
  }

  @Test(arguments: [
    (#"echo 'error: The operation could not be completed.'; exit 1"#, "docc ended with status 1; its messages"),
    (#"printf "warning: no\n --> a.md:1:2\n""#, "docc found fault with the pages or comments above"),
  ])
  func whatDoccFailsForIsTold(docc: String, sentence: String) throws {
    try TestFolders.withTemporary { folder in
      let result = try Self.build(in: folder, docc: docc)
      let lines = result.errors.split(separator: "\n")
      #expect(result.status == 1 && lines.count > 1 && lines.last?.contains(sentence) == true, "\(result.errors)")
      #expect(!FileManager.default.fileExists(atPath: folder + "/docs"))
    }
  }

  /// What a user of the package can import is what is documented.
  @Test func theDocumentedModulesAreThoseOfTheProducts() throws {
    let script = try Repository.text("Scripts/docs")
    let documented = try #require(script.firstMatch(of: #/\nmodules='([A-Za-z0-9 ]+)'/#)).output.1.split(separator: " ")
    let products = try Repository.text("Package.swift").matches(
      of: #/\.library\(\s*name: "\w+",\s*targets: \[([^\]]+)\]\)/#
    )
    .flatMap { $0.output.1.split { !$0.isLetter && !$0.isNumber } }
    #expect(!products.isEmpty && Set(documented) == Set(products))
    let landing = try Repository.text("Docs/Bench360.docc/Bench360.md")
    for module in documented {
      #expect(landing.contains("- ``/\(module)``"), "the first page does not lead to \(module)")
      let page = try Repository.lines("Docs/Bench360.docc/Modules/\(module).md")
      #expect(page.first == "# ``\(module)``" && page.count > 2)
    }
  }

  /// Paths in pages are of files that there are.
  @Test func filesThatPagesNameExist() throws {
    let pages = try #require(FileManager.default.enumerator(atPath: TestFolders.repository + "/Docs/Bench360.docc"))
      .compactMap { $0 as? String }.filter { $0.hasSuffix(".md") }.map { "Docs/Bench360.docc/" + $0 }
    let pattern = #/`((?:Sources|Tests|Shaders|Scripts|Benchmarks|Docs|results)/[A-Za-z0-9_.\/+-]+)`/#
    // What the walks add: they are not there, and that is the point.
    let added = ["Sources/Lab/Run/Scenarios/RewindScenario.swift"]
    var count = 0
    for page in pages + Self.guides + ["CONTRIBUTING.md", "results/README.md"] {
      for match in try Repository.text(page).matches(of: pattern) {
        let path = String(match.output.1)
        count += 1
        let exists = FileManager.default.fileExists(atPath: TestFolders.repository + "/" + path)
        #expect(exists != added.contains(path), "\(page) names '\(path)'")
      }
    }
    #expect(count > 60, "\(count)")
  }

  // MARK: README and the pages in Docs

  private static let guides: [String] = {
    let names = try? FileManager.default.contentsOfDirectory(atPath: TestFolders.repository + "/Docs")
    return ["README.md"] + (names ?? []).filter { $0.hasSuffix(".md") }.sorted().map { "Docs/" + $0 }
  }()

  /// A newcomer reads all of README; everything else is a page that README links to.
  @Test func readmeIsShortAndLeadsToEveryPage() throws {
    let readme = try Repository.text("README.md")
    #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 170)
    for page in Self.guides.dropFirst() { #expect(readme.contains("](\(page))"), "README does not lead to \(page)") }
  }

  /// README's layout names the folders, `Docs/Architecture.md` the targets.
  @Test func theLayoutIsComplete() throws {
    let readme = try Repository.text("README.md")
    let paths = try Repository.committed().filter { $0.contains("/") }
    let folders = Set(paths.compactMap { $0.split(separator: "/").first })
    for folder in folders where !folder.hasPrefix(".") {
      #expect(readme.contains("\n| `\(folder)` |"), "README's layout lacks '\(folder)'")
    }
    let architecture = try Repository.text("Docs/Architecture.md")
    for (target, place) in try Repository.targets() where place.family != "C" {
      #expect(architecture.contains("\n| `\(target)` |"), "the table in Docs/Architecture.md lacks '\(target)'")
    }
  }

  /// The heading as GitHub links to it.
  private static func anchor(_ heading: Substring) -> String {
    String(
      heading.drop { $0 == "#" || $0 == " " }.lowercased().compactMap { character in
        character == " " ? "-" : character.isLetter || character.isNumber || "-_".contains(character) ? character : nil
      })
  }

  @Test func linksResolve() throws {
    var count = 0
    for page in Self.guides + ["CONTRIBUTING.md", "CHANGELOG.md", "results/README.md"] {
      let folder = URL(filePath: "/" + page).deletingLastPathComponent()
      for match in try Repository.text(page).matches(of: #/\]\(([^):]+)\)/#) {
        let parts = match.output.1.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let target = parts[0].isEmpty ? page : String(folder.appending(path: parts[0]).standardized.path.dropFirst())
        count += 1
        #expect(
          FileManager.default.fileExists(atPath: TestFolders.repository + "/" + target), "\(page) links to '\(target)'")
        guard parts.count > 1, target.hasSuffix(".md") else { continue }
        let headings = try Repository.lines(target).filter { $0.hasPrefix("#") }.map(Self.anchor)
        #expect(headings.contains(String(parts[1])), "\(page) links to \(target)#\(parts[1])")
      }
    }
    #expect(count > 30, "\(count)")
  }
}
