import Frames

/// The source of display times.
public enum PresentSource: String, Sendable, Codable, CaseIterable {
  case presentWait = "present_wait"
  case displayTiming = "display_timing"
  case submitComplete = "submit_complete"
  case simulated
  /// The pixels of a screen that is watched from outside.
  case screen
}

extension Record {
  /// One subject, in one variant, over several trials.
  public struct Scenario: Hashable, Sendable, Codable {
    public var name: String
    /// `direct`, `random/exact`; nil if there is one only.
    @Nullable public var variant: String?
    /// Nil if no view was presented.
    @Nullable public var presentSource: PresentSource?
    public var summary: Summary
    public var trials: [Trial]

    /// Computes the summary.
    public init(name: String, variant: String? = nil, presentSource: PresentSource? = nil, trials: [Trial]) {
      self.name = name
      self.variant = variant
      self.presentSource = presentSource
      self.trials = trials
      summary = Summary(trials)
    }

    /// Sums over all trials, complete or not.
    public var histograms: [String: [String: Int]] {
      trials.reduce(into: [:]) { totals, trial in
        for (name, counts) in trial.histograms {
          totals[name, default: [:]].merge(counts, uniquingKeysWith: { $0.addingSaturated($1) })
        }
      }
    }
  }

  /// The measurements of one fresh process, over all its segments.
  public struct Trial: Hashable, Sendable, Codable {
    /// RFC 3339.
    public var started: String
    /// The session it belongs to, in a record that was merged from several. Absent, not null, where it is the record's.
    public var session: String?
    /// False if it was interrupted, hung or failed: it holds the measurements until then.
    public var complete: Bool
    public var metrics: [String: MetricResult]
    /// Nil is an unknown count, as `wrong_frame` is on a clip without numbers.
    public var counters: [String: Int?]
    public var histograms: [String: [String: Int]]
    /// Milliseconds; nil is a phase that could not be timed.
    public var phases: [String: Double?]
    /// A seek starts a segment; empty when there was one only.
    public var segments: [Segment]
    /// The requests, pictures and states of a stream. Absent, not null, for any other input.
    public var stream: StreamSession?
    /// Each player of a trial that had several; then there is no `stream`. Absent, not null, for any other trial.
    public var clients: [StreamClient]?
    /// Clips that were played at once. Absent, not null, for any other trial.
    public var density: Density?
    /// A screen that was watched. Absent, not null, but for `observe`.
    public var screen: WatchedScreen?

    /// Phases are kept to four decimals.
    public init(
      started: String, complete: Bool = true, metrics: [String: MetricResult] = [:],
      counters: [String: Int?] = [:], histograms: [String: [String: Int]] = [:], phases: [String: Double?] = [:],
      segments: [Segment] = [], stream: StreamSession? = nil
    ) {
      self.started = started
      self.complete = complete
      self.metrics = metrics
      self.counters = counters
      self.histograms = histograms
      self.phases = roundedForRecord(phases)
      self.segments = segments
      self.stream = stream
    }

    /// A digest has no stream.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      started = try values.decode(String.self, forKey: .started)
      session = try values.decodeIfPresent(String.self, forKey: .session)
      complete = try values.decode(Bool.self, forKey: .complete)
      metrics = try values.decode([String: MetricResult].self, forKey: .metrics)
      counters = try values.decode([String: Int?].self, forKey: .counters)
      histograms = try values.decode([String: [String: Int]].self, forKey: .histograms)
      phases = try values.decode([String: Double?].self, forKey: .phases)
      segments = try values.decode([Segment].self, forKey: .segments)
      guard !decoder.readsDigest else { return }
      stream = try values.decodeIfPresent(StreamSession.self, forKey: .stream)
      if let flaw = stream?.flaw {
        throw DecodingError.dataCorruptedError(forKey: .stream, in: values, debugDescription: flaw)
      }
      clients = try values.decodeIfPresent([StreamClient].self, forKey: .clients)
      if let flaw = clients.flatMap(StreamClient.flaw) {
        throw DecodingError.dataCorruptedError(forKey: .clients, in: values, debugDescription: flaw)
      }
      density = try values.decodeIfPresent(Density.self, forKey: .density)
      if let flaw = density?.flaw {
        throw DecodingError.dataCorruptedError(forKey: .density, in: values, debugDescription: flaw)
      }
      screen = try values.decodeIfPresent(WatchedScreen.self, forKey: .screen)
      if let flaw = screen?.flaw {
        throw DecodingError.dataCorruptedError(forKey: .screen, in: values, debugDescription: flaw)
      }
    }
  }

  /// The measurements between two seeks.
  public struct Segment: Hashable, Sendable, Codable {
    public var started: String
    public var complete: Bool
    public var metrics: [String: MetricResult]
    public var counters: [String: Int?]
    public var histograms: [String: [String: Int]]
    public var phases: [String: Double?]

    /// Phases are kept to four decimals.
    public init(
      started: String, complete: Bool = true, metrics: [String: MetricResult] = [:],
      counters: [String: Int?] = [:], histograms: [String: [String: Int]] = [:], phases: [String: Double?] = [:]
    ) {
      self.started = started
      self.complete = complete
      self.metrics = metrics
      self.counters = counters
      self.histograms = histograms
      self.phases = roundedForRecord(phases)
    }
  }
}

private func roundedForRecord(_ phases: [String: Double?]) -> [String: Double?] {
  phases.mapValues { value in value.flatMap { $0.isFinite ? roundedForRecord($0) : nil } }
}

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
