import Foundation

/// Clips whose sound is ambisonic, or lies about that: of each channel another tone.
public enum SpatialClips {
  /// The box `SA3D`, as the Spatial Audio RFC has it; `channels` nil: as many as the map has.
  public static func box(
    version: UInt8 = 0, type: UInt8 = 0, order: UInt32 = 1, ordering: UInt8 = 0, normalization: UInt8 = 0,
    channels: UInt32? = nil, map: [UInt32]
  ) -> [UInt8] {
    BoxEditor.box(
      "SA3D",
      [version, type] + BoxEditor.number(order) + [ordering, normalization]
        + BoxEditor.number(channels ?? UInt32(map.count)) + map.flatMap { BoxEditor.number($0) })
  }

  /// Of a channel's tone, in hertz.
  public static func frequency(ofChannel channel: Int) -> Int { 300 + 100 * channel }

  /// A second of 2, 4 or 6 channels as AAC, `content` behind all that their sample entry holds.
  public static func clip(_ name: String, channels: Int, _ content: [UInt8]) throws -> String {
    let waves = (0..<channels).map { "0.2*sin(2*PI*\(frequency(ofChannel: $0))*t)" }.joined(separator: "|")
    let layout = [2: "stereo", 4: "4.0", 6: "hexagonal"][channels] ?? "mono"
    let plain = try SharedClips.ffmpeg(
      "spatial-\(channels).mov",
      ["-f", "lavfi", "-i", "aevalsrc='\(waves)':c=\(layout):s=48000:d=1"]
        + ["-f", "lavfi", "-i", "testsrc=s=64x64:r=10:d=1", "-map", "0:a", "-map", "1:v"]
        + (channels == 6 ? ["-c:a", "pcm_s16le"] : ["-c:a", "aac", "-b:a", "256k"]) + ["-c:v", "mpeg4", "-t", "1"])
    let entry = channels == 6 ? "sowt" : "mp4a"
    return try SharedClips.file(name) { path in
      var editor = BoxEditor([UInt8](try Data(contentsOf: URL(filePath: plain))))
      if !content.isEmpty { editor.insert(content, into: ["moov", "trak", "mdia", "minf", "stbl", "stsd", entry]) }
      try Data(editor.bytes).write(to: URL(filePath: path))
    }
  }
}
