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
@Suite(.tier(.test)) struct LiveClockTests {
  private static let variable = "BENCH360_LIVE_HOURS"
  private static let hours = ProofSize.count(variable, usual: Tier.selected == .full ? 6 : 1)

  /// Each round is a run of its own, and begins with a date that stays.
  @Test func hoursGoByWithoutGrowthDriftOrStall() throws {
    let transport = try VirtualLive.transport(over: .fast(), window: 8) { live in
      live.edit = { text, time in
        text.replacing(
          "#EXT-X-INDEPENDENT-SEGMENTS\n",
          with:
            "#EXT-X-INDEPENDENT-SEGMENTS\n#EXT-X-DATERANGE:ID=\"\(Int(time))\",START-DATE=\"2026-01-01T00:00:00Z\"\n")
      }
    }
    transport.isFree = { _ in true }
    var samples: [(held: Footprint, requests: Int)] = []
    var most = 0.0
    let drain = transport.onPlay
    transport.onPlay = { [unowned transport] store, place in
      drain(store, place)
      most = max(most, store.bufferSeconds)
      guard transport.now >= 1800 * Double(samples.count + 1), let held = try? Footprint() else { return }
      samples.append((held, transport.log.count))
    }
    let seconds = Double(Self.hours) * 3600
    let run = try LiveRun.of(transport, until: seconds + 1) { $0.history.limit = 100 }
    for (number, sample) in samples.enumerated() where number % 2 == 1 {
      print(
        "growth|live|\(number / 2 + 1)|\(sample.requests)|\(sample.held.resident / 1024)|\(sample.held.descriptors)")
    }
    #expect(run.failure == nil && run.stalls == 0 && run.jumps.isEmpty, "\(run.failure.map { "\($0)" } ?? "")")
    let target = try #require(run.edge?.target?.seconds)
    #expect(run.latencies.keep(target), "\(run.latencies), not \(target)")
    #expect(most <= target, "\(most) s waited")
    // Each segment once, none left out.
    let numbers = run.numbers
    #expect(numbers.count > Int(seconds * 1.1) - 50)
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 })
    #expect(run.history.requests.count <= 200 && run.history.placed.count <= 200)
    // A playlist for a segment, not one for each look at the clock.
    let playlists = run.log.count { $0.path.contains(".m3u8") }
    #expect(playlists < numbers.count * 3 / 2, "\(playlists) playlists for \(numbers.count) segments")
    guard ProofSize.isSet(Self.variable) else { return }
    // The server's log in this test grows, and nothing else.
    let (first, last) = (samples[1], samples[samples.count - 1])
    let growth = last.held.resident - first.held.resident
    #expect(growth < 512 * (last.requests - first.requests) + (4 << 20), "\(growth) B")
    #expect(last.held.descriptors == first.held.descriptors)
  }

  @Test func anOutageOf20SecondsIsNotSeenBehind30SecondsOfBuffer() throws {
    let transport = try VirtualLive.transport(over: .fast(outageAt: 100, seconds: 20), window: 60) { $0 = $0 }
    let run = try LiveRun.of(transport, until: 300) {
      $0.live.latency = 32
      $0.retries.limitSeconds = 60
    }
    #expect(run.failure == nil && run.stalls == 0 && run.jumps.isEmpty, "\(run.failure.map { "\($0)" } ?? "")")
    #expect(run.history.requests.contains { $0.bufferBefore < 14 && $0.times.queued > 60 }, "the outage was felt")
    #expect(abs(run.latencies.last - 32) < 0.05, "\(run.latencies.last)")
  }

  @Test(arguments: LiveChoice.Fallback.allCases)
  func aWindowThatSlidPastThePlayerIsFollowed(fallback: LiveChoice.Fallback) throws {
    let transport = try VirtualLive.transport(over: .fast(outageAt: 100, seconds: 90))
    let run = try LiveRun.of(transport, until: 400) {
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
    let numbers = run.numbers
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
    let run = try LiveRun.of(transport, until: 1000)
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
    let run = try LiveRun.of(transport, until: 300)
    #expect(run.failure == nil && run.jumps.isEmpty, "\(run.failure.map { "\($0)" } ?? "")")
    let numbers = run.numbers
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
    let run = try LiveRun.of(transport, until: 200)
    #expect(run.failure == nil, "\(run.failure.map { "\($0)" } ?? "")")
    #expect(run.numbers.count > 170)
    #expect(run.log.count < 1500, "\(run.log.count) requests")
    let placed = run.history.placed
    #expect(zip(placed, placed.dropFirst()).allSatisfy { $0.end <= $1.start + MediaTime(seconds: 0.01) })
  }

  /// The packager is killed, and begins with picture and number 0 again, at another time of day: under lower numbers, under numbers that the
  /// player knows from before, and under these after it stood long enough to have as many.
  @Test(arguments: [VirtualStream.Form.hls, .dash], [(10.0, 0.5), (10, 12), (60, 12), (10, 45)])
  func aPackagerThatStartsAgainIsFollowed(form: VirtualStream.Form, ages: (before: Double, after: Double)) throws {
    let (killed, back) = (20.0, 23.0)
    let transport = try VirtualLive.transport(over: .fast(), form, start: ages.before)
    try transport.live?.restart(at: killed, for: back - killed, age: ages.after)
    transport.fault = { [unowned transport] row, _ in
      if (killed..<back).contains(row.started) { return .unreachable(.noConnection, seconds: 0.001) }
      return transport.live?.refuses(row.path, at: row.started) == true ? .status(400, retryAfter: nil) : nil
    }
    var moves: [(time: Double, place: Double)] = []
    let drain = transport.onPlay
    transport.onPlay = { [unowned transport] store, place in
      moves.append((transport.now, place))
      drain(store, place)
    }
    let run = try LiveRun.of(transport, until: 60)
    #expect(run.failure == nil, "\(run.failure.map { "\($0)" } ?? "")")
    // The picture moves again within a segment of a young run, and where the stream is at that time of day.
    func place(at time: Double) -> Double { moves.last { $0.time <= time }?.place ?? 0 }
    let still = stride(from: back + 4, to: 55, by: 1).filter { place(at: $0 + 3) - place(at: $0) < 2 }
    #expect(still.isEmpty, "no picture moved at \(still) s: \(run.jumps)")
    #expect(run.latencies.least > 0 && run.latencies.most < 5, "\(run.latencies)")
    // A run that is older than the first one was has numbers that go on: nothing tells of it.
    let isTold = ages.after < 40
    #expect(run.history.restarts.count == (isTold ? 1 : 0), "\(run.history.restarts)")
    #expect(run.history.restarts.allSatisfy { (back..<back + 4).contains($0.time) }, "\(run.history.restarts)")
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
    let run = try LiveRun.of(transport, until: 300) {
      $0.limits.headerSeconds = 5
      ($0.retries.retryLimit, $0.retries.limitSeconds) = (1, 10)
    }
    #expect(run.failure == nil, "\(run.failure.map { "\($0)" } ?? "")")
    #expect(run.numbers.count > 200, "\(run.numbers.count) segments")
    #expect(run.log.count < 2500, "\(run.log.count) requests")
  }

  private final class Latest: @unchecked Sendable {
    var text = ""
  }
}
