import Frames
import Support
import Testing

import Streaming

/// Live manifests: what exists when.
@Suite struct DynamicManifestTests {
  private static func live(_ attributes: String, _ content: String, period: String = "start=\"PT0S\"") -> String {
    """
    <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="dynamic" availabilityStartTime="2020-01-01T00:00:00Z" \(attributes)>
    <UTCTiming schemeIdUri="urn:mpeg:dash:utc:http-xsdate:2014" value="https://time/a /b"/>
    <UTCTiming schemeIdUri="urn:mpeg:dash:utc:direct:2014" value="2020-01-01T00:01:40Z"/>
    <UTCTiming schemeIdUri="urn:mpeg:dash:utc:ntp:2014" value="pool"/>
    <Location>next.mpd</Location>
    <ServiceDescription><Latency target="3500"/></ServiceDescription>
    <Period id="p" \(period)><AdaptationSet mimeType="video/mp4">\(content)<Representation id="r" bandwidth="1"/>
    </AdaptationSet></Period></MPD>
    """
  }

  private static let zero = WallTime("2020-01-01T00:00:00Z".utf8) ?? WallTime(nanoseconds: 0)

  private static func now(_ seconds: Int64) -> WallTime { zero + .milliseconds(seconds * 1_000) }

  @Test func factsOfTheClockAreRead() throws {
    let presentation = try Manifests.parse(
      Self.live(
        "minimumUpdatePeriod=\"PT2S\" timeShiftBufferDepth=\"PT30S\" suggestedPresentationDelay=\"PT6S\" publishTime=\"2020-01-01T00:01:00Z\"",
        "<SegmentTemplate media=\"$Number$\" duration=\"2\"/>"))
    let live = try #require(presentation.live)
    #expect(live.availabilityStart == Self.zero && live.published == Self.now(60))
    #expect(live.updateInterval == .milliseconds(2_000) && live.window == .milliseconds(30_000))
    #expect(live.suggestedDelay == .milliseconds(6_000) && live.targetLatency == .milliseconds(3_500))
    #expect(live.locations.map(\.text) == ["https://host/dash/next.mpd"])
    #expect(
      live.clocks.map(\.method) == [
        .iso([try StreamAddress(url: "https://time/a"), try StreamAddress(url: "https://host/b")]),
        .direct(Self.now(100)),
      ])
    #expect(presentation.notes.count == 1 && presentation.duration == nil)
    #expect(
      presentation.liveness
        == Liveness(kind: .window, isEnded: false, updateInterval: .milliseconds(2_000), holdBack: .milliseconds(6_000))
    )
  }

  @Test func aTemplateWithoutAnEndGrowsWithTheClock() throws {
    let timeline = try Manifests.timeline(
      Self.live(
        "",
        "<SegmentTemplate media=\"$Number$\" duration=\"4\" startNumber=\"7\" availabilityTimeOffset=\"1.5\" availabilityTimeComplete=\"false\"/>"
      ))
    #expect(timeline.count == nil && timeline.end == nil)
    #expect(timeline.availability?.isComplete == false)
    #expect(
      [-5, 0, 2, 3, 6, 7, 100, 1_000_000].map { timeline.availableCount(at: Self.now($0)) } == [
        0, 0, 0, 1, 1, 2, 25, 250_000,
      ])
    let far = try #require(timeline[1_000_000_000])
    #expect(far.number == 1_000_000_007 && far.start == 4_000_000_000 && far.address.text.hasSuffix("/1000000007"))
    #expect(timeline[2]?.wallTime == Self.now(8))
    #expect(timeline.availableTime(of: try #require(timeline[2])) == Self.zero + .milliseconds(10_500))
    #expect(timeline[.max] == nil && timeline.index(at: MediaTime(nanoseconds: .max)) != nil)
    #expect(timeline.index(ofNumber: 1_007) == 1_000)
  }

  /// `INF`: all that will ever be numbered may be asked for.
  @Test func anEndlessLeadEndsInANumber() throws {
    let timeline = try Manifests.timeline(
      Self.live(
        "",
        "<SegmentTemplate media=\"$Number$\" timescale=\"4000000000\" duration=\"1\" availabilityTimeOffset=\"INF\"/>"))
    #expect(timeline.availableCount(at: Self.now(0)) > 1_000_000)
    #expect(
      timeline.availableCount(at: WallTime(nanoseconds: .min)) >= 0
        && timeline.availableCount(at: WallTime(nanoseconds: .max)) > 0)
    #expect(
      Manifests.refusal(
        Self.live("", "<SegmentTemplate media=\"$Number$\" duration=\"1\" availabilityTimeOffset=\"NaN\"/>")
      ).contains("@availabilityTimeOffset"))
  }

  @Test func theLastEntryMayRepeatForEver() throws {
    let timeline = try Manifests.timeline(
      Self.live(
        "",
        "<SegmentTemplate media=\"$Time$\" timescale=\"10\"><SegmentTimeline><S t=\"100\" d=\"20\" r=\"2\"/><S d=\"40\" r=\"-1\"/></SegmentTimeline></SegmentTemplate>",
        period: "start=\"PT50S\""))
    #expect(timeline.count == nil && timeline.origin == .milliseconds(50_000))
    #expect(
      timeline[3]?.start == 160 && timeline[103]?.start == 4_160
        && timeline[103]?.address.text.hasSuffix("/4160") == true)
    // The segment from 12 s to 14 s of the period that begins at 50 s.
    #expect([61, 62, 63, 64, 66, 70].map { timeline.availableCount(at: Self.now($0)) } == [0, 1, 1, 2, 3, 4])
  }

  @Test func aPeriodWithAnEndIsFull() throws {
    let timeline = try Manifests.timeline(
      Self.live("mediaPresentationDuration=\"PT10S\"", "<SegmentTemplate media=\"$Number$\" duration=\"4\"/>"))
    #expect(
      timeline.count == 3 && timeline.availableCount(at: Self.now(8)) == 2
        && timeline.availableCount(at: Self.now(99)) == 3)
  }

  @Test func aLiveManifestNeedsAStart() {
    let text = Self.live("", "<SegmentTemplate media=\"$Number$\" duration=\"4\"/>")
      .replacing("availabilityStartTime=\"2020-01-01T00:00:00Z\"", with: "")
    #expect(Manifests.refusal(text).contains("@availabilityStartTime"))
    #expect(Manifests.refusal(Self.live("minimumUpdatePeriod=\"soon\"", "")).contains("@minimumUpdatePeriod"))
  }

  /// A refresh forgets the beginning and adds at the end: what both hold has the same number, place and address.
  @Test func aRefreshKeepsSegments() throws {
    var random = SeededGenerator(for: "aRefreshKeepsSegments")
    var durations: [Int] = []
    func text(_ places: Range<Int>) -> String {
      let time = durations[..<places.lowerBound].reduce(0, +)
      let entries = durations[places].enumerated().map { "<S \($0 == 0 ? "t=\"\(time)\" " : "")d=\"\($1)\"/>" }
      return Self.live(
        "minimumUpdatePeriod=\"PT1S\"",
        "<SegmentTemplate timescale=\"1000\" media=\"$Time$\" startNumber=\"\(places.lowerBound + 1)\"><SegmentTimeline>\(entries.joined())</SegmentTimeline></SegmentTemplate>"
      )
    }
    durations = (0..<60).map { _ in Int.random(in: 1...9_000, using: &random) }
    var (low, high) = (0, 5)
    var before = try Manifests.timeline(text(low..<high))
    while high < 60 {
      low = min(high - 1, low + Int.random(in: 0...4, using: &random))
      high = min(60, high + Int.random(in: 0...5, using: &random))
      let after = try Manifests.timeline(text(low..<high))
      for segment in Playlists.segments(after) {
        guard let old = before.index(ofNumber: segment.number) else { continue }
        #expect(before[old] == segment, "seed \(random.seed)")
        #expect(before.index(at: after.start(of: segment)) == old)
      }
      before = after
    }
  }
}
