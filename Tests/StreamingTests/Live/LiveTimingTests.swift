import Adaptation
import Foundation
import Frames
import HTTP
import Origin
import Support
import Testing

import Streaming

/// Latencies of live streams on a virtual clock: what the stream asks for is kept, by the server's clock, and however it is told.
@Suite(.tier(.test)) struct LiveTimingTests {
  /// How a manifest names its clock.
  enum Clock: String, CaseIterable, Sendable {
    case direct, head, iso, xsdate

    func edit(_ text: String, date: String) -> String {
      let (scheme, value) =
        switch self {
        case .direct: ("direct", date)
        case .head: ("http-head", "main.mpd")
        case .iso: ("http-iso", "time")
        case .xsdate: ("http-xsdate", "time")
        }
      return text.replacing(
        /<UTCTiming[^>]*>/, with: "<UTCTiming schemeIdUri=\"urn:mpeg:dash:utc:\(scheme):2014\" value=\"\(value)\"/>")
    }

    /// A header has whole seconds.
    var tolerance: Double { self == .head ? 0.55 : 0.05 }
  }

  @Test(arguments: [(Clock.direct, -17.3), (.head, 9.6), (.iso, 9.6), (.xsdate, -17.3)])
  func theServersClockCounts(clock: Clock, skew: Double) throws { try Self.play(clock, skew: skew) }

  @Test(.tier(.full), arguments: Clock.allCases, [-17.3, 9.6])
  func theServersClockCountsInBothDirections(clock: Clock, skew: Double) throws { try Self.play(clock, skew: skew) }

  /// The machine's clock is wrong by seconds; the server's counts.
  private static func play(_ clock: Clock, skew: Double) throws {
    let transport = try VirtualLive.transport(over: .fast(), .dash) { live in
      live.skew = skew
      let zero = live.ladder.zero
      live.edit = { text, time in
        clock.edit(text, date: LiveDate.text(zero + Int64((60 + time) * 1e9)))
      }
    }
    let run = try LiveRun.of(transport, until: 80) { $0.live.latency = 5 }
    #expect(run.failure == nil && run.stalls == 0, "\(run.failure.map { "\($0)" } ?? "")")
    #expect(run.latencies.keep(5, within: clock.tolerance), "\(clock): \(run.latencies)")
    #expect(abs((run.edge?.clockOffset.seconds ?? 0) + skew) < clock.tolerance)
    let asked = run.history.requests.filter { $0.kind == .clock }
    #expect(asked.count == (clock == .direct ? 0 : 1), "\(asked.map(\.url))")
  }

  /// A clock that is not answered leaves the machine's, and is asked for again only where it may come.
  @Test func aClockThatIsNotThereIsNoEnd() throws {
    let transport = try VirtualLive.transport(over: .fast(), .dash) { live in
      live.edit = { text, _ in text.replacing("value=\"time\"", with: "value=\"nowhere.mp4x\"") }
      live.lacks = { path, _ in path.hasSuffix("nowhere.mp4x") }
    }
    let run = try LiveRun.of(transport, until: 100) { $0.live.latency = 5 }
    #expect(run.failure == nil && run.stalls == 0, "\(run.failure.map { "\($0)" } ?? "")")
    #expect(abs(run.latencies.last - 5) < 0.05)
    #expect(run.log.count { $0.path.hasSuffix("nowhere.mp4x") } < 10)
  }

  /// Parts: no later than three of them, as the stream asks, without a stall; each is asked for once.
  @Test func lowLatencyIsThreeParts() throws {
    let transport = try VirtualLive.transport(over: .fast(), parts: 0.25)
    let run = try LiveRun.of(transport, until: 120)
    #expect(run.failure == nil && run.stalls == 0 && run.jumps.isEmpty, "\(run.failure.map { "\($0)" } ?? "")")
    let target = try #require(run.edge?.target?.seconds)
    let part = try #require(run.edge?.step.seconds)
    #expect(part <= 0.25 && target <= 3 * part + 0.001, "\(target), parts of \(part)")
    #expect(run.latencies.keep(target), "\(run.latencies), not \(target)")
    let parts = run.log.filter { $0.path.contains(/\d\.\d+\.m4s/) && $0.status == 200 }.map(\.path)
    #expect(parts.count > 450 && Set(parts).count == parts.count, "\(parts.count)")
  }

  /// The buffer that completing a segment leaves is the one that its last part left.
  @Test func aSegmentOfPartsThatIsWholeTakesNothingBack() throws {
    let transport = try VirtualLive.transport(over: .fast(), parts: 0.25)
    let drain = transport.onPlay
    nonisolated(unsafe) var (end, back) = (MediaTime.zero, 0)
    transport.onPlay = { store, place in
      drain(store, place)
      if store.loadedEnd < end { back += 1 }
      end = store.loadedEnd
    }
    _ = try LiveRun.of(transport, until: 100)
    #expect(back == 0)
  }

  /// A stream that is opened minutes before its first picture begins then: its segments are listed, or follow from the clock.
  @Test(arguments: [false, true])
  func aStreamThatBeginsLaterIsWaitedFor(isTemplated: Bool) throws {
    let transport = try VirtualLive.transport(over: .fast(), .dash, start: -150) { live in
      guard isTemplated else { return }
      live.edit = { text, _ in
        text.replacing(/(?s)<SegmentTemplate timescale="(\d+)" startNumber="\d+"(.*?)>.*?<\/SegmentTemplate>/) {
          match in
          let ticks = (Int(match.output.1) ?? 1) * 9 / 10
          return
            "<SegmentTemplate timescale=\"\(match.output.1)\" duration=\"\(ticks)\" startNumber=\"0\"\(match.output.2)/>"
        }.replacing(/<Period id="\d+" start="[^"]*"( duration="[^"]*")?>/, with: "<Period id=\"0\" start=\"PT0S\">")
      }
    }
    let run = try LiveRun.of(transport, until: 200) { $0.live.latency = 4 }
    #expect(run.failure == nil && run.jumps.isEmpty, "\(run.failure.map { "\($0)" } ?? "")")
    let first = try #require(run.log.first { $0.path.hasSuffix(".m4s") && $0.status == 200 })
    #expect(first.path.hasSuffix("/00000.m4s") && first.started > 150 && first.started < 155, "\(first)")
    #expect(run.numbers.count > 45, "\(run.numbers.count)")
    #expect(run.log.count { $0.path == "main.mpd" } < 420, "\(run.log.count)")
  }

  // MARK: - Interruption

  /// 40 s without a network behind 30 s of buffer: one stall, and playing goes on where it was.
  @Test func anOutageThatOutlastsTheBufferIsOneStall() throws {
    let transport = try VirtualLive.transport(over: .fast(outageAt: 100, seconds: 45), window: 120)
    let run = try LiveRun.of(transport, until: 300) {
      $0.live.latency = 32
      ($0.retries.limitSeconds, $0.retries.retryLimit) = (60, 1000)
    }
    #expect(run.failure == nil && run.jumps.isEmpty, "\(run.failure.map { "\($0)" } ?? "")")
    #expect(run.stalls == 1, "\(run.stalls)")
    let numbers = run.numbers
    #expect(Set(numbers).count > 260 && Set(zip(numbers, numbers.dropFirst()).map { $1 - $0 }).isSubset(of: [0, 1]))
  }

  /// The same on demand: 20 s are not seen, and the buffered part of 30 s plays on.
  @Test(arguments: [(20.0, 0), (45, 1)])
  func anOutageOnDemand(seconds: Double, stalls: Int) throws {
    let table = try RungTable(
      name: "on demand", bitrates: [400_000], durations: Array(repeating: 2, count: 90))
    let network = try NetworkTrace(
      name: "outage",
      periods: [
        NetworkTrace.Period(seconds: 60, bitsPerSecond: 4e6, roundTrip: 0.05),
        NetworkTrace.Period(seconds: seconds, bitsPerSecond: 0, roundTrip: 0.05),
        NetworkTrace.Period(seconds: 10_000, bitsPerSecond: 4e6, roundTrip: 0.05),
      ], repeats: false)
    let transport = VirtualTransport(VirtualStream(table, .hls), over: network)
    var options = StreamOptions(controller: try #require(ControllerChoice("lowest")))
    options.load = LoadPolicy(minimum: 30, maximum: 30)
    (options.retries.limitSeconds, options.retries.retryLimit) = (60, 1000)
    let run = try VirtualRun.of(transport, options)
    #expect(run.hasEnded && run.failure == nil && transport.stalls == stalls, "\(transport.stalls)")
    let asked = run.log.filter { $0.path.hasPrefix("0/") && !$0.path.hasSuffix(".m3u8") && $0.status < 300 }
    #expect(Set(asked.map(\.path)).count == 91)
  }

  /// Whichever limit comes first ends it: so many retries, or so long.
  @Test(arguments: [(3, 1000.0), (1000, 20)])
  func retriesEndByNumberOrByTime(count: Int, seconds: Double) throws {
    let table = try RungTable(name: "gone", bitrates: [100_000], durations: Array(repeating: 2, count: 20))
    let period = NetworkTrace.Period(seconds: 3600, bitsPerSecond: 1e6, roundTrip: 0.05)
    let transport = VirtualTransport(
      VirtualStream(table, .hls), over: try NetworkTrace(name: "constant", periods: [period]))
    // An outage (503) ends by time alone.
    let status = count == 3 ? 500 : 503
    transport.fault = { row, _ in row.path == "0/7" ? .status(status, retryAfter: nil) : nil }
    var options = StreamOptions(controller: try #require(ControllerChoice("lowest")))
    (options.retries.retryLimit, options.retries.limitSeconds) = (count, seconds)
    let run = try VirtualRun.of(transport, options)
    let rows = run.log.filter { $0.path == "0/7" }
    let (first, last) = (try #require(rows.first), try #require(rows.last))
    #expect(run.failure?.description.contains("\(status)") == true)
    if count == 3 {
      #expect(rows.count == 4)
    } else {
      #expect(
        last.started - first.ended <= seconds && last.started - first.ended > seconds / 2,
        "\(last.started - first.ended)")
      #expect(rows.count < 40, "\(rows.count): each wait is longer than the one before")
    }
  }
}
