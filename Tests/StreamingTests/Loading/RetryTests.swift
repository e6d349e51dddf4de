import Adaptation
import Frames
import HTTP
import Media
import Support
import Testing

import Streaming

/// Downloads that fail: each goes on where it was, waits as long as the server asks, and ends with one sentence.
@Suite struct RetryTests {
  private static func stream(_ form: VirtualStream.Form, segments: Int = 10, seconds: Double = 2) throws
    -> VirtualStream
  {
    VirtualStream(
      try RungTable(
        name: "test", bitrates: [100_000, 200_000, 400_000],
        durations: Array(repeating: seconds, count: segments)), form)
  }

  private static func transport(_ stream: VirtualStream) throws -> VirtualTransport {
    let period = NetworkTrace.Period(seconds: 3600, bitsPerSecond: 1_000_000, roundTrip: 0.05)
    return VirtualTransport(stream, over: try NetworkTrace(name: "constant", periods: [period]))
  }

  private static func options(_ controller: String) throws -> StreamOptions {
    StreamOptions(controller: try #require(ControllerChoice(controller)))
  }

  private static func rows(_ run: VirtualRun, _ path: String) -> [VirtualTransport.Row] {
    run.log.filter { $0.path == path }
  }

  @Test(arguments: VirtualStream.Form.allCases)
  func goesOnWhereItWas(form: VirtualStream.Form) throws {
    let stream = try Self.stream(form)
    let transport = try Self.transport(stream)
    let (path, range) = stream.place(of: 3, rung: 1)
    var isFirst = true
    transport.fault = { row, _ in
      guard row.path == path, row.first == range.lowerBound, isFirst else { return nil }
      isFirst = false
      return .lost(after: 12_345)
    }
    let run = try VirtualRun.of(transport, try Self.options("fixed:1"))
    let rows = Self.rows(run, path).filter { range.contains(Int($0.first)) }
    #expect(rows.map(\.first) == [Int64(range.lowerBound), Int64(range.lowerBound) + 12_345])
    #expect(rows.map(\.bytes) == [12_345, Int64(range.count) - 12_345])
    #expect(run.names(in: stream) == (0..<10).map { "1/\($0)" })
    #expect(run.failure == nil)
    let requests = run.history.requests.filter { $0.segment == 3 }
    #expect(requests.map(\.attempt) == [0, 1])
    #expect(requests.first?.outcome == .failed("the connection ended after 12345 of \(range.count) bytes"))
  }

  /// A range from the first byte on, too.
  @Test func aServerWithoutRangesIsReadNoFurtherThanNeeded() throws {
    let stream = try Self.stream(.hlsRanges)
    let transport = try Self.transport(stream)
    transport.fault = { row, _ in row.last == nil ? nil : .ignoresRange }
    let run = try VirtualRun.of(transport, try Self.options("fixed:0"))
    #expect(run.names(in: stream) == (0..<10).map { "0/\($0)" })
    for row in run.log where row.last != nil {
      #expect(row.bytes < (row.last ?? 0) + 1 + (1 << 16), "\(row)")
    }
  }

  @Test func aManifestIsAskedForAgain() throws {
    let stream = try Self.stream(.dash)
    let transport = try Self.transport(stream)
    let faults: [VirtualFault] = [.lost(after: 100), .status(503, retryAfter: 1)]
    transport.fault = { _, number in number < faults.count ? faults[number] : nil }
    let run = try VirtualRun.of(transport, try Self.options("lowest"))
    #expect(run.log.prefix(3).map(\.first) == [0, 100, 100])
    #expect(run.segments.count == 10 && run.failure == nil)
  }

  @Test func waitsAsLongAsTheServerAsks() throws {
    let transport = try Self.transport(try Self.stream(.dash))
    var left = 2
    transport.fault = { row, _ in
      guard row.path == "0/4", left > 0 else { return nil }
      left -= 1
      return .status(503, retryAfter: 3)
    }
    let run = try VirtualRun.of(transport, try Self.options("lowest"))
    let rows = Self.rows(run, "0/4")
    #expect(rows.map(\.status) == [503, 503, 200])
    #expect(zip(rows, rows.dropFirst()).map { (($1.started - $0.ended) * 1000).rounded() / 1000 } == [3, 3])
    #expect(run.failure == nil && run.segments.count == 10)
  }

  @Test func endsWithOneSentenceAfterAllThatWasLoaded() throws {
    let stream = try Self.stream(.hls)
    let transport = try Self.transport(stream)
    transport.fault = { row, _ in row.path.hasSuffix("/7") ? .status(500, retryAfter: nil) : nil }
    var options = try Self.options("fixed:1")
    // The picture has moved on meanwhile.
    options.load = LoadPolicy(minimum: 6, maximum: 6)
    let run = try VirtualRun.of(transport, options)
    #expect(run.names(in: stream) == (0..<7).map { "1/\($0)" })
    #expect(
      run.failure?.description
        == "cannot play 'main.m3u8' past 14 s: the server answered 500 Internal Server Error — check the URL and the server"
    )
    #expect(Self.rows(run, "1/7").count == RetryPolicy().retryLimit + 1)
  }

