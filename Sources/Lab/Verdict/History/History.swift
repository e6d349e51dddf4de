import FoundationEssentials
import Frames

/// One metric over commits: a series for each subject, with its noise and its changes.
public struct History: Hashable, Sendable, Codable {
  public static let schema = "bench360-history/1"

  public var schema = History.schema
  public var metric: String
  public var unit: String
  /// Which way is better.
  public var better: String
  public var series: [HistorySeries]

  /// Series in the order of the groups; within each, in the order of its records' scenarios.
  ///
  /// - Parameters:
  ///   - scenario: `NAME` or `NAME/VARIANT`; nil: all that have the metric.
  /// - Throws: `.usage` for an unknown metric or one without a number per trial, `.input` if no record has it.
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

  /// Why there is no history of that name, or nil if there may be one.
  public static func problem(with name: String) -> String? {
    guard let metric = Metric.named(name) else { return "there is no metric '\(name)'" }
    switch metric.kind {
    case .distribution, .value, .counter: return nil
    case .phases, .histogram: return "it has no single number per trial"
    }
  }
}

/// One metric of one scenario over comparable records, commit by commit.
public struct HistorySeries: Hashable, Sendable, Codable {
  public var input: String
  public var machine: String
  @Nullable public var device: String?
  /// The settings that distinguish this series from others of the same clip, machine and device.
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

  /// The measurements of one commit.
  public struct Point: Hashable, Sendable, Codable {
    /// Twelve digits, with a trailing `+` for uncommitted changes; a version if no commit is known.
    public var commit: String
    /// Of its first and of its last record.
    public var created: String
    public var last: String
    public var labels: [String]
    public var records: Int
    public var trials: Int
    /// Median over the sessions of the median over their trials.
    public var median: Double
    /// 95 % interval of the median over all trials, from order statistics alone; nil below six trials. Covers the
    /// spread between trials; that between sessions only as far as there were several.
    @Nullable public var low: Double?
    @Nullable public var high: Double?
    /// One value per session, in the order of time.
    public var sessions: [Double]
  }

  /// The spread between sessions of the same subject.
  public struct Noise: Hashable, Sendable, Codable {
    public enum Source: String, Sendable, Codable, CaseIterable {
      /// Different sessions of one commit.
      case sessions
      /// Successive commits, if single commits have too few sessions.
      case successive
    }

    /// Robust standard deviation of one session's value, in the unit.
    public var deviation: Double
    public var source: Source
    /// The number of differences that it is based on.
    public var differences: Int
    /// Half-width of the band that holds 95 of 100 sessions if nothing changes: 1.96 deviations.
    public var halfBand: Double
  }

  /// The level before and after.
  public struct Change: Hashable, Sendable, Codable {
    /// Index of the first point after the change.
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
      guard start < end, let median = Distribution.median(points[Range(from: start, to: end)].flatMap(\.sessions))
      else { return nil }
      return (Range(from: start, to: end), median)
    }
  }

  /// Sessions of all commits together.
  public var sessions: Int { points.reduce(0) { $0 + $1.sessions.count } }

  /// `pipeline · direct · pipeline_fps`
  public var title: String { ([scenario] + [variant].compactMap { $0 } + [metric]).joined(separator: " · ") }
}
