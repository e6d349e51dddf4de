import Foundation

/// Files beside the tests of a target, and a folder for one test.
package enum TestFiles {
  /// The folder of the test target whose file calls this.
  package static func folder(of file: String = #filePath) -> URL {
    var folder = URL(filePath: file).deletingLastPathComponent()
    while folder.deletingLastPathComponent().lastPathComponent != "Tests", folder.pathComponents.count > 2 {
      folder.deleteLastPathComponent()
    }
    return folder
  }

  /// What `Golden/<name>.txt` of the calling target holds: `text` from now on, where goldens are to be rewritten.
  package static func golden(_ name: String, rewritingWith text: String, beside file: String = #filePath) throws
    -> String
  {
    let url = folder(of: file).appending(path: "Golden/\(name).txt")
    if ProcessInfo.processInfo.environment["BENCH360_REWRITE_GOLDEN"] == "1" {
      try Data(text.utf8).write(to: url)
    }
    return String(decoding: try Data(contentsOf: url), as: UTF8.self)
  }

  package static func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "verdict-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
  }
}
