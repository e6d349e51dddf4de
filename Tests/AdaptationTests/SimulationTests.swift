import Adaptation
import Foundation
import Frames
import Support
import Synchronization
import Testing

@Suite struct SimulationTests {
  private static func random(_ generator: inout SeededGenerator) throws -> Simulation {
    let table = try Samples.randomTable(&generator)
    var load = LoadPolicy(
      minimum: Double.random(in: 1...40, using: &generator), maximum: Double.random(in: 1...40, using: &generator),
      resume: [0, Double.random(in: 0...50, using: &generator)].randomElement(using: &generator) ?? 0)
    load.startBitrate = Bool.random(using: &generator) ? 1e6 : nil
    load.afterAbandoning = Bool.random(using: &generator) ? .decidesAgain : .takesLowerRung
    let choice = try #require(Samples.choices(rung: table.count - 1).randomElement(using: &generator))
    return try Simulation(table, over: Samples.randomNetwork(&generator), controller: choice, load: load)
  }

  /// By hand: 1 Mbit/s, 0.1 s of latency, segments of 4 s that take 5.1 s.
  @Test func aNetworkThatIsTooSlowStallsAtEachSegment() throws {
    let table = try RungTable(name: "x", bitrates: [1.25e6], durations: [4, 4, 4])
    let session = try Simulation(table, over: Samples.network(1e6), controller: Samples.choice("lowest")).run()
    #expect(session.requests.map { ($0.requested * 10).rounded() } == [0, 51, 102])
    #expect(session.requests.map { ($0.firstByte * 10).rounded() } == [1, 52, 103])
    #expect(session.requests.map(\.bytesReceived) == [625_000, 625_000, 625_000])
    #expect(
      session.states.map(\.state) == [.joining, .playing, .rebuffering, .playing, .rebuffering, .playing, .ended])
    #expect(session.states.map { ($0.time * 10).rounded() } == [0, 51, 91, 102, 142, 153, 193])
    #expect(session.stalls.map { ($0.seconds * 10).rounded() } == [11, 11])
    let summary = session.summary
    #expect(summary.rebuffers == 2 && abs(summary.rebufferSeconds - 2.2) < 1e-9)
    #expect(abs(summary.rebufferRatio - 2.2 / 14.2) < 1e-9 && abs((summary.startupSeconds ?? 0) - 5.1) < 1e-9)
    #expect(summary.meanBitrate == 1.25e6 && summary.playedSeconds == 12 && !summary.failed)
    #expect(abs(summary.qoeLin - (3 * 1.25 - 4.3 * 2.2)) < 1e-9)
    #expect(session.requests.allSatisfy { abs($0.throughputBps - 1e6) < 1 })
  }

  /// Each segment comes at the moment in which the buffer runs empty: times of thirds are rounded, and no stall is counted.
  @Test func mediaInTheLastMomentIsNoStall() throws {
    let table = try RungTable(name: "x", bitrates: [3e6], durations: Array(repeating: 4.0 / 3, count: 300))
    let session = try Simulation(
      table, over: Samples.network(3e6, roundTrip: 0), controller: Samples.choice("lowest")
    ).run()
    #expect(session.stalls.isEmpty && session.summary.rebufferSeconds == 0)
  }

  /// A segment in 0.6 s: the buffer of 10 s is full after two of 4 s, and refilled each 4 s.
  @Test func aFastNetworkWaitsForRoom() throws {
    let table = try RungTable(name: "x", bitrates: [1e6], durations: [4, 4, 4, 4])
    let load = LoadPolicy(minimum: 10, maximum: 10)
    let session = try Simulation(
      table, over: Samples.network(8e6), controller: Samples.choice("lowest"), load: load
    ).run()
    // Loaded at 0.6 and 1.2; then 7.4 s are there, and one more fits 1.4 s later.
    #expect(session.requests.map { ($0.requested * 10).rounded() } == [0, 6, 26, 66])
    #expect(session.stalls.isEmpty && session.summary.rebufferRatio == 0)
    #expect(session.states.map(\.state) == [.joining, .playing, .ended])
    #expect(session.states.map { ($0.time * 10).rounded() } == [0, 6, 166])
  }

  @Test func playingWaitsForEnoughAndForNoMoreThanThereIs() throws {
    let table = try RungTable(name: "x", bitrates: [1e6], durations: [4, 4, 4])
    for (resume, startup) in [(0.0, 6), (6, 12), (9, 12), (1e9, 12)] {
      let load = LoadPolicy(minimum: 12, maximum: 12, resume: resume)
      let session = try Simulation(
        table, over: Samples.network(8e6), controller: Samples.choice("lowest"), load: load
      ).run()
      #expect(session.summary.startupSeconds.map { ($0 * 10).rounded() } == Double(startup), "\(resume)")
    }
    // The only segment plays, however much was wanted.
    let one = try RungTable(name: "x", bitrates: [1e6], durations: [4])
    let session = try Simulation(
      one, over: Samples.network(8e6), controller: Samples.choice("bola"), load: LoadPolicy(resume: 20)
    ).run()
    #expect(session.states.map(\.state) == [.joining, .playing, .ended])
  }

  @Test func aNetworkThatEndsFailsTheSession() throws {
    let network = try NetworkTrace(
      name: "ends", periods: [.init(seconds: 5, bitsPerSecond: 1e6), .init(seconds: 1, bitsPerSecond: 0)],
      repeats: false)
    let table = try RungTable(name: "x", bitrates: [1e6], durations: [4, 4])
    let session = try Simulation(table, over: network, controller: Samples.choice("bola")).run()
    #expect(session.states.map(\.state) == [.joining, .playing, .failed] && session.summary.failed)
    #expect(session.states.last?.time == 8 && session.summary.playedSeconds == 4)
    let none = try RungTable(name: "x", bitrates: [1e9], durations: [4])
    let failed = try Simulation(none, over: network, controller: Samples.choice("bola")).run()
    #expect(failed.states.map(\.state) == [.joining, .failed])
    #expect(failed.summary.startupSeconds == nil && failed.summary.playedSeconds == 0)
  }

  /// Time, media and bytes add up in any session.
  @Test func sessionsAddUp() throws {
    var generator = SeededGenerator(for: "sessionsAddUp")
    var (abandoned, stalled) = (0, 0)
    for _ in 0..<400 {
      let simulation = try Self.random(&generator)
      let session = simulation.run()
      let summary = session.summary
      let whole = session.requests.filter { $0.abandonedFor == nil }
      #expect(whole.map(\.segment) == Array(whole.indices) && !summary.failed)
      let end = try #require(session.states.last)
      #expect(end.state == .ended)
      let startup = try #require(summary.startupSeconds)
      #expect(abs(end.time - startup - summary.playedSeconds - summary.rebufferSeconds) < 1e-6, "\(simulation)")
      #expect(summary.rebuffers == session.states.count { $0.state == .rebuffering })
      for (earlier, later) in zip(session.states, session.states.dropFirst()) { #expect(earlier.time <= later.time) }
      for (earlier, later) in zip(session.requests, session.requests.dropFirst()) {
        #expect(earlier.ended <= later.requested && earlier.requested <= earlier.firstByte)
      }
      for request in session.requests {
        let through = simulation.network.bits(from: request.firstByte, to: request.ended) / 8
        #expect(abs(through - Double(request.bytesReceived)) <= 1 + through * 1e-9, "\(request)")
        #expect((request.bytesReceived == request.bytes) == (request.abandonedFor == nil))
      }
      #expect(summary.bytesDownloaded - summary.bytesWasted == whole.reduce(0) { $0 + $1.bytes })
      abandoned += session.requests.count - whole.count
      stalled += summary.rebuffers
    }
    #expect(abandoned > 20 && stalled > 100, "\(abandoned) \(stalled)")
  }

  @Test func repeatedSessionsAreIdenticalOnAnyNumberOfThreads() throws {
    var generator = SeededGenerator(for: "repeatedSessionsAreIdenticalOnAnyNumberOfThreads")
    let simulations = try (0..<60).map { _ in try Self.random(&generator) }
    let expected = simulations.map { $0.run() }
    for threads in [1, 2, 7] {
      #expect(try SimulationBatch.run(simulations, threads: threads) { $0 } == expected)
    }
    #expect(try SimulationBatch.run([], threads: 2) { $0 }.isEmpty)
  }

  @Test func aBatchEndsEarly() throws {
    let simulation = try Simulation(Samples.table(), over: Samples.network(3e6), controller: Samples.choice("bola"))
    let left = Mutex(3)
    let results = try SimulationBatch.run(
      Array(repeating: simulation, count: 10), threads: 1,
      goesOn: {
        left.withLock { left in
          left -= 1
          return left >= 0
        }
      }, keep: \.summary)
    #expect(results.map { $0 == nil } == Array(repeating: false, count: 3) + Array(repeating: true, count: 7))
  }

  /// A day of video: as many requests as segments, and times that still add up.
  @Test func aDayTakesAsManyRequestsAsItHasSegments() throws {
    let day = try Samples.table(segments: 86_400 / 3)
    let session = try Simulation(day, over: Samples.network(3.3e6), controller: Samples.choice("dynamic")).run()
    #expect(session.requests.count == day.durations.count && session.stalls.isEmpty)
    let startup = try #require(session.summary.startupSeconds)
    #expect(abs((session.states.last?.time ?? 0) - startup - 86_400) < 1e-3)
  }

  @Test func sessionsSurviveJSON() throws {
    let session = try Simulation(Samples.table(), over: Samples.network(3e6), controller: Samples.choice("bola")).run()
    let data = try JSONEncoder().encode(session)
    #expect(try JSONDecoder().decode(SimulatedSession.self, from: data) == session)
  }
}
