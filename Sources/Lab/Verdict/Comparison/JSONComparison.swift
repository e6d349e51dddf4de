import Frames

extension ComparisonFormat {
  /// The comparison itself; `results/comparison.schema.json` describes it.
  public static let json = ComparisonFormat("json", "everything, for programs") { comparison, _ throws(Failure) in
    String(decoding: try RecordCoding.encode(comparison), as: UTF8.self)
  }
}
