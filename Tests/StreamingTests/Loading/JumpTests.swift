import Adaptation
import Frames
import HTTP
import Support
import Testing

import Streaming

/// Jumps while something is loaded, and which segment a picture is of where segments overlap.
@Suite struct JumpTests {
  private static func network() throws -> NetworkTrace {
    let period = NetworkTrace.Period(seconds: 3600, bitsPerSecond: 2_000_000, roundTrip: 0.05)
    return try NetworkTrace(name: "constant", periods: [period])
  }

  /// Each request under way ends at once; the new place asks for what it needs again.
  @Test(arguments: ["1/list.m3u8", "1/init", "1/key", "1/0"])
  func cancelsWhatIsUnderWay(path: String) throws {
    var stream = VirtualStream(
      try RungTable(name: "test", bitrates: [100_000, 200_000], durations: Array(repeating: 2, count: 10)), .hls)
    if path == "1/key", case .text(let bytes)? = stream.files["1/list.m3u8"] {
      let text = String(decoding: bytes, as: UTF8.self)
      let key = "#EXT-X-KEY:METHOD=AES-128,URI=\"key\"\n#EXTINF"
      stream.files["1/list.m3u8"] = .text(Array(text.replacing("#EXTINF", with: key, maxReplacements: 1).utf8))
      stream.files["1/key"] = .media(phase: 0, count: 16)
    }
    let transport = VirtualTransport(stream, over: try Self.network())
    var isFirst = true
    transport.fault = { row, _ in
      guard row.path == path, isFirst else { return nil }
      isFirst = false
      return .stall(after: 9, seconds: 20)
    }
    transport.at(3) { _ = $0.seek(to: MediaTime(seconds: 9)) }
    let run = try VirtualRun.of(transport, StreamOptions(controller: try #require(ControllerChoice("fixed:1"))))
    let cancelled = run.history.requests.filter { $0.outcome == .cancelled }
    #expect(cancelled.map(\.url) == [VirtualStream.folder + path])
    #expect(abs((cancelled.first?.times.ended ?? 0) - 3) < 0.05)
    // What is encrypted here is no segment.
    guard path != "1/key" else { return }
    #expect(run.failure == nil && run.names(in: stream) == (4..<10).map { "1/\($0)" })
  }

  /// A wait before a retry, too.
  @Test func cancelsAWait() throws {
    let stream = VirtualStream(
      try RungTable(name: "test", bitrates: [100_000], durations: Array(repeating: 2, count: 10)), .hls)
    let transport = VirtualTransport(stream, over: try Self.network())
    var isFirst = true
    transport.fault = { row, _ in
      guard row.path == "0/list.m3u8", isFirst else { return nil }
      isFirst = false
      return .status(503, retryAfter: 25)
    }
    transport.at(3) { _ = $0.seek(to: MediaTime(seconds: 9)) }
    let run = try VirtualRun.of(transport, StreamOptions(controller: try #require(ControllerChoice("lowest"))))
    #expect(run.failure == nil && run.segments.count == 6)
    #expect(abs((run.log.last { $0.path == "0/list.m3u8" }?.started ?? 0) - 3) < 0.05)
  }

  /// Segments of 2 s and of 3 s by turns: a picture is of the segment that showed its time first.
  @Test func whereSegmentsOverlapTheEarlierOneCounts() throws {
    var stream = VirtualStream(
      try RungTable(name: "test", bitrates: [100_000, 200_000], durations: Array(repeating: 2, count: 15)), .dash)
    let template = "<SegmentTemplate timescale=\"1\" startNumber=\"0\" media=\"$RepresentationID$/$Number$\""
    let rungs = [2, 3].enumerated().map { rung, seconds in
      "<Representation id=\"\(rung)\" bandwidth=\"\(rung + 1)00000\" codecs=\"avc1.42c01e\">"
        + "\(template) duration=\"\(seconds)\"/></Representation>"
    }
    stream.files["main.mpd"] = .text(
      Array(
        """
        <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT30S"><Period>
        <AdaptationSet mimeType="video/mp4">\(rungs.joined())</AdaptationSet></Period></MPD>
        """.utf8))
    for segment in 0..<10 { stream.files["1/\(segment)"] = .media(phase: segment * 64, count: 75_000) }
    var generator = SeededGenerator(for: "where segments overlap the earlier one counts")
    for _ in 0..<20 {
      let seed = generator.next()
      let transport = VirtualTransport(stream, over: try Self.network())
      let run = try VirtualRun.of(transport, StreamOptions(controller: RandomController.choice(seed: seed)))
      #expect(run.failure == nil, "seed \(seed)")
      let loaded = run.history.requests.filter { $0.kind == .segment && $0.outcome == .finished }
      let ends = loaded.map { request in
        let seconds = request.rung == 0 ? 2.0 : 3
        return (rung: request.rung, end: Double((request.segment ?? 0) + 1) * seconds)
      }
      for tenth in 0..<300 {
        let time = Double(tenth) / 10 + 0.05
        let first = ends.first { time < $0.end }
        #expect(run.history.segment(at: MediaTime(seconds: time))?.rung == first?.rung, "\(time) s, seed \(seed)")
      }
    }
  }
}
