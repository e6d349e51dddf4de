import Adaptation
import Frames
import HTTP
import Media
import Support
import Testing

import Streaming

/// A server or its network that is out of order for a while: the buffer is played, and playing continues at the same position once the server
/// is back.
@Suite struct OutageTests {
  /// How requests fail during an outage.
  enum Kind: String, CaseIterable {
    case refused, reset, silent, dns, tls, certificate, unavailable, portal

    var fault: VirtualFault {
      switch self {
      case .refused: .unreachable(.noConnection, seconds: 0.001)
      case .reset: .unreachable(.lost, seconds: 0.02)
      case .silent: .unreachable(.firstByteTimeout, seconds: 10)
      case .dns: .unreachable(.noHost, seconds: 0.005)
      case .tls: .unreachable(.tls, seconds: 0.03)
      case .certificate: .unreachable(.certificate, seconds: 0.03)
      case .unavailable: .status(503, retryAfter: nil)
      case .portal: .portal
      }
    }

    /// A request that was made during the outage may take so long to fail, in seconds.
    var slowness: Double { self == .silent ? 10 : 0.05 }
  }

  struct Cell: CustomStringConvertible {
    var kind: Kind
    var seconds: Double
    /// The server is back before the buffer has run empty.
    var isBridged: Bool
    var hasSound = false

    var description: String {
      "\(kind) for \(seconds) s, \(isBridged ? "bridged by the buffer" : "with a stall")\(hasSound ? ", with sound" : "")"
    }

    static let silent = Kind.allCases.flatMap { kind in
      [1.0, 10, 60].flatMap { seconds in [true, false].map { Cell(kind: kind, seconds: seconds, isBridged: $0) } }
    }
    static let withSound = silent.map { cell in
      var cell = cell
      cell.hasSound = true
      return cell
    }
  }

  private static let start = 30.0
  /// Playing continues so soon after the return of the server, in seconds.
  private static let limit = 3.0
  /// Of the ends of stalls, in seconds.
  private static let precision = 0.05

  @Test(arguments: VirtualStream.Form.allCases, Cell.silent + Cell.withSound.sample(oneIn: 4))
  func playingContinuesOnDemand(form: VirtualStream.Form, cell: Cell) throws { try Self.playOnDemand(form, cell) }

  @Test(.tier(.full), arguments: VirtualStream.Form.allCases, Cell.withSound)
  func playingContinuesOnDemandWithSound(form: VirtualStream.Form, cell: Cell) throws {
    try Self.playOnDemand(form, cell)
  }

