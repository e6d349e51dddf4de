import Frames
import Testing

import Streaming

/// What playlists of HLS mark as breaks.
@Suite struct PlaylistBreakTests {
  /// Segments of 10 s from 12:00:00 on.
  private static func text(
    _ tags: [Int: String] = [:], ranges: String = "", first: Int = 0, count: Int = 12, ends: Bool = true
  ) -> String {
    var text = "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXT-X-MEDIA-SEQUENCE:\(first)\n" + ranges
    for number in first..<first + count {
      if number == first {
        let seconds = 10 * first
        text +=
          "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T12:0\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)Z\n"
      }
      text += tags[number].map { $0 + "\n" } ?? ""
      text += "#EXTINF:10,\n\(number).ts\n"
    }
    return text + (ends ? "#EXT-X-ENDLIST\n" : "")
  }

  private static func range(_ attributes: String, at second: Int = 30) -> String {
    "#EXT-X-DATERANGE:ID=\"a\(second)\",START-DATE=\"2026-01-01T12:0\(second / 60):\(second % 60 < 10 ? "0" : "")\(second % 60)Z\",\(attributes)\n"
  }

  /// Seconds.
  private static func spans(_ breaks: [StreamBreak]) -> [[Double]] {
    breaks.map { [$0.start.seconds, $0.end?.seconds ?? -1] }
  }

  private static func spans(ranges: String) throws -> [[Double]] {
    spans(try Playlists.media(text(ranges: ranges)).breaks)
  }

  @Test func cuesAreBreaks() throws {
    let rows: [([Int: String], [[Double]])] = [
      ([2: "#EXT-X-CUE-OUT:30", 5: "#EXT-X-CUE-IN"], [[20, 50]]),
      ([2: "#EXT-X-CUE-OUT:DURATION=30.5"], [[20, 50.5]]),
      // The announced duration was too long.
      ([2: "#EXT-X-CUE-OUT:60", 4: "#EXT-X-CUE-IN"], [[20, 40]]),
      ([2: "#EXT-X-CUE-OUT"], [[20, -1]]),
      ([2: "#EXT-X-CUE-OUT", 3: "#EXT-X-CUE-OUT-CONT:10/40"], [[20, 60]]),
      // The window begins within it.
      ([0: "#EXT-X-CUE-OUT-CONT:ElapsedTime=12.5,Duration=30,SCTE35=/DA0"], [[-12.5, 17.5]]),
      ([0: "#EXT-X-CUE-OUT-CONT:5/20"], [[-5, 15]]),
      ([1: "#EXT-X-CUE-IN"], []), ([1: "#EXT-X-CUE-OUT:a,b=c/d,=,"], [[10, -1]]),
      ([1: "#EXT-X-CUE-OUT:10", 2: "#EXT-X-CUE-IN", 8: "#EXT-X-CUE-OUT:20"], [[10, 20], [80, 100]]),
      // Advertisements one behind the other are one break.
      ([1: "#EXT-X-CUE-OUT:10", 2: "#EXT-X-CUE-IN\n#EXT-X-CUE-OUT:20", 4: "#EXT-X-CUE-IN"], [[10, 40]]),
    ]
    for (tags, expected) in rows {
      let breaks = try Playlists.media(Self.text(tags)).breaks
      #expect(Self.spans(breaks) == expected, "\(tags)")
      #expect(breaks.allSatisfy { $0.allowsSkipping && !$0.allowsJumping })
    }
  }

