import Analytics
import Bench360Player
import Foundation
import Frames
import Media
import Streaming
import Support
import Synchronization
import Testing

/// What happens to a player as lines, by clocks that the tests move.
@Suite struct AnalyticsTests {
  /// Both clocks, moved by hand.
  private final class Clocks: Sendable {
    private let nanoseconds = Mutex<Int64>(0)
    func pass(_ seconds: Double) { nanoseconds.withLock { $0 += Int64((seconds * 1e9).rounded()) } }
    var now: AnalyticsInstant {
      let passed = nanoseconds.withLock { $0 }
      return AnalyticsInstant(
        monotonic: MonotonicTime(nanoseconds: 5_000_000_000 + passed),
        wall: WallTime(nanoseconds: 1_790_000_000_250_000_000 + passed))
    }
  }

  /// A whole session: two clips, the second a live stream that fails.
  private static func session(_ options: AnalyticsOptions) async -> [String] {
    let clocks = Clocks()
    let log = AnalyticsLog(options, session: "00112233445566778899aabbccddeeff") { clocks.now }
    var sample = PlayerSample()
    func look(after seconds: Double, _ change: (inout PlayerSample) -> Void) {
      clocks.pass(seconds)
      change(&sample)
      log.observe(sample)
    }
    func play(_ seconds: Double) {
      look(after: seconds) {
        ($0.position, $0.presented) = ($0.position + MediaTime(seconds: seconds), $0.presented + Int(seconds * 30))
      }
    }
    log.load()
    look(after: 0.1) { $0.status = .opening }
    look(after: 0.15) { ($0.status, $0.tracks.sound) = (.ready, 0) }
    look(after: 0.05) { ($0.presented, $0.isPlaying, $0.status) = (1, true, .playing) }
    play(4)
    look(after: 0.01) { $0.volume = 0.5 }
    look(after: 0.01) { $0.isMuted = true }
    look(after: 0.01) { $0.rate = 1.5 }
    look(after: 0.01) { ($0.tracks.sound, $0.tracks.subtitles) = (1, 0) }
    // A drag: several orders, one seek.
    look(after: 0.02) { ($0.seeks, $0.status, $0.position) = (1, .seeking, MediaTime(seconds: 20)) }
    look(after: 0.02) { ($0.seeks, $0.position) = (3, MediaTime(seconds: 30)) }
    look(after: 0.06) { $0.status = .playing }
    // One that has landed by the next look.
    look(after: 0.02) { ($0.seeks, $0.position) = (4, MediaTime(seconds: 10)) }
    play(6)
    look(after: 1) { ($0.isPlaying, $0.status, $0.dropped) = (false, .paused, 2) }
    look(after: 60) { ($0.isPlaying, $0.status) = (true, .playing) }
    look(after: 5) { ($0.isPlaying, $0.status) = (false, .ended) }
    // A break at the end, which is left in its second ad.
    log.failAd(405)
    log.beginAd(1)
    clocks.pass(15)
    log.endAd("played")
    log.beginAd(2)
    look(after: 1) { _ in }
    log.load()
    sample = PlayerSample()
    (sample.volume, sample.isMuted) = (0.5, true)
    look(after: 0.4) {
      ($0.status, $0.isPlaying, $0.presented) = (.playing, true, 1)
      ($0.rung, $0.live) = (.init(number: 0, bitrate: 400_000, height: 240), .init(behindSeconds: 6.2, isAtEdge: true))
    }
    play(2)
    look(after: 0.1) { $0.rung = .init(number: 2, bitrate: 1_500_000.5) }
    look(after: 0.5) { ($0.status, $0.cause) = (.stalled, .network) }
    look(after: 1.25) { $0.status = .playing }
    look(after: 1) { $0.live = .init(behindSeconds: 30, isAtEdge: false) }
    look(after: 1) { $0.status = .stalled }
    clocks.pass(30)
    log.fail(.input)
    clocks.pass(1)
    log.end()
    log.observe(sample)
    var lines: [String] = []
    for await line in log.lines { lines.append(line) }
    return lines
  }

