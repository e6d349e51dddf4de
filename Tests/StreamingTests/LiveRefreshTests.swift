import Frames
import Support
import Testing

import Streaming

/// A reload keeps each segment's place, and a delta update gives what the whole playlist gives.
@Suite struct LiveRefreshTests {
  @Test func deltaAgainstFullEqualsFull() throws {
    var random = SeededGenerator(for: "deltaAgainstFullEqualsFull")
    var deltas = 0
    for round in 0..<150 {
      let live = LivePlaylist(count: 60, using: &random)
      var (low, high) = (0, Int.random(in: 1...15, using: &random))
      var byFull = try Playlists.media(live.text(low..<high))
      var byDelta = byFull
      while high < live.items.count {
        let lastHigh = high
        high = min(live.items.count, high + Int.random(in: 0...6, using: &random))
        low = min(lastHigh - 1, low + Int.random(in: 0...4, using: &random))
        let skipped = Int.random(in: 0...(lastHigh - low), using: &random)
        let text = live.text(low..<high)
        byFull = try Playlists.media(text, previous: byFull)
        byDelta = try Playlists.media(live.text(low..<high, skipping: skipped), previous: byDelta)
        deltas += skipped > 0 ? 1 : 0
        let (full, delta) = (Playlists.segments(byFull), Playlists.segments(byDelta))
        // A delta leaves out the parts of the segments that it skips.
        let withoutParts = full.enumerated().map { place, segment in
          var segment = segment
          if place < skipped { segment.parts = [] }
          return segment
        }
        try #require(delta == withoutParts, "round \(round), \(low)..<\(high) skipping \(skipped), seed \(random.seed)")
        #expect(byFull.mediaSequence == Int64(live.first + low) && byDelta.mediaSequence == byFull.mediaSequence)
      }
      try check(byFull, live, low..<high)
    }
    #expect(deltas > 300)
  }

  /// Places and dates are those of the whole history, that no single playlist held.
  private func check(_ playlist: MediaPlaylist, _ live: LivePlaylist, _ places: Range<Int>) throws {
    let segments = Playlists.segments(playlist)
    let whole = Playlists.segments(try Playlists.media(live.text(0..<live.items.count)))
    try #require(segments.count == places.count)
    for (segment, place) in zip(segments, places) {
      let before = live.items[..<place].reduce(0) { $0 + $1.duration }
      #expect(segment.start == Int64(before) * 1_000_000)
      #expect(segment.wallTime == whole[place].wallTime && segment.discontinuity == whole[place].discontinuity)
      #expect(segment.key == whole[place].key && segment.isGap == whole[place].isGap)
      if live.hasRanges {
        #expect(segment.range == ByteRange(offset: Int64(live.offset(place)), length: Int64(100 + place)))
      }
    }
    for (a, b) in zip(segments, segments.dropFirst()) {
      #expect(a.start + a.duration == b.start && a.number + 1 == b.number)
    }
  }

