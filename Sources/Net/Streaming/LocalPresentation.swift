import FoundationEssentials
import Frames
import Media

/// A playlist or manifest of this machine, and the folder from which its resources are served.
public struct LocalPresentation: Sendable, Hashable {
  /// Its folder; of a ladder, the ladder's, for keys and subtitles lie beside its playlists' folders.
  public let folder: String
  /// The manifest's name in that folder.
  public let manifest: String

  /// Nil for what is no playlist of HLS and no manifest of DASH, by its name, else by its first bytes.
  public init?(file path: String) {
    guard isManifest(file: path) else { return nil }
    let name = path.lastPathComponent
    let parent = path.deletingLastPathComponent
    let folder = parent.isEmpty ? "." : parent
    let above = folder == "." ? ".." : folder.deletingLastPathComponent
    if !Self.exists(folder + "/ladder.json"), Self.exists((above.isEmpty ? "." : above) + "/ladder.json") {
      let inner = URL(fileURLWithPath: folder).standardizedFileURL.path.lastPathComponent
      (self.folder, manifest) = (above.isEmpty ? "." : above, inner + "/" + name)
    } else {
      (self.folder, manifest) = (folder, name)
    }
  }

  /// The first of these that lies in a folder; nil where none does.
  public init?(folder: String, manifests: [String]) {
    guard let found = manifests.first(where: { Self.exists(folder + "/" + $0) }) else { return nil }
    (self.folder, manifest) = (folder, found)
  }

  /// Behind the URL of a server of `folder`.
  public var urlPath: String { manifest.percentEncoded(keeping: "/!$&'()*+,;=:@") }

  private static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}
