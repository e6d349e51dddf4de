/// The spread of samples: count, quantiles, largest, mean.
///
/// Samples that are not finite are rejected: they enter no statistic, and `rejected` counts them.
public struct Distribution: Hashable, Sendable {
  public let n: Int
  public let p50: Double
  public let p90: Double
  public let p95: Double
  /// Nil below 100 samples, where it would be close to the largest.
  public let p99: Double?
  public let min: Double
  public let max: Double
  public let mean: Double
  /// Samples left out because they are NaN or infinite.
  public let rejected: Int

  /// Nil if there is no finite sample.
  public init?(_ samples: [Double]) {
    let sorted = samples.filter(\.isFinite).sorted()
    guard let first = sorted.first, let last = sorted.last else { return nil }
    n = sorted.count
    rejected = samples.count - sorted.count
    p50 = Self.quantile(0.50, ofSorted: sorted)
    p90 = Self.quantile(0.90, ofSorted: sorted)
    p95 = Self.quantile(0.95, ofSorted: sorted)
    p99 = sorted.count < 100 ? nil : Self.quantile(0.99, ofSorted: sorted)
    min = first
    max = last
    // Dividing first keeps sums of huge samples finite.
    let count = Double(sorted.count)
    mean = sorted.reduce(0) { $0 + $1 / count }
  }

  /// The median of the finite samples, or nil if there is none.
  public static func median(_ samples: [Double]) -> Double? {
    let sorted = samples.filter(\.isFinite).sorted()
    return sorted.isEmpty ? nil : quantile(0.5, ofSorted: sorted)
  }

  /// Quantile by linear interpolation (type 7 of Hyndman and Fan, "Sample Quantiles in Statistical Packages", 1996).
  ///
  /// `sorted` ascends and holds at least one sample; `probability` lies between 0 and 1.
  public static func quantile(_ probability: Double, ofSorted sorted: [Double]) -> Double {
    precondition(!sorted.isEmpty && (0...1).contains(probability), "a quantile needs samples and a probability")
    let position = probability * Double(sorted.count - 1)
    let index = Int(position)
    guard index + 1 < sorted.count else { return sorted[sorted.count - 1] }
    let fraction = position - Double(index)
    return sorted[index] * (1 - fraction) + sorted[index + 1] * fraction
  }
}
