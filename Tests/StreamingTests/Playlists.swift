import Frames
import Testing

import Streaming

/// Playlists of tests, at one address.
enum Playlists {
  static func address() throws -> StreamAddress { try StreamAddress(url: "https://host/live/main.m3u8?token=1") }

  static func media(
    _ text: String, previous: MediaPlaylist? = nil, variables: PlaylistVariables? = nil
  ) throws -> MediaPlaylist {
    try #require(try MediaPlaylist.parse(Array(text.utf8), at: address(), previous: previous, variables: variables))
  }

  static func presentation(_ text: String) throws -> Presentation {
    try Manifest.parse(Array(text.utf8), at: address())
  }

  /// The sentence with which a text is refused; empty where it is read.
  static func refusal(_ text: String) -> String {
    do {
      _ = try presentation(text)
      return ""
    } catch {
      return "\(error)"
    }
  }

  static func segments(_ playlist: MediaPlaylist) -> [Segment] { segments(playlist.timeline) }

  static func segments(_ timeline: SegmentTimeline) -> [Segment] {
    (0..<(timeline.count ?? 0)).compactMap { timeline[$0] }
  }
}

extension MediaTime {
  static func milliseconds(_ value: Int64) -> MediaTime { MediaTime(nanoseconds: value * 1_000_000) }
}
