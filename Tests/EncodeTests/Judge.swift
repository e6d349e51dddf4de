import Encode
import Foundation
import Frames
import Testing

/// FFmpeg's tools as an outside judge, which does not know how a clip was made.
enum Judge {
  /// Standard output of a shell command; records an issue when it fails.
  static func run(_ command: String) -> [UInt8] {
    guard let pipe = popen("exec \(command)", "r") else {
      Issue.record("cannot run \(command)")
      return []
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&buffer, 1, buffer.count, pipe)
      if count == 0 { break }
      bytes.append(contentsOf: buffer[..<count])
    }
    #expect(pclose(pipe) == 0, "\(command) failed")
    return bytes
  }

  static func text(_ command: String) -> String {
    String(decoding: run(command), as: UTF8.self)
  }

  /// Hash of all decoded frames.
  static func hash(_ path: String) -> String {
    text("ffmpeg -v error -i '\(path)' -map 0:v -f md5 -")
  }

  /// Luma of every frame, one byte a pixel.
  static func lumaFrames(_ path: String, size: PictureSize) -> [[UInt8]] {
    let bytes = run("ffmpeg -v error -i '\(path)' -map 0:v -fps_mode passthrough -f rawvideo -pix_fmt gray -")
    let count = size.width * size.height
    return stride(from: 0, to: bytes.count - count + 1, by: count).map { Array(bytes[$0..<$0 + count]) }
  }

  /// `key=value` lines of the first video stream and its side data.
  static func videoStream(_ path: String) -> Set<String> {
    Set(
      text("ffprobe -v error -select_streams v:0 -count_frames -show_streams '\(path)'").split(separator: "\n")
        .map(String.init))
  }
}

/// A folder that is removed with its owner.
final class Folder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "bench360-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func file(_ name: String) -> String { path + "/" + name }
  var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }
}

/// A clip that takes little time.
func smallClip(_ change: (inout ClipSpecification) -> Void = { _ in }) -> ClipSpecification {
  var clip = ClipSpecification()
  clip.size = PictureSize(width: 640, height: 320)
  clip.frames = 20
  clip.gop = 8
  change(&clip)
  return clip
}
