import FoundationEssentials
import Frames

/// A system that takes a record's numbers: one row of `ExportFormat.all`.
public struct ExportFormat: Sendable {
  /// The name that `--format` takes.
  public let name: String
  /// A few words for the help text.
  public let summary: String
  /// The system reads one record from a file, not several.
  public let holdsOneRecord: Bool
  private let text: @Sendable ([Record], ExportSubject) throws(Failure) -> String

  init(
    _ name: String, _ summary: String, holdsOneRecord: Bool = false,
    text: @escaping @Sendable ([Record], ExportSubject) throws(Failure) -> String
  ) {
    self.name = name
    self.summary = summary
    self.holdsOneRecord = holdsOneRecord
    self.text = text
  }

  /// The whole text, with a newline at its end.
  ///
  /// - Parameter records: not digests; at least one, and no more where the format holds one.
  public func render(_ records: [Record], _ subject: ExportSubject = ExportSubject()) throws(Failure) -> String {
    if holdsOneRecord, records.count > 1 {
      throw Failure(
        .input, "cannot export \(records.count) records as \(name)", cause: "a file of it holds one record",
        remedy: "export each alone, or 'merge' them first")
    }
    return try text(records, subject)
  }

  public static let all: [ExportFormat] = [.openMetrics, .otlp, .bencher, .skia, .phoronix, .conbench, .csv]

  /// The format of that name, or nil when there is none.
  public static func named(_ name: String) -> ExportFormat? { all.first { $0.name == name } }
}

/// The tested software, for systems that order numbers by commits.
public struct ExportSubject: Sendable {
  /// Its commit; nil: that of bench360.
  public var revision: String?
  /// Its repository's URL.
  public var repository: String?

  public init(revision: String? = nil, repository: String? = nil) {
    self.revision = revision
    self.repository = repository
  }

  func revision(of record: Record) -> String { revision ?? record.build.commit }
}

/// A metric or a counter of a scenario, as it is handed on.
struct ExportedMetric {
  var scenario: String
  var variant: String?
  var name: String
  var unit: String
  /// By name, in an order for readers: `p50`, `p90` … of a distribution, `value` of what has one value a trial, `total` of a counter.
  var statistics: [(name: String, value: Double)]
  /// The typical value of each trial; empty for counters.
  var trials: [Double]
  /// The smallest and largest of these.
  var range: ClosedRange<Double>?

  private var row: Metric? { Metric.named(name) }
  var polarity: Metric.Polarity { row?.polarity ?? .neutral }
  var definition: String { row?.definition ?? "A number of another program." }
  /// `startup/warm`.
  var place: String { variant.map { "\(scenario)/\($0)" } ?? scenario }
  /// The one number, for systems that want one.
  var main: Double { statistics[0].value }
}

extension Record {
  /// All that is known, in the order of the record.
  var exported: [ExportedMetric] { scenarios.flatMap(\.exported) }
}

extension Record.Scenario {
  fileprivate var exported: [ExportedMetric] {
    let measured = trials.filter(\.complete)
    let metrics = Metric.ordered(summary.metrics.keys).compactMap { name -> ExportedMetric? in
      guard let metric = summary.metrics[name], let middle = metric.p50 else { return nil }
      let isValue = Metric.named(name)?.kind == .value
      let others = [
        ("p90", metric.p90), ("p95", metric.p95), ("p99", metric.p99), ("mean", metric.mean), ("min", metric.min),
        ("max", metric.max),
      ].compactMap { name, value in value.map { (name: name, value: $0) } }
      return ExportedMetric(
        scenario: self.name, variant: variant, name: name, unit: metric.unit,
        statistics: [(isValue ? "value" : "p50", middle)] + (isValue ? [] : others),
        trials: (measured.isEmpty ? trials : measured).compactMap { $0.metrics[name]?.p50 },
        range: metric.trialLow.flatMap { low in metric.trialHigh.map { ClosedRange(from: low, through: max(low, $0)) } }
      )
    }
    let counters = Metric.ordered(summary.counters.keys).compactMap { name -> ExportedMetric? in
      guard let total = summary.counters[name] ?? nil else { return nil }
      return ExportedMetric(
        scenario: self.name, variant: variant, name: name, unit: "count", statistics: [("total", Double(total))],
        trials: [])
    }
    return metrics + counters
  }
}

/// A number in another unit, to the last digit: products of doubles would end in others.
func shifted(_ value: Double, by factor: Decimal) -> Decimal {
  (Decimal(string: "\(value)", locale: Locale(identifier: "en_US_POSIX")) ?? 0) * factor
}

/// Compact JSON, keys in alphabetical order.
func exportedLine(_ value: some Encodable) throws(Failure) -> String { try exported(value, isIndented: false) }

/// JSON for people, too.
func exportedJSON(_ value: some Encodable) throws(Failure) -> String { try exported(value, isIndented: true) }

private func exported(_ value: some Encodable, isIndented: Bool) throws(Failure) -> String {
  do {
    return try JSONText.encode(value, isIndented: isIndented) + "\n"
  } catch {
    throw Failure(.failed, "cannot export the record", cause: "\(error)")
  }
}
