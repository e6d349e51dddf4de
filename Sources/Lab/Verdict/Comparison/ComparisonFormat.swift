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

/// Shared by the formats for people.
package enum ComparisonText {
  /// `results/base · 12 records · commit 0123456789ab`
  package static func side(_ side: Comparison.Side) -> String {
    let commits = side.commits.map { String($0.prefix(12)) }.joined(separator: ", ")
    let parts = [
      side.name, side.labels.isEmpty ? nil : side.labels.joined(separator: ", "),
      side.records == 1 ? "1 record" : "\(side.records) records", commits.isEmpty ? nil : "commit \(commits)",
    ]
    return parts.compactMap { $0 }.map(ReportText.printable).joined(separator: " · ")
  }

  static func runs(_ runs: Comparison.Runs) -> String {
    runs.made < runs.planned
      ? "\(runs.made) of \(runs.planned) runs a side, interleaved; decided early"
      : "\(runs.made) runs a side, interleaved"
  }
}
