import Adaptation
import Decode
import Encode
import Foundation
import Frames
import Media
import Origin
import Support
import Testing

import Streaming

/// Over sockets: a server that cannot be reached for a while, in the middle of a stream. `OutageTests` has all cells on the virtual clock.
@Suite(.tier(.full), .serialized) struct SocketOutageTests {
  @Test(.tier(.test)) func aRefusedConnectionEndsNothing() throws { try Self.play(.hlsFMP4, through: .refused) }

  @Test(arguments: OutageGate.Outage.allCases.filter { $0 != .tls && $0 != .moved })
  func noOutageEndsAStream(outage: OutageGate.Outage) throws { try Self.play(.dash, through: outage) }

  @Test(arguments: [LadderIndex.Presentation.Kind.hlsTS, .hlsFMP4])
  func eachPackagingGoesOn(kind: LadderIndex.Presentation.Kind) throws { try Self.play(kind, through: .reset) }

  /// A key for every two segments.
  @Test func keysAreAskedForAgain() throws {
    try Self.play(.hlsTS, through: .refused, encryption: .aes128(rotation: 2))
  }

  /// The host has an address of either family; the server is at the one, then at the other.
  @Test(.enabled("this machine has no ::1") { OutageGate.hasBothFamilies })
  func aServerAtAnotherAddressOfItsHostIsFound() throws {
    try Self.play(.hlsFMP4, through: .moved, host: "localhost")
  }

  /// The connections are dead, and no one says so; requests over them fail at once when the machine is awake again.
  @Test func aMachineThatSleptConnectsAnew() throws {
    let ladder = try StreamStage.flat(nil)
    let file = try #require(ladder.index.presentations.first { $0.kind == .hlsFMP4 }?.file)
    let origin = try Origin.start(ladder.folder)
    let gate = try OutageGate(to: UInt16(try #require(URL(string: origin.url)?.port)))
    var options = StreamOptions(controller: RandomController.choice(seed: 11))
    options.load = LoadPolicy(minimum: 1, maximum: 1)
    let stage = try SoundStage("http://127.0.0.1:\(gate.port)/\(file)", options)
    let sound = try stage.reader(0)
    var frames = 1
    while let frame = try stage.video.next() {
      try stage.see(frame)
      frames += 1
      guard frames == 60 else { continue }
      let before = stage.stream.history.requests.count
      gate.forgetConnections()
      stage.stream.renewConnections()
      #expect(Patience.until { stage.stream.history.requests.count > before } || frames == 135)
    }
    #expect(frames == 135 && stage.truth?.wrong == 0 && stage.truth?.wrongRung == 0)
    let heard = try SoundStage.listen(sound)
    heard.check(track: 0, "after a sleep")
    #expect(abs(heard.end - 4.5) < 0.05)
    let slow = stage.stream.history.requests.filter { request in
      guard case .failed(let cause) = request.outcome else { return false }
      return cause != "the connection is older than the machine's last sleep"
    }
    #expect(slow.isEmpty, "a request waited for a dead connection: \(slow)")
    try origin.stop()
  }

  @Test func aServerWhoseTLSIsBrokenIsWaitedFor() throws {
    let ladder = try SharedLadders.flat()
    let server = try SecureServer(folder: ladder.folder)
    try withExtendedLifetime(server) {
      try Self.play(.hlsFMP4, through: .tls, of: UInt16(server.port), scheme: "https")
    }
  }

  /// The stream's pictures, sound, subtitles and small pictures, with an outage that lasts until requests have failed: each picture is the
  /// right one and none is lacking, and the sound has no break.
  private static func play(
    _ kind: LadderIndex.Presentation.Kind, through outage: OutageGate.Outage,
    encryption: LadderSpecification.Encryption? = nil, of secure: UInt16? = nil, scheme: String = "http",
    host: String = "127.0.0.1"
  ) throws {
    let ladder = try StreamStage.flat(encryption)
    let file = try #require(ladder.index.presentations.first { $0.kind == kind }?.file)
    let origin = try Origin.start(ladder.folder)
    let port = try #require(URL(string: origin.url)?.port)
    let gate = try OutageGate(to: secure ?? UInt16(port))
    var options = StreamOptions(controller: RandomController.choice(seed: 11))
    options.load = LoadPolicy(minimum: 1, maximum: 1)
    options.limits.timeouts.firstByte = 1
    options.verifiesCertificates = secure == nil
    let stage = try SoundStage("\(scheme)://\(host):\(gate.port)/\(file)", options)
    let stream = stage.stream
    let sound = try stage.reader(0)
    let (limit, returned) = (StreamStage.limit(), Monitor(false))
    defer { limit.request() }
    var frames = 1
    while let frame = try stage.video.next() {
      try stage.see(frame)
      frames += 1
      guard frames == 60 else { continue }
      // Before the next segment: it is asked for once the picture has used up a second.
      gate.begin(outage)
      let failed = stream.history.requests.count { $0.outcome.isFailure }
      Thread.detachNewThread {
        _ = Patience.until { stream.history.requests.count { $0.outcome.isFailure } >= failed + 2 }
        try? gate.end()
        returned.withLock { $0 = true }
      }
    }
    #expect(frames == 135 && stage.truth?.wrong == 0 && stage.truth?.wrongRung == 0, "\(outage): \(frames)")
    #expect(returned.read { $0 }, "no request failed")
    let heard = try SoundStage.listen(sound)
    heard.check(track: 0, "\(outage)")
    #expect(abs(heard.end - 4.5) < 0.05, "\(outage): \(heard.end)")
    // During another outage: what is asked for then comes once it is over. A server that answers ends a request after two retries: there are
    // more than four of such requests.
    let (failures, enough) = (stream.statistics.failed, outage == .unavailable ? 13 : 2)
    gate.begin(outage)
    stream.played(to: .zero)
    let text = try stream.text(0, interruption: limit)
    Thread.detachNewThread {
      _ = Patience.until { stream.statistics.failed >= failures + enough }
      try? gate.end()
    }
    #expect(try text.next()?.start == .zero, "\(outage)")
    gate.begin(outage)
    let before = stream.statistics.failed
    Thread.detachNewThread {
      _ = Patience.until { stream.statistics.failed > before }
      try? gate.end()
    }
    if let previews = stream.previews(interruption: limit) {
      #expect(try previews.piece(at: .zero) != nil, "\(outage)")
    }
    try origin.stop()
  }

  /// A live stream: the buffer of four seconds bridges the outage, or the picture waits; then the next picture comes.
  @Test(arguments: LiveStage.packagings) func liveStreamsGoOn(packaging: String) throws {
    try LiveStage.with { origin in
      let gate = try OutageGate(to: UInt16(try #require(URL(string: origin.url)?.port)))
      let listener = try LiveListener(
        "http://127.0.0.1:\(gate.port)/\(packaging)", LiveStage.options { $0.live.latency = 4 })
      try listener.play(frames: 40)
      gate.begin(.refused)
      let stream = listener.stream
      let failed = stream.statistics.failed
      Thread.detachNewThread {
        _ = Patience.until { stream.statistics.failed >= failed + 2 }
        try? gate.end()
      }
      try listener.play(frames: 120)
      #expect(listener.frames == 160 && listener.truth?.wrong == 0 && stream.statistics.failed >= failed + 2)
      listener.check(track: 0, packaging)
    }
  }
}

extension StreamRequest.Outcome {
  fileprivate var isFailure: Bool {
    if case .failed = self { true } else { false }
  }
}
