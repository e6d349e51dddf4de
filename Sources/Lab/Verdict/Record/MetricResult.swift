/// One metric of one trial as the record holds it: its distribution and the raw samples.
///
/// Samples are kept to four decimals (a tenth of a microsecond if they are milliseconds), and the statistics are
/// those of the kept samples, so that readers can recompute them. A metric that could not be known has no
/// samples, `n` 0 and null statistics.
public struct MetricResult: Hashable, Sendable, Codable {
  public let unit: String
  public let n: Int
  @Nullable public private(set) var p50: Double?
  @Nullable public private(set) var p90: Double?
  @Nullable public private(set) var p95: Double?
  @Nullable public private(set) var p99: Double?
  @Nullable public private(set) var max: Double?
  @Nullable public private(set) var mean: Double?
  /// In the order in which they were taken.
  public private(set) var samples: [Double]

  /// The same statistics of other samples, for callers that store the samples elsewhere.
  func with(samples: [Double]) -> MetricResult {
    var copy = self
    copy.samples = samples
    return copy
  }

  /// Rejects samples that are not finite, as `Distribution` does.
  public init(unit: String, samples: [Double]) {
    self.unit = unit
    self.samples = samples.filter(\.isFinite).map(roundedForRecord)
    let distribution = Distribution(self.samples)
    n = self.samples.count
    _p50 = Nullable(wrappedValue: distribution.map { roundedForRecord($0.p50) })
    _p90 = Nullable(wrappedValue: distribution.map { roundedForRecord($0.p90) })
    _p95 = Nullable(wrappedValue: distribution.map { roundedForRecord($0.p95) })
    _p99 = Nullable(wrappedValue: distribution?.p99.map(roundedForRecord))
    _max = Nullable(wrappedValue: distribution.map(\.max))
    _mean = Nullable(wrappedValue: distribution.map { roundedForRecord($0.mean) })
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    unit = try values.decode(String.self, forKey: .unit)
    n = try values.decode(Int.self, forKey: .n)
    p50 = try values.decodeIfPresent(Double.self, forKey: .p50)
    guard !decoder.readsDigest else {
      samples = []
      return
    }
    p90 = try values.decodeIfPresent(Double.self, forKey: .p90)
    p95 = try values.decodeIfPresent(Double.self, forKey: .p95)
    p99 = try values.decodeIfPresent(Double.self, forKey: .p99)
    max = try values.decodeIfPresent(Double.self, forKey: .max)
    mean = try values.decodeIfPresent(Double.self, forKey: .mean)
    samples = try values.decode([Double].self, forKey: .samples)
  }

  /// In the metric's unit.
  public init(of metric: Metric, samples: [Double]) {
    self.init(unit: metric.unit, samples: samples)
  }
}

/// Four decimals, which print short.
func roundedForRecord(_ value: Double) -> Double {
  // Beyond this a double has no fourth decimal, and the product might overflow.
  abs(value) < 1e11 ? (value * 1e4).rounded() / 1e4 : value
}
