import FoundationEssentials
import Frames

/// The conclusion from two sides of measurements: a verdict for each gated metric, with its numbers and its reason.
///
/// Built by `Comparison.init(base:head:options:)` from independent records, or from the blocks of an interleaved run.
/// As JSON it is described by `results/comparison.schema.json`.
public struct Comparison: Hashable, Sendable, Codable {
  public static let schema = "bench360-comparison/1"

  public var schema = Comparison.schema
  /// RFC 3339.
  public var created: String
  public var method: Method
  public var base: Side
  public var head: Side
  /// Of interleaved runs: the runs per side so far, and the planned number.
  @Nullable public var runs: Runs?
  /// The level that Holm's procedure holds over all gated metrics: of this look, when the run looks early.
  public var alpha: Double
  /// Fields in which the sides differ, all declared to be the thing tested.
  public var varied: [Difference]
  public var results: [MetricComparison]
  public var incorrect: [Incorrect]
  public var warnings: [Record.Warning]

  /// How the two sides were measured, which decides the test.
  public enum Method: String, Sendable, Codable, CaseIterable {
    /// Each side by itself: Mann–Whitney over the trials.
    case independent
    /// A B B A: the same test within each block, so that drift between blocks does not matter.
    case interleaved
  }

  /// One side of the comparison.
  public struct Side: Hashable, Sendable, Codable {
    /// The path or the command.
    public var name: String
    public var records: Int
    /// The bench360 versions that measured; more than one if the side mixes them.
    public var commits: [String]
    public var labels: [String]
  }

  /// Runs a side.
  public struct Runs: Hashable, Sendable, Codable {
    public var made: Int
    public var planned: Int

    public init(made: Int, planned: Int) {
      self.made = made
      self.planned = planned
    }
  }

  /// A counter that must be zero but is not: no statistics needed.
  public struct Incorrect: Hashable, Sendable, Codable {
    /// `base` or `head`.
    public var side: String
    public var input: String
    public var scenario: String
    public var counter: String
    public var count: Int
  }
}

/// One metric of one scenario on both sides.
public struct MetricComparison: Hashable, Sendable {
  /// The clip's name.
  public var input: String
  public var scenario: String
  @Nullable public var variant: String?
  public var metric: String
  public var unit: String
  /// Which way is better.
  public var better: String
  public var base: Sample
  public var head: Sample
  public var estimate: Estimate
  /// A shift up to this counts as no change.
  public var threshold: Double
  /// 95th percentile of the shifts between runs of the same thing, in the unit; nil when not known.
  @Nullable public var noiseFloor: Double?
  /// One-sided, in the direction of the shift, after Holm; nil when the metric is not gated or was not tested.
  @Nullable public var p: Double?
  /// Nil when the metric is not gated.
  @Nullable public var verdict: Outcome?
  /// The verdict with its numbers, as a sentence; empty when there is none.
  public var why: String

  /// One statistic per run (of `ab`) or per trial (of `compare`), ascending within each block.
  public struct Sample: Hashable, Sendable, Codable {
    @Nullable public var median: Double?
    public var values: [Double]

    init(_ values: [Double]) {
      self.values = values
      median = Distribution.median(values)
    }
  }

  /// How far head lies from base, in the unit. As JSON its fields are the comparison's own.
  public struct Estimate: Hashable, Sendable, Codable {
    /// Hodges–Lehmann estimate of head − base; nil when a side has no value.
    @Nullable public var shift: Double?
    /// Ends of its 98 % interval; nil when too few runs bound it.
    @Nullable public var low: Double?
    @Nullable public var high: Double?

    init(_ shift: Shift?) {
      self.shift = shift?.estimate
      low = shift?.low
      high = shift?.high
    }
  }

  /// In percent of the base's median; nil if the base has no median, or one too small for a percentage.
  public func percent(_ value: Double?) -> Double? {
    guard let value, let median = base.median, median != 0 else { return nil }
    let percent = value / abs(median) * 100
    return percent.isFinite ? percent : nil
  }

  /// True if the shift is at most the threshold or its interval includes zero; false without a shift.
  public var isUnchanged: Bool {
    guard let shift = estimate.shift else { return false }
    if abs(shift) <= threshold { return true }
    guard let low = estimate.low, let high = estimate.high else { return false }
    return low <= 0 && high >= 0
  }

  /// `decode · decode_fps`
  public var title: String { ([scenario] + [variant].compactMap { $0 } + [metric]).joined(separator: " · ") }
}

extension MetricComparison: Codable {
  private enum CodingKeys: CodingKey {
    case input, scenario, variant, metric, unit, better, base, head, threshold, noiseFloor, p, verdict, why
  }

