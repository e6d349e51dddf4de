import Encode
import Foundation
import Frames
import Glibc

/// Clips that many tests read: made once for a run of the tests, removed at its end.
///
/// The processes of a run share the folder that `BENCH360_SHARED_CLIPS` names. Without that variable a process has a folder of its own.
public enum SharedClips {
  private static let folder: String = {
    let shared = ProcessInfo.processInfo.environment["BENCH360_SHARED_CLIPS"] ?? ""
    guard shared.isEmpty else { return shared }
    let path = NSTemporaryDirectory() + "bench360-clips-\(UUID().uuidString)"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    atexit { try? FileManager.default.removeItem(atPath: SharedClips.folder) }
    return path
  }()

  /// The file or folder called `name`. The first caller of all processes makes it, and others wait for that one.
  ///
  /// - Parameter make: writes a file or folder of that name, in a folder of its own.
  public static func file(_ name: String, make: (_ path: String) throws -> Void) throws -> String {
    let path = folder + "/" + name
    let lock = open(path + ".lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o644)
    guard lock >= 0, flock(lock, LOCK_EX) == 0 else {
      throw Failure(
        .failed, "cannot make '\(path)'", cause: "its lock cannot be taken: \(String(cString: strerror(errno)))")
    }
    defer { close(lock) }
    guard !FileManager.default.fileExists(atPath: path) else { return path }
    let workshop = path + ".making"
    try? FileManager.default.removeItem(atPath: workshop)
    try FileManager.default.createDirectory(atPath: workshop, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: workshop) }
    try make(workshop + "/" + name)
    try FileManager.default.moveItem(atPath: workshop + "/" + name, toPath: path)
    return path
  }

  /// A synthetic clip of 640 × 320, 24 frames in groups of 8, but for `change`.
  public static func synthetic(
    _ name: String, _ change: (inout ClipSpecification) -> Void = { _ in }
  ) throws -> String {
    try file(name) { try generateClip(small(change), to: $0) }
  }

  public static func small(_ change: (inout ClipSpecification) -> Void = { _ in }) -> ClipSpecification {
    var clip = ClipSpecification()
    clip.size = PictureSize(width: 640, height: 320)
    clip.frames = 24
    clip.gop = 8
    change(&clip)
    return clip
  }

  /// 64 small flat frames in groups of 12 with B-frames: for tests that seek and loop a lot.
  public static func many(_ container: String) throws -> String {
    try synthetic("many.\(container)") { $0 = manySpecification }
  }

  public static let manySpecification = small {
    $0.projection = .flat
    $0.size = PictureSize(width: 160, height: 90)
    $0.frames = 64
    $0.gop = 12
  }

  private static let helpOfFFmpeg = (try? CommandOutput.of("ffmpeg", ["-v", "error", "-h", "full"]).text) ?? ""

  /// Rotated counterclockwise by the container's metadata, in the syntax of FFmpeg's tool, which changed with 6.0.
  public static func turned(_ name: String, _ source: String, by degrees: Int) throws -> String {
    let input = ["-i", source, "-c", "copy"]
    return try ffmpeg(
      name,
      helpOfFFmpeg.contains("-display_rotation")
        ? ["-display_rotation", "\(degrees)"] + input : input + ["-metadata:s:v:0", "rotate=\(degrees)"])
  }

  /// A transport stream of one program whose video goes over to another packet identifier with each clip, and each clip alone.
  public static func joined(
    _ name: String, _ clips: [ClipSpecification]
  ) throws -> (path: String, alone: [String]) {
    let alone = try clips.enumerated().map { number, clip in
      let source = try file("\(name)-\(number).mp4") { try generateClip(clip, to: $0) }
      // A little after the end of the clip before, for any delay by its frames' order.
      let start = clips[..<number].reduce(0) { $0 + $1.scene.duration + 0.25 }
      return try ffmpeg(
        "\(name)-\(number).ts",
        ["-i", source, "-c", "copy", "-output_ts_offset", "\(start)", "-streamid", "0:\(256 + 16 * number)"])
    }
    let path = try file(name + ".ts") { path in
      let bytes = try alone.map { try Data(contentsOf: URL(filePath: $0)) }.reduce(Data(), +)
      try bytes.write(to: URL(filePath: path))
    }
    return (path, alone)
  }

  /// A file that FFmpeg's command-line tool writes.
  public static func ffmpeg(_ name: String, _ arguments: [String]) throws -> String {
    try file(name) { path in
      let run = try CommandOutput.of("ffmpeg", ["-v", "error", "-nostdin", "-y"] + arguments + [path])
      guard run.status == 0 else {
        throw Failure(.failed, "cannot make '\(name)'", cause: run.errors)
      }
    }
  }
}
