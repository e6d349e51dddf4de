import Frames

extension ExportFormat {
  /// Bencher Metric Format: benchmark → measure → value, with the spread of the trials.
  ///
  /// https://bencher.dev/docs/reference/bencher-metric-format/
  static let bencher = ExportFormat("bencher", "Bencher's metric format, for 'bencher run --adapter json'") {
    records, _ throws(Failure) in
    var benchmarks: [String: [String: Measure]] = [:]
    for record in records.sorted(by: { $0.created < $1.created }) {
      // Records of a matrix differ in more than their clip.
      let place = record.cell?.name ?? record.input.name
      for metric in record.exported {
        let name = String("\(place) \(metric.place)".prefix(nameLimit))
        benchmarks[name, default: [:]][String(metric.name.prefix(measureLimit))] = Measure(
          value: metric.main, lowerValue: metric.range?.lowerBound, upperValue: metric.range?.upperBound)
      }
    }
    return try exportedJSON(benchmarks)
  }

  /// Characters.
  private static let nameLimit = 1024
  private static let measureLimit = 64

  private struct Measure: Encodable {
    var value: Double
    var lowerValue, upperValue: Double?

    enum CodingKeys: String, CodingKey {
      case value
      case lowerValue = "lower_value"
      case upperValue = "upper_value"
    }
  }
}
