import Encode
import FoundationEssentials
import Frames
import Glibc
import Host
import Run

/// What `serve` serves: a folder as it is, a clip that is packaged first, or the built-in ladder.
///
/// A packaged clip lies in a temporary folder, which is removed with this value.
struct ServedPlace: ~Copyable {
  /// A folder, or another path that the user named.
  let path: String
  /// What a player opens, relative to the folder; empty for a folder of the user's.
  private(set) var presentations: [String]
  private let temporary: String?
  /// A clip, packaged.
  var isPackaged: Bool { temporary != nil }

  /// Packages a clip, or makes the built-in ladder, with a progress bar; blocks until that is done.
  ///
  /// - Parameter path: nil, or `ladder` where no file has that name: the built-in ladder.
  ///
  /// Throws `Failure`, as `packageClip` does.
  init(_ path: String?) throws {
    defer { Console.clearProgress() }
    guard let path, !Self.isBuiltIn(path) else {
      self = try Self.builtIn()
      return
    }
    guard OutputPlace(at: path) == .file else {
      (self.path, presentations, temporary) = (path, [], nil)
      return
    }
    self = try Self.packaged(path)
  }

  /// Whether a word names the built-in ladder.
  static func isBuiltIn(_ word: String) -> Bool {
    word == "ladder" && !FileManager.default.fileExists(atPath: word)
  }

  /// What a player opens: the first playlist, the DASH manifest, the other playlists; of a folder of the user's, the folder.
  ///
  /// - Parameter url: of the folder.
  func addresses(below url: String) -> [String] {
    let (manifests, playlists) = (
      presentations.filter { $0.hasSuffix(".mpd") }, presentations.filter { !$0.hasSuffix(".mpd") }
    )
    return presentations.isEmpty ? [url] : (playlists.prefix(1) + manifests + playlists.dropFirst()).map { url + $0 }
  }

  private init(_ path: String, _ presentations: [String], temporary: String?) {
    (self.path, self.presentations, self.temporary) = (path, presentations, temporary)
  }

  deinit {
    if let temporary { try? FileManager.default.removeItem(atPath: temporary) }
  }

  private static func builtIn() throws -> ServedPlace {
    let bar = ProgressBar()
    var isTold = false
    let folder = try BuiltInLadder.ensure { share in
      if !isTold, !Console.hasTerminalError { Console.note("making the built-in ladder, once …") }
      isTold = true
      bar.show("making the built-in ladder, once", share)
      return !Interrupt.isRequested
    }
    return ServedPlace(folder, try BuiltInLadder.presentations(in: folder), temporary: nil)
  }

  private static func packaged(_ clip: String) throws -> ServedPlace {
    try requireSpace(for: clip)
    let folder = temporaryFolder + "bench360-serve-\(UUID().uuidString)"
    guard mkdir(folder, 0o700) == 0 else {
      throw Failure(
        .output, "cannot package '\(clip)'", cause: "folder '\(folder)' cannot be made",
        remedy: "set TMPDIR to a folder that can be written")
    }
    // It owns the folder from here on, and removes it where packaging fails.
    var place = ServedPlace(folder + "/package", [], temporary: folder)
    let bar = ProgressBar()
    let package = try packageClip(clip, to: place.path) { share in
      bar.show("packaging \(clip)", share)
      return !Interrupt.isRequested
    }
    if !package.leftOut.isEmpty {
      Console.note("bench360: '\(clip)' is served without \(package.leftOut.joined(separator: ", "))")
    }
    if package.hiddenFrames > 0 {
      Console.note(
        "bench360: '\(clip)' has an edit list: players can show \(package.hiddenFrames) frames more than it does")
    }
    place.presentations = package.presentations
    return place
  }

  /// A package is about as large as its clip.
  private static func requireSpace(for clip: String) throws {
    var (status, space) = (stat(), statvfs())
    guard stat(clip, &status) == 0, statvfs(temporaryFolder, &space) == 0 else { return }
    let free = UInt64(space.f_bavail) * UInt64(space.f_frsize)
    let wanted = UInt64(max(0, status.st_size)) / 50 * 51 + (1 << 20)
    guard free < wanted else { return }
    throw Failure(
      .output, "cannot package '\(clip)'",
      cause: "it takes \(wanted >> 20) MiB in '\(temporaryFolder)', where \(free >> 20) MiB are free",
      remedy: "set TMPDIR to a folder with more space")
  }
}
