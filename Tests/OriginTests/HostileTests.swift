import Foundation
import Frames
import Origin
import Support
import Testing

@Suite(.tier(.test)) struct HostileTests {
  /// What a client may send, and the status that it gets; nil: the connection just ends.
  private static let requests: [(name: String, text: String, status: Int?)] = [
    ("no HTTP", "hello\r\n\r\n", 400), ("TLS", "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0", 400),
    ("no version", "GET /a.ts\r\n\r\n", 400), ("a blank in a name", "GET /a.ts HTTP/1.1\r\nA B: c\r\n\r\n", 400),
    ("two lengths", "GET /a.ts HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
    ("a bad length", "GET /a.ts HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
    ("a body", "GET /a.ts HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\nxx", 413),
    ("chunks", "POST /a.ts HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n", 413),
    ("length and chunks", "GET /a.ts HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", nil),
    ("a long field", "GET /a.ts HTTP/1.1\r\nX: \(String(repeating: "x", count: 20_000))\r\n\r\n", 431),
    ("a long path", "GET /\(String(repeating: "x", count: 100_000)) HTTP/1.1\r\n\r\n", 431),
    ("many fields", "GET /a.ts HTTP/1.1\r\n\(String(repeating: "X: y\r\n", count: 1000))\r\n", 431),
    ("an endless name", "GET /a.ts HTTP/1.1\r\n\(String(repeating: "x", count: 1_000_000))", 431),
    ("no host", "GET /a.ts HTTP/1.1\r\n\r\n", 400),
    ("two hosts", "GET /a.ts HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
    ("PUT", "PUT /a.ts HTTP/1.1\r\nHost: x\r\n\r\n", 405),
    ("CONNECT", "CONNECT a:443 HTTP/1.1\r\nHost: x\r\n\r\n", nil),
    ("an upgrade", "GET /a.ts HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n", nil),
  ]

  @Test(arguments: requests.indices)
  func aBadRequestEndsInARefusalOrAClose(index: Int) throws {
    let (name, text, status) = Self.requests[index]
    try OriginStage.with(["a.ts": [1, 2, 3]]) { stage in
      let connection = try stage.connect()
      connection.send(text)
      connection.closeOutput()
      let answer = try? connection.answer()
      if let status { #expect(answer == nil || answer?.status == status, "\(name): \(answer?.status ?? 0)") }
      #expect(try connection.isClosedByOrigin(), "\(name)")
      #expect(try stage.get("/a.ts").body == [1, 2, 3], "\(name): the next client is served")
    }
  }

  /// A refusal that fits into the socket reaches the client where all it sent was read.
  @Test(arguments: ["hello\r\n\r\n", "GET /a.ts\r\n\r\n", "GET /a.ts HTTP/1.1\r\n\r\n"])
  func aShortBadRequestIsAnswered(text: String) throws {
    try OriginStage.with { stage in
      let connection = try stage.connect()
      connection.send(text)
      #expect(try connection.answer().status == 400)
      let row = try stage.rows(1)[0]
      #expect(row.status == 400 && row.method == (text.contains("HTTP") ? "GET" : "-") && row.end == .complete)
    }
  }

  /// HTTP/1.0 has no such field.
  @Test func anOldRequestNeedsNoHost() throws {
    try OriginStage.with(["a.ts": [1, 2, 3]]) { stage in
      let connection = try stage.connect()
      connection.send("GET /a.ts HTTP/1.0\r\n\r\n")
      #expect(try connection.answer().body == [1, 2, 3])
    }
  }

  /// More connections than the origin keeps, and none of them asks: others are served, and the ones that came last stay open.
  @Test func idleConnectionsKeepNoClientOut() throws {
    try OriginStage.with(["a.ts": [1, 2, 3]]) { stage in
      var idle: [Connection] = []
      for number in 0..<600 {
        idle.append(try stage.connect())
        if number % 100 == 0 { #expect(try stage.get("/a.ts").body == [1, 2, 3], "\(number)") }
      }
      #expect(try stage.get("/a.ts").body == [1, 2, 3])
      #expect(try idle[0].isClosedByOrigin())
      let last = try #require(idle.last)
      #expect(try last.get("/a.ts").body == [1, 2, 3])
    }
  }

  @Test func randomBytesNeverEndTheOrigin() throws {
    var generator = SeededGenerator(for: "randomBytesNeverEndTheOrigin")
    let sound = Array(
      Connection.request("/a.ts", ["Range": "bytes=0-1", "If-Range": "\"x\"", "CMCD-Object": "br=1"]).utf8)
    try OriginStage.with(["a.ts": [1, 2, 3]]) { stage in
      for _ in 0..<300 {
        var bytes = sound + sound
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
          bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
        }
        let connection = try stage.connect()
        connection.send(bytes)
        connection.closeOutput()
        #expect(try connection.isClosedByOrigin())
      }
      #expect(try stage.get("/a.ts").body == [1, 2, 3])
    }
  }

  /// Frames of HTTP/2 behind a sound preface: random ones, and none at all.
  @Test func randomFramesNeverEndTheOrigin() throws {
    var generator = SeededGenerator(for: "randomFramesNeverEndTheOrigin")
    let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    try OriginStage.with(["a.ts": [1, 2, 3]]) { stage in
      for round in 0..<300 {
        var bytes = preface + [0, 0, 0, 4, 0, 0, 0, 0, 0]
        for _ in 0..<Int.random(in: 0...5, using: &generator) {
          let payload = OriginStage.random(Int.random(in: 0...40, using: &generator), &generator)
          let type = UInt8.random(in: 0...10, using: &generator)
          bytes +=
            [0, 0, UInt8(payload.count), type, UInt8.random(in: 0...255, using: &generator), 0, 0, 0, 1] + payload
        }
        if round % 3 == 0 { bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &generator))) }
        let connection = try stage.connect()
        connection.send(bytes)
        connection.closeOutput()
        #expect(try connection.isClosedByOrigin())
      }
      #expect(try stage.get("/a.ts").body == [1, 2, 3])
    }
  }

  @Test func pipelinedRequestsAreAnsweredInTheirOrder() throws {
    let files = Dictionary(
      uniqueKeysWithValues: (0..<50).map { ("\($0).ts", [UInt8](repeating: UInt8($0), count: 5000)) })
    try OriginStage.with(files) { stage in
      let connection = try stage.connect()
      connection.send((0..<50).map { Connection.request("/\($0).ts") }.joined())
      // The client has nothing more to say, and still wants its answers.
      connection.closeOutput()
      for index in 0..<50 { #expect(try connection.answer().body == [UInt8](repeating: UInt8(index), count: 5000)) }
      #expect(try connection.isClosedByOrigin())
    }
  }

  @Test func anOldClientIsAnsweredAndClosed() throws {
    try OriginStage.with(["a.ts": [1]]) { stage in
      for (fields, isKept) in [("", false), ("Connection: keep-alive\r\n", true)] {
        let connection = try stage.connect()
        connection.send("GET /a.ts HTTP/1.0\r\n\(fields)\r\n")
        #expect(try connection.answer().body == [1])
        if isKept {
          connection.send("GET /a.ts HTTP/1.0\r\n\r\n")
          #expect(try connection.answer().body == [1])
        }
        #expect(try connection.isClosedByOrigin())
      }
    }
  }

  @Test func manyConnectionsAreServedAndTooManyAreClosed() throws {
    let bytes = [UInt8](repeating: 3, count: 100_000)
    try OriginStage.with(["a.ts": bytes]) { stage in
      var connections = try (0..<400).map { _ in try stage.connect() }
      for connection in connections { connection.send(Connection.request("/a.ts")) }
      for connection in connections { #expect(try connection.answer().body == bytes) }
      // Further ones take the place of idle ones.
      connections += try (0..<200).map { _ in try stage.connect() }
      let served = connections.suffix(200).count { connection in
        connection.send(Connection.request("/a.ts"))
        return (try? connection.answer().isWhole) == true
      }
      #expect(served == 200)
      // Where a request is under way on each, a further one is closed, and the origin serves on.
      connections = []
      try stage.makeLarge("large.ts", bytes: 1 << 30)
      for _ in 0..<512 {
        let connection = try Connection(port: stage.origin.port, receiveBytes: 4096)
        connection.send(Connection.request("/large.ts"))
        #expect(try connection.read(1).count == 1)
        connections.append(connection)
      }
      let refused = try stage.connect()
      refused.send(Connection.request("/a.ts"))
      #expect(try refused.isClosedByOrigin())
      connections = []
      #expect(Patience.until { (try? stage.get("/a.ts").body) == bytes })
    }
  }

  /// A file of a gibibyte for each of 100 clients that do not read: the origin holds pieces of it only.
  @Test func slowClientsDoNotGrowMemory() throws {
    try OriginStage.with { stage in
      try stage.makeLarge("large.ts", bytes: 1 << 30)
      let before = try Self.residentBytes()
      let connections = try (0..<100).map { _ in try Connection(port: stage.origin.port, receiveBytes: 4096) }
      for connection in connections { connection.send(Connection.request("/large.ts")) }
      for connection in connections { #expect(try connection.read(1).count == 1) }
      #expect(try stage.get("/none").status == 404)
      let grown = try Self.residentBytes() - before
      // Four pieces of 64 KiB for each, twice that while they are copied; other tests run beside this one.
      #expect(grown < 150 << 20, "\(grown >> 20) MiB")
    }
  }

  private static func residentBytes() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * Int(getpagesize()) } ?? 0
  }

  @Test func aFileThatShrinksEndsTheConnection() throws {
    try OriginStage.with { stage in
      try stage.makeLarge("large.ts", bytes: 1 << 30)
      let connection = try Connection(port: stage.origin.port, receiveBytes: 4096)
      connection.send(Connection.request("/large.ts"))
      #expect(try connection.head().fields["content-length"] == "\(1 << 30)")
      try FileHandle(forWritingTo: URL(filePath: stage.folder + "/large.ts")).truncate(atOffset: 1)
      #expect(try connection.isClosedByOrigin())
      #expect(try stage.rows(1)[0].end == .failed)
    }
  }

  @Test func stoppingEndsOpenConnections() throws {
    var options = OriginOptions()
    options.shape = try .constant(bitsPerSecond: 1e6, roundTrip: 0.05)
    options.faults = [FaultRule(path: "/stalled.ts", StallFault(after: 10, seconds: nil))]
    try OriginStage.with(["stalled.ts": [UInt8](repeating: 1, count: 100)], options: options) { stage in
      try stage.makeLarge("large.ts", bytes: 1 << 30)
      let idle = try stage.connect()
      let half = try stage.connect()
      half.send("GET /a.ts HTTP/1.1\r\nX")
      let (large, stalled) = (try stage.connect(), try stage.connect())
      large.send(Connection.request("/large.ts"))
      stalled.send(Connection.request("/stalled.ts"))
      #expect(try large.read(2000).count == 2000)
      #expect(try stalled.head().status == 200)
      #expect(try stalled.read(10).count == 10)
      try stage.origin.stop()
      for connection in [idle, half, large, stalled] { #expect(try connection.isClosedByOrigin()) }
      #expect(throws: Connection.Failed.self) { try stage.connect() }
      let rows = stage.origin.log
      #expect(rows.map(\.path) == ["/large.ts", "/stalled.ts"] && rows.map(\.end) == [.stopped, .fault])
      try stage.origin.stop()
    }
  }

  @Test func droppingTheOriginClosesItsPort() throws {
    try TestFolders.withTemporary { folder in
      let port = try Origin.start(folder).port
      #expect(throws: Connection.Failed.self) { try Connection(port: port) }
    }
  }
}
