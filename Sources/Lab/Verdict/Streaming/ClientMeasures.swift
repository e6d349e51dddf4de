/// What several players of one trial measured, as measures of the trial. Pure.
public struct ClientMeasures: Hashable, Sendable {
  public var samples: [Metric: [Double]]
  public var counters: [Metric: Int]
  /// Milliseconds.
  public var phases: [Phase: Double]

  /// What one client measured by itself.
  public struct Part: Hashable, Sendable {
    public var samples: [Metric: [Double]]
    public var counters: [Metric: Int]
    /// Milliseconds.
    public var phases: [Phase: Double]

    public init(samples: [Metric: [Double]], counters: [Metric: Int], phases: [Phase: Double] = [:]) {
      (self.samples, self.counters, self.phases) = (samples, counters, phases)
    }
  }

  /// The clients as one, by the kind of each metric: a distribution has the samples of all, client by client; a value is the mean over
  /// the clients, unknown where one of them does not know it; counters are added; a phase is the mean over the clients that passed it.
  public init(pooling parts: [Part]) {
    samples = [:]
    for metric in Set(parts.flatMap(\.samples.keys)) {
      let own = parts.map { $0.samples[metric] ?? [] }
      if metric.kind == .value {
        let known = own.compactMap(\.first)
        samples[metric] = known.count == parts.count ? [known.reduce(0, +) / Double(parts.count)] : []
      } else {
        samples[metric] = own.flatMap { $0 }
      }
    }
    counters = parts.reduce(into: [:]) { sums, part in
      sums.merge(part.counters) { $0.addingSaturated($1) }
    }
    let times = parts.reduce(into: [Phase: [Double]]()) { times, part in
      for (phase, time) in part.phases { times[phase, default: []].append(time) }
    }
    phases = times.mapValues { $0.reduce(0, +) / Double($0.count) }
  }

  /// How the clients fared beside each other.
  public static func comparing(_ sessions: [StreamSession]) -> [Metric: [Double]] {
    let rates = sessions.map { StreamMeasures($0).samples[.meanBitrate]?.first ?? 0 }
    return [
      .clientFairness: Fairness.jain(rates).map { [$0] } ?? [],
      .clientBitrate: rates,
      .clientStalls: sessions.map { Double($0.stalls.count) },
      .clientStallTime: sessions.map { $0.stalls.reduce(0) { $0 + $1.seconds } * 1000 },
    ]
  }
}
