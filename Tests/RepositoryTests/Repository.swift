import Foundation
import Support
import Testing

/// The files of this repository, by their paths from its root.
enum Repository {
  /// Swift files below a folder.
  static func swiftFiles(below folder: String) throws -> [String] {
    try #require(
      FileManager.default.enumerator(atPath: TestFolders.repository + "/" + folder)
    ).compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.map { folder + "/" + $0 }.sorted()
  }

  /// The folders in a folder.
  static func folders(in folder: String) throws -> [String] {
    let root = TestFolders.repository + "/" + folder
    return try FileManager.default.contentsOfDirectory(atPath: root).filter { name in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: root + "/" + name, isDirectory: &isFolder) && isFolder.boolValue
    }.sorted()
  }

  /// The targets of the program and its libraries: `Render` lies in the family `Core`, in the folder `Sources/Core/Render`.
  static func targets() throws -> [String: (family: String, folder: String)] {
    var targets: [String: (family: String, folder: String)] = [:]
    for family in try folders(in: "Sources") {
      for target in try folders(in: "Sources/\(family)") { targets[target] = (family, "Sources/\(family)/\(target)") }
    }
    return targets
  }

  static func text(_ path: String) throws -> String {
    try String(contentsOfFile: TestFolders.repository + "/" + path, encoding: .utf8)
  }

  static func lines(_ path: String) throws -> [Substring] {
    try text(path).split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// What git would commit: tracked files, and new ones that it does not ignore. Empty outside a work tree.
  static func committed() throws -> [String] {
    let result = try CommandOutput.of(
      "git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], folder: TestFolders.repository)
    return result.text.split(separator: "\0").map(String.init).filter {
      FileManager.default.fileExists(atPath: TestFolders.repository + "/" + $0)
    }
  }
}
