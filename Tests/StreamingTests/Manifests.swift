import Frames
import Media
import Testing

import Streaming

/// Manifests of tests, at one address.
enum Manifests {
  static func address() throws -> StreamAddress { try StreamAddress(url: "https://host/dash/main.mpd?token=1") }

  static func parse(_ text: String, keys: ContentKeys = ContentKeys()) throws -> Presentation {
    try Manifest.parse(Array(text.utf8), at: address(), keys: keys)
  }

  /// A static manifest of 10 s with one video representation.
  static func video(_ content: String, attributes: String = "", representation: String = "") -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT10S" \(attributes)>
    <Period><AdaptationSet mimeType="video/mp4">\(content)<Representation id="r1" bandwidth="500000">\(representation)\
    </Representation></AdaptationSet></Period></MPD>
    """
  }

  static func timeline(_ text: String) throws -> SegmentTimeline {
    try #require(try parse(text).periods.first?.adaptationSets.first?.renditions.first?.timeline)
  }

  static func segments(_ text: String) throws -> [Segment] { Playlists.segments(try timeline(text)) }

  /// The sentence with which a text is refused; empty where it is read.
  static func refusal(_ text: String) -> String {
    do {
      _ = try parse(text)
      return ""
    } catch {
      return "\(error)"
    }
  }
}
