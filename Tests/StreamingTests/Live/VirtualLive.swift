import Adaptation
import Frames
import Media
import Origin
import Support

import Streaming

/// A live ladder on a virtual clock: what a server answers, and when.
struct VirtualLive {
  var ladder: LiveLadder
  /// When the stream is opened, in seconds since the first picture.
  var start: Double
  /// Playlists are kept so long, in seconds.
  let window: Double
  /// What a hostile server makes of a playlist or manifest; nil: leaves it.
  var tamper: (_ text: String, _ time: Double, _ isBlocking: Bool) -> (text: String, delay: Double)? = { _, _, _ in nil
  }
  /// The same, and the answer comes when it would.
  var edit: (_ text: String, _ time: Double) -> String = { text, _ in text }
  /// Playlists, segments, parts and sections that it lacks.
  var lacks: (_ path: String, _ time: Double) -> Bool = { _, _ in false }
  /// The machine's clock is so far ahead of the server's, in seconds.
  var skew = 0.0

  /// Its master playlist names a track of sound; manifests of DASH always do.
  var hasSound = false

  /// From then on another run of the packager answers, with pictures and numbers from 0 on.
  var restart: (time: Double, ladder: LiveLadder, start: Double)?

  static let folder = "hls-fmp4/"
  static let segmentBytes = 12_000

  /// - Parameter path: with its query.
  func answer(_ path: String, at time: Double) -> (file: VirtualStream.File, ready: Double)? {
    if let restart, time >= restart.time {
      var other = self
      (other.ladder, other.start, other.restart) = (restart.ladder, restart.start, nil)
      return other.answer(path, at: time)
    }
    let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
    let now = Int64(((start + time) * 1e9).rounded())
    if parts[0] == "main.m3u8" { return (.text(Array(multivariant.utf8)), time) }
    if parts[0] == "main.mpd" || parts[0] == "time" {
      guard let (text, _) = ladder.text(parts[0] == "time" ? "time" : "manifest.mpd", at: now) else { return nil }
      let tampered = tamper(text, time, false) ?? (edit(text, time), 0)
      return (.text(Array(tampered.text.utf8)), time + tampered.delay)
    }
    if lacks(parts[0], time) { return nil }
    if parts[0].hasSuffix(".m3u8") {
      let query = parts.count > 1 ? parts[1] : nil
      guard let (text, later) = ladder.text(parts[0], query: query, at: now) else { return nil }
      let ready = max(time, Double(later) / 1e9 - start)
      let isBlocking = query?.contains("_HLS_msn") ?? false
      if let (text, delay) = tamper(text, time, isBlocking) { return (.text(Array(text.utf8)), time + delay) }
      return (.text(Array(edit(text, ready).utf8)), ready)
    }
    guard parts[0].hasSuffix(".m4s") else { return (.media(phase: 0, count: 700), time) }
    // RENDITION/NUMBER.m4s, or RENDITION/NUMBER.PART.m4s.
    let file = parts[0].split(separator: "/").last?.split(separator: ".") ?? []
    if file.count == 3 {
      let rendition = String(parts[0].dropLast(file.joined(separator: ".").count + 1))
      let query = "_HLS_msn=\(file[0])&_HLS_part=\(file[1])"
      guard let (_, later) = ladder.text(rendition + ".m3u8", query: query, at: now) else { return nil }
      return (.media(phase: 64, count: 2000), max(time, Double(later) / 1e9 - start))
    }
    guard let end = Self.end(parts[0]) else { return nil }
    let age = start + time - end
    guard age >= -1e-6, age <= 2 * window + 1 else { return nil }
    return (.media(phase: 64, count: Self.segmentBytes), time)
  }

  private static let sound =
    "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"one\",DEFAULT=YES,URI=\"\(folder)audio-en.m3u8\""

  /// Where the segment at a path ends, in seconds since the first picture.
  private static func end(_ path: String) -> Double? {
    Int64(path.suffix(9).prefix(5)).map { Double($0 / 5) * 4.5 + min(Double($0 % 5) + 1, 4.5) }
  }

