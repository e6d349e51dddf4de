/// What one number of a record means: one row of `Metric.all`.
///
/// Names are a promise to scripts. A changed definition gets a new version, and with it a new schema of the record.
public struct Metric: Hashable, Sendable {
  /// Which way is better.
  public enum Polarity: String, Sendable, CaseIterable {
    case low
    case high
    /// Neither: it describes, or is judged together with others.
    case neutral
    /// Anything but zero is wrong, or at least to be explained.
    case zero
  }

  /// Where it stands in a trial, and how many numbers it is.
  public enum Kind: String, Sendable, CaseIterable {
    /// A sample per frame, tick, seek or reading, in `metrics`.
    case distribution
    /// One sample per trial, in `metrics`.
    case value
    /// A whole number per trial, in `counters`.
    case counter
    /// Named parts of a time, in `phases`.
    case phases
    /// Value → how often, in `histograms`.
    case histogram
  }

  public let name: String
  public let unit: String
  public let polarity: Polarity
  public let kind: Kind
  /// One sentence: from which event to which.
  public let definition: String
  /// Raised when the definition changes.
  public let version: Int

  /// The metric of that name, or nil when there is none.
  public static func named(_ name: String) -> Metric? {
    byName[name].map { all[$0] }
  }

  /// The phases of `startup` that make up `ttff_ms`, in order; any other phase ran beside them.
  public static let criticalPath = [
    "spawn", "open", "probe", "codec_init", "first_decode", "device_init", "pipeline_init", "first_upload",
    "first_render", "first_present",
  ]

  /// Names in the order of the table; names it does not know come last, by alphabet.
  public static func ordered(_ names: some Sequence<String>) -> [String] {
    names.sorted { (byName[$0] ?? .max, $0) < (byName[$1] ?? .max, $1) }
  }

  /// Phases in the order of the critical path; those beside it come last, by alphabet.
  public static func orderedPhases(_ names: some Sequence<String>) -> [String] {
    names.sorted { (criticalPath.firstIndex(of: $0) ?? .max, $0) < (criticalPath.firstIndex(of: $1) ?? .max, $1) }
  }

  private static let byName = Dictionary(
    all.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first })

  init(
    _ name: String, _ unit: String, _ polarity: Polarity, _ kind: Kind, version: Int = 1, _ definition: String
  ) {
    self.name = name
    self.unit = unit
    self.polarity = polarity
    self.kind = kind
    self.definition = definition
    self.version = version
  }
}
