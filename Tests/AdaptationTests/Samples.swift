import Adaptation
import Support

/// Ladders, networks and moments to test with.
enum Samples {
  /// Ten rungs of 230 kbit/s to 6 Mbit/s, segments of 3 s: those of sabre's film.
  static let bitrates: [Double] = [230, 331, 477, 688, 991, 1427, 2056, 2962, 5027, 6000].map { $0 * 1000 }

  static func table(segments: Int = 100) throws -> RungTable {
    try RungTable(name: "ten", bitrates: bitrates, durations: Array(repeating: 3, count: segments))
  }

  static func network(_ rate: Double, roundTrip: Double = 0.1) throws -> NetworkTrace {
    try NetworkTrace(name: "constant", periods: [.init(seconds: 1, bitsPerSecond: rate, roundTrip: roundTrip)])
  }

  static func situation(
    _ table: RungTable, buffer: Double, rate: Double, segment: Int = 50, previous: Int = 0, latency: Double = 0.1
  ) -> Situation {
    Situation(
      time: 0, buffer: buffer, segment: segment, previousRung: previous, table: table,
      throughput: ThroughputEstimate(bitsPerSecond: rate, latency: latency),
      samples: [ThroughputSample(bytes: Int(rate / 8), seconds: 1, latency: 0)])
  }

  static func randomTable(_ generator: inout SeededGenerator, rungs: ClosedRange<Int> = 1...8) throws -> RungTable {
    var rate = Double.random(in: 1e5...1e6, using: &generator)
    let bitrates = (0..<Int.random(in: rungs, using: &generator)).map { _ in
      rate *= Double.random(in: 1.1...2.5, using: &generator)
      return rate
    }
    let durations = (0..<Int.random(in: 5...40, using: &generator)).map { _ in
      Double.random(in: 1...6, using: &generator)
    }
    let bytes = durations.map { seconds in
      bitrates.map { Int($0 * seconds / 8 * Double.random(in: 0.5...1.8, using: &generator)) }
    }
    return try RungTable(name: "random", bitrates: bitrates, durations: durations, bytes: bytes)
  }

  static func randomNetwork(_ generator: inout SeededGenerator) throws -> NetworkTrace {
    let periods = (0..<Int.random(in: 1...30, using: &generator)).map { index in
      NetworkTrace.Period(
        seconds: Double.random(in: 0.2...20, using: &generator),
        bitsPerSecond: index > 0 && Int.random(in: 0..<8, using: &generator) == 0
          ? 0 : Double.random(in: 1e5...1.5e7, using: &generator),
        roundTrip: Double.random(in: 0...0.3, using: &generator))
    }
    return try NetworkTrace(name: "random", periods: periods)
  }

  /// One choice of each row.
  static func choices(rung: Int = 0) -> [ControllerChoice] {
    ControllerRow.all.compactMap { ControllerChoice($0.takesNumber ? "\($0.name):\(rung)" : $0.name) }
  }

  static func choice(_ name: String) throws -> ControllerChoice {
    struct Unknown: Error {}
    guard let choice = ControllerChoice(name) else { throw Unknown() }
    return choice
  }
}
