import Foundation
import Frames
import Support
import TestPicture
import Testing

/// Clips whose sound is `TonePosition`'s, by FFmpeg's tool, and what that tool decodes from them.
enum SoundClips {
  static let rate = 48_000
  static let seconds = 5

  /// Containers and codecs that a clip's sound comes in.
  struct Kind: Sendable, CustomTestStringConvertible {
    var name: String
    var codec: [String]
    /// What stamps are rounded by, in seconds.
    var rounding = 0.0
    /// A lossless codec.
    var isExact = false
    var testDescription: String { name }
  }

  static let kinds = [
    Kind(name: "aac.mp4", codec: ["aac", "-b:a", "96k"]),
    Kind(name: "mp3.mp4", codec: ["libmp3lame", "-b:a", "96k"]),
    Kind(name: "alac.mov", codec: ["alac"], isExact: true),
    Kind(name: "pcm.mov", codec: ["pcm_s24le"], isExact: true),
    Kind(name: "aac.mkv", codec: ["aac", "-b:a", "96k"], rounding: 0.001),
    Kind(name: "opus.webm", codec: ["libopus", "-b:a", "96k"], rounding: 0.001),
    Kind(name: "vorbis.webm", codec: ["libvorbis"], rounding: 0.001),
    Kind(name: "flac.mkv", codec: ["flac"], rounding: 0.001, isExact: true),
    Kind(name: "aac.ts", codec: ["aac", "-b:a", "96k"]),
    Kind(name: "ac3.ts", codec: ["ac3", "-b:a", "192k"]),
    Kind(name: "mp2.mpg", codec: ["mp2", "-b:a", "192k"]),
    Kind(name: "pcm.avi", codec: ["pcm_s16le"], isExact: true),
  ]

  /// The tone, one channel of raw samples.
  static func tone() throws -> String {
    try SharedClips.file("tone.f32") { path in
      let tone = TonePosition.Generator(rate: rate, track: 3)
      let samples = tone.samples(from: 0, count: seconds * rate)
      try samples.withUnsafeBytes { try Data($0).write(to: URL(filePath: path)) }
    }
  }

  /// The arguments that read the tone and a small picture, and the codec of the picture.
  static func inputs(container: String) throws -> [String] {
    let picture = container == "webm" ? ["libvpx", "-deadline", "realtime", "-cpu-used", "16"] : ["mpeg4"]
    return ["-f", "f32le", "-ar", "\(rate)", "-ac", "1", "-i", try tone()]
      + ["-f", "lavfi", "-i", "testsrc=s=64x64:r=25:d=\(seconds)", "-map", "0:a", "-map", "1:v"]
      + ["-c:v"] + (container == "mpg" ? ["mpeg2video"] : picture) + ["-g", "50"]
  }

  static func make(_ kind: Kind) throws -> String {
    let container = String(kind.name.split(separator: ".")[1])
    return try SharedClips.ffmpeg("sound-\(kind.name)", try inputs(container: container) + ["-c:a"] + kind.codec)
  }

  /// What FFmpeg's tool makes of the first stream of sound.
  static func judged(_ path: String, rate: Int, channels: Int) throws -> [Float] {
    let run = try CommandOutput.of(
      "ffmpeg",
      [
        "-v", "error", "-nostdin", "-i", path, "-map", "0:a:0", "-f", "f32le", "-ar", "\(rate)", "-ac", "\(channels)",
        "-",
      ])
    guard run.status == 0 else { throw Failure(.failed, "cannot judge '\(path)'", cause: run.errors) }
    return run.output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }
}
