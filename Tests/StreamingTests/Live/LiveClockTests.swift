import Adaptation
import Foundation
import Frames
import HTTP
import Media
import Origin
import Support
import Testing

import Streaming

/// Live streams on a virtual clock: hours, outages, and servers that break their promises.
@Suite struct LiveClockTests {
  /// What came of a live stream until `seconds`.
  private struct Run {
    var history: StreamHistory
    var log: [VirtualTransport.Row]
    var stalls: Int
    var jumps: [(time: Double, place: Double)]
    var edge: LiveEdge?
    var failure: Failure?
    /// From the moment of the picture to the clock, seconds, at each move after the first seconds.
    var latencies: [Double] = []
    var seconds: Double
  }

  private final class Latencies: @unchecked Sendable {
    var all: [Double] = []
  }

  private func run(
    _ transport: VirtualTransport, until seconds: Double, _ change: (inout StreamOptions) -> Void = { _ in }
  ) throws -> Run {
    var options = StreamOptions(controller: try #require(ControllerChoice("lowest")))
    options.load = LoadPolicy(minimum: 60, maximum: 60)
    change(&options)
    let latencies = Latencies()
    let drain = transport.onPlay
    transport.onPlay = { [unowned transport] store, place in
      drain(store, place)
      guard let edge = store.live.edge, transport.now > 30,
        let latency = edge.latency(of: MediaTime(seconds: place), wall: transport.wall)
      else { return }
      latencies.all.append(latency)
    }
    transport.at(seconds) { $0.stop() }
    let stream = try LoadedStream(
      transport.stream.manifest, try StreamAddress(url: transport.stream.url), transport, options,
      interruption: Interruption())
    transport.begin(stream.store)
    let hasEnded = Patience.until(seconds: 10 * Patience.seconds, every: 1) {
      stream.store.isStopped || stream.store.isFinished || transport.isExhausted
    }
    #expect(hasEnded && !transport.isExhausted)
    var failure: Failure?
    do throws(Failure) {
      while try stream.store.next(unless: { false }) != nil {}
    } catch {
      failure = error.kind == .cancelled ? nil : error
    }
    stream.stop()
    return Run(
      history: stream.history, log: transport.log, stalls: transport.stalls, jumps: transport.jumps,
      edge: stream.liveEdge, failure: failure, latencies: latencies.all, seconds: transport.now)
  }

  /// Segments in the order in which they were asked for.
  private func numbers(_ run: Run) -> [Int] {
    run.log.filter { $0.path.hasSuffix(".m4s") && $0.status == 200 }.compactMap { Int($0.path.suffix(9).prefix(5)) }
  }

  @Test func sixHoursGoByWithoutGrowthDriftOrStall() throws {
    let transport = try VirtualLive.transport(over: .fast(), window: 8)
    transport.isFree = { _ in true }
    let run = try run(transport, until: 21_600) { $0.historyLimit = 100 }
    #expect(run.failure == nil && run.stalls == 0 && run.jumps.isEmpty, "\(run.failure.map { "\($0)" } ?? "")")
    let target = try #require(run.edge?.target?.seconds)
    let (least, most) = (try #require(run.latencies.min()), try #require(run.latencies.max()))
    #expect(abs(least - target) < 0.05 && abs(most - target) < 0.05, "\(least) … \(most), not \(target)")
    // Each segment once, none left out.
    let numbers = numbers(run)
    #expect(numbers.count > 23_900)
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 })
    #expect(run.history.requests.count <= 200 && run.history.placed.count <= 200)
    // A playlist for a segment, not one for each look at the clock.
    let playlists = run.log.count { $0.path.contains(".m3u8") }
    #expect(playlists < numbers.count * 3 / 2, "\(playlists) playlists for \(numbers.count) segments")
  }

  @Test func anOutageOf20SecondsIsNotSeenBehind30SecondsOfBuffer() throws {
    let transport = try VirtualLive.transport(over: .fast(outageAt: 100, seconds: 20), window: 60) { $0 = $0 }
    let run = try run(transport, until: 300) {
      $0.live.latency = 32
      $0.retries.limitSeconds = 60
    }
    #expect(run.failure == nil && run.stalls == 0 && run.jumps.isEmpty, "\(run.failure.map { "\($0)" } ?? "")")
    #expect(run.history.requests.contains { $0.bufferBefore < 14 && $0.times.queued > 60 }, "the outage was felt")
    let last = try #require(run.latencies.last)
    #expect(abs(last - 32) < 0.05, "\(last)")
  }