  /// Read once, line by line; `BENCH360_REWRITE_GOLDEN=1` writes them anew, to be read again.
  @Test(arguments: [AnalyticsLines.Format.json, .otlp])
  func aWholeSession(format: AnalyticsLines.Format) async throws {
    var options = AnalyticsOptions()
    options.format = format
    let text = await Self.session(options).joined(separator: "\n") + "\n"
    let file = URL(
      filePath: TestFolders.repository + "/Tests/Bench360PlayerTests/Golden/session.\(format.rawValue).jsonl")
    if ProcessInfo.processInfo.environment["BENCH360_REWRITE_GOLDEN"] == "1" { try Data(text.utf8).write(to: file) }
    #expect(text == (try String(contentsOf: file, encoding: .utf8)))
  }

  @Test func theSchemaNamesWhatIsWritten() async throws {
    let data = try Data(contentsOf: URL(filePath: TestFolders.repository + "/results/events.schema.json"))
    let schema = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let properties = try #require(schema["properties"] as? [String: [String: Any]])
    let required = try #require(schema["required"] as? [String])
    #expect(Set(properties["event"]?["enum"] as? [String] ?? []) == Set(AnalyticsEvent.Name.allCases.map(\.rawValue)))
    var options = AnalyticsOptions()
    options.content = "tour"
    var seen: Set<String> = []
    for line in await Self.session(options) {
      let values = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(required.allSatisfy { values[$0] != nil } && values.keys.allSatisfy { properties[$0] != nil }, "\(line)")
      for (name, value) in values { #expect(Self.fits(value, properties[name]?["type"]), "\(name) of \(line)") }
      seen.formUnion(values.keys)
    }
    // `lines` is of a slow reader.
    #expect(seen.union(["lines"]) == Set(properties.keys), "\(Set(properties.keys).subtracting(seen))")
  }

  private static func fits(_ value: Any, _ type: Any?) -> Bool {
    let types = (type as? [String]) ?? (type as? String).map { [$0] } ?? []
    switch value {
    case is NSNull: return types.contains("null")
    case is String: return types.contains("string")
    case let number as NSNumber:
      if isBoolean(number) { return types.contains("boolean") }
      return types.contains("number") || types.contains("integer") && number.doubleValue.rounded() == number.doubleValue
    default: return false
    }
  }

  private static func isBoolean(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }

  /// Each line is an object of OTLP/JSON: identifiers in hexadecimal, 64-bit integers as text, one root for all spans.
  @Test func otlpLinesAreATrace() async throws {
    var options = AnalyticsOptions()
    options.format = .otlp
    var (spans, metrics): ([[String: Any]], [String]) = ([], [])
    for line in await Self.session(options) {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: [[String: Any]]])
      #expect(object.count == 1)
      for resource in object["resourceSpans"] ?? [] {
        for scope in resource["scopeSpans"] as? [[String: Any]] ?? [] {
          spans += scope["spans"] as? [[String: Any]] ?? []
        }
      }
      for resource in object["resourceMetrics"] ?? [] {
        for scope in resource["scopeMetrics"] as? [[String: Any]] ?? [] {
          metrics += (scope["metrics"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
        }
      }
    }
    let identifiers = spans.compactMap { $0["spanId"] as? String }
    #expect(Set(identifiers).count == spans.count && identifiers.allSatisfy { $0.count == 16 })
    #expect(Set(spans.compactMap { $0["traceId"] as? String }) == ["00112233445566778899aabbccddeeff"])
    let roots = spans.filter { $0["parentSpanId"] == nil }
    #expect(roots.count == 1 && roots.first?["name"] as? String == "session")
    for span in spans where span["parentSpanId"] != nil {
      #expect(span["parentSpanId"] as? String == roots.first?["spanId"] as? String)
      let (start, end) = (
        Int64(span["startTimeUnixNano"] as? String ?? ""), Int64(span["endTimeUnixNano"] as? String ?? "")
      )
      #expect(start != nil && end != nil && (start ?? 0) <= (end ?? -1), "\(span)")
    }
    #expect(Set(metrics).isSuperset(of: ["bench360.frames.presented", "bench360.ttff", "bench360.stall_time"]))
  }

  /// A reader that does not come costs no memory, and is told what it lost.
  @Test func aSlowReaderLosesLinesThatAreCounted() async throws {
    let clocks = Clocks()
    var options = AnalyticsOptions()
    options.capacity = 3
    let log = AnalyticsLog(options) { clocks.now }
    log.load()
    var sample = PlayerSample()
    sample.status = .playing
    for number in 0..<100 {
      sample.rate = Double(number + 2)
      log.observe(sample)
    }
    var reader = log.lines.makeAsyncIterator()
    for _ in 0..<3 { _ = await reader.next() }
    sample.rate = 1
    log.observe(sample)
    let note = try #require(await reader.next())
    let values = try #require(try JSONSerialization.jsonObject(with: Data(note.utf8)) as? [String: Any])
    // `session_begin`, `load` and `ready` were read.
    #expect(values["event"] as? String == "lost" && values["lines"] as? Int == 100, "\(note)")
    let next = try #require(await reader.next())
    #expect(next.contains("\"event\":\"rate\"") && next.contains("\"rate\":1}"), "\(next)")
    log.end()
  }

  @Test func nothingNamesTheClip() async throws {
    for format in [AnalyticsLines.Format.json, .otlp] {
      var options = AnalyticsOptions()
      options.format = format
      let lines = await Self.session(options)
      #expect(!lines.contains { $0.contains("content") })
      options.content = "tour \"7\"\n"
      let named = await Self.session(options)
      #expect(named.filter { $0.contains(#"tour \"7\"\n"#) }.count == 2)
    }
  }
}

/// A player's own.
@Suite(.tier(.test), .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
struct PlayerAnalyticsTests {
  @Test func aPlayerTellsItsSession() async throws {
    let clip = try PlayerSupport.clip(frames: 30)
    let lines = try await Self.played(clip).value
    let events = try lines.map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    let names = events.compactMap { $0["event"] as? String }
    let expected = [
      "session_begin", "load", "ready", "first_frame", "seek", "play", "ended", "frames", "unload", "session_end",
    ]
    let once = names.filter { expected.contains($0) && $0 != "frames" }
    #expect((once + ["frames"]).sorted() == expected.sorted(), "\(names)")
    #expect(names.first == "session_begin" && names.last == "session_end")
    #expect(events.compactMap { $0["sequence"] as? Int } == Array(1...events.count))
    // A busy machine may take more than one interval.
    let counted = events.filter { $0["event"] as? String == "frames" }.reduce(0) {
      $0 + ($1["presented"] as? Int ?? 0) + ($1["dropped"] as? Int ?? 0)
    }
    #expect(counted >= 15, "\(events)")
    let seek = try #require(events.first { $0["event"] as? String == "seek" })
    #expect(abs((seek["to_s"] as? Double ?? 0) - 0.5) < 0.01, "\(seek)")
    // Neither its name nor its folder.
    #expect(!lines.dropFirst().contains { $0.contains("player-30") || $0.contains("/") })
  }

  private static func played(_ clip: String) async throws -> Task<[String], Never> {
    let player = try PlayerSupport.player(clip)
    let analytics = player.analytics()
    let lines = Task {
      var lines: [String] = []
      for await line in analytics { lines.append(line) }
      return lines
    }
    _ = await player.state { $0.status == .ready }
    _ = await player.sought(to: MediaTime(seconds: 0.5))
    player.play()
    _ = await player.state { $0.status == .ended }
    return lines
  }
}