  /// The packager is gone at `time`, and back `seconds` later; it has then been running again for `age` seconds.
  mutating func restart(at time: Double, for seconds: Double, age: Double) throws {
    let (back, window) = (time + seconds, window)
    let zero = ladder.zero + Int64((start + back - age) * 1e9)
    restart = (time, try LiveOriginTests.ladder { ($0.start, $0.windowSeconds) = (zero, window) }, age - back)
  }

  /// Whether it refuses a request that is to wait for a segment which comes much later.
  func refuses(_ path: String, at time: Double) -> Bool {
    guard let match = path.firstMatch(of: /_HLS_msn=(\d+)/), let number = Double(match.output.1) else { return false }
    let start = restart.map { time >= $0.time ? $0.start : self.start } ?? self.start
    return number > (start + time) / 4.5 * 5 + 3
  }

  private var multivariant: String {
    """
    #EXTM3U
    #EXT-X-SESSION-DATA:DATA-ID="bench360.zero",VALUE="\(LiveDate.text(ladder.zero))"\(hasSound ? "\n" + Self.sound : "")
    #EXT-X-STREAM-INF:BANDWIDTH=100000,RESOLUTION=320x180,CODECS="avc1.42c01e"\(hasSound ? ",AUDIO=\"a\"" : "")
    \(Self.folder)video-0.m3u8
    #EXT-X-STREAM-INF:BANDWIDTH=200000,RESOLUTION=320x180,CODECS="avc1.42c01e"\(hasSound ? ",AUDIO=\"a\"" : "")
    \(Self.folder)video-1.m3u8

    """
  }

  /// The server's time of day, in whole seconds.
  func date(at time: Double) -> WallTime {
    WallTime(nanoseconds: (ladder.zero + Int64((start + time) * 1e9)) / 1_000_000_000 * 1_000_000_000)
  }

  /// A transport that plays it, and takes from the store what a reader would.
  static func transport(
    over network: NetworkTrace, _ form: VirtualStream.Form = .hls, start: Double = 60, window: Double = 20,
    parts: Double? = nil, hasSound: Bool = false, _ change: (inout VirtualLive) -> Void = { _ in }
  ) throws -> VirtualTransport {
    let ladder = try LiveOriginTests.ladder { ($0.windowSeconds, $0.partSeconds) = (window, parts) }
    var live = VirtualLive(ladder: ladder, start: start, window: window)
    live.hasSound = hasSound
    change(&live)
    let table = try RungTable(name: "live", bitrates: [1, 2], durations: [1])
    let transport = VirtualTransport(VirtualStream(table, form), over: network)
    transport.live = live
    if hasSound { transport.conductSound() }
    transport.soundEnd = { $0.contains("/audio-en/") ? Self.end($0) : nil }
    transport.wallZero = WallTime(nanoseconds: ladder.zero) + MediaTime(seconds: start + live.skew)
    transport.rate = { [unowned transport] store, place in
      guard let edge = store.live.edge, let target = edge.target,
        let latency = edge.latency(of: MediaTime(seconds: place), wall: transport.wall)
      else { return 1 }
      return CatchUp.rate(
        latency: latency, target: target.seconds, buffer: store.bufferSeconds, step: edge.step.seconds)
    }
    return transport
  }
}

extension NetworkTrace {
  /// So many Mbit/s, with an outage.
  static func fast(outageAt start: Double? = nil, seconds: Double = 0) throws -> NetworkTrace {
    let fast = NetworkTrace.Period(seconds: start ?? 1000, bitsPerSecond: 20e6, roundTrip: 0.02)
    guard start != nil else { return try NetworkTrace(name: "fast", periods: [fast], repeats: true) }
    return try NetworkTrace(
      name: "outage",
      periods: [
        fast, NetworkTrace.Period(seconds: seconds, bitsPerSecond: 0, roundTrip: 0.02),
        NetworkTrace.Period(seconds: 100_000, bitsPerSecond: 20e6, roundTrip: 0.02),
      ], repeats: false)
  }
}
