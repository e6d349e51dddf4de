import Foundation
import Frames
import Origin
import Support
import Testing

/// HTTP/2 in clear text, on the port of HTTP/1.1.
@Suite(.tier(.test)) struct HTTP2Tests {
  private static let body = [UInt8]((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
  private static let isStrict = ProcessInfo.processInfo.environment["CI"] == "true"
  private static let hasCurl =
    isStrict || (try? CommandOutput.of("curl", ["--version"]).text.contains("HTTP2")) == true
  private static let hasNGHTTP = (try? CommandOutput.of("nghttp", ["--version"]).status) == 0

  private static func with(_ rules: [FaultRule] = [], _ body: (OriginStage) throws -> Void) throws {
    var options = OriginOptions()
    options.faults = rules
    try OriginStage.with(["a.m4s": Self.body, "b.m3u8": Array("first".utf8)], options: options, body)
  }

  /// A row without its times, numbers and protocol.
  private static func content(_ row: OriginRequest) -> OriginRequest {
    var row = row
    (row.number, row.connection, row.time, row.firstByte, row.lastByte, row.version) = (0, 0, 0, nil, nil, "")
    return row
  }

  @Test func bytesAndLogAreThoseOfHTTP1() throws {
    let requests: [(String, String, [(String, String)])] = [
      ("GET", "/a.m4s", []), ("HEAD", "/a.m4s", []), ("GET", "/a.m4s", [("range", "bytes=5-70000")]),
      ("GET", "/a.m4s?CMCD=br%3D3200", []), ("GET", "/none", []), ("POST", "/a.m4s", []), ("GET", "/../a.m4s", []),
      ("GET", "/b.m3u8", [("if-none-match", "*")]),
    ]
    try Self.with { stage in
      let old = try stage.connect()
      let client = try HTTP2Client(port: stage.origin.port)
      for (index, (method, path, fields)) in requests.enumerated() {
        let first = try old.get(path, method: method, Dictionary(uniqueKeysWithValues: fields))
        client.ask(path, stream: UInt32(2 * index + 1), method: method, fields)
        let second = try #require(try client.answers(1).values.first)
        #expect(first.body == second.body && second.reset == nil, "\(method) \(path)")
      }
      let rows = try stage.rows(requests.count * 2)
      let (ones, twos) = (rows.filter { $0.version == "HTTP/1.1" }, rows.filter { $0.version == "HTTP/2" })
      #expect(ones.map(Self.content) == twos.map(Self.content))
      #expect(Set(ones.map(\.connection)) == [1] && Set(twos.map(\.connection)) == [2])
      for row in rows {
        let (first, last) = (try #require(row.firstByte), try #require(row.lastByte))
        #expect(row.time <= first && first <= last)
      }
    }
  }

  /// The settings are sent before the link's time begins.
  @Test func aShapedLinkWaitsForTheFirstRequest() throws {
    var options = OriginOptions()
    options.shape = try LinkShape.constant(bitsPerSecond: 40e6)
    try OriginStage.with(["a.ts": [1, 2, 3]], options: options) { stage in
      let client = try HTTP2Client(port: stage.origin.port)
      #expect(try client.frame()?.kind == HTTP2Client.Frame.settings)
      #expect(try client.get("/a.ts", stream: 1).body == [1, 2, 3])
    }
  }

  /// Frames of all streams come by turns: at no time is one far ahead of another.
  @Test(arguments: [nil, 40e6])
  func streamsShareTheConnection(bitsPerSecond: Double?) throws {
    var options = OriginOptions()
    options.shape = try bitsPerSecond.map { rate throws(Failure) in try LinkShape.constant(bitsPerSecond: rate) }
    let bytes = [UInt8](repeating: 7, count: 1_000_000)
    try OriginStage.with(["a.ts": bytes], options: options) { stage in
      let client = try HTTP2Client(port: stage.origin.port)
      let streams: [UInt32] = [1, 3, 5, 7]
      for stream in streams { client.ask("/a.ts", stream: stream) }
      var (received, widest) = ([UInt32: Int](), 0)
      let answers = try client.answers(streams.count) { frame in
        guard frame.kind == HTTP2Client.Frame.data, !frame.endsStream else { return }
        received[frame.stream, default: 0] += frame.payload.count
        let counts = streams.map { received[$0] ?? 0 }
        // Each may hold 100 ms of the link ahead, and a stream may begin later by as much as all hold.
        if counts.allSatisfy({ $0 > 0 && $0 < bytes.count }) {
          widest = max(widest, (counts.max() ?? 0) - (counts.min() ?? 0))
        }
      }
      #expect(answers.count == 4 && answers.values.allSatisfy { $0.body == bytes && $0.status == 0x88 })
      #expect(widest < bytes.count * 3 / 4, "\(widest)")
      #expect(try stage.rows(4).map(\.bytes) == [Int64](repeating: 1_000_000, count: 4))
    }
  }

  @Test(arguments: [0, 1, 5000, 16_384, 65_536, 100_000])
  func aResetEndsOneStream(count: Int) throws {
    try Self.with([FaultRule(path: "*.m4s", nthOfPath: [1], ResetFault(after: Int64(count)))]) { stage in
      let client = try HTTP2Client(port: stage.origin.port)
      let broken = try client.get("/a.m4s", stream: 1)
      #expect(broken.body == Array(Self.body.prefix(count)) && broken.reset == 2 && broken.status == 0x88)
      #expect(try client.get("/a.m4s", stream: 3).body == Self.body)
      let rows = try stage.rows(2)
      #expect(rows.map(\.end) == [.fault, .complete] && rows.map(\.connection) == [1, 1])
      #expect(rows[0].bytes == Int64(count) && rows[0].faults == ["reset"])
    }
  }

  @Test func otherFaultsMeetOneStream() throws {
    let rules: [FaultRule] = [
      FaultRule(path: "*.m4s", nthOfPath: [1], ResetFault(after: nil)),
      FaultRule(path: "*.m4s", nthOfPath: [2], TruncatedFault(after: 70_000)),
      FaultRule(path: "*.m4s", nthOfPath: [3], WrongLengthFault(by: 10)),
      FaultRule(path: "*.m4s", nthOfPath: [4], StatusFault(404)),
      FaultRule(path: "*.m4s", nthOfPath: [5], StallFault(after: 10, seconds: nil)),
      FaultRule(path: "*.m4s", nthOfPath: [6], SlowHeadersFault(seconds: 3600)),
    ]
    try Self.with(rules) { stage in
      let client = try HTTP2Client(port: stage.origin.port)
      #expect(try client.get("/a.m4s", stream: 1) == HTTP2Client.Answer(reset: 2))
      let cut = try client.get("/a.m4s", stream: 3)
      #expect(cut.body == Array(Self.body.prefix(70_000)) && cut.reset == nil && cut.status == 0x88)
      let long = try client.get("/a.m4s", stream: 5)
      #expect(long.body == Self.body && long.reset == nil)
      #expect(try client.get("/a.m4s", stream: 7).status == HTTP2Client.Answer.missing)
      // What waits for ever, or for its head, holds up no other stream.
      for stream in [9, 11] as [UInt32] { client.ask("/a.m4s", stream: stream) }
      #expect(try client.get("/b.m3u8", stream: 13).body == Array("first".utf8))
      let rows = try stage.rows(5)
      #expect(rows.map(\.end) == [.fault, .fault, .complete, .complete, .complete])
      #expect(rows.map(\.bytes) == [0, 70_000, 100_000, 22, 5] && rows[0].status == 0)
      // A stall for ever is a fault in the log; the head that never came is the client's leaving.
      client.send(HTTP2Client.Frame.reset, stream: 9, payload: [0, 0, 0, 8])
      client.send(HTTP2Client.Frame.reset, stream: 11, payload: [0, 0, 0, 8])
      #expect(try stage.rows(7).map(\.end)[4...5] == [.fault, .closed])
    }
  }

  @Test func aCancelledStreamLeavesTheOthers() throws {
    try OriginStage.with(["a.ts": Self.body]) { stage in
      try stage.makeLarge("large.ts", bytes: 1 << 30)
      let client = try HTTP2Client(port: stage.origin.port, window: 100_000)
      client.ask("/large.ts", stream: 1)
      var received = 0
      while received < 100_000, let frame = try client.frame() {
        if frame.kind == HTTP2Client.Frame.data { received += frame.payload.count }
      }
      client.send(HTTP2Client.Frame.reset, stream: 1, payload: [0, 0, 0, 8])
      #expect(try client.get("/a.ts", stream: 3).body == Self.body)
      let rows = try stage.rows(2)
      #expect(rows.map(\.end) == [.closed, .complete])
      // Whole pieces count: the one that the window cut does not.
      #expect(rows[0].bytes > 80_000 && rows[0].bytes <= 100_000)
    }
  }

  private static func curl(_ stage: OriginStage, _ arguments: [String]) throws -> CommandOutput {
    try CommandOutput.of(
      "curl", ["-sS", "-f", "--max-time", "60", "--http2-prior-knowledge"] + arguments + [stage.origin.url + "a.m4s"])
  }

  @Test(.enabled("curl does not speak HTTP/2") { hasCurl })
  func curlGetsWholeFilesAndMeetsTheFaults() throws {
    try Self.with { stage in
      let whole = try Self.curl(stage, [])
      #expect(whole.output == Data(Self.body), "\(whole.errors)")
      #expect(try Self.curl(stage, ["-r", "1000-1999"]).output == Data(Self.body[1000..<2000]))
      #expect(try Self.curl(stage, ["-I"]).text.hasPrefix("HTTP/2 200"))
    }
    let rules: [(any Fault, Set<Int32>)] = [
      (StatusFault(404), [22]), (ResetFault(after: 100), [92]), (TruncatedFault(after: 100), [18, 92]),
      (WrongLengthFault(by: 10), [18, 92]), (WrongTypeFault("text/html"), [0]), (ClockSkewFault(seconds: 9), [0]),
    ]
    for (fault, statuses) in rules {
      try Self.with([FaultRule(fault)]) { stage in
        let result = try Self.curl(stage, ["-o", "/dev/null"])
        #expect(statuses.contains(result.status), "\(type(of: fault).kind): \(result.status) \(result.errors)")
      }
    }
  }

  @Test(.enabled("nghttp is not installed") { hasNGHTTP })
  func nghttpGetsManyStreams() throws {
    try Self.with { stage in
      let result = try CommandOutput.of("nghttp", ["-n", "-m", "20", stage.origin.url + "a.m4s"])
      #expect(result.status == 0, "\(result.errors)")
      let rows = try stage.rows(20)
      #expect(rows.allSatisfy { $0.bytes == 100_000 && $0.end == .complete } && Set(rows.map(\.connection)) == [1])
    }
  }
}
