import Foundation
import Frames
import Origin
import Support
import Testing

/// Bytes and times are the origin's own; they are judged only where the machine kept up with the link.
@Suite(.tier(.test), .serialized) struct ShapingTests {
  private static func options(_ shape: LinkShape) -> OriginOptions {
    var options = OriginOptions()
    options.shape = shape
    return options
  }

  /// Bits per second between a row's first and last byte; the head's bytes are too few to matter.
  private static func rate(_ row: OriginRequest) throws -> Double {
    let (first, last) = (try #require(row.firstByte), try #require(row.lastByte))
    return Double(row.bytes) * 8 / (last - first)
  }

  @Test(arguments: [2e6, 20e6])
  func aDownloadTakesTheLinksTime(bitsPerSecond: Double) throws {
    let bytes = [UInt8](repeating: 7, count: Int(bitsPerSecond / 8))
    try OriginStage.with(["a.ts": bytes], options: Self.options(.constant(bitsPerSecond: bitsPerSecond))) { stage in
      #expect(try stage.get("/a.ts").body == bytes)
      let row = try stage.rows(1)[0]
      guard stage.origin.lostSeconds == 0 else { return }
      let rate = try Self.rate(row)
      #expect(abs(rate / bitsPerSecond - 1) < 0.03, "\(rate) of \(bitsPerSecond) bit/s")
    }
  }

  /// An outage in the middle: three requests share what passes before and after it.
  @Test func theShapeOverTimeIsFollowed() throws {
    let shape = try LinkShape(
      periods: [
        .init(seconds: 0.5, bitsPerSecond: 4e6), .init(seconds: 0.5, bitsPerSecond: 0),
        .init(seconds: 100, bitsPerSecond: 1.6e7),
      ])
    try OriginStage.with(["a.ts": [UInt8](repeating: 7, count: 750_000)], options: Self.options(shape)) { stage in
      let connection = try stage.connect()
      for _ in 0..<3 { _ = try connection.get("/a.ts", ["Range": "bytes=0-249999"]) }
      let rows = try stage.rows(3)
      guard stage.origin.lostSeconds == 0 else { return }
      // 250,000 bytes pass in the first half second; the outage and an eighth of a second for each download follow. What a slow client
      // lets pass between two requests is lost.
      let ends = try rows.map { try #require($0.lastByte) }
      var idle = 0.0
      for (index, wanted) in [(1, 1.125), (2, 1.25)] {
        idle += max(0, rows[index].time - ends[index - 1])
        #expect(abs(ends[index] - wanted - idle) < 0.05, "\(ends), idle for \(idle) s")
      }
      #expect((0.5...1.05).contains(ends[0]), "\(ends)")
    }
  }

  @Test func connectionsShareOneLink() throws {
    let count = 4
    let bytes = [UInt8](repeating: 7, count: 250_000)
    try OriginStage.with(["a.ts": bytes], options: Self.options(.constant(bitsPerSecond: 8e6))) { stage in
      let connections = try (0..<count).map { _ in try stage.connect() }
      for connection in connections { connection.send(Connection.request("/a.ts")) }
      // A thread each: unread bytes fill the kernel's buffers, and a sender looks for room at long intervals only.
      for connection in connections { Thread.detachNewThread { _ = try? connection.answer() } }
      let rows = try stage.rows(count)
      guard stage.origin.lostSeconds == 0 else { return }
      let ends = try rows.map { try #require($0.lastByte) }
      let (first, last) = (ends.min() ?? 0, ends.max() ?? 0)
      #expect(abs(last - 1) < 0.05, "a million bytes together: \(ends)")
      #expect(last - first < 0.1, "equal parts end together: \(ends)")
    }
  }

  /// A second request on a connection waits one round trip; the first waits for the handshake as well.
  @Test func theFirstByteWaitsForTheRoundTrip() throws {
    let shape = try LinkShape.constant(bitsPerSecond: 1e8, roundTrip: 0.1)
    try OriginStage.with(["a.ts": [1]], options: Self.options(shape)) { stage in
      let connection = try stage.connect()
      for _ in 0..<2 { _ = try connection.get("/a.ts") }
      let waits = try stage.rows(2).map { try #require($0.firstByte) - $0.time }
      #expect(waits[0] > 0.15 && waits[1] >= 0.1, "\(waits)")
      guard stage.origin.lostSeconds == 0 else { return }
      #expect(waits[0] < 0.25 && waits[1] < 0.15, "\(waits)")
    }
  }

  /// Each loss waits a round trip: the download takes so much longer, by the same packets each time.
  @Test func lossesDelay() throws {
    let shape = try LinkShape.constant(bitsPerSecond: 8e7, roundTrip: 0.02, lossRate: 0.05)
    let bytes = [UInt8](repeating: 7, count: 400 * 1460)
    try OriginStage.with(["a.ts": bytes], options: Self.options(shape)) { stage in
      #expect(try stage.get("/a.ts").body == bytes)
      let row = try stage.rows(1)[0]
      let pattern = LossPattern(seed: 0, connection: 1)
      let losses = (0..<400).count { pattern.loses(packet: $0, rate: 0.05) }
      #expect((10...30).contains(losses))
      let seconds = try #require(row.lastByte) - #require(row.firstByte)
      #expect(seconds > Double(losses) * 0.02, "\(losses) losses in \(seconds) s")
    }
  }

  /// While a request waits for its round trip the link idles: what it could have sent is lost.
  @Test func idleCapacityIsNotSaved() throws {
    let shape = try LinkShape.constant(bitsPerSecond: 8e6, roundTrip: 0.3)
    try OriginStage.with(["a.ts": [UInt8](repeating: 7, count: 200_000)], options: Self.options(shape)) { stage in
      let connection = try stage.connect()
      for _ in 0..<2 { _ = try connection.get("/a.ts") }
      for row in try stage.rows(2) where stage.origin.lostSeconds == 0 {
        #expect(try Self.rate(row) < 8.4e6, "\(row)")
      }
    }
  }

  /// Clients that give up have the link busy for longer than their log tells: what passed fits in the times in which it did.
  @Test func whatPassedFitsInItsTimes() throws {
    let shape = try LinkShape.constant(bitsPerSecond: 4e6, roundTrip: 0.02)
    try OriginStage.with([:], options: Self.options(shape)) { stage in
      try stage.makeLarge("large.ts", bytes: 1 << 30)
      for _ in 0..<8 {
        let connection = try Connection(port: stage.origin.port, receiveBytes: 4096)
        connection.send(Connection.request("/large.ts"))
        #expect(try connection.read(60_000).count == 60_000)
      }
      _ = try stage.rows(8)
      let passed = stage.origin.passed
      let room = passed.times.reduce(0) { $0 + shape.bytes(until: $1.upperBound) - shape.bytes(until: $1.lowerBound) }
      #expect(passed.bytes > 400_000 && passed.bytes <= room, "\(passed) in \(room)")
      #expect(zip(passed.times, passed.times.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
    }
  }

  /// A paused player must not save up capacity for others: the link does not hold what it could not send.
  @Test func aPausedClientSavesNoCapacity() throws {
    let bytes = [UInt8](repeating: 7, count: 200_000)
    try OriginStage.with(["a.ts": bytes], options: Self.options(.constant(bitsPerSecond: 8e6))) { stage in
      try stage.makeLarge("large.ts", bytes: 1 << 30)
      let paused = try Connection(port: stage.origin.port, receiveBytes: 4096)
      paused.send(Connection.request("/large.ts"))
      #expect(try !paused.read(100).isEmpty)
      // The paused connection fills its buffers with this, and takes a part of the link only until then.
      for _ in 0..<4 { _ = try stage.get("/a.ts") }
      let rows = try stage.rows(4)
      guard stage.origin.lostSeconds == 0 else { return }
      // All four together: a thread that is late for some milliseconds shortens one download by them.
      let seconds = try #require(rows[3].lastByte) - rows[0].time
      #expect(Double(rows.map(\.bytes).reduce(0, +)) * 8 / seconds < 8.4e6, "\(rows)")
    }
  }
}
