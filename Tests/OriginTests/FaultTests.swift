import Foundation
import Frames
import Origin
import Support
import Testing

@Suite(.tier(.test)) struct FaultTests {
  private static let body = [UInt8]((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

  private static func with(_ rules: [FaultRule], _ body: (OriginStage) throws -> Void) throws {
    var options = OriginOptions()
    options.faults = rules
    try OriginStage.with(["a.m4s": Self.body, "b.m3u8": Array("first".utf8)], options: options, body)
  }

  @Test func aStatusIsAnswered() throws {
    try Self.with([FaultRule(path: "*.m4s", nthOfPath: [2], StatusFault(503, retryAfter: 7))]) { stage in
      let connection = try stage.connect()
      let answers = try (0..<3).map { _ in try connection.get("/a.m4s") }
      #expect(answers.map(\.status) == [200, 503, 200])
      #expect(answers[1].fields["retry-after"] == "7" && answers[0].fields["retry-after"] == nil)
      let rows = try stage.rows(3)
      #expect(rows.map(\.faults) == [nil, ["status"], nil] && rows.map(\.status) == [200, 503, 200])
      #expect(Set(rows.map(\.connection)) == [1])
    }
  }

  @Test(arguments: [0, 1, 5000, 65_536, 99_999, 100_000])
  func aResetComesAfterExactlySoManyBytes(count: Int) throws {
    try Self.with([FaultRule(ResetFault(after: Int64(count)))]) { stage in
      // A small window: most of the bytes still wait in the origin's kernel when the last one is sent.
      let connection = try Connection(port: stage.origin.port, receiveBytes: 4096)
      connection.send(Connection.request("/a.m4s"))
      #expect(try connection.head().fields["content-length"] == "100000")
      let (bytes, isReset) = try connection.readToEnd()
      #expect(isReset && bytes == Array(Self.body.prefix(count)), "\(bytes.count)")
      let row = try stage.rows(1)[0]
      #expect(row.bytes == Int64(count) && row.status == 200 && row.end == .fault && row.faults == ["reset"])
    }
  }

  @Test func aResetCanReplaceTheAnswer() throws {
    try Self.with([FaultRule(ResetFault(after: nil))]) { stage in
      let connection = try stage.connect()
      connection.send(Connection.request("/a.m4s"))
      let failure = #expect(throws: Connection.Failed.self) { try connection.answer() }
      #expect(failure?.text == "reset")
      let row = try stage.rows(1)[0]
      #expect(row.status == 0 && row.bytes == 0 && row.firstByte == nil)
    }
  }

  @Test func aTruncatedBodyEndsInGoodOrder() throws {
    try Self.with([FaultRule(TruncatedFault(after: 70_000))]) { stage in
      let answer = try stage.get("/a.m4s")
      #expect(!answer.isWhole && answer.body == Array(Self.body.prefix(70_000)))
      #expect(answer.fields["content-length"] == "100000")
      #expect(try stage.rows(1)[0].bytes == 70_000)
      // A range that is shorter than that is not cut.
      #expect(try stage.get("/a.m4s", ["Range": "bytes=0-99"]).isWhole)
      #expect(try stage.rows(2)[1].faults == nil)
    }
  }

  @Test func theAnnouncedLengthIsWrong() throws {
    try Self.with([FaultRule(path: "*.m4s", nthOfPath: [1], WrongLengthFault(by: -1))]) { stage in
      let connection = try stage.connect()
      #expect(try connection.get("/a.m4s").body.count == 99_999)
      // The byte that was not announced is in the way of the next answer.
      #expect(try connection.read(1) == Self.body.suffix(1))
      #expect(try connection.get("/a.m4s").body == Self.body)
      let rows = try stage.rows(2)
      #expect(rows.map(\.faults) == [["wrong_length"], nil] && rows[0].bytes == 100_000)
    }
  }

  @Test func aStallEndsOrLasts() throws {
    let rules = [
      FaultRule(path: "*.m4s", nthInAll: [1], StallFault(after: 1000, seconds: 0.2)),
      FaultRule(path: "*.m4s", nthInAll: [2], StallFault(after: 2000, seconds: nil)),
      FaultRule(path: "*.m4s", nthInAll: [3], StallFault(after: nil, seconds: nil)),
    ]
    try Self.with(rules) { stage in
      #expect(try stage.get("/a.m4s").body == Self.body)
      let row = try stage.rows(1)[0]
      #expect(try #require(row.lastByte) - #require(row.firstByte) >= 0.2)
      let (second, third) = (try stage.connect(), try stage.connect())
      second.send(Connection.request("/a.m4s"))
      #expect(try second.head().status == 200)
      #expect(try second.read(2000) == Array(Self.body.prefix(2000)))
      third.send(Connection.request("/a.m4s"))
      third.closeOutput()
      // A client that leaves ends an endless stall.
      #expect(try third.isClosedByOrigin())
      let rows = try stage.rows(2)
      #expect(rows[1].end == .fault && rows[1].number == 3 && rows[1].bytes == 0)
      try stage.origin.stop()
      #expect(stage.origin.log.map(\.bytes) == [100_000, 2000, 0])
    }
  }

  @Test func slowHeadersComeWhole() throws {
    try Self.with([FaultRule(SlowHeadersFault(seconds: 0.3))]) { stage in
      let connection = try stage.connect()
      connection.send(Connection.request("/a.m4s"))
      #expect(try connection.read(1) == [UInt8(ascii: "H")])
      let rest = try connection.read(8)
      #expect(rest == Array("TTP/1.1 ".utf8))
      let row = try stage.rows(1)[0]
      #expect(try #require(row.firstByte) - row.time >= 0.25 && row.faults == ["slow_headers"])
      #expect(try stage.get("/b.m3u8").body == Array("first".utf8))
    }
  }

  @Test func typeAndDateAreWrong() throws {
    try Self.with([
      FaultRule(path: "/a.m4s", WrongTypeFault("text/html")), FaultRule(path: "/a.*", ClockSkewFault(seconds: -86_400)),
    ]) { stage in
      let (wrong, right) = (try stage.get("/a.m4s"), try stage.get("/b.m3u8"))
      #expect(wrong.fields["content-type"] == "text/html")
      #expect(right.fields["content-type"] == "application/vnd.apple.mpegurl")
      let dates = try [wrong, right].map { try #require($0.fields["date"].flatMap(HTTPDate.seconds)) }
      #expect((86_390...86_400).contains(dates[1] - dates[0]))
      #expect(try stage.rows(2)[0].faults == ["wrong_type", "clock_skew"])
    }
  }

  @Test func aStalePlaylistNeverChanges() throws {
    try Self.with([FaultRule(path: "*.m3u8", nthOfPath: [1, 2, 4], StalePlaylistFault())]) { stage in
      let connection = try stage.connect()
      var answers: [String] = []
      for text in ["first", "second", "third", "fourth"] {
        try Data(text.utf8).write(to: URL(filePath: stage.folder + "/b.m3u8"))
        answers.append(String(decoding: try connection.get("/b.m3u8").body, as: UTF8.self))
      }
      #expect(answers == ["first", "first", "third", "first"])
      #expect(try connection.get("/b.m3u8", ["Range": "bytes=1-2"]).status == 206)
    }
  }

  @Test func faultsAddUpAndTheEarliestStopWins() throws {
    try Self.with([
      FaultRule(TruncatedFault(after: 900)), FaultRule(ResetFault(after: 1000)), FaultRule(WrongTypeFault("x/y")),
    ]) { stage in
      let answer = try stage.get("/a.m4s")
      #expect(answer.body.count == 900 && answer.fields["content-type"] == "x/y")
      #expect(try stage.rows(1)[0].faults == ["truncated", "wrong_type"])
    }
  }

  // MARK: Which requests

  @Test(arguments: [
    ("*.m4s", "/v/1.m4s", true), ("*.m4s", "/v/1.mp4", false), ("/v/*.m4s", "/v/1.m4s", true),
    ("/v/*.m4s", "/v/x/1.m4s", false), ("/v/**.m4s", "/v/x/1.m4s", true), ("v/*", "/v/1", true), ("**", "/", true),
    ("*", "/", true), ("*", "/a/b", true), ("/*", "/a/b", false), ("?.ts", "/a.ts", true), ("?.ts", "/ab.ts", false),
    ("/**/a.ts", "/x/y/a.ts", true), ("a*b*c", "/aXbYbc", true), ("a*b*c", "/aXbYb", false), ("", "/", true),
    ("é*", "/éa", true),
  ])
  func patternsMatchAsInShells(pattern: String, path: String, isMatch: Bool) {
    #expect(PathPattern(pattern).matches(path) == isMatch)
  }

  @Test func hostilePatternsTakeNoTime() {
    let pattern = PathPattern(String(repeating: "*a", count: 120) + "b")
    #expect(!pattern.matches("/" + String(repeating: "a", count: 8000)))
  }

  @Test func countsAndWindowsMustAgree() {
    var book = FaultBook([
      FaultRule(path: "*.ts", nthOfPath: [2], StatusFault(404)),
      FaultRule(path: "*.ts", nthInAll: [1, 4], StatusFault(500)),
      FaultRule(path: "*", window: 2..<3, StatusFault(503)),
      FaultRule(path: "*", nthInAll: [3], window: 2..<3, StatusFault(504)),
    ])
    let requests = [("/a.ts", 0.0), ("/b.ts", 1), ("/a.ts", 2), ("/b.ts", 2.9), ("/a.ts", 3), ("/c", 2)]
    let statuses = requests.map { path, time in
      book.faults(path: path, at: time).compactMap { ($0 as? StatusFault)?.status }
    }
    #expect(statuses == [[500], [], [404, 503, 504], [404, 500, 503], [], [503]])
  }
}
