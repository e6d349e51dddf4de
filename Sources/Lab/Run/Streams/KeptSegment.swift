import FoundationEssentials
import Frames
import Media
import Streaming

/// The first segment of a stream as a presentation in a folder: a run's warm-up plays it, and loads nothing from the stream's server.
enum KeptSegment {
  /// In the folder, once the segment is kept.
  private static let playlist = "main.m3u8"

  /// The playlist of the segment that is kept in a folder; nil: none is.
  static func playlist(in folder: String) -> String? {
    let path = folder + "/" + playlist
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }

  /// Keeps the first segment of a stream that was opened; none that is encrypted, that does not come in time or that cannot be written.
  static func keep(_ stream: LoadedStream, in folder: String, unless interruption: Interruption) {
    guard let (segment, end) = stream.firstSegment(unless: interruption), segment.key == nil else { return }
    let bytes = segment.bytes.held
    let seconds = (end - segment.start).seconds
    // A packet of MPEG-TS begins with this byte.
    let name = bytes.first == 0x47 ? "segment.ts" : "segment.mp4"
    let text = """
      #EXTM3U
      #EXT-X-VERSION:7
      #EXT-X-TARGETDURATION:\(max(1, Int(saturating: seconds.rounded(.up))))
      #EXT-X-PLAYLIST-TYPE:VOD
      #EXTINF:\(seconds),
      \(name)
      #EXT-X-ENDLIST

      """
    guard FileManager.default.createFile(atPath: folder + "/" + name, contents: Data(bytes)) else { return }
    _ = FileManager.default.createFile(atPath: folder + "/" + playlist, contents: Data(text.utf8))
  }
}
