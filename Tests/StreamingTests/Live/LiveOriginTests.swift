import Foundation
import Frames
import Origin
import Support
import Testing

import Streaming

/// What an origin says of a live ladder, read by our own parsers at moments drawn by chance.
@Suite(.tier(.test)) struct LiveOriginTests {
  private static let zero: Int64 = 1_795_000_000_000_000_000

  static func ladder(_ change: (inout LiveOptions) -> Void = { _ in }) throws -> LiveLadder {
    var options = LiveOptions()
    (options.start, options.windowSeconds) = (zero, 20)
    change(&options)
    return try LiveLadder(folder: try SharedLadders.flat().folder, options)
  }

  private static let names = ["hls-fmp4/video-0", "hls-fmp4/video-1", "hls-ts/video-0", "hls-fmp4/audio-en"]

  private func playlist(
    _ text: String, _ name: String, previous: MediaPlaylist? = nil
  ) throws -> MediaPlaylist? {
    try MediaPlaylist.parse(
      Array(text.utf8), at: try StreamAddress(url: "http://origin/\(name).m3u8"), previous: previous)
  }

  @Test(arguments: names, [false, true])
  func eachSegmentIsListedOnceItIsThereAndTellsItsTime(name: String, inParts: Bool) throws {
    let ladder = try Self.ladder { $0.partSeconds = inParts ? 0.25 : nil }
    var generator = SeededGenerator(seed: 1)
    var times = (0..<40).map { _ in Int64.random(in: 0...200_000_000_000, using: &generator) }.sorted()
    for seam: Int64 in [4_500_000_000, 9_000_000_000] { times += [seam - 1, seam, seam + 1] }
    for time in times.sorted() {
      let text = try #require(ladder.text(name + ".m3u8", at: time)?.text)
      let playlist = try #require(try playlist(text, name))
      let segments = (0..<(playlist.timeline.count ?? 0)).compactMap { playlist.timeline[$0] }
      var runs: Set<Int64> = []
      for segment in segments {
        let date = try #require(segment.wallTime)
        let start = date.nanoseconds - Self.zero
        #expect(start + segment.duration <= time + 1_000_000, "\(segment.number) at \(time)")
        #expect(start + segment.duration > time - 21_500_000_000)
        // Its round, and its place in it.
        #expect(abs(start - segment.number / 5 * 4_500_000_000 - segment.number % 5 * 1_000_000_000) < 60_000_000)
        #expect(segment.discontinuity == segment.number / 5)
        runs.insert(segment.discontinuity)
      }
      let last = segments.last.map { $0.number } ?? -1
      let next = max(0, time) / 4_500_000_000 * 5 + min(4, max(0, time) % 4_500_000_000 / 1_000_000_000)
      #expect(last == next - 1 || name.contains("audio"), "at \(time)")
      guard inParts, name.contains("hls-fmp4") else { continue }
      for part in playlist.edge.parts { #expect(part.duration <= playlist.edge.partTarget?.nanoseconds ?? 0) }
      #expect(playlist.edge.hints.count == 1 && playlist.server.canBlockReload)
      #expect(playlist.edge.reports.allSatisfy { $0.lastNumber != nil && $0.lastPart != nil })
      if !playlist.edge.parts.isEmpty { #expect(playlist.edge.discontinuity == next / 5) }
    }
  }

  @Test(arguments: [false, true])
  func deltaUpdatesAndBlockingReloadsGiveWhatTheWholePlaylistSays(keepsAll: Bool) throws {
    let ladder = try Self.ladder { ($0.keepsAll, $0.partSeconds) = (keepsAll, 0.3) }
    let name = "hls-fmp4/video-1"
    var time: Int64 = 60_000_000_000
    let opening = try #require(ladder.text(name + ".m3u8", at: time)?.text)
    var known = try #require(try playlist(opening, name))
    for _ in 0..<60 {
      let address = known.reloadAddress()
      let query = try #require(address.text.split(separator: "?").last.map(String.init))
      #expect(query.contains("_HLS_msn=") && query.contains("_HLS_skip=YES"))
      let (text, later) = try #require(ladder.text(name + ".m3u8", query: query, at: time))
      #expect(later > time && later - time <= 310_000_000, "the answer comes with the next part")
      if keepsAll { #expect(text.contains("#EXT-X-SKIP")) }
      let next = try #require(try playlist(text, name, previous: known))
      if case .advanced = next.progress(since: known) {} else { Issue.record("nothing new at \(later)") }
      let all = try #require(ladder.text(name + ".m3u8", at: later)?.text)
      let whole = try #require(try playlist(all, name, previous: known))
      #expect(next.timeline.count == whole.timeline.count && next.mediaSequence == whole.mediaSequence)
      for index in 0..<(whole.timeline.count ?? 0) {
        var (own, full) = (next.timeline[index], whole.timeline[index])
        // Parts of old segments are left out.
        own?.parts = []
        full?.parts = []
        #expect(own == full)
      }
      (known, time) = (next, later)
    }
    #expect(ladder.text(name + ".m3u8", query: "_HLS_msn=100000", at: time) == nil, "too far ahead")
    #expect(ladder.text(name + ".m3u8", query: "_HLS_part=1", at: time) == nil)
  }

  @Test(arguments: [false, true])
  func theManifestHasAPeriodForEachRound(inParts: Bool) throws {
    let ladder = try Self.ladder { $0.partSeconds = inParts ? 0.25 : nil }
    let address = try StreamAddress(url: "http://origin/manifest.mpd")
    for time in stride(from: Int64(1_100_000_000), through: 70_000_000_000, by: 730_000_000) {
      let text = try #require(ladder.text("manifest.mpd", at: time)?.text)
      let presentation = try Manifest.parse(Array(text.utf8), at: address)
      let live = try #require(presentation.live)
      #expect(live.availabilityStart.nanoseconds == Self.zero && live.clocks.count == 1)
      let wall = WallTime(nanoseconds: Self.zero + time)
      for period in presentation.periods {
        #expect(period.start.nanoseconds % 4_500_000_000 == 0)
        let rendition = try #require(period.adaptationSets.first { $0.kind == .video }?.renditions.first)
        let timeline = try #require(rendition.timeline)
        for index in 0..<(timeline.count ?? 0) {
          let segment = try #require(timeline[index])
          let round = period.start.nanoseconds / 4_500_000_000
          #expect(segment.number == round * 5 + segment.start * 5 / (timeline.timescale * 5))
          let available = try #require(timeline.availableTime(of: segment))
          #expect(available <= wall, "listed before it can be loaded")
        }
        if inParts { #expect(timeline.availability?.isComplete == false) }
      }
    }
  }

  @Test func theStreamEnds() throws {
    let ladder = try Self.ladder {
      ($0.endsAfter, $0.clock) = (0, LiveClock(startingAt: Self.zero + 30_000_000_000, speed: 1e-6))
    }
    let text = try #require(ladder.text("hls-fmp4/video-0.m3u8", at: 31_000_000_000)?.text)
    #expect(text.hasSuffix("#EXT-X-ENDLIST\n"))
    let manifest = try #require(ladder.text("manifest.mpd", at: 31_000_000_000)?.text)
    let presentation = try Manifest.parse(
      Array(manifest.utf8), at: try StreamAddress(url: "http://origin/manifest.mpd"))
    #expect(presentation.live == nil && presentation.duration == MediaTime(seconds: 30))
  }

  @Test func foldersWithoutAClearLadderAreRefused() throws {
    try TestFolders.withTemporary { folder in
      _ = #expect(throws: Failure.self) { try LiveLadder(folder: folder, LiveOptions()) }
    }
  }
}
