import Foundation
import Frames
import HTTP
import Support
import Synchronization
import Testing

extension HTTPTests {
  /// What a well-behaved server is asked, and what is made of its answers.
  @Suite(.tier(.test)) struct RequestTests {
    @Test func bodiesAreWhatAFileHolds() throws {
      var random = SeededGenerator(for: "bodiesAreWhatAFileHolds")
      let content = random.bytes(3_000_017)
      let server = try ScriptedServer { $1.serve(content, $0) }
      let client = try makeClient()
      #expect(try client.stream(makeRequest(server.url("/a"))).body == content)
      for _ in 0..<60 {
        let first = Int.random(in: 0..<content.count, using: &random)
        let last = Bool.random(using: &random) ? nil : Int.random(in: first..<content.count + 1000, using: &random)
        var request = try makeRequest(server.url("/a"))
        request.range = HTTPByteRange(first: Int64(first), last: last.map { Int64($0) })
        let expected = content[first...min(last ?? .max, content.count - 1)]
        let (head, body) = try client.stream(request, capacity: Int.random(in: 0...1 << 18, using: &random))
        #expect(body == Array(expected) && head.contentRange?.total == Int64(content.count))
        #expect(try client.fetch(request, limit: content.count).body == body)
      }
      #expect(server.connectionsAccepted == 1)
    }

    @Test func requestsSayWhatTheyAreTold() throws {
      let server = try ScriptedServer { $1.serve([1, 2, 3], $0) }
      let client = try makeClient { $0.userAgent = "tests/1" }
      var request = try makeRequest(server.url("/päth a?q=1#frag"))
      try request.fields.append("X-Thing", "word")
      try request.fields.append("X-Empty", "")
      request.method = .head
      let transfer = client.start(request, .collected(limit: 10))
      #expect(try transfer.head().contentLength == 3)
      #expect(try transfer.body().isEmpty)
      let seen = try #require(server.requests.first)
      #expect(seen.method == "HEAD" && seen.path == "/p%c3%a4th%20a?q=1")
      #expect(seen.fields["x-thing"] == "word" && seen.fields["x-empty"] == "")
      #expect(seen.fields["user-agent"] == "tests/1" && seen.fields["accept-encoding"] == nil)
    }

    /// libcurl would repeat it by itself, unseen: retries are the caller's, who counts them.
    @Test func aReusedConnectionThatEndsIsOneRequest() throws {
      let server = try ScriptedServer { $0.path == "/end" ? false : $1.serve([7], $0) }
      let client = try makeClient()
      for _ in 0..<3 {
        #expect(try client.fetch(makeRequest(server.url("/a")), limit: 10).body == [7])
        let lost = problem { _ = try client.fetch(makeRequest(server.url("/end")), limit: 10) }
        #expect(lost == .lost("the server closed the connection without an answer"))
      }
      #expect(server.requests.map(\.path) == ["/a", "/end", "/a", "/end", "/a", "/end"])
    }

    @Test func recordsTellEachStep() throws {
      let server = try ScriptedServer { $1.serve([UInt8](repeating: 7, count: 1000), $0, ["X-A: b"]) }
      let client = try makeClient()
      for _ in 0..<2 { _ = try client.fetch(makeRequest(server.url("/x?secret")), limit: 1000) }
      try #require(client.log.wait(forCount: 2, seconds: Patience.seconds))
      var cursor = RequestLog.Cursor()
      let records = client.log.take(&cursor)
      #expect(records.map(\.number) == [0, 1] && client.log.take(&cursor).isEmpty)
      for (index, record) in records.enumerated() {
        let hop = try #require(record.hops.first)
        #expect(record.outcome == .finished && record.status == 200 && record.hops.count == 1)
        #expect(record.bodyBytes == 1000 && record.decodedBytes == 1000 && record.headerBytes > 60)
        #expect(hop.isReused == (index == 1) && hop.httpVersion == "1.1" && !hop.isProxied)
        #expect(hop.peer == "127.0.0.1:\(server.port)")
        let phases = hop.phases
        let times = [
          record.queued, phases.started, phases.nameLookedUp, phases.connected, phases.secured, phases.requestSent,
          phases.firstByte, phases.lastByte, record.ended,
        ]
        #expect((phases.connected == nil) == hop.isReused && phases.secured == nil && phases.firstByte != nil)
        let known = times.compactMap { $0 }
        // libcurl's clock has microseconds.
        #expect(zip(known, known.dropFirst()).allSatisfy { $1.nanoseconds - $0.nanoseconds > -100_000 }, "\(times)")
        #expect(record.url == "http://127.0.0.1:\(server.port)/x?…")
        let decoded = try JSONDecoder().decode(RequestRecord.self, from: JSONEncoder().encode(record))
        #expect(decoded == record)
      }
    }

    /// Whole seconds, but for 0: then none is used again.
    @Test func connectionsThatLieIdleAreNotUsed() throws {
      let server = try ScriptedServer { $1.serve([1], $0) }
      let client = try makeClient()
      var request = try makeRequest(server.url("/x"))
      _ = try client.fetch(request, limit: 10)
      _ = try client.fetch(request, limit: 10)
      #expect(server.connectionsAccepted == 1)
      request.idleSeconds = 0
      for count in 2...3 {
        _ = try client.fetch(request, limit: 10)
        #expect(server.connectionsAccepted == count)
      }
      request.idleSeconds = 1
      let isNew = try Patience.until(every: 2200) {
        _ = try client.fetch(request, limit: 10)
        return server.connectionsAccepted == 4
      }
      #expect(isNew)
    }

    @Test func aLogTellsLateReadersWhatTheyMissed() throws {
      let server = try ScriptedServer { $1.serve([1], $0) }
      let client = try makeClient { $0.logCapacity = 3 }
      var (early, late) = (RequestLog.Cursor(), RequestLog.Cursor())
      for number in 0..<5 {
        _ = try client.fetch(makeRequest(server.url("/")), limit: 1)
        try #require(client.log.wait(forCount: number + 1, seconds: Patience.seconds))
        #expect(client.log.take(&early).map(\.number) == [number])
      }
      #expect(client.log.take(&late).map(\.number) == [2, 3, 4])
      #expect(late.missed == 2 && early.missed == 0)
    }

    @Test func encodedBodiesAreDecoded() throws {
      let text = [UInt8](repeating: 65, count: 100_000)
      let packed = try Self.gzip(text)
      let server = try ScriptedServer {
        $0.fields["accept-encoding"]?.contains("gzip") == true
          ? $1.respond("200 OK", ["Content-Encoding: gzip"], body: packed) : $1.respond(body: text)
      }
      let client = try makeClient()
      let request = try makeRequest(server.url("/")) { $0.acceptsEncoding = true }
      #expect(try client.fetch(request, limit: text.count).body == text)
      try #require(client.log.wait(forCount: 1, seconds: Patience.seconds))
      var cursor = RequestLog.Cursor()
      let record = try #require(client.log.take(&cursor).first)
      #expect(record.bodyBytes == Int64(packed.count) && record.decodedBytes == Int64(text.count))
      #expect(try client.fetch(makeRequest(server.url("/")), limit: text.count).body == text)
    }

    static func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
      Array(try CommandOutput.of("gzip", ["-9", "-c"], input: Data(bytes)).output)
    }

