import FoundationEssentials
import Frames
import Glibc
import Session
import Viewer

/// The viewer's files of the user: keys and settings, which it only reads, and its own memory.
enum UserFiles {
  static let (shownKeys, shownSettings) = ("~/.config/bench360/keys", "~/.config/bench360/settings")

  static func keys() throws -> KeyBindings {
    try config("keys").map { try KeyBindings($0.text, file: $0.path) } ?? KeyBindings()
  }

  static func settings() throws -> ViewerSettings {
    try config("settings").map { try ViewerSettings($0.text, file: $0.path) } ?? ViewerSettings()
  }

  /// Recent clips that are still there.
  static func recent() -> RecentFiles {
    let isThere = { (path: String) in path.contains("://") || FileManager.default.isReadableFile(atPath: path) }
    return RecentFiles(RecentFiles(text: state("recent")).paths.filter(isThere))
  }

  static func write(_ recent: RecentFiles) { write(recent.text, "recent") }

  static func positions() -> ClipPositions { ClipPositions(text: state("positions")) }

  static func write(_ positions: ClipPositions) { write(positions.text, "positions") }

  static func geometries() -> RememberedGeometries { RememberedGeometries(text: state("projections")) }

  static func write(_ geometries: RememberedGeometries) { write(geometries.text, "projections") }

  /// A file that the user wrote; nil where there is none.
  private static func config(_ name: String) throws -> (text: String, path: String)? {
    guard let path = UserFolders().config.map({ $0 + "/" + name }), FileManager.default.fileExists(atPath: path) else {
      return nil
    }
    guard let text = text(path) else {
      throw Failure(
        .usage, "cannot read the \(name) in '\(path)'", cause: "it is not a text file that can be read",
        remedy: "correct or remove it")
    }
    return (text, path)
  }

  /// Empty if there is no such file, or if it is of another kind.
  private static func state(_ name: String) -> String { UserFolders().state.flatMap { text($0 + "/" + name) } ?? "" }

  private static func text(_ path: String) -> String? {
    guard let data = FileManager.default.contents(atPath: path), data.count <= 1 << 20 else { return nil }
    return String(data: data, encoding: .utf8)
  }

  /// Readable by this user only. Write errors are ignored, because the user did not ask for the file.
  private static func write(_ text: String, _ name: String) {
    guard let folder = UserFolders().state else { return }
    let path = folder + "/" + name
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    guard (try? Data(text.utf8).write(to: URL(filePath: path), options: .atomic)) != nil else { return }
    try? FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
  }
}

/// The names in a folder, folders with a trailing `/`, in alphabetical order; empty if it cannot be read.
@Sendable func names(in folder: String) -> [String] {
  let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  return names.sorted().map { name in
    var isFolder = false
    let exists = FileManager.default.fileExists(atPath: folder + "/" + name, isDirectory: &isFolder)
    return exists && isFolder ? name + "/" : name
  }
}

/// The entries of a folder, links as what they lead to.
@Sendable func entries(in folder: String) throws(Failure) -> [FolderEntry] {
  do {
    return try FileManager.default.contentsOfDirectory(atPath: folder).map { name in
      var facts = stat()
      guard stat(folder + "/" + name, &facts) == 0 else {
        return FolderEntry(name: name, isFolder: false, bytes: 0, modified: 0)
      }
      return FolderEntry(
        name: name, isFolder: facts.st_mode & S_IFMT == S_IFDIR, bytes: Int64(facts.st_size),
        modified: Double(facts.st_mtim.tv_sec) + Double(facts.st_mtim.tv_nsec) / 1e9)
    }
  } catch {
    let cause = (error as? CocoaError)?.code == .fileReadNoPermission ? "permission denied" : "it cannot be read"
    throw Failure(.input, "cannot list '\(folder)'", cause: cause, remedy: "choose another folder")
  }
}
