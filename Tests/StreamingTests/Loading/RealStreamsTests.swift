import Adaptation
import Decode
import Foundation
import Frames
import HTTP
import Media
import Origin
import Support
import Synchronization
import Testing

import Streaming

/// Playlists and manifests of other projects: each is played to its end, or refused with a sentence.
@Suite(.tier(.test)) struct RealStreamsTests {
  /// Why a stream is not played, by what its sentence says.
  private static let reasons = [
    "another host", "the server answered 404 Not Found", "the live stream has brought nothing new for",
    "it has no video", "it has no segments", "the segments are protected by FairPlay",
    "the segments are encrypted by AES-256", "it is the cues of a WebM file, which are not read",
    "it is damaged, or made for another player", "it names no segments", "is protected by",
    // The key is on another host, and the playlist names it after the first segment.
    "bear-640x360-video-1.ts': no known media format was found in it",
    "bear-640x360-audio-1.ts': no known media format was found in it",
    // The last byte range of hostile/captions-h265 is one byte too long.
    "the connection ended after 24695 of 24696 bytes",
  ]

  /// Of these, ffprobe reads the first of several periods.
  private static let periods = ["7401/dash_2.mpd"]

  /// The host of the URL alone is asked: no test asks one of the Internet.
  private static func frames(_ name: String, _ origin: Origin) throws(Failure) -> Int {
    var options = StreamOptions(controller: RandomController.choice(seed: 1))
    options.load = LoadPolicy(minimum: 600, maximum: 600)
    options.retries = .none
    options.live.stuckSeconds = 0.5
    let text = name.split(separator: "/").map(escaped).joined(separator: "/")
    let named: HTTPURL
    do throws(HTTPProblem) { named = try HTTPURL(origin.url + text) } catch { throw error.failure("cannot open it") }
    let transport = OneHostTransport(HTTPTransport(try HTTPClient(HTTPClientOptions()), named), origin.url)
    let stream = try LoadedStream(
      name, try StreamAddress(url: named.text), transport, options, interruption: Interruption())
    defer { stream.stop() }
    let packets = try stream.packets(interruption: Interruption())
    var decoding = DecoderOptions()
    decoding.threads = 1
    let reader = try FrameReader(packets, packets.info, options: decoding)
    var count = 0
    while let frame = try reader.next() {
      count += 1
      stream.played(to: frame.presentationTime)
    }
    return count
  }

  private static func escaped(_ name: Substring) -> String {
    String(name).addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? String(name)
  }

  /// Nil where ffprobe does not read it to its end in time.
  private static func judgement(_ path: String) throws -> Int? {
    let run = try CommandOutput.of(
      "timeout",
      [
        "10", "ffprobe", "-v", "error", "-allowed_extensions", "ALL", "-select_streams", "v:0", "-count_frames",
        "-show_entries", "stream=nb_read_frames", "-of", "csv=p=0", path,
      ])
    return run.text.split(whereSeparator: \.isNewline).first.flatMap { Int($0.filter(\.isNumber)) }
  }

  /// A tenth of them.
  @Test(.enabled("BENCH360_MEDIA names no folder") { RealManifests.root != nil })
  func someArePlayedOrRefusedWithASentence() throws {
    let found = try Self.play(RealManifests.files.sample(oneIn: 10))
    #expect(found.played > 0)
  }

  @Test(.tier(.full), .enabled("BENCH360_MEDIA names no folder") { RealManifests.root != nil })
  func eachIsPlayedOrRefusedWithASentence() throws {
    let found = try Self.play(RealManifests.files)
    #expect(found.played > 40 && found.judged > 30)
  }

  private static func play(_ files: [RealManifests.File]) throws -> (played: Int, judged: Int) {
    let root = try #require(RealManifests.root)
    let hostile = URL(filePath: root).deletingLastPathComponent().appending(path: "hostile").path
    let isThere = FileManager.default.fileExists(atPath: hostile)
    let origin = try Origin.start(root)
    let other = isThere ? try Origin.start(hostile) : origin
    let next = Atomic(0)
    let counts = Mutex((played: 0, judged: 0, reasons: [String: Int]()))
    DispatchQueue.concurrentPerform(iterations: 2) { _ in
      while true {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < files.count else { return }
        let file = files[index]
        let isHostile = file.name.hasPrefix("hostile/")
        do throws(Failure) {
          let count = try Self.frames(
            isHostile ? String(file.name.dropFirst("hostile/".count)) : file.name, isHostile ? other : origin)
          let judged = isHostile ? nil : try? Self.judgement(file.path)
          counts.withLock {
            $0.played += 1
            $0.judged += judged == nil ? 0 : 1
          }
          print("streams|\(file.name)|\(count)|\(judged.map { "\($0)" } ?? "-")|-")
          let isFirstPeriodAlone = Self.periods.contains(where: file.name.hasSuffix)
          guard let judged, !isFirstPeriodAlone else { continue }
          #expect(count == judged, "\(file.name)")
        } catch {
          let sentence = error.description
          let reason = Self.reasons.first(where: sentence.contains)
          print("streams|\(file.name)|-|-|\(reason ?? sentence)")
          #expect(reason != nil, "\(file.name): \(sentence)")
          counts.withLock { $0.reasons[reason ?? "", default: 0] += 1 }
        }
      }
    }
    try origin.stop()
    try other.stop()
    let found = counts.withLock { $0 }
    print("\(files.count) streams: \(found.played) played, \(found.judged) judged; \(found.reasons)")
    return (found.played, found.judged)
  }
}

/// Requests of one host; others fail.
private final class OneHostTransport: StreamTransport {
  private let transport: HTTPTransport
  private let url: String

  init(_ transport: HTTPTransport, _ url: String) { (self.transport, self.url) = (transport, url) }

  var now: Double { transport.now }
  var wall: WallTime { transport.wall }

  func pause(seconds: Double, unless interruption: Interruption) -> Bool {
    transport.pause(seconds: seconds, unless: interruption)
  }

  func pause(
    using media: Double, of store: any LoadedSegments, atMost seconds: Double, unless interruption: Interruption
  ) -> Bool {
    transport.pause(using: media, of: store, atMost: seconds, unless: interruption)
  }

  func wasReached(_ address: StreamAddress) -> Bool { transport.wasReached(address) }
  func reached(_ address: StreamAddress) { transport.reached(address) }

  func start(_ request: ResourceRequest) -> any ResourceTransfer {
    request.address.text.hasPrefix(url) ? transport.start(request) : RefusedTransfer(at: now)
  }

  private final class RefusedTransfer: ResourceTransfer {
    private let instant: Double

    init(at instant: Double) { self.instant = instant }

    func head(unless interruption: Interruption) throws(HTTPProblem) -> ResourceHead {
      throw .badResponse("another host")
    }
    func read(
      into target: UnsafeMutableRawBufferPointer, by instant: Double, unless interruption: Interruption
    ) throws(HTTPProblem) -> Int? { 0 }
    func cancel() {}
    func times() -> TransferTimes { TransferTimes(queued: instant, ended: instant) }
  }
}
