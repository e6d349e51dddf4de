import Adaptation
import Frames
import Support
import Testing

/// The fast arithmetic of traces beside a slow one that walks from period to period.
@Suite struct NetworkTraceTests {
  /// Walks in time order; nothing is summed up before.
  private struct Walk {
    let trace: NetworkTrace
    private(set) var time = 0.0
    private var index = 0
    private var left: Double

    init(_ trace: NetworkTrace) {
      self.trace = trace
      left = trace.periods[0].seconds
    }

    var period: NetworkTrace.Period { trace.periods[index] }
    var isAtEnd: Bool { !trace.repeats && index == trace.periods.count - 1 }
    var secondsLeft: Double { isAtEnd ? .infinity : left }

    mutating func go(_ seconds: Double) {
      var seconds = seconds
      while seconds > secondsLeft {
        seconds -= left
        nextPeriod()
      }
      time += seconds
      left -= seconds
    }

    mutating func nextPeriod() {
      time += left
      index = (index + 1) % trace.periods.count
      left = period.seconds
    }

    /// The time at which `bits` from now on are through.
    mutating func load(_ bits: Double) -> Double? {
      var bits = bits
      while bits > secondsLeft * period.bitsPerSecond || period.bitsPerSecond == 0 {
        if isAtEnd { return nil }
        bits -= left * period.bitsPerSecond
        nextPeriod()
      }
      go(bits / period.bitsPerSecond)
      return time
    }

    mutating func waitForFirstByte() -> Double {
      var share = 1.0
      while share * period.latency > secondsLeft {
        share -= left / period.latency
        nextPeriod()
      }
      go(share * period.latency)
      return time
    }
  }

  private static func random(_ generator: inout SeededGenerator) throws -> NetworkTrace {
    let count = Int.random(in: 1...12, using: &generator)
    var periods = (0..<count).map { _ in
      NetworkTrace.Period(
        seconds: Double.random(in: 0.001...5, using: &generator),
        bitsPerSecond: [0, Double.random(in: 1e3...1e8, using: &generator)].randomElement(using: &generator) ?? 0,
        roundTrip: [0, Double.random(in: 0...0.4, using: &generator)].randomElement(using: &generator) ?? 0,
        lossDelay: Double.random(in: 0...0.1, using: &generator))
    }
    periods[Int.random(in: 0..<count, using: &generator)].bitsPerSecond = 1e6
    return try NetworkTrace(name: "random", periods: periods, repeats: Bool.random(using: &generator))
  }

