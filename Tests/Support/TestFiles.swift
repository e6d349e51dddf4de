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

  /// Writes a script that can be executed. Another process writes it: a program that another thread starts meanwhile would hold a file
  /// open that this process writes, and Linux executes no file that is open for writing.
  package static func writeProgram(_ script: String, to path: String) throws {
    let result = try CommandOutput.of(
      "sh", ["-c", "cat > \"$0\" && chmod 755 \"$0\"", path], input: Data(script.utf8))
    guard result.status == 0 else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path]) }
  }

  /// Copies a script that is to be executed. Another process does it, for the reason that `writeProgram` gives.
  package static func copyProgram(_ path: String, to copy: String) throws {
    let result = try CommandOutput.of("cp", ["-p", path, copy])
    guard result.status == 0 else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: copy]) }
  }

  package static func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "verdict-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
  }
}
