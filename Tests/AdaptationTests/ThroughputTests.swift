import Adaptation
import Foundation
import Testing

@Suite struct ThroughputTests {
  private static func sample(_ megabits: Double, seconds: Double, latency: Double = 0.1) -> ThroughputSample {
    ThroughputSample(bytes: Int(megabits * 1e6 * seconds / 8), seconds: seconds, latency: latency)
  }

  @Test(arguments: EstimatorRow.all.map(\.name))
  func aConstantNetworkIsEstimatedExactly(name: String) throws {
    var estimator = try #require(EstimatorRow.named(name)).make(3)
    #expect(estimator.estimate == nil)
    for index in 1...30 { estimator.add(Self.sample(4, seconds: Double(index % 5) + 1)) }
    let estimate = try #require(estimator.estimate)
    #expect(abs(estimate.bitsPerSecond - 4e6) < 1 && abs(estimate.latency - 0.1) < 1e-9)
  }

  /// A drop is seen by the short half-life at once, a rise by the long one at last.
  @Test func theAverageIsTheLowestOfItsHalfLives() throws {
    func estimate(_ first: Double, then second: Double) throws -> Double {
      var estimator = EWMAEstimator(halfLives: [3, 8], segmentSeconds: 3)
      estimator.add(Self.sample(first, seconds: 24))
      estimator.add(Self.sample(second, seconds: 3))
      return try #require(estimator.estimate).bitsPerSecond / 1e6
    }
    /// What is left of a weight after so many half-lives.
    func left(_ halfLives: Double) -> Double { pow(0.5, halfLives) }
    // By hand: a weighted sum of both samples, and the sum of the weights. Half-life 3 s first, then 8 s.
    let shortSum: Double = left(1) * (1 - left(8)) * 8 + (1 - left(1)) * 2
    let short: Double = shortSum / (1 - left(9))
    #expect(abs(try estimate(8, then: 2) - short) < 1e-6)
    let longSum: Double = left(3.0 / 8) * (1 - left(3)) * 2 + (1 - left(3.0 / 8)) * 8
    let long: Double = longSum / (1 - left(27.0 / 8))
    #expect(abs(try estimate(2, then: 8) - long) < 1e-6)
  }

  @Test func theWindowForgets() throws {
    var estimator = SlidingWindowEstimator(windows: [2, 3])
    for (rate, latency) in [(100.0, 0.9), (1, 0.3), (2, 0.1), (6, 0.2)] {
      estimator.add(Self.sample(rate, seconds: 1, latency: latency))
    }
    let estimate = try #require(estimator.estimate)
    #expect(estimate.bitsPerSecond == 3e6, "of three: (1 + 2 + 6) ÷ 3, of two: 4")
    #expect(abs(estimate.latency - 0.2) < 1e-12, "of three: 0.2, of two: 0.15")
  }

  @Test func aRequestThatTookNoTimeIsFinite() {
    let sample = ThroughputSample(bytes: 1000, seconds: 0, latency: -1)
    #expect(sample.bitsPerSecond == 8e9 && sample.latency == 0)
  }
}
