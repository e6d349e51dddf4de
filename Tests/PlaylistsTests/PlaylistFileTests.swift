import Foundation
import Frames
import Playlists
import Support
import Testing

/// Playlists of both kinds, as other programs write them, and damaged.
@Suite struct PlaylistFileTests {
  private static func m3u(_ text: String, _ path: String = "music/list.m3u") throws -> PlaylistFile {
    try PlaylistFile(m3u: Array(text.utf8), path: path)
  }

  private static func json(_ text: String, _ path: String = "lists/list.json") throws -> PlaylistFile {
    try PlaylistFile(json: Array(text.utf8), path: path)
  }

  @Test func m3uTellsTitlesTimesAndPlaces() throws {
    let file = try Self.m3u(
      """
      \u{FEFF}#EXTM3U\r
      #PLAYLIST: My films \r
      #EXTINF:123 tvg-logo="a, b.png",First, and only\r
      first film.mp4\r

      #EXTINF:-1,Stream
      #EXTIMG:poster.jpg
      #EXTVLCOPT:start-time=12.5
      #EXTVLCOPT:sub-file=../second.srt
      https://example.org/a.m3u8?x=1#y
      # a remark
      /films/third.mkv
      """)
    #expect(file.title == "My films" && file.items.count == 3)
    #expect(file.items[0].title == "First, and only" && file.items[0].source == "music/first film.mp4")
    #expect(file.items[0].duration == MediaTime(seconds: 123))
    let second = file.items[1]
    #expect(second.source == "https://example.org/a.m3u8?x=1#y" && second.poster == "music/poster.jpg")
    #expect(second.start == MediaTime(seconds: 12.5) && second.subtitles == ["music/../second.srt"])
    #expect(second.duration == nil && second.title == "Stream")
    #expect(file.items[2] == PlaylistItem("/films/third.mkv"))
  }

  /// Lines of Latin-1 are read as such, and a playlist of HLS is none of clips.
  @Test func encodingsAndKinds() throws {
    let latin = try PlaylistFile(m3u: Array("#EXTINF:1,B".utf8) + [0xE4, 0x0A, 0x66, 0xFC, 0x0A], path: "l.m3u")
    #expect(latin.items.map(\.source) == ["fü"] && latin.items[0].title == "Bä")
    #expect(PlaylistFile.isM3U(Array("#EXTM3U\na.mp4\n".utf8)))
    #expect(!PlaylistFile.isM3U(Array("#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\na.ts\n".utf8)))
  }

  @Test func jsonTellsAllOfAnItem() throws {
    let file = try Self.json(
      """
      {"title": "Tours", "version": 7, "items": [
        "one.mp4",
        {"title": "Two", "sources": ["a.mpd", {"src": "b.m3u8", "type": "x"}, {"file": "/c.mp4"}],
         "subtitles": [{"src": "en.vtt", "language": "en"}], "poster": "p.jpg", "projection": "equirectangular",
         "stereo": "tb", "start": 1.5, "duration": 60, "unknown": {}}
      ]}
      """)
    #expect(file.title == "Tours" && file.items[0] == PlaylistItem("lists/one.mp4"))
    let two = file.items[1]
    #expect(two.source == "lists/a.mpd" && two.alternatives == ["lists/b.m3u8", "/c.mp4"] && two.title == "Two")
    #expect(two.subtitles == ["lists/en.vtt"] && two.poster == "lists/p.jpg")
    #expect(two.projection == .equirectangular && two.stereo == .topBottom)
    #expect(two.start == MediaTime(seconds: 1.5) && two.duration == MediaTime(seconds: 60))
    #expect(try Self.json("[\"a\", \"b\"]").items.map(\.source) == ["lists/a", "lists/b"])
  }

  @Test(arguments: [
    ("{", "it is no JSON"), ("{}", "it is no playlist: it has no list of clips"), ("[]", "it names no clip"),
    ("7", "it is no playlist: it has no list of clips"), (#"[{"title": "x"}]"#, "clip 1: it has no source"),
    (#"["a", {"source": "b", "projection": "round"}]"#, "clip 2: there is no projection 'round'"),
    (#"[{"source": "b", "start": -1}]"#, "clip 1: its start is -1.0"),
    (#"{"items": ["a", {"source": 7}]}"#, "it is no playlist: clip 2, source is of another kind"),
  ])
  func mistakesAreNamed(text: String, cause: String) {
    let failure = #expect(throws: Failure.self) { try Self.json(text) }
    #expect(failure?.cause == cause && failure?.remedy != nil, "\(String(describing: failure))")
  }

  /// Any bytes are a playlist, or refused in a sentence.
  @Test func anyBytesAreReadOrRefused() {
    var generator = SeededGenerator(for: "any bytes are read or refused")
    let words = [
      "#EXTM3U\n", "#EXTINF:", "1e999,", "\"", ",", "\n", "[", "{\"items\":", "]", "}", "\u{0}", "../", "://", "é",
    ]
    for _ in 0..<2000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0...30, using: &generator) {
        bytes += (words.randomElement(using: &generator) ?? "").utf8
        if Bool.random(using: &generator) { bytes.append(UInt8.random(in: 0...255, using: &generator)) }
      }
      for isJSON in [false, true] {
        do throws(Failure) {
          let file =
            isJSON ? try PlaylistFile(json: bytes, path: "x/list") : try PlaylistFile(m3u: bytes, path: "x/list")
          #expect(!file.items.isEmpty && file.items.allSatisfy { !$0.source.isEmpty && !$0.source.utf8.contains(0) })
        } catch {
          #expect(error.kind == .input, "\(error)")
        }
      }
    }
  }

  @Test func limitsAreHeld() {
    let many = String(repeating: "a\n", count: 20_001)
    #expect(throws: Failure.self) { try Self.m3u(many) }
    let long = [UInt8](repeating: 0x61, count: (4 << 20) + 1)
    #expect(throws: Failure.self) { try PlaylistFile(m3u: long, path: "l") }
    #expect(throws: Failure.self) { try PlaylistFile(json: long, path: "l") }
  }
}