  private static func isClose(_ a: Double?, _ b: Double?, within relative: Double = 1e-9) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    return abs(a - b) <= relative * max(1, abs(a), abs(b))
  }

  @Test func fastAndSlowArithmeticAgree() throws {
    var generator = SeededGenerator(for: "fastAndSlowArithmeticAgree")
    for _ in 0..<2000 {
      let trace = try Self.random(&generator)
      let start = Double.random(in: 0...60, using: &generator)
      var walk = Walk(trace)
      walk.go(start)
      let bits = Double.random(in: 1...1e8, using: &generator)
      var loading = walk
      let (slow, fast) = (loading.load(bits), trace.end(ofBits: bits, from: start))
      // A walk over many periods adds up many roundings.
      #expect(Self.isClose(slow, fast, within: 1e-6), "\(trace) \(start) \(bits)")
      if let fast {
        #expect(Self.isClose(trace.bits(from: start, to: fast), bits, within: 1e-6), "\(trace) \(start) \(bits)")
      }
      #expect(Self.isClose(walk.waitForFirstByte(), trace.firstByte(ofRequestAt: start)), "\(trace) \(start)")
    }
  }

  /// The first moment, where no byte comes for a while behind it.
  @Test func bytesEndBeforeAnOutage() throws {
    let trace = try NetworkTrace(
      name: "outage", periods: [.init(seconds: 2, bitsPerSecond: 8000), .init(seconds: 3, bitsPerSecond: 0)])
    #expect(trace.end(ofBytes: 2000, from: 0) == 2)
    #expect(trace.end(ofBytes: 4000, from: 0) == 7)
    #expect(trace.end(ofBytes: 2000, from: 3) == 7)
    #expect(trace.end(ofBytes: 2001, from: 3) == 10 + 0.001)
    #expect(trace.end(ofBytes: 1, from: 2) == 5 + 0.001)
    #expect(trace.bytes(from: 1, to: 6) == 2000)
    #expect(trace.bytes(from: 6, to: 1) == 0)
    #expect(trace.end(ofBytes: 0, from: 3) == 3)
    #expect(trace.meanBitsPerSecond == 3200)
  }

  @Test func aTraceThatHoldsItsLastPeriodCanEndDelivery() throws {
    let periods: [NetworkTrace.Period] = [
      .init(seconds: 1, bitsPerSecond: 8000, roundTrip: 0.1), .init(seconds: 1, bitsPerSecond: 0, roundTrip: 0.3),
    ]
    let dead = try NetworkTrace(name: "dead", periods: periods, repeats: false)
    #expect(dead.end(ofBytes: 1000, from: 0) == 1)
    #expect(dead.end(ofBytes: 1001, from: 0) == nil)
    #expect(dead.end(ofBytes: 1, from: 9) == nil)
    #expect(dead.latency(at: 1e9) == 0.3)
    let alive = try NetworkTrace(name: "alive", periods: periods.reversed(), repeats: false)
    #expect(alive.end(ofBytes: 3000, from: 0.5) == 4)
    #expect(alive.end(ofBytes: 1000, from: 1e6) == 1e6 + 1)
    #expect(alive.bits(from: 1.5, to: 100) == 98.5 * 8000)
  }

  @Test func aWaitThatBeginsInOnePeriodEndsInAnother() throws {
    let trace = try NetworkTrace(
      name: "latency",
      periods: [
        .init(seconds: 1, bitsPerSecond: 1, roundTrip: 0.4),
        .init(seconds: 1, bitsPerSecond: 1, roundTrip: 0.1, lossDelay: 0.1),
      ])
    #expect(trace.firstByte(ofRequestAt: 0.5) == 0.9)
    // A half of the wait in the first period, a half in the second.
    #expect(Self.isClose(trace.firstByte(ofRequestAt: 0.8), 1.1))
    #expect(trace.latency(at: 3.5) == 0.2)
  }

  /// A wait of a minute over periods of a microsecond is no walk over all of them.
  @Test func longWaitsOverShortPeriodsTakeNoTime() throws {
    let periods = (0..<1000).map { _ in NetworkTrace.Period(seconds: 1e-6, bitsPerSecond: 1, roundTrip: 60) }
    let trace = try NetworkTrace(name: "short", periods: periods)
    #expect(Self.isClose(trace.firstByte(ofRequestAt: 5), 65, within: 1e-6))
    #expect(Self.isClose(trace.end(ofBits: 1e6, from: 0), 1e6, within: 1e-6))
  }

  @Test(arguments: [
    (NetworkTrace.Period(seconds: 0, bitsPerSecond: 1), "a length of 0.0 s"),
    (.init(seconds: .nan, bitsPerSecond: 1), "a length of nan s"),
    (.init(seconds: 1, bitsPerSecond: -1), "a capacity of -1.0 bit/s"),
    (.init(seconds: 1, bitsPerSecond: .infinity), "a capacity of inf bit/s"),
    (.init(seconds: 1, bitsPerSecond: 1, roundTrip: 61), "a round trip of 61.0 s"),
    (.init(seconds: 1, bitsPerSecond: 1, lossDelay: -0.1), "a delay by loss of -0.1 s"),
  ])
  func valuesOutsideTheLimitsAreRefused(period: NetworkTrace.Period, cause: String) throws {
    let fine = NetworkTrace.Period(seconds: 1, bitsPerSecond: 1)
    let failure = try #require(throws: Failure.self) { try NetworkTrace(name: "x", periods: [fine, period]) }
    #expect(failure.cause.hasPrefix("period 2 has \(cause)"), "\(failure)")
  }

  @Test func tracesWithoutCapacityAreRefused() {
    #expect(throws: Failure.self) { try NetworkTrace(name: "x", periods: []) }
    #expect(throws: Failure.self) { try NetworkTrace(name: "x", periods: [.init(seconds: 1, bitsPerSecond: 0)]) }
  }

  @Test func roundTripsCanBeReplaced() throws {
    let trace = try NetworkTrace(name: "x", periods: [.init(seconds: 1, bitsPerSecond: 1)]).with(roundTrip: 0.2)
    #expect(trace.periods.map(\.roundTrip) == [0.2])
    #expect(throws: Failure.self) { try trace.with(roundTrip: 61) }
  }
}
