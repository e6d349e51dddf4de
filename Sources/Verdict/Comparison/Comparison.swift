import Foundation
import Frames

/// What can be concluded from two sides of measurements: a verdict for each gated metric, with its numbers and its why.
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
  /// Of interleaved runs: how many a side were made of those planned.
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
    /// Those of bench360 that measured; more than one when the side mixes them.
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

  /// A count that must be zero and is not: no statistics needed.
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
public struct MetricComparison: Hashable, Sendable, Codable {
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
  /// Hodges–Lehmann estimate of head − base, in the unit; nil when a side has no value.
  @Nullable public var shift: Double?
  /// Ends of its 98 % interval; nil when too few runs bound it.
  @Nullable public var low: Double?
  @Nullable public var high: Double?
  /// A shift up to this does not count.
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

  /// In percent of the base's median; nil when there is none to divide by, or one too small for a percentage.
  public func percent(_ value: Double?) -> Double? {
    guard let value, let median = base.median, median != 0 else { return nil }
    let percent = value / abs(median) * 100
    return percent.isFinite ? percent : nil
  }

  /// `decode · decode_fps`
  public var title: String { ([scenario] + [variant].compactMap { $0 } + [metric]).joined(separator: " · ") }
}
