import Decode
import Foundation
import Frames
import HTTP
import Media
import Support
import Synchronization
import Testing

/// A file on a web server is the file on disk, however badly the server and the network behave.
@Suite(.tier(.test)) struct HTTPSourceTests {
  /// Bytes that differ everywhere.
  private static func open(_ url: String) throws -> (any ByteSource, any RandomAccessBytes) {
    let source = try byteSource(url, network: NetworkOptions(), interruption: Interruption())
    return (source, try #require(source.bytes))
  }

  /// What one read gives; nil: an error.
  private static func read(_ bytes: any RandomAccessBytes, at offset: Int, _ count: Int) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: count)
    let got = buffer.withUnsafeMutableBytes { buffer in
      buffer.baseAddress.map { bytes.read(at: Int64(offset), into: $0, count: count) } ?? 0
    }
    return got < 0 ? nil : Array(buffer[..<got])
  }

  /// All from an offset to the end, or to the first error.
  private static func readAll(
    _ bytes: any RandomAccessBytes, from start: Int = 0, step: Int = 30_000
  ) -> (bytes: [UInt8], hasFailed: Bool) {
    var all: [UInt8] = []
    while let more = read(bytes, at: start + all.count, step) {
      guard !more.isEmpty else { return (all, false) }
      all += more
    }
    return (all, true)
  }

  @Test func anyBytesCanBeRead() throws {
    var random = SeededGenerator(for: "anyBytesCanBeRead")
    let content = random.bytes(3_345_678)
    let server = try ScriptedServer { $1.serve(content, $0) }
    let (source, bytes) = try Self.open(server.url("/a.mp4"))
    #expect(source.isRemote && bytes.isSeekable && bytes.count == Int64(content.count))
    for _ in 0..<80 {
      let offset = Int.random(in: 0..<content.count, using: &random)
      let count = Int.random(in: 1...100_000, using: &random)
      let got = try #require(Self.read(bytes, at: offset, count))
      #expect(!got.isEmpty && content[offset...].starts(with: got), "at \(offset)")
    }
    #expect(Self.read(bytes, at: content.count, 9) == [] && Self.read(bytes, at: content.count + 99, 9) == [])
    #expect(source.failure == nil)
  }

  @Test func readingInOrderIsOneRequest() throws {
    var random = SeededGenerator(for: "readingInOrderIsOneRequest")
    let content = random.bytes(5_000_000)
    let server = try ScriptedServer { $1.serve(content, $0) }
    let (_, bytes) = try Self.open(server.url("/a.mp4"))
    #expect(Self.readAll(bytes).bytes == content)
    #expect(server.requests.count == 1)
    // The end is held still, and a short way forward is read through.
    #expect(Self.read(bytes, at: content.count - 1000, 1000) == content.suffix(1000))
    #expect(server.requests.count == 1)
    // Two places at once, as sound and picture that lie apart: one more request for each.
    for step in 0..<40 {
      for start in [0, 2_000_000] {
        let offset = start + step * 20_000
        let got = try #require(Self.read(bytes, at: offset, 10_000))
        #expect(content[offset...].starts(with: got))
      }
    }
    #expect(server.requests.count <= 3)
  }

  @Test func manyThreadsReadOneSource() throws {
    var random = SeededGenerator(for: "manyThreadsReadOneSource")
    let content = random.bytes(4_000_000)
    let server = try ScriptedServer { $1.serve(content, $0) }
    let (_, bytes) = try Self.open(server.url("/a.mp4"))
    let wrong = Atomic<Int>(0)
    let seeds = (0..<6).map { _ in random.next() }
    let workers = try seeds.map { seed in
      try WorkerThread {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<60 {
          let offset = Int.random(in: 0..<content.count, using: &random)
          let got = Self.read(bytes, at: offset, 20_000) ?? []
          if got.isEmpty || !content[offset...].starts(with: got) { wrong.add(1, ordering: .relaxed) }
        }
      }
    }
    for worker in workers { worker.join() }
    #expect(wrong.load(ordering: .relaxed) == 0)
  }

  @Test func brokenConnectionsAreResumed() throws {
    var random = SeededGenerator(for: "brokenConnectionsAreResumed")
    let content = random.bytes(1_000_000)
    let server = try ScriptedServer { request, connection in
      let first = request.range?.first ?? 0
      let place = "Content-Range: bytes \(first)-\(content.count - 1)/\(content.count)"
      connection.send("HTTP/1.1 206 Partial Content\r\n\(place)\r\nContent-Length: \(content.count - first)\r\n\r\n")
      connection.send(content[first..<min(content.count, first + 200_000)])
      return false
    }
    let (source, bytes) = try Self.open(server.url("/a.mp4"))
    let all = Self.readAll(bytes)
    #expect(all.bytes == content && !all.hasFailed && source.failure == nil)
    #expect(server.requests.count == 5)
  }

  /// The source has the reason of failed requests while it retries, until bytes arrive or it gives up.
  @Test func whatAReaderWaitsForIsTold() throws {
    let content = [UInt8](repeating: 5, count: 900_000)
    let isOut = Atomic<Bool>(false)
    let sees = Monitor(NetworkTrouble?.none)
    let server = try ScriptedServer { request, connection in
      isOut.load(ordering: .relaxed)
        ? connection.respond("503 Service Unavailable") : connection.serve(content, request)
    }
    var network = NetworkOptions()
    network.retries.firstWaitSeconds = 0.01
    let source = try byteSource(server.url("/a.mp4"), network: network, interruption: Interruption())
    let bytes = try #require(source.bytes)
    #expect(Self.read(bytes, at: 0, 9)?.count == 9 && source.trouble == nil)
    isOut.store(true, ordering: .relaxed)
    let reader = try WorkerThread {
      let seen = Patience.value { source.trouble }
      sees.withLock { $0 = seen }
      isOut.store(false, ordering: .relaxed)
    }
    #expect(Self.read(bytes, at: 800_000, 9)?.count == 9 && source.trouble == nil)
    reader.join()
    #expect(sees.read { $0 } == NetworkTrouble(.server, "the server answered 503 Service Unavailable"))
    network.retries.limitSeconds = 0
    let impatient = try byteSource(server.url("/a.mp4"), network: network, interruption: Interruption())
    isOut.store(true, ordering: .relaxed)
    let rest = try #require(impatient.bytes)
    #expect(Self.read(rest, at: 800_000, 9) == nil && impatient.trouble == nil && impatient.failure != nil)
  }

  /// A connection that breaks once is resumed, and is no outage; a server that then cannot be reached is one.
  @Test func oneBrokenConnectionIsNoOutage() throws {
    let content = [UInt8](repeating: 5, count: 900_000)
    for (broken, isOutage) in [(1, false), (3, true)] {
      let requests = Atomic<Int>(0)
      let server = try ScriptedServer { request, connection in
        let number = requests.add(1, ordering: .relaxed).newValue
        guard number == 1 || number > broken else { return false }
        guard number == 1 else { return connection.serve(content, request) }
        connection.send("HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-899999/900000\r\n")
        connection.send("Content-Length: 900000\r\n\r\n")
        connection.send(content[..<300_000])
        return false
      }
      let notes = Monitor(0)
      let (_, bytes) = try Self.open(server.url("/a.mp4"))
      var buffer = [UInt8](repeating: 0, count: 100_000)
      let interruption = Interruption(onOutage: { notes.withLock { $0 += 1 } })
      var offset = 0
      while offset < content.count {
        let count = buffer.withUnsafeMutableBytes { buffer in
          buffer.baseAddress.map {
            bytes.read(at: Int64(offset), into: $0, count: 100_000, unless: interruption)
          } ?? 0
        }
        try #require(count > 0)
        offset += count
      }
      #expect((notes.read { $0 } > 0) == isOutage, "\(broken) broken")
    }
  }

  /// A server that falls silent in mid-file is asked again after twenty seconds, where it can go on; another one is waited for.
  @Test(.tier(.full), arguments: [true, false]) func aSilentServerIsAskedAgain(hasRanges: Bool) throws {
    let content = [UInt8](repeating: 5, count: 900_000)
    let server = try ScriptedServer { request, connection in
      guard (request.range?.first ?? 0) == 0 else { return connection.serve(content, request) }
      let ranges = hasRanges ? "Accept-Ranges: bytes\r\n" : ""
      connection.send("HTTP/1.1 200 OK\r\n\(ranges)Content-Length: 900000\r\n\r\n")
      connection.send(content[..<1000])
      if hasRanges { connection.waitForEnd() } else { _ = Interruption().pause(seconds: 25) }
      connection.send(content[1000...])
      return false
    }
    let (_, bytes) = try Self.open(server.url("/a.mp4"))
    #expect(Self.read(bytes, at: 900, 100)?.count == 100)
    let began = MonotonicTime.now
    #expect(Self.read(bytes, at: 1000, 9)?.count == 9)
    #expect(server.requests.count == (hasRanges ? 2 : 1))
    #expect(MonotonicTime.now.seconds(since: began) < 50)
  }

  @Test func aServerThatGivesTooLittleIsGivenUp() throws {
    let server = try ScriptedServer { request, connection in
      let first = request.range?.first ?? 0
      connection.send("HTTP/1.1 206 Partial Content\r\nContent-Range: bytes \(first)-99999/100000\r\n")
      connection.send("Content-Length: \(100_000 - first)\r\n\r\nabc")
      return false
    }
    let (source, bytes) = try Self.open(server.url("/a.mp4"))
    let all = Self.readAll(bytes)
    #expect(all.hasFailed && all.bytes.count == 18, "\(all.bytes.count)")
    #expect(source.failure == "the connection ended after 3 of \(100_000 - 15) bytes", "\(source.failure ?? "-")")
    #expect(server.requests.count == 6, "four retries while the first bytes are looked at, and none after them")
  }

  /// Parts that are shorter than asked for are put together.
  @Test func aServerMayGiveSmallParts() throws {
    var random = SeededGenerator(for: "aServerMayGiveSmallParts")
    let content = random.bytes(1_000_000)
    let server = try ScriptedServer { request, connection in
      let first = request.range?.first ?? 0
      let last = min(content.count, first + 150_000) - 1
      return connection.respond(
        "206 Partial Content", ["Content-Range: bytes \(first)-\(last)/\(content.count)"], body: content[first...last])
    }
    let (_, bytes) = try Self.open(server.url("/a.mp4"))
    #expect(Self.readAll(bytes).bytes == content && server.requests.count == 7)
  }

  @Test(arguments: ["ETag: \"v%\"", "Last-Modified: Mon, 01 Jan 2024 00:00:0% GMT", "X-Length: %"])
  func aFileThatChangesIsNoMixture(field: String) throws {
    let version = Atomic<Int>(1)
    let server = try ScriptedServer { request, connection in
      let now = version.load(ordering: .relaxed)
      let content = [UInt8](repeating: UInt8(now), count: field.hasPrefix("X") ? 900_000 + now : 900_000)
      return connection.serve(content, request, [field.replacingOccurrences(of: "%", with: "\(now)")])
    }
    let (source, bytes) = try Self.open(server.url("/a.mp4"))
    #expect(Self.read(bytes, at: 0, 9) == [UInt8](repeating: 1, count: 9))
    version.store(2, ordering: .relaxed)
    #expect(Self.read(bytes, at: 800_000, 9) == nil)
    #expect(source.failure == "it changed on the server while it was read")
  }

  @Test func aServerWithoutRangesIsReadInOrder() throws {
    var random = SeededGenerator(for: "aServerWithoutRangesIsReadInOrder")
    let content = random.bytes(800_000)
    let server = try ScriptedServer { $1.respond(body: content, toHead: $0.method == "HEAD") }
    let (_, bytes) = try Self.open(server.url("/a.mp4"))
    #expect(!bytes.isSeekable && bytes.count == Int64(content.count))
    #expect(Self.readAll(bytes).bytes == content && server.requests.count == 1)
    // A second reading begins at the start, and goes on from there.
    #expect(Self.read(bytes, at: 700_000, 9) == Array(content[700_000..<700_009]))
  }

  @Test func aFileIsAskedForWhereItWasFound() throws {
    let content = [UInt8](repeating: 5, count: 900_000)
    let token = Atomic<Int>(1)
    let server = try ScriptedServer { request, connection in
      let now = token.load(ordering: .relaxed)
      if request.path == "/a.mp4" { return connection.respond("302 Found", ["Location: /at?\(now)"]) }
      return request.path == "/at?\(now)" ? connection.serve(content, request) : connection.respond("403 Forbidden")
    }
    let (_, bytes) = try Self.open(server.url("/a.mp4"))
    #expect(Self.read(bytes, at: 500_000, 9)?.isEmpty == false)
    #expect(server.requests.map(\.path) == ["/a.mp4", "/at?1", "/at?1"])
    // The link expires: the server that gave it gives another one.
    token.store(2, ordering: .relaxed)
    #expect(Self.read(bytes, at: 880_000, 9)?.isEmpty == false)
    #expect(server.requests.suffix(3).map(\.path) == ["/at?1", "/a.mp4", "/at?2"])
  }

  @Test func whatCannotBeOpenedIsToldPlainly() throws {
    let list = Array("#EXTM3U\n#EXT-X-TARGETDURATION:1\n".utf8)
    let busy = Atomic<Int>(0)
    let server = try ScriptedServer { request, connection in
      switch request.path {
      case "/empty": connection.respond("416 Range Not Satisfiable", ["Content-Range: bytes */0"])
      case "/none": connection.respond()
      case "/digest":
        connection.respond("401 Unauthorized", ["WWW-Authenticate: Digest realm=\"x\", nonce=\"y\""])
      case "/typed": connection.respond("200 OK", ["Content-Type: application/dash+xml; x=y"], body: [1])
      case "/list": connection.respond(body: list)
      case "/busy" where busy.add(1, ordering: .relaxed).newValue > 2: connection.serve([1], request)
      case "/busy": connection.respond("503 Service Unavailable", ["Retry-After: 0"])
      default: connection.respond("404 Not Found")
      }
    }
    func opening(_ path: String) -> Failure? { failure { _ = try Self.open(server.url(path)) } }
    let missing = opening("/missing.mp4?token=1")
    #expect(missing?.kind == .input)
    #expect(
      missing?.description
        == "cannot open 'http://127.0.0.1:\(server.port)/missing.mp4?…': the server answered 404 Not Found — check the URL"
    )
    #expect(opening("/empty")?.kind == .media && opening("/none")?.cause == "the file is empty")
    #expect(opening("/busy") == nil && busy.load(ordering: .relaxed) == 3)
    for path in ["/typed", "/list", "/x.m3u8?y", "/x.MPD"] {
      let source = try byteSource(server.url(path), network: NetworkOptions(), interruption: Interruption())
      #expect(source.bytes == nil, "libavformat reads it")
    }
    let proof = server.url("/digest").replacing("http://", with: "http://me:word@")
    #expect(try byteSource(proof, network: NetworkOptions(), interruption: Interruption()).bytes == nil)
    #expect(opening("/digest")?.cause == "the server answered 401 Unauthorized")
    let dead = try ClipServer.deadPort()
    let refused = failure { _ = try Self.open("http://127.0.0.1:\(dead)/a.mp4") }
    #expect(refused?.kind == .input && refused?.cause == "connection refused")
  }

  @Test func waitingEndsWhenItIsInterrupted() throws {
    let server = try ScriptedServer { request, connection in
      if request.path == "/never" {
        connection.waitForEnd()
        return false
      }
      connection.send("HTTP/1.1 200 OK\r\nAccept-Ranges: bytes\r\nContent-Length: 99999\r\n\r\n0123456789abcdefghij")
      connection.waitForEnd()
      return false
    }
    let interruption = Interruption()
    let source = try byteSource(server.url("/a.mp4"), network: NetworkOptions(), interruption: interruption)
    let bytes = try #require(source.bytes)
    #expect(Self.read(bytes, at: 0, 20)?.count == 20)
    let count = Atomic<Int>(0)
    let reader = try WorkerThread {
      var buffer = [UInt8](repeating: 0, count: 100)
      let got = buffer.withUnsafeMutableBytes { buffer in
        buffer.baseAddress.map {
          bytes.read(at: 20, into: $0, count: 100, unless: interruption)
        } ?? 0
      }
      count.store(got, ordering: .relaxed)
    }
    interruption.request()
    reader.join()
    #expect(count.load(ordering: .relaxed) < 0)
    let opening = Interruption()
    opening.setDeadline(.now.advanced(byMilliseconds: 200))
    let late = failure {
      _ = try byteSource(server.url("/never"), network: NetworkOptions(), interruption: opening)
    }
    #expect(late?.kind == .cancelled && late?.cause == "opening took longer than 30 s")
    let asked = Interruption()
    asked.request()
    let stopped = failure { _ = try byteSource(server.url("/never"), network: NetworkOptions(), interruption: asked) }
    #expect(stopped?.kind == .cancelled && stopped?.cause == "it was interrupted")
  }

  @Test(arguments: ["mp4", "mkv", "ts"])
  func aClipOnAServerIsTheClipOnDisk(container: String) throws {
    let path = try SharedClips.many(container)
    let content = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let server = try ScriptedServer { $1.serve(content, $0) }
    let (stored, remote) = (try FrameReader(path: path), try FrameReader(path: server.url("/many.\(container)")))
    #expect(remote.info.isRemote && !remote.info.isLive && remote.info.video.spherical == stored.info.video.spherical)
    let times = try stored.allFrames().map(\.presentationTime)
    #expect(try remote.allFrames().map(\.presentationTime) == times && times.count == 64)
    try remote.rewind()
    for index in [40, 3, 63, 0, 25] {
      let request = SeekRequest(target: times[index])
      #expect(try remote.seek(request)?.presentationTime == stored.seek(request)?.presentationTime)
    }
    #expect(remote.endsEarly == nil)
  }

  @Test func textsAreReadFromServers() throws {
    let server = try ScriptedServer {
      $0.path == "/t" ? $1.respond(body: Array("hello".utf8)) : $1.respond("410 Gone")
    }
    let read = { (path: String, limit: Int) in
      try readBytes(server.url(path), byteLimit: limit, interruption: Interruption())
    }
    #expect(try read("/t", 5) == Array("hello".utf8))
    #expect(failure { _ = try read("/t", 4) }?.kind == .media)
    #expect(failure { _ = try read("/u", 4) }?.cause == "the server answered 410 Gone")
  }
}
