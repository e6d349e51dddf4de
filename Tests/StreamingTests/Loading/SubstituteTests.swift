import Adaptation
import Frames
import HTTP
import Support
import Testing

import Streaming

/// Playlists, initialisation sections and segments that cannot be had: the same is loaded from elsewhere, or another rung.
@Suite struct SubstituteTests {
  private static func stream(_ form: VirtualStream.Form) throws -> VirtualStream {
    VirtualStream(
      try RungTable(
        name: "test", bitrates: [100_000, 200_000, 400_000], durations: Array(repeating: 2, count: 10)), form)
  }

  private static func run(
    _ stream: VirtualStream, _ controller: String, _ fault: @escaping (VirtualTransport.Row) -> VirtualFault?
  ) throws -> VirtualRun {
    let period = NetworkTrace.Period(seconds: 3600, bitsPerSecond: 2_000_000, roundTrip: 0.05)
    let transport = VirtualTransport(stream, over: try NetworkTrace(name: "constant", periods: [period]))
    transport.fault = { row, _ in fault(row) }
    return try VirtualRun.of(transport, StreamOptions(controller: try #require(ControllerChoice(controller))))
  }

  private static func count(_ run: VirtualRun, _ path: String) -> Int { run.log.count { $0.path == path } }

  /// The next lower rung, else the next higher one; what is missing is asked for once.
  @Test(arguments: ["list.m3u8", "init"], [(0, 1), (1, 0), (2, 1)])
  func anotherRungStandsIn(file: String, rungs: (missing: Int, substitute: Int)) throws {
    let (missing, stream) = ("\(rungs.missing)/\(file)", try Self.stream(.hls))
    let run = try Self.run(stream, "fixed:\(rungs.missing)") {
      $0.path == missing ? .status(404, retryAfter: nil) : nil
    }
    #expect(run.failure == nil && run.names(in: stream) == (0..<10).map { "\(rungs.substitute)/\($0)" })
    #expect(Self.count(run, missing) == 1)
    #expect(run.history.decisions.map(\.rung) == Array(repeating: rungs.missing, count: 10))
    #expect(run.history.segment(at: MediaTime(seconds: 13))?.rung == rungs.substitute)
  }

  @Test(arguments: ["list.m3u8", "init", "3"])
  func anotherRungStandsInPastTheRetries(file: String) throws {
    let stream = try Self.stream(.hls)
    let run = try Self.run(stream, "fixed:1") { $0.path == "1/\(file)" ? .status(500, retryAfter: nil) : nil }
    #expect(run.failure == nil && run.segments.count == 10)
    #expect(Self.count(run, "1/\(file)") == RetryPolicy().retryLimit + 1)
    #expect(Self.count(run, "0/\(file)") == 1)
  }

  @Test func whatNoRungHasEndsIt() throws {
    let run = try Self.run(try Self.stream(.hls), "fixed:1") {
      $0.path.hasSuffix("list.m3u8") ? .status(404, retryAfter: nil) : nil
    }
    #expect(
      run.failure?.description == "cannot play 'main.m3u8': the server answered 404 Not Found — check the URL")
    #expect(run.log.dropFirst().map(\.path) == [1, 0, 2].map { "\($0)/list.m3u8" })
  }

  /// Retries of all substitutes together are limited.
  @Test func substitutesAreTriedAsLongAsRetriesAre() throws {
    let run = try Self.run(try Self.stream(.hls), "fixed:2") {
      $0.path.hasSuffix("/4") ? .stall(after: 0, seconds: 1e5) : nil
    }
    #expect(run.failure?.cause == "the server sent only 0 bytes in 30 s")
    let limits = (StreamLimits().slowSeconds, RetryPolicy().limitSeconds)
    #expect(run.seconds < 5 * (limits.0 + limits.1), "\(run.seconds) s")
    #expect(Self.count(run, "1/4") > 0)
  }

  /// A variant of the same rung on another server: from where the first one lacks something on.
  @Test(arguments: ["a/0/list.m3u8", "a/0/init", "a/0/6"])
  func aRedundantVariantStandsIn(missing: String) throws {
    var stream = try Self.stream(.hls)
    var text = "#EXTM3U\n"
    for folder in ["a", "b"] {
      text += "#EXT-X-STREAM-INF:BANDWIDTH=100000,RESOLUTION=320x180,CODECS=\"avc1.42c01e\"\n\(folder)/0/list.m3u8\n"
    }
    for (name, file) in stream.files where name.hasPrefix("0/") {
      (stream.files["a/" + name], stream.files["b/" + name]) = (file, file)
    }
    stream.files[stream.manifest] = .text(Array(text.utf8))
    let run = try Self.run(stream, "lowest") { $0.path == missing ? .status(404, retryAfter: nil) : nil }
    #expect(run.failure == nil && run.names(in: stream) == (0..<10).map { "0/\($0)" })
    #expect(Self.count(run, missing) == 1)
    let first = missing.hasSuffix("/6") ? 6 : 0
    #expect(
      (0..<10).map { Self.count(run, "a/0/\($0)") } == (0..<10).map { $0 < first || missing == "a/0/\($0)" ? 1 : 0 })
    #expect((0..<10).map { Self.count(run, "b/0/\($0)") } == (0..<10).map { $0 < first ? 0 : 1 })
  }

