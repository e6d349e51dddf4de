import Encode
import FoundationEssentials
import Frames
import Glibc
import Playback
import Session

/// The clip that is measured when the user names none: made once, kept in the user's cache folder.
public enum BuiltInClip {
  /// The clip's path, present or not; a change of the recipe changes the name.
  public static func path(environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
    let clip = ClipSpecification.builtIn
    return
      "\(BuiltInCache.folder(environment))/synthetic-\(clip.tag.version)-\(clip.codec)-\(clip.size)-\(clip.seed).mp4"
  }

  /// Makes the clip unless it exists. Two processes that start together wait for each other.
  ///
  /// - Parameter progress: frames done and frames in all; false cancels.
  public static func ensure(progress: (Int, Int) -> Bool) throws -> String {
    let path = path()
    try BuiltInCache.ensure(path, called: "the built-in clip", insteadName: "a clip") {
      try generateClip(.builtIn, to: path, progress: progress)
    }
    return path
  }

  /// The clip that `observe` plays when the user names none: ten seconds of a flat picture with numbered frames and sound.
  public static func ensureFlat(progress: (Int, Int) -> Bool) throws -> String {
    var clip = ClipSpecification()
    (clip.projection, clip.size, clip.hasAudio) = (.flat, PictureSize(width: 1280, height: 720), true)
    let name = "flat-\(clip.tag.version)-\(clip.codec)-\(clip.size)-\(clip.seed).mp4"
    let path = "\(BuiltInCache.folder(ProcessInfo.processInfo.environment))/\(name)"
    try BuiltInCache.ensure(path, called: "the built-in flat clip", insteadName: "a clip") {
      try generateClip(clip, to: path, progress: progress)
    }
    return path
  }
}

/// What is made once and kept in the user's cache folder.
enum BuiltInCache {
  static func folder(_ environment: [String: String]) -> String {
    UserFolders { environment[$0] }.cache ?? temporaryFolder + "bench360-\(getuid())"
  }

  /// Calls `make`, which makes the file or folder at `path` as a whole, unless it exists. Two processes that start
  /// together wait for each other.
  ///
  /// - Parameters:
  ///   - name: of the thing, for messages.
  ///   - other: what the user can name in its place.
  static func ensure(_ path: String, called name: String, insteadName other: String, make: () throws -> Void) throws {
    let folder = path.deletingLastPathComponent
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw Failure(
        .output, "cannot make \(name)", cause: "folder '\(folder)' cannot be created",
        remedy: "set XDG_CACHE_HOME to a folder that can be written, or name \(other)")
    }
    let lock = open(path + ".lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o644)
    defer { if lock >= 0 { close(lock) } }
    if lock >= 0 { flock(lock, LOCK_EX) }
    if !FileManager.default.fileExists(atPath: path) { try make() }
  }
}
