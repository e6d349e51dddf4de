import Frames
import Support
import Testing

import Streaming

/// Templates give each segment its place, its number and its address.
@Suite struct SegmentTemplateTests {
  private static func template(_ attributes: String, _ entries: String = "") -> String {
    let timeline = entries.isEmpty ? "" : "<SegmentTimeline>\(entries)</SegmentTimeline>"
    return Manifests.video("<SegmentTemplate media=\"$Number$_$Time$.m4s\" \(attributes)>\(timeline)</SegmentTemplate>")
  }

  private static func names(_ segments: [Segment]) -> [String] {
    segments.map { String($0.address.text.dropFirst("https://host/dash/".count)) }
  }

  @Test func numbersFillThePeriod() throws {
    let timeline = try Manifests.timeline(
      Self.template(
        "timescale=\"1000\" duration=\"4000\" startNumber=\"5\" initialization=\"$RepresentationID$/i.mp4\""))
    let segments = Playlists.segments(timeline)
    #expect(segments.map(\.start) == [0, 4_000, 8_000] && segments.map(\.duration) == [4_000, 4_000, 2_000])
    #expect(Self.names(segments) == ["5_0.m4s", "6_4000.m4s", "7_8000.m4s"])
    #expect(segments[0].initialization?.address.text == "https://host/dash/r1/i.mp4")
    #expect(timeline.end == .milliseconds(10_000))
    #expect(timeline.index(at: .milliseconds(7_999)) == 1 && timeline.index(at: .milliseconds(8_000)) == 2)
    #expect(timeline.index(at: .milliseconds(99_000)) == 2 && timeline.index(at: .milliseconds(-1)) == 0)
    #expect(
      timeline.index(ofNumber: 7) == 2 && timeline.index(ofNumber: 8) == nil && timeline.index(ofNumber: 4) == nil)
  }

  /// The period's length in ticks that are coarse: no segment is lost, and none is made for a rounding error.
  @Test(arguments: [("PT8.4S", 3), ("PT8.0004S", 2), ("PT8.0006S", 3), ("PT7.9996S", 2), ("PT4S", 1), ("PT0S", 0)])
  func coarseTicksCoverThePeriod(duration: String, count: Int) throws {
    let text = Self.template("duration=\"4\"").replacing("PT10S", with: duration)
    #expect(try Manifests.timeline(text).count == count)
  }

  @Test func theLastNumberEnds() throws {
    #expect(
      Self.names(try Manifests.segments(Self.template("duration=\"2\" endNumber=\"2\""))) == ["1_0.m4s", "2_2.m4s"])
    #expect(try Manifests.segments(Self.template("endNumber=\"2\"", "<S d=\"2\" r=\"4\"/>")).count == 2)
  }

  @Test func timelinesRepeat() throws {
    let segments = try Manifests.segments(
      Self.template(
        "timescale=\"10\"",
        "<S t=\"0\" d=\"20\" r=\"1\"/><S d=\"5\"/><S t=\"50\" d=\"10\" r=\"-1\"/><S t=\"81\" d=\"4\" r=\"-1\"/>"))
    #expect(segments.map(\.start) == [0, 20, 40, 50, 60, 70, 80, 81, 85, 89, 93, 97])
    #expect(segments.map(\.duration) == [20, 20, 5, 10, 10, 10, 10, 4, 4, 4, 4, 4])
    #expect(segments.map(\.number) == Array(1...12))
    #expect(Self.names(segments)[3] == "4_50.m4s")
  }

  /// The media's own time stamps begin at the offset; what lies outside the period is not played, and keeps its number.
  @Test func theOffsetMovesThePeriod() throws {
    let timeline = try Manifests.timeline(
      Self.template("timescale=\"10\" presentationTimeOffset=\"1000\"", "<S t=\"960\" d=\"20\" r=\"9\"/>"))
    let segments = Playlists.segments(timeline)
    #expect(segments.map(\.start) == [0, 20, 40, 60, 80] && segments.map(\.number) == [3, 4, 5, 6, 7])
    #expect(Self.names(segments)[0] == "3_1000.m4s" && timeline.mediaOffset == 1_000)
    let late = try Manifests.segments(
      Self.template("timescale=\"10\" presentationTimeOffset=\"-70\"", "<S t=\"0\" d=\"20\" r=\"9\"/>"))
    #expect(late.map(\.start) == [70, 90] && Self.names(late) == ["1_0.m4s", "2_20.m4s"])
    let early = try Manifests.segments(
      Self.template("timescale=\"10\" presentationTimeOffset=\"1000\"", "<S t=\"990\" d=\"60\" r=\"3\"/>"))
    #expect(early.map(\.start) == [-10, 50])
  }

  @Test(arguments: [
    ("$Number%05d$.m4s", "00001.m4s"), ("$RepresentationID$-$Bandwidth%08d$-$Number$", "r1-00500000-1"),
    ("a$$b$Number$", "a$b1"),
    ("$Time%03d$/$Number%01d$.x?q=$Number$", "000/1.x?q=1"), ("one.mp4", "one.mp4"), ("../$Number$", "../1"),
  ])
  func identifiersAreReplaced(media: String, name: String) throws {
    let text = Manifests.video("<SegmentTemplate media=\"\(media)\" duration=\"10\"/>")
    let expected = try Manifests.address().resolving(name).text
    #expect(try Manifests.segments(text).first?.address.text == expected)
  }

  @Test(arguments: [
    ("$Number", "'$' without another"), ("$Other$", "'Other'"), ("$Number%5d$", "format"), ("$Number%x$", "format"),
    ("$Number%099d$", "format"), ("file:///$Number$", "local file"), ("http://$Number$.h/", "names no host"),
    ("$SubNumber$", "'SubNumber'"), ("javascript:$Number$", "scheme"), ("a#$Number$", "behind a '#'"),
  ])
  func wrongTemplatesAreRefused(media: String, part: String) {
    let refusal = Manifests.refusal(Manifests.video("<SegmentTemplate media=\"\(media)\" duration=\"10\"/>"))
    #expect(refusal.contains(part) && refusal.contains("line 3"), "\(refusal)")
  }

  @Test(arguments: [
    ("duration=\"0\"", "", "@duration is zero"), ("duration=\"x\"", "", "not a number"),
    ("timescale=\"0\" duration=\"1\"", "", "@timescale"),
    ("", "<S d=\"0\"/>", "@d"), ("", "<S/>", "@d"), ("", "<S d=\"-5\"/>", "@d"), ("", "<S d=\"1\" r=\"-2\"/>", "<S>"),
    ("", "<S t=\"5\" d=\"2\" r=\"1\"/><S t=\"6\" d=\"2\"/>", "goes back"),
    ("", "<S d=\"1\" r=\"-1\"/><S d=\"1\"/>", "no @t"),
    ("", "<S d=\"1\" r=\"100000\"/>", "100000 segments"),
    ("timescale=\"100000\" duration=\"9\"", "", "100000 segments"),
    ("", "<S d=\"1\" r=\"4611686018427387890\"/>", "100000 segments"),
    ("", "<S t=\"4611686018427387890\" d=\"4611686018427387890\" r=\"1\"/>", "counted"),
    ("startNumber=\"4611686018427387895\" duration=\"1\"", "", "counted"),
    ("timescale=\"5000000000\" duration=\"1\"", "", "@timescale"),
    ("", "<S d=\"NaN\"/>", "@d"), ("", "<S t=\"-1\" d=\"1\"/>", "number"),
    ("timescale=\"1\"", "<S d=\"1\" r=\"99999\"/><S d=\"1\"/>", "100000 segments"),
  ])
  func wrongNumbersAreRefused(attributes: String, entries: String, part: String) {
    let refusal = Manifests.refusal(Self.template(attributes, entries))
    #expect(refusal.contains(part), "\(refusal)")
  }

  /// `@d=1` with 100,000 entries, and one entry of 100,000 repeats, cost no memory worth the name.
  @Test func longTimelinesAreRuns() throws {
    let header = "timescale=\"10000\""
    let one = try Manifests.timeline(Self.template(header, "<S t=\"0\" d=\"1\" r=\"99999\"/>"))
    let many = try Manifests.timeline(Self.template(header, String(repeating: "<S d=\"1\"/>", count: 100_000)))
    #expect(one.count == 100_000 && many.count == 100_000 && one[99_999] == many[99_999])
    #expect(one.end == .milliseconds(10_000))
  }

  /// Random timelines: the segments follow the entries one by one, and each instant lies in the segment that it should.
  @Test func randomTimelinesAreFollowed() throws {
    var random = SeededGenerator(for: "randomTimelinesAreFollowed")
    for round in 0..<200 {
      let scale = Int64.random(in: 1...100_000, using: &random)
      var (entries, expected): (String, [(Int64, Int64)]) = ("", [])
      var time = Int64.random(in: 0...1_000_000, using: &random)
      let offset = time
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        let duration = Int64.random(in: 1...5_000, using: &random)
        let repeats = Int.random(in: 0...20, using: &random)
        let gap = Bool.random(using: &random) ? Int64.random(in: 0...300, using: &random) : 0
        time += gap
        entries +=
          "<S \(gap > 0 || expected.isEmpty ? "t=\"\(time)\" " : "")d=\"\(duration)\"\(repeats > 0 ? " r=\"\(repeats)\"" : "")/>"
        for _ in 0...repeats {
          expected.append((time - offset, duration))
          time += duration
        }
      }
      let text = Self.template("timescale=\"\(scale)\" presentationTimeOffset=\"\(offset)\"", entries)
        .replacing("PT10S", with: "P1D")
      let day = scale * 86_400
      expected = expected.filter { $0.0 < day }
      let timeline = try Manifests.timeline(text)
      let segments = Playlists.segments(timeline)
      try #require(segments.map(\.start) == expected.map(\.0), "round \(round), seed \(random.seed)")
      #expect(segments.map(\.duration) == expected.map(\.1))
      #expect(segments.map(\.number) == expected.indices.map { Int64($0) + 1 })
      for _ in 0..<20 {
        let place = Int.random(in: segments.indices, using: &random)
        #expect(timeline.index(ofNumber: Int64(place) + 1) == place)
        // Where a tick is longer than a nanosecond its start lies in it.
        let start = timeline.start(of: segments[place]) + MediaTime(nanoseconds: 1)
        #expect(timeline.index(at: start) == place, "round \(round), seed \(random.seed)")
      }
      #expect(timeline[-1] == nil && timeline[segments.count] == nil)
    }
  }
}