  @Test func dateRangesOfSplicesAreBreaks() throws {
    let out = "SCTE35-OUT=0xFC"
    let opportunity = "SCTE35-CMD=\(SpliceSectionTests.Sample.opportunity)"
    let rows: [(String, [[Double]])] = [
      (Self.range("\(out),DURATION=20"), [[30, 50]]),
      (Self.range("\(out),PLANNED-DURATION=20"), [[30, 50]]),
      (Self.range("\(out),PLANNED-DURATION=20,END-DATE=\"2026-01-01T12:00:42.5Z\""), [[30, 42.5]]),
      // The end comes in a tag of its own.
      (Self.range("\(out),PLANNED-DURATION=20") + Self.range("SCTE35-IN=0xFC,DURATION=18"), [[30, 48]]),
      (Self.range(out), [[30, -1]]),
      (Self.range("SCTE35-OUT=\(SpliceSectionTests.Sample.insert)"), [[30, 90.293566667]]),
      (Self.range(opportunity), [[30, 337]]), (Self.range("\(opportunity),DURATION=20"), [[30, 50]]),
      // A program, and what is no message, are no breaks.
      (Self.range("SCTE35-CMD=\(SpliceSectionTests.Sample.programs),DURATION=20"), []),
      (Self.range("SCTE35-CMD=0x00,DURATION=20"), []), (Self.range("CLASS=\"x\",DURATION=20"), []),
      (
        Self.range("CLASS=\"x\",END-ON-NEXT=YES,\(out)") + Self.range("CLASS=\"y\"", at: 40)
          + Self.range("CLASS=\"x\"", at: 70), [[30, 70]]
      ),
      // The same break by tags of both kinds.
      (Self.range("\(out),DURATION=20") + Self.range("\(out),DURATION=5", at: 35), [[30, 50]]),
      // Before and behind what is listed.
      (Self.range("\(out),DURATION=20", at: 500), [[500, 520]]),
    ]
    for (ranges, expected) in rows { #expect(try Self.spans(ranges: ranges) == expected, "\(ranges)") }
    let both = try Playlists.media(Self.text([3: "#EXT-X-CUE-OUT:20"], ranges: Self.range("\(out),DURATION=20.2")))
    #expect(Self.spans(both.breaks) == [[30, 50.2]])
  }

  @Test func interstitialsRestrictWhatTheySay() throws {
    func interstitial(_ attributes: String) throws -> StreamBreak {
      let range = Self.range("CLASS=\"com.apple.hls.interstitial\",X-ASSET-URI=\"http://h/ad.m3u8\"," + attributes)
      return try #require(try Playlists.media(Self.text(ranges: range)).breaks.first)
    }
    let free = try interstitial("DURATION=15")
    #expect(free.allowsSkipping && free.allowsJumping && free.end == .milliseconds(45_000))
    let both = try interstitial("DURATION=15,X-RESTRICT=\"SKIP, JUMP\"")
    #expect(!both.allowsSkipping && !both.allowsJumping)
    let jump = try interstitial("DURATION=15,X-RESTRICT=\"JUMP\"")
    #expect(jump.allowsSkipping && !jump.allowsJumping)
    let inserted = try interstitial("DURATION=15,X-RESUME-OFFSET=0")
    #expect(inserted.end == inserted.start, "nothing of the stream is replaced")
  }

  /// A date lies where the dates of the segments around it say.
  @Test func datesAreThoseOfTheirRun() throws {
    let range = Self.range("SCTE35-OUT=0xFC,DURATION=5", at: 130)
    let text = Self.text(
      [6: "#EXT-X-DISCONTINUITY\n#EXT-X-PROGRAM-DATE-TIME:2026-01-01T12:02:00Z"], ranges: range)
    #expect(Self.spans(try Playlists.media(text).breaks) == [[70, 75]])
    let dateless = text.replacing("#EXT-X-PROGRAM-DATE-TIME", with: "#EXT-X-OTHER")
    #expect(try Playlists.media(dateless).breaks.isEmpty)
  }

  /// The window slides past the tags of a break; what is known of it stays until it has left the window too.
  @Test func aSlidingWindowKeepsWhatLastsInIt() throws {
    let tags = [2: "#EXT-X-CUE-OUT:30", 5: "#EXT-X-CUE-IN", 9: "#EXT-X-CUE-OUT", 11: "#EXT-X-CUE-IN"]
    var playlist = try Playlists.media(Self.text(tags, count: 4, ends: false))
    #expect(Self.spans(playlist.breaks) == [[20, 50]])
    let id = playlist.breaks.first?.id
    var seen: [[[Double]]] = []
    for first in 1..<9 {
      playlist = try Playlists.media(Self.text(tags, first: first, count: 4, ends: false), previous: playlist)
      seen.append(Self.spans(playlist.breaks))
      if first < 5 { #expect(playlist.breaks.first?.id == id) }
    }
    #expect(
      seen == [
        [[20, 50]], [[20, 50]], [[20, 50]], [[20, 50]], [], [[90, -1]], [[90, -1]], [[90, 110]],
      ], "\(seen)")
  }

  @Test func theyAreBoundedInNumber() throws {
    let ranges = (0..<3_000).map { number in
      "#EXT-X-DATERANGE:ID=\"\(number)\",START-DATE=\"2026-01-01T12:00:00Z\",SCTE35-OUT=0xFC,DURATION=\(number * 2 + 1)\n"
    }
    #expect(try Playlists.media(Self.text(ranges: ranges.joined())).breaks.count == 1, "all in one")
    var text = "#EXTM3U\n#EXT-X-TARGETDURATION:10\n"
    for number in 0..<3_000 { text += "#EXT-X-CUE-OUT:1\n#EXTINF:10,\n\(number).ts\n" }
    let breaks = try Playlists.media(text).breaks
    #expect(breaks.count == ManifestLimits.breakCount && breaks.last?.start == .milliseconds(29_990_000))
  }
}