    @Test func aSlowConsumerHoldsTheServerBack() throws {
      var random = SeededGenerator(for: "aSlowConsumerHoldsTheServerBack")
      let content = random.bytes(40 << 20)
      let server = try ScriptedServer { $1.serve(content, $0) }
      let client = try makeClient()
      let request = try makeRequest(server.url("/")) { $0.timeouts.stall = 1 }
      let transfer = client.start(request, .streamed(capacity: 1 << 17))
      _ = try transfer.head()
      try #require(Patience.until { transfer.bytesAtHand > (1 << 17) - (1 << 14) })
      // Another request's limit tells that the time for silence has passed.
      let silent = try ScriptedServer { _, connection in
        connection.waitForEnd()
        return false
      }
      let late = try makeRequest(silent.url("/")) { $0.timeouts.firstByte = 1.5 }
      #expect(problem { _ = try client.fetch(late, limit: 1) }?.kind == .firstByteTimeout)
      #expect(transfer.bytesAtHand <= 1 << 17)
      #expect(try transfer.rest() == content)
    }

    @Test func cookiesAreKeptInMemory() throws {
      let server = try ScriptedServer {
        $1.respond("200 OK", $0.path == "/set" ? ["Set-Cookie: crumb=7; Path=/"] : [])
      }
      let client = try makeClient()
      for path in ["/before", "/set", "/after"] { _ = try client.fetch(makeRequest(server.url(path)), limit: 1) }
      #expect(server.requests.map { $0.fields["cookie"] } == [nil, nil, "crumb=7"])
      let other = try makeClient()
      _ = try other.fetch(makeRequest(server.url("/other")), limit: 1)
      #expect(server.requests.last?.fields["cookie"] == nil)
    }

    @Test func cookiesAreBounded() throws {
      let count = Atomic<Int>(0)
      let server = try ScriptedServer { _, connection in
        let fields = (0..<50).map { _ in "Set-Cookie: c\(count.add(1, ordering: .relaxed).newValue)=1" }
        return connection.respond("200 OK", fields)
      }
      let client = try makeClient()
      for _ in 0..<25 { _ = try client.fetch(makeRequest(server.url("/")), limit: 1) }
      let without = server.requests.indices.filter { server.requests[$0].fields["cookie"] == nil }
      #expect(without == [0, 21], "after 1050 of them all are forgotten")
    }

    @Test func headersAreRead() throws {
      let server = try ScriptedServer {
        $1.respond(
          $0.path == "/busy" ? "503 Service Unavailable" : "200 OK",
          [
            "Retry-After: 17", "CONTENT-TYPE:  Text/HTML ; charset=x", "X-Twice: a", "X-Twice: b", "ETag: \"e\"",
            "Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT", "X-Colons: a:b: c",
          ], body: [1, 2])
      }
      let client = try makeClient()
      let head = try client.fetch(makeRequest(server.url("/")), limit: 9).head
      #expect(head.mediaType == "text/html" && head.retryAfter == 17 && head.fields["x-twice"] == "a")
      #expect(head.fields["X-COLONS"] == "a:b: c" && head.validator.entityTag == "\"e\"" && head.validator.total == 2)
      let busy = problem { _ = try client.fetch(makeRequest(server.url("/busy")), limit: 9) }
      #expect(busy?.status == 503 && busy?.retryAfter == 17)
      #expect(busy?.cause == "the server answered 503 Service Unavailable")
    }
  }
}
