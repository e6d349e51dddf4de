extension Metric {
  /// Which way is better.
  public enum Polarity: String, Sendable, Codable, CaseIterable {
    case low
    case high
    /// Neither: it describes, or is judged together with others.
    case neutral
    /// Any value but zero is wrong, or at least needs an explanation.
    case zero
  }

  /// The place of a metric in a trial, and how many numbers it has.
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

  /// The key in records.
  public var name: String { row.name }
  public var unit: String { row.unit }
  public var polarity: Polarity { row.polarity }
  public var kind: Kind { row.kind }
  /// A few words for readers who do not know the key: `time to first frame`. Unique.
  package var label: String { row.label }
  /// One sentence: from which event to which.
  public var definition: String { row.definition }
  /// The record's schema since which this definition holds: records of an earlier one read as if they lacked the metric.
  public var since: Int { row.since }

  /// The metric of that name, or nil for an unknown one: of a record by another build, or a mistyped argument.
  public static func named(_ name: String) -> Metric? { byName[name] }

  /// Names in the order of the table; unknown names come last, in alphabetical order.
  public static func ordered(_ names: some Sequence<String>) -> [String] {
    names.sorted { (places[$0] ?? .max, $0) < (places[$1] ?? .max, $1) }
  }

  private static let byName = Dictionary(allCases.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  private static let places = Dictionary(
    allCases.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })

  struct Row {
    let name: String
    let label: String
    let unit: String
    let polarity: Polarity
    let kind: Kind
    let definition: String
    let since: Int

    init(
      _ name: String, _ label: String, _ unit: String, _ polarity: Polarity, _ kind: Kind, since: Int = 1,
      _ definition: String
    ) {
      self.name = name
      self.label = label
      self.unit = unit
      self.polarity = polarity
      self.kind = kind
      self.definition = definition
      self.since = since
    }
  }
}

// By name, also as dictionary keys.
extension Metric: Codable, CodingKeyRepresentable {
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  public var codingKey: any CodingKey { Name(stringValue: name) }

  public init?<Key: CodingKey>(codingKey: Key) {
    guard let metric = Metric.named(codingKey.stringValue) else { return nil }
    self = metric
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    guard let metric = Metric.named(name) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "there is no metric '\(name)'")
    }
    self = metric
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}

extension Dictionary where Key == String {
  /// A record's values of a metric.
  public subscript(metric: Metric) -> Value? { self[metric.name] }
}
