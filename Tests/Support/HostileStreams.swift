import Foundation

/// Playlists and manifests that keep FFmpeg's demuxers busy, made in a folder of the caller's.
public enum HostileStreams {
  /// A multivariant HLS playlist that names itself.
  public static func selfNaming(in folder: String) throws -> String {
    let path = folder + "/self.m3u8"
    try Data("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nself.m3u8\n".utf8).write(to: URL(filePath: path))
    return path
  }

  /// A DASH manifest over one file, whose segments are ranges of it: below `avformat_find_stream_info` libavformat 5.1 asks for
  /// zero bytes for ever.
  public static func spinning(in folder: String) throws -> String {
    let made = try CommandOutput.of(
      "ffmpeg",
      ["-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=s=64x64:r=10:d=2", "-c:v", "libx264", "-g", "10"]
        + ["-movflags", "frag_keyframe+empty_moov+default_base_moof", "ranges.mp4"], folder: folder)
    guard made.status == 0 else { throw Unmade(description: made.errors) }
    let data = try Data(contentsOf: URL(filePath: folder + "/ranges.mp4"))
    let boxes = topLevelBoxes([UInt8](data))
    guard let movie = boxes.first(where: { $0.type == "moov" }) else { throw Unmade(description: "no 'moov'") }
    let fragments = boxes.filter { $0.type == "moof" }.map(\.range.lowerBound) + [data.count]
    let segments = zip(fragments, fragments.dropFirst()).map { "<SegmentURL mediaRange=\"\($0)-\($1 - 1)\"/>" }
    let manifest = """
      <?xml version="1.0"?>
      <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" minBufferTime="PT1S" type="static" mediaPresentationDuration="PT2S"
       profiles="urn:mpeg:dash:profile:isoff-live:2011"><Period><AdaptationSet mimeType="video/mp4" codecs="avc1.64001e">
      <Representation id="1" bandwidth="500000" width="64" height="64"><BaseURL>ranges.mp4</BaseURL>
      <SegmentList timescale="10" duration="10"><Initialization range="0-\(movie.range.upperBound - 1)"/>
      \(segments.joined())</SegmentList></Representation></AdaptationSet></Period></MPD>
      """
    let path = folder + "/spinning.mpd"
    try Data(manifest.utf8).write(to: URL(filePath: path))
    return path
  }

  struct Unmade: Error, CustomStringConvertible {
    let description: String
  }

  private static func topLevelBoxes(_ bytes: [UInt8]) -> [(type: String, range: Range<Int>)] {
    var boxes: [(String, Range<Int>)] = []
    var position = 0
    while position + 8 <= bytes.count {
      let size = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      guard size >= 8, position + size <= bytes.count else { break }
      boxes.append((String(decoding: bytes[position + 4..<position + 8], as: UTF8.self), position..<position + size))
      position += size
    }
    return boxes
  }
}
