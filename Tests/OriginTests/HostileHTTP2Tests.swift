import Frames
import Origin
import Support
import Testing

/// Clients of HTTP/2 that do harm: each is ended, and others are served.
@Suite(.tier(.test)) struct HostileHTTP2Tests {
  private typealias Frame = HTTP2Client.Frame

  private static func with(_ body: (OriginStage) throws -> Void) throws {
    try OriginStage.with(["a.ts": [UInt8](repeating: 1, count: 100_000)]) { stage in
      try body(stage)
      #expect(try HTTP2Client(port: stage.origin.port).get("/a.ts", stream: 1).body.count == 100_000)
      #expect(try stage.get("/a.ts").body.count == 100_000)
    }
  }

  /// Sends until the origin closes; false where it never does.
  private static func floods(_ client: HTTP2Client, _ send: (Int) -> Bool) throws -> Bool {
    for turn in 0..<200_000 where !send(turn) { return try client.connection.isClosedByOrigin() }
    return false
  }

  @Test func floodsOfControlFramesEndTheConnection() throws {
    try Self.with { stage in
      let port = stage.origin.port
      let pings = try HTTP2Client(port: port)
      #expect(try Self.floods(pings) { _ in pings.send(Frame.ping, payload: [UInt8](repeating: 0, count: 8)) })
      let settings = try HTTP2Client(port: port)
      #expect(try Self.floods(settings) { _ in settings.send(Frame.settings) })
      let resets = try HTTP2Client(port: port)
      #expect(
        try Self.floods(resets) { turn in
          let stream = UInt32(2 * turn + 1)
          resets.ask("/a.ts", stream: stream)
          return resets.send(Frame.reset, stream: stream, payload: [0, 0, 0, 8])
        })
      let continuations = try HTTP2Client(port: port)
      continuations.send(Frame.headers, stream: 1, payload: [0x82])
      #expect(try Self.floods(continuations) { _ in continuations.send(9, stream: 1, payload: [0x82]) })
    }
  }

  @Test(
    arguments: [
      // DATA on stream 0, a frame that is too long, an even stream, HEADERS with a bad index, a stream that is idle.
      [0, 0, 1, 0, 0, 0, 0, 0, 0, 9], [0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 1],
      [0, 0, 1, 1, 5, 0, 0, 0, 2, 0x82], [0, 0, 1, 1, 5, 0, 0, 0, 1, 0xFF, 0xFF],
      [0, 0, 1, 0, 1, 0, 0, 0, 9, 1], [0, 0, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ] as [[UInt8]])
  func violationsEndTheConnection(bytes: [UInt8]) throws {
    try Self.with { stage in
      let client = try HTTP2Client(port: stage.origin.port)
      client.connection.send(bytes)
      client.connection.closeOutput()
      #expect(try client.connection.isClosedByOrigin())
    }
  }

  @Test func aBodyIsRefused() throws {
    try Self.with { stage in
      let client = try HTTP2Client(port: stage.origin.port)
      client.ask("/a.ts", stream: 1, method: "POST", isWhole: false)
      client.send(Frame.data, stream: 1, payload: [1, 2, 3])
      _ = try client.answers(1)
      let row = try stage.rows(1)[0]
      #expect(row.status == 413 && row.end == .complete)
      #expect(try client.get("/a.ts", stream: 3).body.count == 100_000)
    }
  }

  /// Streams beyond the limit are refused, and clients that take nothing hold little.
  @Test func clientsThatTakeNothingAreBounded() throws {
    try Self.with { stage in
      let client = try HTTP2Client(port: stage.origin.port, window: 0)
      for index in 0..<90 { client.ask("/a.ts", stream: UInt32(2 * index + 1)) }
      var (heads, refused) = (0, 0)
      while heads + refused < 90, let frame = try client.frame() {
        if frame.kind == Frame.headers { heads += 1 }
        if frame.kind == Frame.reset { refused += 1 }
        if frame.kind == Frame.away { break }
      }
      #expect(heads == 64 && refused == 26 && stage.origin.log.isEmpty, "\(heads) \(refused)")
    }
  }

  @Test func clientsThatLeaveEndTheirStreams() throws {
    try Self.with { stage in
      do {
        let client = try HTTP2Client(port: stage.origin.port, window: 1000)
        for stream in [1, 3, 5] as [UInt32] { client.ask("/a.ts", stream: stream) }
        // All that the windows allow is read: the connection ends without a reset.
        try client.readData(3000)
      }
      #expect(try stage.rows(3).allSatisfy { $0.end == .closed })
      // One that closes its side alone has left as well: it can open no window.
      let half = try HTTP2Client(port: stage.origin.port, window: 1000)
      half.ask("/a.ts", stream: 1)
      try half.readData(1000)
      half.connection.closeOutput()
      #expect(try half.connection.isClosedByOrigin())
      #expect(try stage.rows(4).allSatisfy { $0.end == .closed })
    }
  }

  @Test func prefacesThatAreCutEndInTheOtherProtocol() throws {
    try Self.with { stage in
      let connection = try stage.connect()
      connection.send("PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n")
      #expect(try connection.answer().status == 400)
      let short = try stage.connect()
      short.send("PRI * HT")
      short.closeOutput()
      #expect(try short.isClosedByOrigin())
      // Byte by byte it is understood.
      let slow = try stage.connect()
      for byte in "GET /a.ts HTTP/1.1\r\nHost: a\r\n\r\n".utf8 { slow.send([byte]) }
      #expect(try slow.answer().body.count == 100_000)
    }
  }
}
