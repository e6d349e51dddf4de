import Frames

extension ReportFormat {
  /// The record itself, as it is written to a file.
  public static let json = ReportFormat("json", "the whole record") { record, _ throws(Failure) in
    String(decoding: try RecordCoding.encode(record), as: UTF8.self)
  }
}
