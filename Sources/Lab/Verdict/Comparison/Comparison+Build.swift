import FoundationEssentials
import Frames

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
