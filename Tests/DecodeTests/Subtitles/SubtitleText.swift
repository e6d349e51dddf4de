import Decode
import Foundation
import Frames
import Media
import Support
import Testing

/// A subtitle as plain text, to be compared with what others read.
struct PlainSubtitle: Hashable, CustomStringConvertible {
  /// Milliseconds.
  var start: Int
  var end: Int
  var text: String
  var description: String { "\(start)-\(end) '\(text)'" }
}

/// All that a track holds.
func subtitles(_ track: SubtitleTrack, of clip: ProbedClip?) throws -> [PlainSubtitle] {
  let reader = try SubtitleReader(track, of: clip)
  var found: [PlainSubtitle] = []
  while let event = try reader.next() { found.append(PlainSubtitle(event)) }
  return found
}

func subtitles(file: String) throws -> [PlainSubtitle] {
  try subtitles(SideSubtitles.track(named: file), of: nil)
}

/// Writes a file into a folder of its own for `body`.
func withSubtitleFile<Result>(_ bytes: [UInt8], _ name: String, _ body: (String) throws -> Result) throws -> Result {
  try TestFolders.withTemporary { folder in
    try Data(bytes).write(to: URL(filePath: folder + "/" + name))
    return try body(folder + "/" + name)
  }
}

extension PlainSubtitle {
  init(_ event: SubtitleEvent) {
    let text = String(event.text).replacing("\\N", with: "\n").replacing("\\h", with: " ")
    self.init(
      start: Int(event.start.nanoseconds / 1_000_000), end: Int(event.end.nanoseconds / 1_000_000),
      text: text.replacing(#/\{[^}]*\}/#, with: "").trimmingCharacters(in: .whitespacesAndNewlines))
  }

  /// What FFmpeg's command line tool makes of a stream of subtitles.
  static func judged(_ file: String, stream: Int = 0) throws -> [PlainSubtitle] {
    let run = try CommandOutput.of(
      "ffmpeg", ["-v", "error", "-nostdin", "-i", file, "-map", "0:s:\(stream)", "-f", "srt", "-"])
    #expect(run.status == 0, "\(run.errors)")
    return run.text.replacing("\r\n", with: "\n").components(separatedBy: "\n\n").compactMap { block in
      let lines = block.split(separator: "\n", omittingEmptySubsequences: false).drop { $0.isEmpty }
      guard lines.count > 1 else { return nil }
      let times = lines[lines.startIndex + 1].components(separatedBy: " --> ").map(milliseconds)
      let text = lines.dropFirst(2).joined(separator: "\n").replacing(#/<[^>]*>|\{[^}]*\}/#, with: "")
      return PlainSubtitle(start: times[0], end: times[1], text: text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
  }

  private static func milliseconds(_ text: String) -> Int {
    let parts = text.split { $0 == ":" || $0 == "," }.compactMap { Int($0) }
    return ((parts[0] * 60 + parts[1]) * 60 + parts[2]) * 1000 + parts[3]
  }
}
