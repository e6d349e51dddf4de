import Frames

extension HistoryFormat {
  /// The history itself.
  public static let json = HistoryFormat("json", "everything, for programs") { history, _ throws(Failure) in
    String(decoding: try RecordCoding.encode(history), as: UTF8.self)
  }
}
