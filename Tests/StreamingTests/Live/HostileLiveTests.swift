import Adaptation
import Foundation
import Frames
import Origin
import Support
import Testing

import Streaming

/// Live servers that are broken, or mean harm, on a virtual clock: playing goes on, or ends with one sentence; requests stay few.
@Suite(.tier(.test)) struct HostileLiveTests {
  /// What a server does from the 30th second on, or for 15 s, and what becomes of the stream.
  struct Row: Sendable, CustomStringConvertible {
    var description: String
    var form = VirtualStream.Form.dash
    var parts: Double?
    /// Nil: it plays on, and loads at least so many segments or parts of 300 s.
    var sentence: String?
    var segments = 280
    var change: @Sendable (inout VirtualLive) -> Void

    init(
      _ name: String, _ form: VirtualStream.Form = .dash, parts: Double? = nil, segments: Int = 280,
      ends sentence: String? = nil, _ change: @escaping @Sendable (inout VirtualLive) -> Void
    ) {
      (description, self.form, self.parts) = (name, form, parts)
      (self.segments, self.sentence, self.change) = (segments, sentence, change)
    }

    /// Changes the text of playlists or of the manifest, in a span of seconds.
    static func text(
      _ name: String, _ form: VirtualStream.Form = .dash, parts: Double? = nil, segments: Int = 280,
      ends sentence: String? = nil, in span: ClosedRange<Double> = 30...1000,
      _ edit: @escaping @Sendable (String) -> String
    ) -> Row {
      Row(name, form, parts: parts, segments: segments, ends: sentence) { live in
        live.edit = { text, time in
          let isManifest = form == .dash ? text.hasPrefix("<?xml") : text.hasPrefix("#EXTM3U")
          return isManifest && span.contains(time) ? edit(text) : text
        }
      }
    }
  }

  private static let page = "<html><body>502 Bad Gateway</body></html>\n"

  static let manifests: [Row] = [
    .text("no periods for a while", in: 30...45) { $0.replacing(/(?s)<Period.*<\/Period>/, with: "") },
    .text("no video for a while", in: 30...45) {
      $0.replacing("contentType=\"video\" mimeType=\"video/mp4\"", with: "contentType=\"text\" mimeType=\"text/vtt\"")
    },
    .text("one period is left", in: 30...300) { text in
      let periods = text.matches(of: /(?s) *<Period.*?<\/Period>\n/)
      return periods.dropLast().reduce(text) { $0.replacing(String($1.output), with: "") }
    },
    .text("publishTime goes back") {
      $0.replacing(/publishTime="[^"]*"/, with: "publishTime=\"2020-01-01T00:00:00Z\"")
    },
    .text("minimumUpdatePeriod is 0", in: 0...1000) {
      $0.replacing(/minimumUpdatePeriod="[^"]*"/, with: "minimumUpdatePeriod=\"PT0S\"")
    },
    .text("minimumUpdatePeriod is a year", segments: 150, in: 0...1000) {
      $0.replacing(/minimumUpdatePeriod="[^"]*"/, with: "minimumUpdatePeriod=\"P365D\"")
    },
    // A stream that has not begun is waited for, as long as its manifest goes on.
    .text("it begins in a hundred years", segments: 0, in: 0...1000) {
      $0.replacing(/availabilityStartTime="20/, with: "availabilityStartTime=\"21")
    },
    .text("it begins when no clock counts", ends: "availabilityStartTime", in: 0...1000) {
      $0.replacing(/availabilityStartTime="2/, with: "availabilityStartTime=\"3")
    },
    .text("times of 2^63", segments: 0, ends: "<S> has no positive @d", in: 30...1000) {
      $0.replacing(
        /<S t="\d+" d="\d+"\/>\n *<\/SegmentTimeline>/,
        with: "<S t=\"9223372036854775807\" d=\"9223372036854775807\"/></SegmentTimeline>")
    },
    .text("a segment repeats for ever", segments: 0, ends: "more than 100000 segments", in: 30...1000) {
      $0.replacing(/d="\d+"\/>/, with: "d=\"1\" r=\"2147483647\"/>")
    },
    .text("the window empties for a while", segments: 260, in: 30...45) {
      $0.replacing(/<S t="\d+" d="\d+"\/>/, with: "")
    },
    .text("a page for a while", in: 30...45) { _ in page },
    .text("half a manifest for a while", in: 30...45) { String($0.prefix($0.count / 2)) },
    .text("a rung goes", ends: "other rungs") { $0.replacing(/<Representation id="video-1"[^>]*>/, with: "") },
    .text("a playlist of HLS", ends: "its manifest is a playlist now", in: 30...1000) { _ in
      "#EXTM3U\n#EXT-X-TARGETDURATION:1\n"
    },
  ]

  static let playlists: [Row] = [
    .text("numbers go back and forth", .hls) { text in
      text.replacing(/MEDIA-SEQUENCE:(\d+)/) { match in
        let number = Int(match.output.1) ?? 0
        return "MEDIA-SEQUENCE:\(number % 3 == 0 ? number - 5 : number)"
      }
    },
    // The playlist without _HLS_skip is a delta too (RFC 8216bis §6.2.5.1 forbids it): no playlist can be read.
    .text("all playlists skip more than there was", .hls, ends: "a delta update of another playlist") {
      $0.replacing(
        "#EXT-X-INDEPENDENT-SEGMENTS\n", with: "#EXT-X-INDEPENDENT-SEGMENTS\n#EXT-X-SKIP:SKIPPED-SEGMENTS=99999\n")
    },
    .text("each delta skips more than there was", .hls) { text in
      text.replacing(/SKIPPED-SEGMENTS=\d+/, with: "SKIPPED-SEGMENTS=99999")
    },
    .text("parts and no segments for a while", .hls, parts: 0.25, segments: 100, in: 0...20) {
      $0.replacing(/#EXTINF.*\n.*\n/, with: "")
    },
    .text("hints to nowhere", .hls, parts: 0.25, segments: 1000, in: 0...1000) {
      $0.replacing(/TYPE=PART,URI="[^"]*"/, with: "TYPE=PART,URI=\"nowhere.m4s\"")
    },
    .text("segments last a year", .hls, segments: 100, in: 30...1000) {
      $0.replacing(/TARGETDURATION:\d+/, with: "TARGETDURATION:31536000")
    },
    .text("no segments for a while", .hls, segments: 260, in: 30...45) { $0.replacing(/#EXTINF.*\n.*\n/, with: "") },
    .text("a page for a while", .hls, in: 30...45) { _ in page },
    .text("nothing for a while", .hls, in: 30...45) { _ in "" },
    .text("half a playlist for a while", .hls, in: 30...45) { String($0.prefix($0.count / 2)) },
    .text("each segment is a run of its own", .hls) { $0.replacing("#EXTINF", with: "#EXT-X-DISCONTINUITY\n#EXTINF") },
    .text("dates jump", .hls) {
      $0.replacing(/DATE-TIME:20(\d\d)/) { "DATE-TIME:\(Int($0.output.1).map { 1900 + $0 } ?? 0)" }
    },
  ]

  static let losses: [Row] = [
    Row("a segment is missing", .hls, segments: 250) { $0.lacks = { path, _ in path.hasSuffix("/00110.m4s") } },
    Row("a segment is missing", .dash, segments: 250) { $0.lacks = { path, _ in path.hasSuffix("/00110.m4s") } },
    Row("each tenth segment is missing", .dash, segments: 150) { $0.lacks = { path, _ in path.hasSuffix("5.m4s") } },
    Row("playlists are missing for a while", .hls) {
      $0.lacks = { path, time in path.hasSuffix(".m3u8") && 30...45 ~= time }
    },
    Row("all parts are missing for a while", .hls, parts: 0.25, segments: 700) {
      $0.lacks = { path, time in path.hasSuffix(".m4s") && 30...45 ~= time }
    },
  ]

  @Test(arguments: manifests + playlists + losses)
  func itPlaysOnOrEndsWithASentence(row: Row) throws { try expect(row, seconds: 120) }

  @Test(.tier(.full), arguments: manifests + playlists + losses)
  func itPlaysOnForMinutesOrEndsWithASentence(row: Row) throws { try expect(row, seconds: 300) }

  private func expect(_ row: Row, seconds: Double) throws {
    let transport = try VirtualLive.transport(over: .fast(), row.form, parts: row.parts, row.change)
    let run: LiveRun
    do {
      run = try LiveRun.of(transport, until: seconds) {
        ($0.retries.retryLimit, $0.retries.limitSeconds, $0.limits.headerSeconds) = (1, 5, 5)
      }
    } catch let failure as Failure {
      return try expect(failure, row)
    }
    let name = "\(row.form), \(row)"
    // Two renditions' playlists, and a part each quarter of a second.
    let limit = run.seconds * (row.parts == nil ? 6 : 14) + 20
    #expect(Double(run.log.count) < limit, "\(name): \(run.log.count) requests in \(run.seconds) s")
    if row.sentence != nil {
      if let failure = run.failure { return try expect(failure, row) }
      if row.sentence?.isEmpty == false { Issue.record("\(name): it plays on") }
    }
    #expect(run.failure == nil, "\(name): \(run.failure.map { "\($0)" } ?? "")")
    let loaded = run.log.filter { $0.path.hasSuffix(".m4s") && $0.status == 200 }.map(\.path)
    // In 4.5 s there are 5 segments, of 5 parts or of 3: more than those of the time and its window there are none, and none is loaded twice.
    let most = Double(row.parts == nil ? 5 : 23) * ((run.seconds + 20) / 4.5 + 1)
    // Nothing, or little, is loaded in a part of the first 45 s.
    let least = row.segments - Int(Double(row.segments) * (1 - seconds / 300) * 1.1)
    #expect(loaded.count >= least && Double(loaded.count) < most, "\(name): \(loaded.count)")
    #expect(Set(loaded).count == loaded.count, "\(name): \(loaded.count - Set(loaded).count) twice")
    // Nothing is placed twice.
    let placed = run.history.placed
    #expect(
      zip(placed, placed.dropFirst()).allSatisfy {
        $0.end <= $1.start + MediaTime(seconds: 0.02) || $0.segment == $1.segment
      },
      "\(name)")
  }

  private func expect(_ failure: Failure, _ row: Row) throws {
    let sentence = try #require(row.sentence, "\(row.form), \(row): \(failure)")
    #expect(failure.description.contains(sentence), "\(row): \(failure)")
    #expect(failure.description.hasPrefix("cannot ") && !failure.description.contains("\n"), "\(row): \(failure)")
    #expect([.input, .media, .unsupported].contains(failure.kind), "\(row): \(failure.kind)")
  }

  /// A stream that ends is played to its end, and no further, in either kind of text.
  @Test(arguments: [VirtualStream.Form.hls, .dash])
  func whatEndsIsPlayedToItsEnd(form: VirtualStream.Form) throws {
    let ended = try LiveOriginTests.ladder {
      let zero = $0.start ?? 0
      // It ends 100 s after its first picture.
      ($0.endsAfter, $0.clock) = (0, LiveClock(startingAt: zero + 100_000_000_000, speed: 1e-6))
    }
    let transport = try VirtualLive.transport(over: .fast(), form) { live in
      live.tamper = { text, time, isBlocking in
        // Of HLS before a blocking reload lists what comes after the end.
        guard time > (form == .dash ? 41 : 39), text.hasPrefix("<?xml") || text.hasPrefix("#EXTM3U") else { return nil }
        let name = form == .dash ? "manifest.mpd" : "hls-fmp4/video-0.m3u8"
        return ended.text(name, at: 105_000_000_000).map { ($0.text, 0.01) }
      }
    }
    let run = try LiveRun.of(transport, until: 300)
    #expect(run.failure == nil && run.hasEnded && run.stalls == 0, "\(run.failure.map { "\($0)" } ?? "")")
    #expect(run.seconds < 60 && run.edge?.hasEnded == true)
    #expect(
      abs((run.history.placed.last?.end.seconds ?? 0) - 100) < 1.01, "\(run.history.placed.last?.end.seconds ?? 0)")
  }
}
