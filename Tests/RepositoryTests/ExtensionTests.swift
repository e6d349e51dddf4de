import Foundation
import Support
import Testing

/// What CONTRIBUTING says of adding a thing.
@Suite struct ExtensionTests {
  /// The build's, which lies above the folder of its configuration.
  private static let manifest: String = {
    let folder = URL(filePath: TestFolders.products)
    return folder.deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "\(folder.lastPathComponent).yaml").path
  }()

  @Test(.tier(.full)) func aToyOfEachThingCompilesWithTheFilesOfItsRow() throws {
    let result = try CommandOutput.of(
      TestFolders.repository + "/Scripts/test-extensions", ["--manifest", Self.manifest])
    #expect(result.status == 0 && result.text.contains("scenario, projection, hardware decoder"), "\(result.errors)")
  }

  /// Cheap: what the script adds are rows of the table.
  @Test func theToysAreRowsOfTheTable() throws {
    let script = try Repository.text("Scripts/test-extensions")
    let table = try Repository.text("CONTRIBUTING.md")
    for thing in [
      "scenario", "metric", "projection", "hardware decoder", "report format", "format of comparisons",
      "format of histories",
    ] {
      #expect(script.contains("\"\(thing)\": ") && table.contains("\n| \(thing) | "), "\(thing)")
    }
  }
}
