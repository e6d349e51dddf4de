import Frames

/// A way to print a comparison: one row of `ComparisonFormat.all`.
public struct ComparisonFormat: Sendable {
  /// The name that `--format` takes.
  public let name: String
  /// A few words for the help text.
  public let summary: String
  private let text: @Sendable (Comparison, Look) throws(Failure) -> String

  /// How a format for people prints; other formats ignore it.
  struct Look {
    var useColor: Bool
    var listsUnchanged: Bool
  }

  init(_ name: String, _ summary: String, text: @escaping @Sendable (Comparison, Look) throws(Failure) -> String) {
    self.name = name
    self.summary = summary
    self.text = text
  }

  /// The whole text, with a newline at its end.
  ///
  /// - Parameters:
  ///   - useColor: for terminals; used in formats for people alone.
  ///   - listsUnchanged: whether the format `table` has a row for each metric that is not gated and did not change. Without
  ///     it a line gives their number.
  public func render(
    _ comparison: Comparison, useColor: Bool = false, listsUnchanged: Bool = false
  ) throws(Failure) -> String {
    try text(comparison, Look(useColor: useColor, listsUnchanged: listsUnchanged))
  }

  public static let all: [ComparisonFormat] = [.table, .json, .csv, .markdown, .junit, .githubSmaller, .githubBigger]

  /// The format of that name, or nil when there is none.
  public static func named(_ name: String) -> ComparisonFormat? {
    all.first { $0.name == name }
  }
}
