import Frames

extension ExportFormat {
  /// Skia Perf's ingestion format, version 1: one file for each commit and machine.
  ///
  /// https://github.com/google/skia-buildbot/blob/main/perf/FORMAT.md
  static let skia = ExportFormat("skia", "a file for Skia Perf, of one record", holdsOneRecord: true) {
    records, subject throws(Failure) in
    guard let record = records.first else { return "" }
    let machine = record.environment.machine
    let keys: [(String, String?)] = [
      ("machine", machine.className), ("os", machine.os), ("device", record.environment.device?.name),
      ("driver", record.environment.device?.driver), ("input", record.input.name), ("label", record.label),
      ("cell", record.cell?.name),
    ]
    return try exportedJSON(
      File(
        version: 1, gitHash: subject.revision(of: record),
        key: Dictionary(uniqueKeysWithValues: keys.compactMap { key, value in value.map { (key, clean($0)) } }),
        results: record.exported.map(Result.init), links: subject.repository.map { ["repository": $0] }))
  }

  /// Other characters would end or split a key of a trace.
  private static func clean(_ text: String) -> String {
    String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) ? $0 : "_" })
  }

  private struct File: Encodable {
    var version: Int
    var gitHash: String
    var key: [String: String]
    var results: [Result]
    var links: [String: String]?

    enum CodingKeys: String, CodingKey {
      case version, key, results, links
      case gitHash = "git_hash"
    }
  }

  private struct Result: Encodable {
    struct Single: Encodable {
      var value: String
      var measurement: Double
    }

    var key: [String: String]
    var measurements: [String: [Single]]

    init(_ metric: ExportedMetric) {
      key = ["test": clean(metric.place), "metric": clean(metric.name), "unit": clean(metric.unit)]
      switch metric.polarity {
      case .high: key["improvement_direction"] = "up"
      case .low, .zero: key["improvement_direction"] = "down"
      case .neutral: break
      }
      measurements = ["stat": metric.statistics.map { Single(value: $0.name, measurement: $0.value) }]
    }
  }
}
