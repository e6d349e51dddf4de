import Foundation
import Frames

/// One metric over commits: a series for each thing that was measured, with its noise and its changes.
public struct History: Hashable, Sendable, Codable {
  public static let schema = "bench360-history/1"

  public var schema = History.schema
  public var metric: String
  public var unit: String
  /// Which way is better.
  public var better: String
  public var series: [HistorySeries]

  /// Series in the order of the groups, in each in the order of its records' scenarios.
  ///
  /// - Parameters:
  ///   - scenario: `NAME` or `NAME/VARIANT`; nil: all that have the metric.
  /// - Throws: `.usage` for a metric that is none or has no number per trial, `.input` when no record has it.
  public init(_ groups: [RecordGroup], metric name: String, scenario: String? = nil) throws(Failure) {
    let problem = History.problem(with: name)
    guard let metric = Metric.named(name), problem == nil else {
      throw Failure(.usage, "cannot show the history of '\(name)'", cause: problem ?? "there is no such metric")
    }
    self.metric = metric.name
    unit = metric.unit
    better = metric.polarity.rawValue
    series = groups.flatMap { HistorySeries.all(metric, in: $0, scenario: scenario) }
    guard series.isEmpty else { return }
    let place = scenario.map { " of scenario '\($0)'" } ?? ""
    let names = Metric.ordered(Set(groups.flatMap(\.records).flatMap(HistorySeries.metrics)))
    throw Failure(
      .input, "cannot show the history of '\(name)'", cause: "no record has it\(place)",
      remedy: names.isEmpty ? "measure it with 'bench360 run'" : "they have \(names.joined(separator: ", "))")
  }

  /// Why there is no history of that name, or nil when there may be.
  public static func problem(with name: String) -> String? {
    guard let metric = Metric.named(name) else { return "there is no metric '\(name)'" }
    switch metric.kind {
    case .distribution, .value, .counter: return nil
    case .phases, .histogram: return "it has no single number per trial"
    }
  }
}

/// One metric of one scenario, of records that may be compared, commit by commit.
public struct HistorySeries: Hashable, Sendable, Codable {
  public var input: String
  public var machine: String
  @Nullable public var device: String?
  /// What tells this series from others of the same clip, machine and device.
  public var differences: [String]
  public var scenario: String
  @Nullable public var variant: String?
  @Nullable public var presentSource: PresentSource?
  public var metric: String
  public var unit: String
  public var better: String
  /// In the order in which commits were first measured.
  public var points: [Point]
  @Nullable public var noise: Noise?
  public var changes: [Change]

  /// What was measured of one commit.
  public struct Point: Hashable, Sendable, Codable {
    /// Twelve digits, `+` behind them when there were changes that were not committed; a version where no commit is known.
    public var commit: String
    /// Of its first and of its last record.
    public var created: String
    public var last: String
    public var labels: [String]
    public var records: Int
    public var trials: Int
    /// Median over the sessions of the median over their trials.
    public var median: Double
    /// 95 % interval of the median over all trials, from order statistics alone; nil below six trials. It holds what lies
    /// between trials, and of what lies between sessions only as much as there were sessions.
    @Nullable public var low: Double?
    @Nullable public var high: Double?
    /// One value per session, in the order of time.
    public var sessions: [Double]
  }

  /// How far sessions of the same thing lie apart.
  public struct Noise: Hashable, Sendable, Codable {
    public enum Source: String, Sendable, Codable, CaseIterable {
      /// Different sessions of one commit.
      case sessions
      /// Each commit and the next, for want of those.
      case successive
    }

    /// Robust standard deviation of one session's value, in the unit.
    public var deviation: Double
    public var source: Source
    /// Differences it was taken from.
    public var differences: Int
    /// Half of the band in which 95 of 100 sessions lie when nothing changes: 1.96 deviations.
    public var halfBand: Double
  }

  /// The level before and after.
  public struct Change: Hashable, Sendable, Codable {
    /// Index of the first point behind it.
    public var point: Int
    public var commit: String
    public var created: String
    public var before: Double
    public var after: Double
    @Nullable public var percent: Double?
    public var p: Double
    /// `better`, `worse`, or `other` for metrics without a direction.
    public var direction: Direction

    public enum Direction: String, Sendable, Codable, CaseIterable { case better, worse, other }
  }

  /// Stretches of points between changes, each with the median of its sessions.
  public var levels: [(points: Range<Int>, median: Double)] {
    let ends = changes.map(\.point) + [points.count]
    return zip([0] + changes.map(\.point), ends).compactMap { start, end in
      guard start < end, let median = Distribution.median(points[start..<end].flatMap(\.sessions)) else { return nil }
      return (start..<end, median)
    }
  }

  /// Sessions of all commits together.
  public var sessions: Int { points.reduce(0) { $0 + $1.sessions.count } }

  /// `pipeline · direct · pipeline_fps`
  public var title: String { ([scenario] + [variant].compactMap { $0 } + [metric]).joined(separator: " · ") }
}
