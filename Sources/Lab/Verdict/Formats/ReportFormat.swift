import Frames

/// A way to print a record: one row of `ReportFormat.all`.
public struct ReportFormat: Sendable {
  /// The name that `--format` takes.
  public let name: String
  /// A few words for the help text.
  public let summary: String
  private let text: @Sendable (Record, Bool) throws(Failure) -> String

  init(_ name: String, _ summary: String, text: @escaping @Sendable (Record, Bool) throws(Failure) -> String) {
    self.name = name
    self.summary = summary
    self.text = text
  }

  /// The whole text, with a newline at its end. Colour is for terminals, and only in formats for people.
  public func render(_ record: Record, useColor: Bool = false) throws(Failure) -> String {
    try text(record, useColor)
  }

  public static let all: [ReportFormat] = [.table, .json, .csv, .markdown]

  /// The format of that name, or nil when there is none.
  public static func named(_ name: String) -> ReportFormat? {
    all.first { $0.name == name }
  }
}
