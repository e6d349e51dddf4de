import Frames

/// A way to print a comparison: one row of `ComparisonFormat.all`.
public struct ComparisonFormat: Sendable {
  /// As `--format` takes it.
  public let name: String
  /// A few words for the help text.
  public let summary: String
  private let text: @Sendable (Comparison, Bool) throws(Failure) -> String

  init(_ name: String, _ summary: String, text: @escaping @Sendable (Comparison, Bool) throws(Failure) -> String) {
    self.name = name
    self.summary = summary
    self.text = text
  }

  /// The whole text, with a newline at its end. Colour is for terminals, and only in formats for people.
  public func render(_ comparison: Comparison, useColor: Bool = false) throws(Failure) -> String {
    try text(comparison, useColor)
  }

  public static let all: [ComparisonFormat] = [.table, .json, .csv, .markdown, .junit, .githubSmaller, .githubBigger]

  /// The format of that name, or nil when there is none.
  public static func named(_ name: String) -> ComparisonFormat? {
    all.first { $0.name == name }
  }
}
