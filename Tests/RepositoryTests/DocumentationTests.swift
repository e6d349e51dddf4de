import Foundation
import Support
import Testing

/// The catalogue `Docs/Bench360.docc` and `Scripts/docs`, which builds it; what its pages promise of the program is tried in
/// CommandLineTests.
@Suite struct DocumentationTests {
  private static let isStrict = ProcessInfo.processInfo.environment["CI"] == "true"
  private static let hasCompiler = (try? CommandOutput.of("docc", ["--help"]).status) == 0
  /// Those of the build that this test belongs to.
  private static let modules = URL(filePath: TestFolders.program).deletingLastPathComponent().appending(path: "Modules")
    .path

  private static func build(_ arguments: [String]) throws -> CommandOutput {
    try CommandOutput.of(TestFolders.repository + "/Scripts/docs", arguments)
  }

  @Test(.enabled("docc is not installed") { hasCompiler || isStrict })
  func theDocumentationIsBuiltWithoutAWarning() throws {
    try TestFolders.withTemporary { folder in
      let result = try Self.build(["--modules", Self.modules, "--output", folder + "/docs"])
      #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
      let pages = folder + "/docs/data/documentation"
      for name in ["bench360", "bench360/metrics", "frames/videoframe", "verdict/metric", "playback/rendersession"] {
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

  /// What a user of the package can import is what is documented.
  @Test func theDocumentedModulesAreThoseOfTheProducts() throws {
    let script = try Repository.text("Scripts/docs")
    let documented = try #require(script.firstMatch(of: #/\nmodules='([A-Za-z ]+)'/#)).output.1.split(separator: " ")
    let products = try Repository.text("Package.swift").matches(of: #/\.library\(name: "\w+", targets: \[([^\]]+)\]\)/#)
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
    let added = ["Sources/Run/RewindScenario.swift"]
    var count = 0
    for page in pages + ["README.md", "CONTRIBUTING.md", "results/README.md"] {
      for match in try Repository.text(page).matches(of: pattern) {
        let path = String(match.output.1)
        count += 1
        let exists = FileManager.default.fileExists(atPath: TestFolders.repository + "/" + path)
        #expect(exists != added.contains(path), "\(page) names '\(path)'")
      }
    }
    #expect(count > 60, "\(count)")
  }
}