  public init(from decoder: any Decoder) throws {
    estimate = try Estimate(from: decoder)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    input = try container.decode(String.self, forKey: .input)
    scenario = try container.decode(String.self, forKey: .scenario)
    _variant = try container.decode(Nullable<String>.self, forKey: .variant)
    metric = try container.decode(String.self, forKey: .metric)
    unit = try container.decode(String.self, forKey: .unit)
    better = try container.decode(String.self, forKey: .better)
    base = try container.decode(Sample.self, forKey: .base)
    head = try container.decode(Sample.self, forKey: .head)
    threshold = try container.decode(Double.self, forKey: .threshold)
    _noiseFloor = try container.decode(Nullable<Double>.self, forKey: .noiseFloor)
    _p = try container.decode(Nullable<Double>.self, forKey: .p)
    _verdict = try container.decode(Nullable<Outcome>.self, forKey: .verdict)
    why = try container.decode(String.self, forKey: .why)
  }

  public func encode(to encoder: any Encoder) throws {
    try estimate.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(input, forKey: .input)
    try container.encode(scenario, forKey: .scenario)
    try container.encode(_variant, forKey: .variant)
    try container.encode(metric, forKey: .metric)
    try container.encode(unit, forKey: .unit)
    try container.encode(better, forKey: .better)
    try container.encode(base, forKey: .base)
    try container.encode(head, forKey: .head)
    try container.encode(threshold, forKey: .threshold)
    try container.encode(_noiseFloor, forKey: .noiseFloor)
    try container.encode(_p, forKey: .p)
    try container.encode(_verdict, forKey: .verdict)
    try container.encode(why, forKey: .why)
  }
}

/// The options of a comparison.
public struct ComparisonOptions: Sendable {
  /// A shift up to this share of the base's median does not count.
  public var thresholdPercent = 2.0
  public var gates = Gates.standard
  /// 95th percentile of |shift| between sessions of the same thing, if the user knows it.
  public var noiseFloorPercent: Double?
  /// Fields in which base and head may differ; nil: all of them, because the difference is the thing tested.
  public var varied: Set<String>? = []
  /// The level that Holm's procedure holds.
  public var alpha = 0.01

  public init() {}
}

extension Comparison {
  /// Records measured one side after the other, or at different times: trials are pooled.
  ///
  /// Throws `.incomparable` if the sides differ in a field that is not `varied`, or have no clip or metric in common.
  public init(
    base: RecordSet, head: RecordSet, options: ComparisonOptions = ComparisonOptions()
  ) throws(Failure) {
    let evidence = Evidence(blocks: [(base.records, head.records)], isInterleaved: false)
    try self.init(evidence, names: (base.path, head.path), options: options)
    for failure in base.leftOut + head.leftOut {
      warnings.append(.init(code: .leftOut, text: "\(failure.attempt): \(failure.cause); it was left out"))
    }
  }

  /// Runs made in turns, A B B A: `blocks` hold the two records of each side. A run counts as one value, the median of
  /// its trials.
  public init(
    blocks: [(base: [Record], head: [Record])], names: (base: String, head: String),
    options: ComparisonOptions = ComparisonOptions()
  ) throws(Failure) {
    try self.init(Evidence(blocks: blocks, isInterleaved: true), names: names, options: options)
  }

  private init(
    _ evidence: Evidence, names: (base: String, head: String), options: ComparisonOptions
  ) throws(Failure) {
    let clips = try evidence.commonClips()
    varied = []
    for clip in clips {
      for difference in try clip.admittedDifferences(options) where !varied.contains(difference) {
        varied.append(difference)
      }
    }
    let series = clips.flatMap { $0.series(gates: options.gates) }
    guard series.contains(where: \.isGated) else {
      throw Failure(
        .incomparable, "cannot compare '\(names.base)' with '\(names.head)'",
        cause: "no metric to judge is in both",
        remedy: "measure the same scenarios, or name a common metric with --gate")
    }
    created = RecordCoding.timestamp(Date())
    method = evidence.isInterleaved ? .interleaved : .independent
    base = Side(name: names.base, records: evidence.base)
    head = Side(name: names.head, records: evidence.head)
    alpha = options.alpha
    results = judge(series, of: evidence.isInterleaved ? .runs : .trials, options: options)
    incorrect = evidence.incorrect
    warnings = evidence.warnings
  }
}

extension Comparison.Side {
  init(name: String, records: [Record]) {
    self.name = name
    self.records = records.count
    commits = Set(records.map(\.build.commit)).sorted()
    labels = Set(records.compactMap(\.label)).sorted()
  }
}