  @Test(arguments: LiveChoice.Fallback.allCases)
  func aWindowThatSlidPastThePlayerIsFollowed(fallback: LiveChoice.Fallback) throws {
    let transport = try VirtualLive.transport(over: .fast(outageAt: 100, seconds: 90))
    let run = try run(transport, until: 400) {
      $0.live.fallback = fallback
      ($0.retries.limitSeconds, $0.retries.retryLimit, $0.live.stuckSeconds) = (200, 1000, 200)
    }
    #expect(run.failure == nil, "\(run.failure.map { "\($0)" } ?? "")")
    let jump = try #require(run.jumps.first)
    #expect(run.jumps.count == 1 && jump.time > 189 && jump.time < 200, "\(run.jumps)")
    // In seconds behind life, whose clock was 60 s ahead of the stream's.
    let behind = jump.time + 60 - jump.place
    switch fallback {
    case .edge: #expect(behind > 2 && behind < 7, "\(behind)")
    case .windowStart: #expect(behind > 17 && behind < 22, "\(behind)")
    }
    let numbers = numbers(run)
    #expect(zip(numbers, numbers.dropFirst()).count { $1 != $0 + 1 } <= 1)
  }

  // MARK: - Hostile servers

  @Test func aPlaylistThatNeverChangesEndsThePlaying() throws {
    let first = Latest()
    let transport = try VirtualLive.transport(over: .fast()) { live in
      live.tamper = { text, time, _ in
        if time < 30 { first.text = text }
        return time < 30 ? nil : (first.text, 0.01)
      }
    }
    let run = try run(transport, until: 1000)
    let failure = try #require(run.failure)
    #expect(failure.cause.contains("nothing new for 60 s"), "\(failure)")
    #expect(run.seconds > 85 && run.seconds < 120, "\(run.seconds)")
    #expect(run.log.count < 250, "\(run.log.count) requests")
  }

  /// A cache shows older states again and again.
  @Test func olderStatesAreLeftAside() throws {
    let transport = try VirtualLive.transport(over: .fast()) { live in
      let ladder = live.ladder
      live.tamper = { _, time, _ in
        // Each second load is 4 s old.
        guard time > 10, Int(time * 10) % 2 == 0 else { return nil }
        let text = ladder.text("hls-fmp4/video-0.m3u8", at: Int64((56 + time) * 1e9))?.text
        return text.map { ($0, 0.01) }
      }
    }
    let run = try run(transport, until: 300)
    #expect(run.failure == nil && run.jumps.isEmpty, "\(run.failure.map { "\($0)" } ?? "")")
    let numbers = numbers(run)
    #expect(numbers.count > 280 && zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 })
    #expect(run.log.count < 2500, "\(run.log.count) requests")
  }

  /// The packager begins again with number 0 and without dates.
  @Test func sequenceNumbersThatBeginAnewAreFollowed() throws {
    let transport = try VirtualLive.transport(over: .fast()) { live in
      live.tamper = { text, time, _ in
        guard time > 60 else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).filter {
          !$0.contains("DATE-TIME") && !$0.contains("DISCONTINUITY")
        }
        return (
          lines.joined(separator: "\n").replacing(/SEQUENCE:(\d+)/) {
            "SEQUENCE:\((Int($0.output.1) ?? 0) - 100)"
          }, 0.01
        )
      }
    }
    let run = try run(transport, until: 200)
    #expect(run.failure == nil, "\(run.failure.map { "\($0)" } ?? "")")
    #expect(numbers(run).count > 170)
    #expect(run.log.count < 1500, "\(run.log.count) requests")
    let placed = run.history.placed
    #expect(zip(placed, placed.dropFirst()).allSatisfy { $0.end <= $1.start + MediaTime(seconds: 0.01) })
  }

  /// A server that promises to wait with its answers, and waits for ever, or not at all.
  @Test(arguments: [1000, 0.001])
  func promisesOfBlockingReloadsAreNotRelied(delay: Double) throws {
    let transport = try VirtualLive.transport(over: .fast()) { live in
      let ladder = live.ladder
      live.tamper = { text, time, isBlocking in
        guard isBlocking, time > 20 else { return nil }
        let old = ladder.text("hls-fmp4/video-0.m3u8", at: Int64((60 + time) * 1e9))?.text
        return (old ?? text, delay)
      }
    }
    let run = try run(transport, until: 300) {
      $0.limits.headerSeconds = 5
      ($0.retries.retryLimit, $0.retries.limitSeconds) = (1, 10)
    }
    #expect(run.failure == nil, "\(run.failure.map { "\($0)" } ?? "")")
    #expect(numbers(run).count > 200, "\(numbers(run).count) segments")
    #expect(run.log.count < 2500, "\(run.log.count) requests")
  }

  private final class Latest: @unchecked Sendable {
    var text = ""
  }
}
