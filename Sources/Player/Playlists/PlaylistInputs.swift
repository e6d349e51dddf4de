import FoundationEssentials
import Frames

/// What a user's inputs stand for: clips, the clips of folders, and those of playlists on this machine, which may name each other.
///
/// Playlists and folders of this machine are read, bounded in size, number and depth; all other inputs are clips, whose opening tells
/// what they are. A playlist of HLS is one clip.
public struct PlaylistInputs {
  /// The clips of a folder that says itself what they are; nil for another folder.
  public typealias FolderReading = (_ folder: String) throws(Failure) -> [PlaylistItem]?

  /// Whether a name in a folder is that of a clip.
  private let isClip: (String) -> Bool
  private let readFolder: FolderReading
  /// Playlists that are being read, the outermost first, by their real paths.
  private var open: [String] = []
  private var filesRead = 0

  private init(_ isClip: @escaping (String) -> Bool, _ readFolder: @escaping FolderReading) {
    (self.isClip, self.readFolder) = (isClip, readFolder)
  }

  /// The clips of inputs, in order. Waits for the disk.
  ///
  /// Throws `.input` for a playlist that cannot be read, or names itself, and for a folder without clips; in one sentence.
  ///
  /// - Parameters:
  ///   - isClip: whether a name in a folder is that of a clip.
  ///   - readFolder: asked for each folder first, such as one of downloads.
  public static func clips(
    of inputs: [String], isClip: @escaping (String) -> Bool,
    readFolder: @escaping FolderReading = { (_) throws(Failure) in nil }
  ) throws(Failure) -> PlaylistFile {
    var reader = PlaylistInputs(isClip, readFolder)
    var file = PlaylistFile(items: [])
    for input in inputs {
      let found = try reader.clips(of: PlaylistItem(input))
      guard file.items.count + found.items.count <= PlaylistLimits.itemCount else { throw PlaylistFile.tooMany(input) }
      file.items += found.items
      if inputs.count == 1 { file.title = found.title }
    }
    return file
  }

  private mutating func clips(of item: PlaylistItem) throws(Failure) -> PlaylistFile {
    let path = item.source
    let clip = PlaylistFile(items: [item])
    guard !path.isEmpty, !path.contains("://"), let kind = Self.kind(path) else { return clip }
    if kind == .typeDirectory { return PlaylistFile(items: try folder(path)) }
    guard kind == .typeRegular, let form = Form(path), let bytes = Self.bytes(path) else { return clip }
    if form == .m3u, !PlaylistFile.isM3U(bytes) { return clip }
    let place = URL(filePath: path).resolvingSymlinksInPath().path
    guard !open.contains(place) else { throw Self.refusal(path, "it names itself", "leave it out of its own clips") }
    guard open.count < PlaylistLimits.depth else {
      throw Self.refusal(
        path, "it is inside \(PlaylistLimits.depth) others", "name its clips in the playlist that names it")
    }
    try count(path)
    open.append(place)
    defer { open.removeLast() }
    let list = try form == .m3u ? PlaylistFile(m3u: bytes, path: path) : PlaylistFile(json: bytes, path: path)
    var file = PlaylistFile(title: list.title, items: [])
    for item in list.items {
      file.items += try clips(of: item).items
      guard file.items.count <= PlaylistLimits.itemCount else { throw PlaylistFile.tooMany(path) }
    }
    return file
  }

  /// Its clips by name, without those of folders inside.
  private mutating func folder(_ path: String) throws(Failure) -> [PlaylistItem] {
    try count(path)
    if let items = try readFolder(path) { return items }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw Self.refusal(path, "it cannot be listed", "check its permissions", as: "play the folder")
    }
    let base = path.hasSuffix("/") ? path : path + "/"
    let items = names.filter { !$0.hasPrefix(".") && isClip($0) && Self.kind(base + $0) == .typeRegular }
      .sorted(by: namesInOrder).map { PlaylistItem(base + $0) }
    guard !items.isEmpty else { throw Self.refusal(path, "it holds no clips", nil, as: "play the folder") }
    guard items.count <= PlaylistLimits.itemCount else { throw PlaylistFile.tooMany(path) }
    return items
  }

  private mutating func count(_ path: String) throws(Failure) {
    filesRead += 1
    guard filesRead <= PlaylistLimits.fileCount else {
      throw Self.refusal(path, "more than \(PlaylistLimits.fileCount) playlists and folders belong to it", "split it")
    }
  }

  private enum Form {
    case m3u, json

    init?(_ path: String) {
      let name = path.lowercased()
      if name.hasSuffix(".m3u") || name.hasSuffix(".m3u8") {
        self = .m3u
      } else if name.hasSuffix(".json") {
        self = .json
      } else {
        return nil
      }
    }
  }

  /// Nil where there is none. Of a link, what it leads to.
  private static func kind(_ path: String) -> FileAttributeType? {
    let place = URL(filePath: path).resolvingSymlinksInPath().path
    return (try? FileManager.default.attributesOfItem(atPath: place))?[.type] as? FileAttributeType
  }

  /// A byte more than the limit at most; nil where it cannot be read.
  private static func bytes(_ path: String) -> [UInt8]? {
    try? OpenFile(reading: path).read(upTo: PlaylistLimits.byteCount + 1)
  }

  private static func refusal(
    _ path: String, _ cause: String, _ remedy: String?, as attempt: String = "read the playlist"
  ) -> Failure {
    Failure(.input, "cannot \(attempt) '\(path)'", cause: cause, remedy: remedy)
  }
}
