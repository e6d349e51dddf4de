import Frames

extension ComparisonFormat {
  /// For github-action-benchmark's `customSmallerIsBetter`: head's metrics of which less is better.
  public static let githubSmaller = ComparisonFormat(
    "github-smaller", "head's metrics of which less is better, for github-action-benchmark"
  ) { comparison, _ throws(Failure) in try entries(comparison, .low) }

  /// For github-action-benchmark's `customBiggerIsBetter`: head's metrics of which more is better.
  public static let githubBigger = ComparisonFormat(
    "github-bigger", "head's metrics of which more is better, for github-action-benchmark"
  ) { comparison, _ throws(Failure) in try entries(comparison, .high) }

  private struct Entry: Encodable {
    var name: String
    var unit: String
    var value: Double
    var range: String
    var extra: String
  }

  private static func entries(_ comparison: Comparison, _ better: Metric.Polarity) throws(Failure) -> String {
    let entries = comparison.results.filter { $0.better == better.rawValue }.compactMap { result -> Entry? in
      guard let value = result.head.median, let low = result.head.values.min(), let high = result.head.values.max()
      else { return nil }
      let verdict = result.verdict.map { "\($0.rawValue): \(result.why)" } ?? "not gated"
      return Entry(
        name: "\(result.input) · \(result.title)", unit: result.unit, value: value,
        range: "± \(ReportText.number((high - low) / 2))",
        extra: "base \(ReportText.number(result.base.median)); \(verdict)")
    }
    return String(decoding: try RecordCoding.encode(entries), as: UTF8.self)
  }
}
