import Encode
import Foundation
import Frames
import Support
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

  /// Hashes of all decoded frames, one for each file, from one process.
  static func hashes(_ paths: [String]) -> [String] {
    let inputs = paths.map { "-i '\($0)'" }.joined(separator: " ")
    let maps = paths.indices.map { "-map \($0):v:0" }.joined(separator: " ")
    let lines = text("ffmpeg -v error \(inputs) \(maps) -f streamhash -hash md5 -").split(separator: "\n")
    return lines.compactMap { line -> String? in line.split(separator: ",").last.map { String($0) } }
  }

  /// CRC-32 of each frame's packed planes, for each file, from one process. What FFmpeg logs is ignored.
  static func frameHashes(_ paths: [String]) throws -> [[String]] {
    let inputs = paths.flatMap { ["-i", $0] }
    let maps = paths.indices.flatMap { ["-map", "\($0):v:0"] }
    let run = try CommandOutput.of(
      "ffmpeg",
      ["-v", "quiet"] + inputs + maps + ["-fps_mode", "passthrough", "-f", "framehash", "-hash", "crc32", "-"])
    var hashes = paths.map { _ in [String]() }
    for line in run.text.split(separator: "\n") where !line.hasPrefix("#") {
      let fields = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      guard let number = fields.first.flatMap({ Int($0) }), let hash = fields.last else { continue }
      hashes[number].append(hash)
    }
    return hashes
  }

  /// Luma of every frame, one byte a pixel.
  static func lumaFrames(_ path: String, size: PictureSize) -> [[UInt8]] {
    let bytes = run("ffmpeg -v error -i '\(path)' -map 0:v -fps_mode passthrough -f rawvideo -pix_fmt gray -")
    let count = size.width * size.height
    return stride(from: 0, to: bytes.count - count + 1, by: count).map { Array(bytes[$0..<$0 + count]) }
  }

  /// `key=value` lines of the file, its first video stream and that stream's side data.
  static func videoStream(_ path: String) -> Set<String> {
    Set(
      text("ffprobe -v error -select_streams v:0 -count_frames -show_format -show_streams '\(path)'")
        .split(separator: "\n").map(String.init))
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
  clip.size = PictureSize(width: 480, height: 240)
  clip.frames = 20
  clip.gop = 8
  change(&clip)
  return clip
}
