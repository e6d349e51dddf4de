import Frames
import Origin
import Support
import Testing

@Suite struct LinkShapeTests {
  @Test func bytesAreTheIntegralOfTheCapacity() throws {
    let shape = try LinkShape(periods: [
      .init(seconds: 2, bitsPerSecond: 8000), .init(seconds: 1, bitsPerSecond: 0),
      .init(seconds: 1, bitsPerSecond: 80_000),
    ])
    for (seconds, bytes) in [
      (-1.0, 0), (0, 0), (1, 1000), (2, 2000), (2.5, 2000), (3, 2000), (3.5, 7000), (4, 12_000), (5, 13_000),
      (40, 120_000), (0.0009, 0), (0.001, 1),
    ] {
      #expect(shape.bytes(until: seconds) == Int64(bytes), "\(seconds)")
    }
    let last = try LinkShape(periods: shape.periods, repeats: false)
    #expect(last.bytes(until: 5) == 22_000, "the last period lasts for ever")
    #expect(shape.nextCapacity(from: 1) == 1 && shape.nextCapacity(from: 2.25) == 3)
    #expect(shape.nextCapacity(from: 6.5) == 7 && last.nextCapacity(from: 100) == 100)
  }

  @Test func sumsOfSpansAreTheWhole() throws {
    var generator = SeededGenerator(for: "sumsOfSpansAreTheWhole")
    for _ in 0..<200 {
      var periods = (0..<Int.random(in: 1...20, using: &generator)).map { _ in
        LinkShape.Period(
          seconds: Double.random(in: 0.01...3, using: &generator),
          bitsPerSecond: Double.random(in: -1e6...1e8, using: &generator).magnitude)
      }
      periods[0].bitsPerSecond += 1000
      let shape = try LinkShape(periods: periods)
      var (time, sum, last) = (0.0, Int64(0), Int64(0))
      for _ in 0..<100 {
        time += Double.random(in: 0...0.5, using: &generator)
        let bytes = shape.bytes(until: time)
        #expect(bytes >= last)
        sum += bytes - last
        last = bytes
      }
      #expect(sum == shape.bytes(until: time))
      let length = periods.map(\.seconds).reduce(0, +)
      let total = periods.map { $0.seconds * $0.bitsPerSecond }.reduce(0, +) / 8
      #expect(abs(Double(shape.bytes(until: length * 7)) - total * 7) < 2)
    }
  }

  @Test(arguments: [
    [LinkShape.Period](), [.init(seconds: 1, bitsPerSecond: 0)], [.init(seconds: 0, bitsPerSecond: 1)],
    [.init(seconds: .nan, bitsPerSecond: 1)], [.init(seconds: 1, bitsPerSecond: -1)],
    [.init(seconds: 1, bitsPerSecond: .infinity)], [.init(seconds: 1, bitsPerSecond: 1, roundTrip: -1)],
    [.init(seconds: 1, bitsPerSecond: 1, lossRate: 1)],
  ])
  func impossibleLinksAreRefused(periods: [LinkShape.Period]) {
    let failure = #expect(throws: Failure.self) { try LinkShape(periods: periods) }
    #expect(failure?.description.hasPrefix("cannot shape a link: ") == true)
  }

  @Test func partsAreFairAndUseTheBudget() {
    var generator = SeededGenerator(for: "partsAreFairAndUseTheBudget")
    for _ in 0..<2000 {
      let demands = (0..<Int.random(in: 0...8, using: &generator)).map { _ in
        Int.random(in: 0...Int.random(in: 0...3000, using: &generator), using: &generator)
      }
      let budget = Int.random(in: 0...6000, using: &generator)
      let first = Int.random(in: 0...8, using: &generator)
      let parts = FairShare.parts(of: budget, between: demands, first: first)
      let demanded: Int = demands.reduce(0, +)
      #expect(parts.reduce(0, +) == min(budget, demanded))
      let areAsked = zip(parts, demands).allSatisfy { (part: Int, demand: Int) in part <= demand && part >= 0 }
      #expect(areAsked, "\(parts) of \(demands)")
      // Max-min: who has less than another, by more than the byte that cannot be divided, has all that it asked for.
      let most = parts.max() ?? 0
      let isFair = zip(parts, demands).allSatisfy { (part: Int, demand: Int) in part == demand || part >= most - 1 }
      #expect(isFair, "\(parts) of \(demands)")
    }
    #expect(FairShare.parts(of: 1, between: [5, 5, 5], first: 1) == [0, 1, 0])
  }

  @Test func lossesAreThoseOfTheirRateAndSeed() {
    let pattern = LossPattern(seed: 1, connection: 1)
    let lost = (0..<100_000).filter { pattern.loses(packet: $0, rate: 0.02) }
    #expect((1800...2200).contains(lost.count))
    #expect(lost == (0..<100_000).filter { LossPattern(seed: 1, connection: 1).loses(packet: $0, rate: 0.02) })
    #expect(lost != (0..<100_000).filter { LossPattern(seed: 2, connection: 1).loses(packet: $0, rate: 0.02) })
    #expect(lost != (0..<100_000).filter { LossPattern(seed: 1, connection: 2).loses(packet: $0, rate: 0.02) })
    #expect(!(0..<1000).contains { pattern.loses(packet: $0, rate: 0) })
  }
}
