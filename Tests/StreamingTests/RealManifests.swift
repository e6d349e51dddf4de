import Foundation
import Support
import Testing

/// Playlists and manifests of other projects, in the folder of clips and in the one of hostile inputs beside it.
enum RealManifests {
  struct File: Sendable, CustomTestStringConvertible {
    /// Below the folder of clips.
    let name: String
    let path: String
    var testDescription: String { name }
    var isDASH: Bool { name.hasSuffix(".mpd") }

    func bytes() throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }
  }

  static let root: String? = TestFolders.media.map { URL(filePath: $0).standardizedFileURL.path }

  static let files: [File] = {
    guard let root else { return [] }
    let hostile = URL(filePath: root).deletingLastPathComponent().appending(path: "hostile").path
    return (list(root, prefix: "") + list(hostile, prefix: "hostile/")).sorted { $0.name < $1.name }
  }()

  private static func list(_ folder: String, prefix: String) -> [File] {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return names.filter { $0.hasSuffix(".m3u8") || $0.hasSuffix(".mpd") }
      .map { File(name: prefix + $0, path: folder + "/" + $0) }
  }
}
