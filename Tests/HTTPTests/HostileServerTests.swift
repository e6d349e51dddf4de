import Foundation
import Frames
import HTTP
import Support
import Testing

extension HTTPTests {
  /// Servers that are broken or mean: each ends in a problem of its own, in time and in bounded memory.
  @Suite(.tier(.test)) struct HostileServerTests {
    private static let timeouts: HTTPTimeouts = {
      var timeouts = HTTPTimeouts()
      (timeouts.connect, timeouts.firstByte, timeouts.stall) = (0.3, 0.3, 0.3)
      return timeouts
    }()

    /// The problem of fetching from a server that answers so.
    private static func problem(
      limit: Int = 1 << 20, timeouts: HTTPTimeouts = HTTPTimeouts(), encoded: Bool = false,
      _ answer: @escaping ScriptedServer.Answer
    ) throws -> HTTPProblem? {
      let server = try ScriptedServer(answer)
      let client = try makeClient()
      var request = try makeRequest(server.url("/x"))
      (request.timeouts, request.acceptsEncoding) = (timeouts, encoded)
      let found = HTTPTestsProblem.of { _ = try client.fetch(request, limit: limit) }
      try #require(client.log.wait(forCount: 1, seconds: Patience.seconds))
      var cursor = RequestLog.Cursor()
      let record = try #require(client.log.take(&cursor).first)
      #expect(found == nil || found?.kind == .status || record.problem == found?.cause)
      return found
    }

    @Test func onesThatNeverAnswer() throws {
      let found = try Self.problem(timeouts: Self.timeouts) { _, connection in
        connection.waitForEnd()
        return false
      }
      #expect(found?.kind == .firstByteTimeout && found?.cause == "the server did not answer within 0.3 s")
    }

    @Test func onesThatStopInMidBody() throws {
      let found = try Self.problem(timeouts: Self.timeouts) { _, connection in
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
        connection.waitForEnd()
        return false
      }
      #expect(found?.kind == .stall && found?.cause == "the server sent nothing for 0.3 s")
    }

    /// A byte now and then: only the limit for all of it ends that.
    @Test func onesThatSendAByteNowAndThen() throws {
      var timeouts = HTTPTimeouts()
      timeouts.whole = 0.5
      for head in ["HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", "HTTP/1.1 200 OK\r\nX: "] {
        let found = try Self.problem(timeouts: timeouts) { _, connection in
          connection.send(head)
          _ = Patience.until(every: 20) { !connection.send("a") }
          return false
        }
        #expect(found?.kind == .wholeTimeout, "\(found?.cause ?? "-")")
      }
      timeouts = Self.timeouts
      let slow = try Self.problem(timeouts: timeouts) { _, connection in
        connection.send("HTTP/1.1 200 OK\r\n")
        _ = Patience.until(every: 20) { !connection.send("X: y\r\n") }
        return false
      }
      #expect(slow?.kind == .firstByteTimeout, "a header that never ends is no answer")
    }

    @Test func endlessHeaders() throws {
      let lines = String(repeating: "X-Line: " + String(repeating: "a", count: 100) + "\r\n", count: 100)
      let many = try Self.problem { _, connection in
        connection.send("HTTP/1.1 200 OK\r\n")
        while connection.send(lines) {}
        return false
      }
      #expect(many?.kind == .badResponse, "\(many?.cause ?? "-")")
      let one = try Self.problem { _, connection in
        connection.send("HTTP/1.1 200 OK\r\nX: ")
        while connection.send(String(repeating: "a", count: 10_000)) {}
        return false
      }
      #expect(one?.kind == .badResponse, "\(one?.cause ?? "-")")
      let target = try Self.problem { _, connection in
        connection.send("HTTP/1.1 302 Found\r\nLocation: /")
        connection.send(String(repeating: "a", count: 8 << 20) + "\r\n\r\n")
        return false
      }
      #expect(target?.kind == .badResponse, "\(target?.cause ?? "-")")
      let interim = try Self.problem(timeouts: Self.timeouts) { _, connection in
        while connection.send("HTTP/1.1 100 Continue\r\n\r\n") {}
        return false
      }
      #expect(interim != nil)
    }

    @Test func endlessBodies() throws {
      let block = [UInt8](repeating: 1, count: 65_536)
      for head in ["HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n"] {
        let found = try Self.problem(limit: 1 << 20) { _, connection in
          connection.send(head)
          while connection.send(block) {}
          return false
        }
        #expect(found?.kind == .tooLong && found?.cause == "it is longer than 1 MiB", "\(found?.cause ?? "-")")
      }
    }

    /// 64 MiB of zeros in less than 128 KiB.
    private static func bomb() throws -> [UInt8] {
      Array(try CommandOutput.of("sh", ["-c", "head -c 67108864 /dev/zero | gzip -9 -c"]).output)
    }

    @Test func gzipBombs() throws {
      let bomb = try Self.bomb()
      try #require((1...1 << 17).contains(bomb.count))
      let found = try Self.problem(limit: 1 << 20, encoded: true) {
        $1.respond("200 OK", ["Content-Encoding: gzip"], body: bomb)
      }
      #expect(found?.kind == .tooLong)
      let broken = try Self.problem(encoded: true) {
        $1.respond("200 OK", ["Content-Encoding: gzip"], body: Array("no gzip at all".utf8))
      }
      #expect(broken?.kind == .badResponse)
    }

    /// Packed twice it is unpacked twice; one that is packed fewer times than it says is no matter of memory.
    @Test func packedTwice() throws {
      let text = Array("text".utf8)
      let once = try RequestTests.gzip(text)
      let twice = try RequestTests.gzip(once)
      let server = try ScriptedServer { request, connection in
        connection.respond("200 OK", ["Content-Encoding: gzip, gzip"], body: request.path == "/twice" ? twice : once)
      }
      let client = try makeClient()
      let request = try makeRequest(server.url("/twice")) { $0.acceptsEncoding = true }
      #expect(try client.fetch(request, limit: 100).body == text)
      let found = try Self.problem(encoded: true) {
        $1.respond("200 OK", ["Content-Encoding: gzip, gzip"], body: once)
      }
      #expect(found?.kind == .badResponse && found?.cause.contains("memory") == false, "\(found?.cause ?? "-")")
    }

    /// A bomb in a streamed body waits for its consumer.
    @Test func gzipBombsAreHeldBack() throws {
      let bomb = try Self.bomb()
      let server = try ScriptedServer { $1.respond("200 OK", ["Content-Encoding: gzip"], body: bomb) }
      let client = try makeClient()
      let transfer = client.start(
        try makeRequest(server.url("/")) { $0.acceptsEncoding = true }, .streamed(capacity: 1 << 16))
      #expect(try transfer.rest().count == 64 << 20)
    }

    @Test func truncatedBodies() throws {
      let found = try Self.problem { _, connection in
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
        return false
      }
      #expect(found == .truncated(at: 3, of: 100), "\(found?.cause ?? "-")")
      let chunked = try Self.problem { _, connection in
        connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\nabc")
        return false
      }
      #expect(chunked?.kind == .lost, "\(chunked?.cause ?? "-")")
      let wrong = try Self.problem { _, connection in
        connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc")
        return false
      }
      #expect(wrong != nil)
    }

    /// What is sent beyond the length that was announced is no part of the body, nor of the next response.
    @Test func bodiesThatAreLongerThanTold() throws {
      let server = try ScriptedServer {
        $1.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdef")
        return $0.path != "/b"
      }
      let client = try makeClient()
      for path in ["/a", "/b", "/c"] {
        #expect(try client.fetch(makeRequest(server.url(path)), limit: 99).body == Array("abc".utf8))
      }
    }

    @Test func resetsInMidBody() throws {
      let found = try Self.problem { _, connection in
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + String(repeating: "a", count: 5000))
        connection.reset()
        return false
      }
      #expect(found?.kind == .lost, "\(found?.cause ?? "-")")
      let atOnce = try Self.problem { _, connection in
        connection.reset()
        return false
      }
      #expect(atOnce?.kind == .lost, "\(atOnce?.cause ?? "-")")
    }