  @Test(arguments: [(0, 1), (1, 0), (2, 1)])
  func anotherRungStandsInForASegmentThatIsMissing(rung: Int, substitute: Int) throws {
    let stream = try Self.stream(.hls)
    let transport = try Self.transport(stream)
    transport.fault = { row, _ in row.path == "\(rung)/6" ? .status(404, retryAfter: nil) : nil }
    let run = try VirtualRun.of(transport, try Self.options("fixed:\(rung)"))
    let rungs = (0..<10).map { $0 == 6 ? substitute : rung }
    #expect(run.names(in: stream) == rungs.enumerated().map { "\($0.element)/\($0.offset)" })
    #expect(run.failure == nil && Self.rows(run, "\(rung)/6").count == 1)
    #expect(run.history.segment(at: MediaTime(seconds: 13))?.rung == substitute)
  }

  @Test func aSegmentThatNoRungHasEndsIt() throws {
    let stream = try Self.stream(.dash)
    let transport = try Self.transport(stream)
    transport.fault = { row, _ in row.path.hasSuffix("/6") ? .status(404, retryAfter: nil) : nil }
    let run = try VirtualRun.of(transport, try Self.options("fixed:2"))
    #expect(run.segments.count == 6)
    #expect(run.failure?.cause == "the server answered 404 Not Found")
    #expect(run.log.suffix(3).map(\.path) == ["2/6", "1/6", "0/6"])
  }

  // MARK: - Segments of other lengths

  /// One rung has twice as many segments as the other: neither's number tells where the stream ends.
  @Test func rungsWithSegmentsOfTheirOwnAreLoadedToTheEnd() throws {
    var stream = VirtualStream(
      try RungTable(name: "test", bitrates: [100_000, 200_000], durations: Array(repeating: 2, count: 10)), .dash)
    stream.files["main.mpd"] = .text(
      Array(
        """
        <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT20S"><Period>
        <AdaptationSet mimeType="video/mp4">
        <Representation id="0" bandwidth="100000" codecs="avc1.42c01e"><SegmentTemplate timescale="1" startNumber="0"
        media="0/$Number$" duration="2"/></Representation>
        <Representation id="1" bandwidth="200000" codecs="avc1.42c01e"><SegmentTemplate timescale="1" startNumber="0"
        media="1/$Number$" duration="1"/></Representation>
        </AdaptationSet></Period></MPD>
        """.utf8))
    for segment in 0..<20 { stream.files["1/\(segment)"] = .media(phase: segment * 64, count: 25_000) }
    var generator = SeededGenerator(for: "rungs with segments of their own")
    for _ in 0..<20 {
      let seed = generator.next()
      let run = try VirtualRun.of(
        try Self.transport(stream), StreamOptions(controller: RandomController.choice(seed: seed)))
      #expect(run.failure == nil && run.hasEnded, "seed \(seed)")
      for second in 0..<20 {
        #expect(run.history.segment(at: MediaTime(seconds: Double(second) + 0.5)) != nil, "\(second) s, seed \(seed)")
      }
    }
  }

  /// The first segment lies behind the stream's start.
  @Test func aTimelineThatBeginsLateIsLoadedToTheEnd() throws {
    var stream = try Self.stream(.dash)
    stream.files["main.mpd"] = .text(
      Array(
        """
        <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT24S"><Period>
        <AdaptationSet mimeType="video/mp4"><Representation id="0" bandwidth="100000" codecs="avc1.42c01e">
        <SegmentTemplate timescale="1" startNumber="0" media="0/$Number$"><SegmentTimeline>
        <S t="4" d="2" r="9"/></SegmentTimeline></SegmentTemplate></Representation>
        </AdaptationSet></Period></MPD>
        """.utf8))
    let run = try VirtualRun.of(try Self.transport(stream), try Self.options("lowest"))
    #expect(run.names(in: stream) == (0..<10).map { "0/\($0)" })
    #expect(run.history.requests.compactMap(\.segment) == Array(0..<10))
  }

  // MARK: - Jumps

  @Test(arguments: VirtualStream.Form.allCases)
  func goesOnAtTheRightSegmentAfterAJump(form: VirtualStream.Form) throws {
    let stream = try Self.stream(form, segments: 40)
    let transport = try Self.transport(stream)
    transport.at(3.37) { _ = $0.seek(to: MediaTime(seconds: 61)) }
    let run = try VirtualRun.of(transport, try Self.options("fixed:2"))
    #expect(run.names(in: stream) == (30..<40).map { "2/\($0)" })
    let loaded = run.history.requests.filter { $0.kind == .segment }
    let cancelled = loaded.filter { $0.outcome == .cancelled }
    #expect(cancelled.count == 1 && abs((cancelled.first?.times.ended ?? 0) - 3.37) < 0.011)
    #expect(loaded.drop { $0.outcome != .cancelled }.dropFirst().compactMap(\.segment) == Array(30..<40))
    #expect(run.failure == nil)
  }

  @Test func goesBackAfterItsEnd() throws {
    let stream = try Self.stream(.dash)
    let transport = try Self.transport(stream)
    let loaded = try LoadedStream(
      "main.mpd", try StreamAddress(url: stream.url), transport, try Self.options("fixed:1"),
      interruption: Interruption())
    transport.begin(loaded.store)
    #expect(Patience.until(every: 1) { loaded.store.isFinished })
    #expect(loaded.store.seek(to: MediaTime(seconds: 9)))
    #expect(Patience.until(every: 1) { loaded.store.isFinished })
    loaded.stop()
    let segments = loaded.history.requests.compactMap(\.segment)
    #expect(segments == Array(0..<10) + Array(4..<10))
  }
}