  @Test func anotherBaseURLStandsIn() throws {
    var stream = try Self.stream(.dash)
    guard case .text(let bytes)? = stream.files[stream.manifest] else { return }
    let text = String(decoding: bytes, as: UTF8.self)
    let bases = "<BaseURL>a/</BaseURL><BaseURL>b/</BaseURL><Period>"
    stream.files[stream.manifest] = .text(Array(text.replacing("<Period>", with: bases).utf8))
    for (name, file) in stream.files where name.hasPrefix("1/") {
      (stream.files["a/" + name], stream.files["b/" + name]) = (file, file)
    }
    let run = try Self.run(stream, "fixed:1") { $0.path == "a/1/4" ? .status(404, retryAfter: nil) : nil }
    #expect(run.failure == nil && run.names(in: stream) == (0..<10).map { "1/\($0)" })
    #expect(
      run.log.dropFirst().map(\.path) == (0..<5).map { "a/1/\($0)" } + (4..<10).map { "b/1/\($0)" })
  }

  /// The connection ends behind the last byte of a body whose length was not told.
  @Test(arguments: ["main.m3u8", "1/list.m3u8", "1/init", "1/3"])
  func aBodyWithoutALengthIsWhole(path: String) throws {
    let stream = try Self.stream(.hls)
    var isFirst = true
    let run = try Self.run(stream, "fixed:1") { row in
      guard row.path == path, isFirst else { return nil }
      isFirst = false
      return .endsWithoutLength
    }
    #expect(run.failure == nil && run.names(in: stream) == (0..<10).map { "1/\($0)" })
    let rows = run.log.filter { $0.path == path }
    #expect(rows.map(\.status) == [200, 416])
    let requests = run.history.requests.filter { $0.url.hasSuffix("/" + path) }
    #expect(requests.map(\.outcome) == [.failed("the connection ended"), .finished])
  }

  /// One byte now and then counts as a stall.
  @Test func aSegmentThatCreepsIsAskedForAgain() throws {
    let stream = try Self.stream(.hls)
    var isFirst = true
    let run = try Self.run(stream, "fixed:1") { row in
      guard row.path == "1/3", isFirst else { return nil }
      isFirst = false
      return .stall(after: 1000, seconds: 500)
    }
    #expect(run.failure == nil && run.names(in: stream) == (0..<10).map { "1/\($0)" })
    #expect(run.log.filter { $0.path == "1/3" }.map(\.first) == [0, 1000])
    #expect(
      run.history.requests.first { $0.segment == 3 }?.outcome == .failed("the server sent only 1000 bytes in 30 s"))
  }
}