    @Test func answersThatAreNoHTTP() throws {
      for text in [
        "SSH-2.0-thing\r\n", "\r\n\r\n\r\n", "HTTP/1.1\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n", "HTTP/1.1 99999 OK\r\n\r\n",
      ] {
        let found = try Self.problem { _, connection in
          connection.send(text)
          return false
        }
        #expect(found != nil, "\(text)")
      }
    }

    @Test func partsThatWereNotAskedFor() throws {
      let server = try ScriptedServer { request, connection in
        let place = request.path == "/none" ? "X: y" : "Content-Range: bytes 7-9/100"
        return connection.respond("206 Partial Content", [place], body: [1, 2, 3])
      }
      let client = try makeClient()
      for path in ["/none", "/other"] {
        var request = try makeRequest(server.url(path))
        request.range = HTTPByteRange(first: 50, last: 52)
        #expect(HTTPTestsProblem.of { _ = try client.fetch(request, limit: 9) }?.kind == .badResponse)
      }
    }

    @Test func failuresToConnect() throws {
      let client = try makeClient()
      func kind(_ url: String, timeouts: HTTPTimeouts = HTTPTimeouts()) throws -> HTTPProblem? {
        let request = try makeRequest(url) { $0.timeouts = timeouts }
        return HTTPTestsProblem.of { _ = try client.fetch(request, limit: 9) }
      }
      let refused = try kind("http://127.0.0.1:\(ClipServer.deadPort())/")
      #expect(refused?.cause == "connection refused")
      #expect(try kind("http://no-such-host.invalid/")?.kind == .noHost)
      let silent = try ScriptedServer { _, _ in false }
      #expect(try kind("https://127.0.0.1:\(silent.port)/")?.kind == .tls)
      let busy = try FullListener()
      let late = try kind("http://127.0.0.1:\(busy.port)/", timeouts: Self.timeouts)
      #expect(late?.kind == .connectTimeout, "\(late?.cause ?? "-")")
      let slow = try FullListener(accepts: true)
      let unanswered = try kind("https://127.0.0.1:\(slow.port)/", timeouts: Self.timeouts)
      #expect(unanswered?.kind == .connectTimeout, "TLS without an answer")
    }
  }
}

/// `problem` where a suite has a function of that name.
enum HTTPTestsProblem {
  static func of(_ body: () throws -> Void) -> HTTPProblem? { problem(body) }
}

/// A port of 127.0.0.1 where the kernel takes connections and no program reads, or where it takes none any more.
final class FullListener {
  let port: UInt16
  private var descriptors: [Int32] = []

  /// - Parameter accepts: there is room for connections.
  init(accepts: Bool = false) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    descriptors = [descriptor]
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
        bind(descriptor, place, length) == 0 && listen(descriptor, accepts ? 16 : 0) == 0
          && getsockname(descriptor, place, &length) == 0
      }
    }
    try #require(isBound)
    port = UInt16(bigEndian: address.sin_port)
    guard !accepts else { return }
    for _ in 0..<3 {
      let client = socket(
        AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
      descriptors.append(client)
      withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = connect(client, $0, length) }
      }
    }
  }

  deinit { for descriptor in descriptors { close(descriptor) } }
}