  /// The playlist of a stream that ended may list what had left the window.
  @Test func olderSegmentsThatAreListedAgainMoveNothing() throws {
    var random = SeededGenerator(for: "olderSegmentsThatAreListedAgainMoveNothing")
    for round in 0..<50 {
      let live = LivePlaylist(count: 30, using: &random)
      let window = try Playlists.media(live.text(10..<20))
      let segments = Playlists.segments(try Playlists.media(live.text(4..<24), previous: window))
      try #require(segments.count == 20)
      let shared = zip(segments.dropFirst(6), Playlists.segments(window))
      #expect(
        shared.allSatisfy { $0.number == $1.number && $0.start == $1.start }, "round \(round), seed \(random.seed)")
      #expect(zip(segments, segments.dropFirst()).allSatisfy { $0.start + $0.duration == $1.start })
      #expect(segments.allSatisfy { $0.parts.isEmpty || $0.parts[0].start == $0.start })
    }
  }

  @Test func aDeltaWithoutItsPastAsksForTheWhole() throws {
    var random = SeededGenerator(for: "aDeltaWithoutItsPastAsksForTheWhole")
    let live = LivePlaylist(count: 30, using: &random)
    let delta = Array(live.text(10..<20, skipping: 5).utf8)
    func parse(_ previous: Range<Int>?) throws -> MediaPlaylist? {
      try MediaPlaylist.parse(
        delta, at: Playlists.address(), previous: previous.map { try Playlists.media(live.text($0)) })
    }
    #expect(try parse(nil) == nil && parse(0..<10) == nil && parse(0..<14) == nil && parse(11..<19) == nil)
    #expect(try parse(0..<15)?.timeline.count == 10)
  }

  @Test func removedDateRangesGo() throws {
    let start = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:1\n"
    let ranges = ["a", "b", "c"].map { "#EXT-X-DATERANGE:ID=\"\($0)\",START-DATE=\"2020-01-01T00:00:00Z\"\n" }
    let first = try Playlists.media(start + ranges.joined() + "#EXTINF:4,\n1\n#EXTINF:4,\n2\n")
    let tail = "#EXTINF:4,\n3\n#EXT-X-DATERANGE:ID=\"d\",START-DATE=\"2020-01-01T00:00:00Z\"\n"
    let with = try Playlists.media(
      start + "#EXT-X-SKIP:SKIPPED-SEGMENTS=2,RECENTLY-REMOVED-DATERANGES=\"a\tc\"\n" + tail, previous: first)
    #expect(with.dateRanges.map(\.id) == ["b", "d"])
    let none = try Playlists.media(
      start + "#EXT-X-SKIP:SKIPPED-SEGMENTS=2,RECENTLY-REMOVED-DATERANGES=\"\"\n" + tail, previous: first)
    #expect(none.dateRanges.map(\.id) == ["a", "b", "c", "d"])
    let without = try Playlists.media(start + "#EXT-X-SKIP:SKIPPED-SEGMENTS=2\n" + tail, previous: first)
    #expect(without.dateRanges.map(\.id) == ["d"])
  }

  /// A server that never says which dates went: the newest stay.
  @Test func datesThatAreNeverRemovedAreFew() throws {
    func text(_ number: Int) -> String {
      "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:\(number)\n"
        + (number > 0 ? "#EXT-X-SKIP:SKIPPED-SEGMENTS=1,RECENTLY-REMOVED-DATERANGES=\"\"\n" : "#EXTINF:4,\na\n")
        + "#EXT-X-DATERANGE:ID=\"\(number)\",START-DATE=\"2020-01-01T00:00:00Z\"\n#EXTINF:4,\nb\n"
    }
    var playlist = try Playlists.media(text(0))
    for number in 1...3000 { playlist = try Playlists.media(text(number), previous: playlist) }
    #expect(playlist.dateRanges.count == ManifestLimits.keptDateCount + 1)
    #expect(playlist.dateRanges.last?.id == "3000" && playlist.dateRanges.first?.id == "2000")
  }

  @Test func progressIsTold() throws {
    var random = SeededGenerator(for: "progressIsTold")
    let live = LivePlaylist(count: 30, using: &random)
    let middle = try Playlists.media(live.text(5..<15))
    func progress(_ places: Range<Int>, isEnded: Bool = false) throws -> PlaylistProgress {
      try Playlists.media(live.text(places, isEnded: isEnded), previous: middle).progress(since: middle)
    }
    #expect(try progress(5..<15) == .unchanged && progress(6..<16) == .advanced && progress(4..<14) == .older)
    #expect(try progress(5..<15, isEnded: true) == .advanced)
  }

  @Test func aReloadAsksForWhatComesNext() throws {
    func reload(_ tags: String, waits: Bool = true, skips: Bool = true, url: String = "https://h/a?t=1&_HLS_msn=3")
      throws -> String
    {
      let text =
        "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:7\n" + tags
        + "#EXTINF:4,\na\n#EXT-X-PART:DURATION=1,URI=\"p\"\n"
      let playlist = try #require(try MediaPlaylist.parse(Array(text.utf8), at: StreamAddress(url: url)))
      return playlist.reloadAddress(waits: waits, skips: skips).text
    }
    let server = "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=24\n"
    #expect(try reload("") == "https://h/a?t=1")
    #expect(try reload(server) == "https://h/a?t=1&_HLS_msn=8&_HLS_skip=YES")
    #expect(
      try reload(server + "#EXT-X-PART-INF:PART-TARGET=1\n", skips: false) == "https://h/a?t=1&_HLS_msn=8&_HLS_part=1")
    #expect(
      try reload(server.replacing("=24", with: "=24,CAN-SKIP-DATERANGES=YES"), waits: false, url: "https://h/a")
        == "https://h/a?_HLS_skip=v2")
    #expect(try reload(server + "#EXT-X-ENDLIST\n") == "https://h/a?t=1")
  }

  /// Without a common segment the date tells the place, and without a date the previous end.
  @Test func aGapInReloadsIsBridged() throws {
    func text(_ number: Int, date: String?) -> String {
      "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:\(number)\n"
        + (date.map { "#EXT-X-PROGRAM-DATE-TIME:2020-01-01T00:00:\($0)Z\n" } ?? "") + "#EXTINF:4,\n\(number).ts\n"
    }
    let first = try Playlists.media(text(1, date: "10"))
    #expect(try Playlists.media(text(9, date: "42"), previous: first).timeline[0]?.start == 32_000_000_000)
    #expect(try Playlists.media(text(9, date: nil), previous: first).timeline[0]?.start == 4_000_000_000)
  }
}