  private static func playOnDemand(_ form: VirtualStream.Form, _ cell: Cell) throws {
    // Segments that are shorter than the outage.
    let length = cell.seconds < 2 ? 0.5 : 2
    let count = 90
    let start = Double(count) * length / 6
    let stream = VirtualStream(
      try RungTable(name: "test", bitrates: [100_000, 200_000], durations: Array(repeating: length, count: count)),
      form,
      hasSound: cell.hasSound)
    let transport = VirtualTransport(stream, over: try NetworkTrace.fast())
    if cell.hasSound { transport.conductSound() }
    transport.soundEnd = stream.soundEnd
    let buffer = cell.isBridged ? cell.seconds + 20 : cell.seconds < 2 ? 1 : min(8, cell.seconds / 2)
    let returned = start + cell.seconds
    transport.fault = { row, _ in (start..<returned).contains(row.started) ? cell.kind.fault : nil }
    var options = StreamOptions(controller: try #require(ControllerChoice("fixed:1")))
    options.load = LoadPolicy(minimum: buffer, maximum: buffer)
    let run = try VirtualRun.of(transport, options, isDrained: false)
    #expect(run.hasEnded && run.failure == nil, "\(cell), \(form): \(run.failure?.description ?? "-")")
    // Each segment once, in order, and all of them.
    let finished = run.history.requests.filter { $0.kind == .segment && $0.rung != nil && $0.outcome == .finished }
    #expect(finished.compactMap(\.segment) == Array(0..<count), "\(cell), \(form)")
    if cell.hasSound {
      let heard = run.log.filter { $0.path.hasPrefix("sound/") && $0.bytes == 2000 }.map(\.path)
      #expect(heard == (0..<count).map { "sound/\($0)" }, "\(cell), \(form)")
    }
    // Video and sound may come back one after the other.
    let stalls = transport.stallSpans
    let most = cell.isBridged ? 0 : cell.hasSound ? 2 : 1
    #expect(stalls.count <= most && stalls.isEmpty == cell.isBridged, "\(cell), \(form): \(stalls)")
    for stall in stalls {
      // It ends when the media has come that was missing.
      let missing = Int(stall.place / length + 1e-6)
      let video = try #require(finished.first { $0.segment == missing }).times.ended
      let sound = run.log.first { $0.path == "sound/\(missing)" && $0.bytes == 2000 }?.ended ?? 0
      let end = try #require(stall.end)
      #expect(abs(end - max(video, sound)) <= Self.precision, "\(cell), \(form): \(stall)")
      #expect(end - returned <= Self.limit + cell.kind.slowness, "\(cell), \(form): \(stall)")
    }
  }

  /// Live: the player follows the stream again, at its own position while the window holds it, else where the window is.
  @Test(
    arguments: [VirtualStream.Form.hls, .dash],
    Cell.silent.filter(\.isBridged) + Cell.withSound.filter(\.isBridged).sample(oneIn: 4))
  func playingContinuesLive(form: VirtualStream.Form, cell: Cell) throws { try Self.playLive(form, cell) }

  @Test(.tier(.full), arguments: [VirtualStream.Form.hls, .dash], Cell.withSound.filter(\.isBridged))
  func playingContinuesLiveWithSound(form: VirtualStream.Form, cell: Cell) throws { try Self.playLive(form, cell) }

  private static func playLive(_ form: VirtualStream.Form, _ cell: Cell) throws {
    let transport = try VirtualLive.transport(over: try NetworkTrace.fast(), form, hasSound: cell.hasSound)
    let returned = Self.start + cell.seconds
    transport.fault = { row, _ in (Self.start..<returned).contains(row.started) ? cell.kind.fault : nil }
    var moves: [(time: Double, place: Double)] = []
    let drain = transport.onPlay
    transport.onPlay = { [unowned transport] store, place in
      moves.append((transport.now, place))
      drain(store, place)
    }
    let end = returned + 40
    // As `run` and `view` have it.
    let run = try LiveRun.of(transport, until: end) { $0.live.stuckSeconds = $0.retries.limitSeconds }
    #expect(run.failure == nil, "\(cell), \(form): \(run.failure?.description ?? "-")")
    // The picture moves in any three seconds.
    func place(at time: Double) -> Double { moves.last { $0.time <= time }?.place ?? 0 }
    let first = returned + Self.limit + cell.kind.slowness
    let still = stride(from: first, to: end - 4, by: 1).filter { place(at: $0 + 3) - place(at: $0) < 2 }
    #expect(still.isEmpty, "\(cell), \(form): no picture moved at \(still) s")
  }

  /// A name that no request of the session has reached may be wrong: it is not tried for minutes.
  @Test func aServerThatWasNeverReachedIsNotWaitedFor() throws {
    var stream = VirtualStream(
      try RungTable(name: "test", bitrates: [100_000], durations: Array(repeating: 2, count: 10)), .dash)
    guard case .text(let bytes)? = stream.files[stream.manifest] else { return }
    let text = String(decoding: bytes, as: UTF8.self).replacing(
      "<Period>", with: "<BaseURL>http://other/</BaseURL><Period>")
    stream.files[stream.manifest] = .text(Array(text.utf8))
    let transport = VirtualTransport(stream, over: try NetworkTrace.fast())
    transport.fault = { _, number in number == 0 ? nil : .unreachable(.noHost, seconds: 0.01) }
    let run = try VirtualRun.of(transport, StreamOptions(controller: try #require(ControllerChoice("lowest"))))
    #expect(run.failure?.cause == "no-host" && run.seconds < 1 && run.log.count == 2)
  }

  /// An outage that outlasts the policy ends the stream with the cause, after the buffer.
  @Test(arguments: Kind.allCases)
  func anOutageThatLastsEndsTheStream(kind: Kind) throws {
    let stream = VirtualStream(
      try RungTable(name: "test", bitrates: [100_000, 200_000], durations: Array(repeating: 2, count: 90)), .hls)
    let transport = VirtualTransport(stream, over: try NetworkTrace.fast())
    transport.fault = { row, _ in row.started >= Self.start ? kind.fault : nil }
    var options = StreamOptions(controller: try #require(ControllerChoice("fixed:0")))
    options.load = LoadPolicy(minimum: 10, maximum: 10)
    options.retries.limitSeconds = 120
    let run = try VirtualRun.of(transport, options)
    #expect(run.failure != nil && run.history.requests.compactMap(\.segment).max() ?? 0 >= 18)
    let end = run.seconds - Self.start
    #expect((118...145 + 10 * kind.slowness).contains(end), "\(kind): after \(end) s")
    options.retries = .none
    let second = VirtualTransport(stream, over: try NetworkTrace.fast())
    second.fault = transport.fault
    let impatient = try VirtualRun.of(second, options)
    #expect(impatient.failure != nil && impatient.seconds < Self.start + 2 + kind.slowness * 2, "\(kind)")
  }
}
