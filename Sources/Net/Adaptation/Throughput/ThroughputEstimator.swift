import FoundationEssentials
import Glibc

/// One finished request, as throughput estimators see it.
public struct ThroughputSample: Sendable, Hashable, Codable {
  public let bytes: Int
  /// First byte → last byte, s; at least a microsecond.
  public let seconds: Double
  /// Request sent → first byte, s.
  public let latency: Double

  public init(bytes: Int, seconds: Double, latency: Double) {
    self.bytes = bytes
    self.seconds = max(seconds, 1e-6)
    self.latency = max(latency, 0)
  }

  /// While the bytes flowed: without the latency.
  public var bitsPerSecond: Double { Double(bytes) * 8 / seconds }

  /// From the request to the last byte: with the latency.
  public var bitsPerSecondOfRequest: Double { Double(bytes) * 8 / (seconds + latency) }
}

/// What the network is expected to do next.
public struct ThroughputEstimate: Sendable, Hashable {
  public var bitsPerSecond: Double
  /// Request sent → first byte, s.
  public var latency: Double

  public init(bitsPerSecond: Double, latency: Double) {
    self.bitsPerSecond = bitsPerSecond
    self.latency = latency
  }
}

/// Samples → estimate. A value: the same samples give the same estimate.
public protocol ThroughputEstimator: Sendable {
  mutating func add(_ sample: ThroughputSample)
  /// Nil before the first sample.
  var estimate: ThroughputEstimate? { get }
}

/// An estimator by name: one row of `EstimatorRow.all`.
public struct EstimatorRow: Sendable {
  public let name: String
  /// For segments of this nominal duration, s.
  public let make: @Sendable (_ segmentSeconds: Double) -> any ThroughputEstimator

  public static let all: [EstimatorRow] = [
    EstimatorRow(name: "ewma") { EWMAEstimator(segmentSeconds: $0) },
    EstimatorRow(name: "sliding") { _ in SlidingWindowEstimator() },
  ]

  public static func named(_ name: String) -> EstimatorRow? { all.first { $0.name == name } }
}

/// The lowest of several exponentially weighted moving averages, as sabre's `Ewma` and dash.js.
///
/// Each average weighs a sample by the time that it took, and corrects the start from zero (Spiteri, Sitaraman and
/// Sparacio, "From Theory to Practice", MMSys 2018, §5.3). Latency: the highest of the averages, each sample the weight of
/// a segment.
public struct EWMAEstimator: ThroughputEstimator {
  private struct Average: Sendable {
    /// s
    let halfLife: Double
    var bitsPerSecond = 0.0
    var latency = 0.0
  }

  private var averages: [Average]
  private let segmentSeconds: Double
  /// Seconds and number of all samples.
  private var (seconds, count) = (0.0, 0.0)

  /// - Parameter halfLives: s; sabre's defaults are 3 and 8.
  public init(halfLives: [Double] = [3, 8], segmentSeconds: Double) {
    averages = halfLives.map { Average(halfLife: $0) }
    self.segmentSeconds = segmentSeconds
  }

  public mutating func add(_ sample: ThroughputSample) {
    for index in averages.indices {
      let kept = pow(0.5, sample.seconds / averages[index].halfLife)
      averages[index].bitsPerSecond = kept * averages[index].bitsPerSecond + (1 - kept) * sample.bitsPerSecond
      let keptLatency = pow(0.5, segmentSeconds / averages[index].halfLife)
      averages[index].latency = keptLatency * averages[index].latency + (1 - keptLatency) * sample.latency
    }
    seconds += sample.seconds
    count += 1
  }

  public var estimate: ThroughputEstimate? {
    guard count > 0 else { return nil }
    var estimate: ThroughputEstimate?
    for average in averages {
      let rate = average.bitsPerSecond / (1 - pow(0.5, seconds / average.halfLife))
      let latency = average.latency / (1 - pow(0.5, count * segmentSeconds / average.halfLife))
      estimate = ThroughputEstimate(
        bitsPerSecond: min(estimate?.bitsPerSecond ?? rate, rate), latency: max(estimate?.latency ?? latency, latency))
    }
    return estimate
  }
}

/// The lowest of the means over the last samples, as sabre's `SlidingWindow`.
public struct SlidingWindowEstimator: ThroughputEstimator {
  private let windows: [Int]
  private var samples: [ThroughputSample] = []

  /// - Parameter windows: numbers of samples; sabre's default is 3.
  public init(windows: [Int] = [3]) {
    self.windows = windows.map { max(1, $0) }
  }

  public mutating func add(_ sample: ThroughputSample) {
    samples.append(sample)
    samples.removeFirst(max(0, samples.count - (windows.max() ?? 1)))
  }

  public var estimate: ThroughputEstimate? {
    guard !samples.isEmpty else { return nil }
    var estimate: ThroughputEstimate?
    for window in windows {
      let last = samples.suffix(window)
      let rate = last.reduce(0) { $0 + $1.bitsPerSecond } / Double(last.count)
      let latency = last.reduce(0) { $0 + $1.latency } / Double(last.count)
      estimate = ThroughputEstimate(
        bitsPerSecond: min(estimate?.bitsPerSecond ?? rate, rate), latency: max(estimate?.latency ?? latency, latency))
    }
    return estimate
  }
}
