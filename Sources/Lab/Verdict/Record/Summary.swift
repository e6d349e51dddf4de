import Frames

extension Record {
  /// A scenario in one line per metric, computed from its trials.
  ///
  /// Pools the complete trials, or, if there is none, the incomplete ones. Counters are summed over all trials: a
  /// wrong frame counts even if the trial then hung.
  public struct Summary: Hashable, Sendable, Codable {
    public var metrics: [String: MetricSummary]
    /// Sums over the trials that know the count; nil if none does.
    public var counters: [String: Int?]
    /// Medians over the trials, in milliseconds; nil if no trial knows the phase.
    public var phases: [String: Double?]

    public init(_ trials: [Trial]) {
      let completed = trials.filter(\.complete)
      let pooled = completed.isEmpty ? trials : completed
      var results: [String: [MetricResult]] = [:]
      var times: [String: [Double?]] = [:]
      for trial in pooled {
        for (name, result) in trial.metrics { results[name, default: []].append(result) }
        for (name, time) in trial.phases { times[name, default: []].append(time) }
      }
      metrics = results.mapValues(MetricSummary.init)
      phases = times.mapValues { Distribution.median($0.compactMap { $0 }).map(roundedForRecord) }
      var totals: [String: Int?] = [:]
      for (name, count) in trials.flatMap(\.counters) {
        let total = totals[name] ?? nil
        totals[name] = .some(count.map { $0.addingSaturated(total ?? 0) } ?? total)
      }
      counters = totals
    }

    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      counters = try values.decode([String: Int?].self, forKey: .counters)
      let isDigest = decoder.readsDigest
      metrics = isDigest ? [:] : try values.decode([String: MetricSummary].self, forKey: .metrics)
      phases = isDigest ? [:] : try values.decode([String: Double?].self, forKey: .phases)
    }
  }

  /// One metric over the trials of a scenario: the typical trial, the extremes, and how far trials lie apart.
  public struct MetricSummary: Hashable, Sendable, Codable {
    public var unit: String
    /// Trials that have the metric.
    public var n: Int
    /// Median over the trials of the trial's own p50; so with p90, p95, p99 and mean.
    @Nullable public var p50: Double?
    @Nullable public var p90: Double?
    @Nullable public var p95: Double?
    /// Over the trials that have 100 samples or more.
    @Nullable public var p99: Double?
    @Nullable public var mean: Double?
    /// Smallest and largest sample of any trial.
    @Nullable public var min: Double?
    @Nullable public var max: Double?
    /// Smallest and largest of the trials' p50: the spread between trials.
    @Nullable public var trialLow: Double?
    @Nullable public var trialHigh: Double?

    /// `results` are the same metric from each trial; empty ones, of trials without a value, do not count.
    public init(_ results: [MetricResult]) {
      let known = results.filter { $0.n > 0 }
      func median(_ statistic: (MetricResult) -> Double?) -> Double? {
        Distribution.median(known.compactMap(statistic)).map(roundedForRecord)
      }
      unit = results.first?.unit ?? ""
      n = known.count
      p50 = median(\.p50)
      p90 = median(\.p90)
      p95 = median(\.p95)
      p99 = median(\.p99)
      mean = median(\.mean)
      min = known.compactMap { $0.samples.min() }.min()
      max = known.compactMap(\.max).max()
      trialLow = known.compactMap(\.p50).min()
      trialHigh = known.compactMap(\.p50).max()
    }
  }
}
