import Frames

/// A way to print a history: one row of `HistoryFormat.all`.
public struct HistoryFormat: Sendable {
  /// The capabilities of a terminal.
  public struct Terminal: Sendable {
    public var useColor: Bool
    /// Whether it supports ASCII only, for the sparkline.
    public var isASCII: Bool

    public init(useColor: Bool = false, isASCII: Bool = false) {
      self.useColor = useColor
      self.isASCII = isASCII
    }
  }

  /// The name that `--format` takes.
  public let name: String
  /// A few words for the help text.
  public let summary: String
  private let text: @Sendable (History, Terminal) throws(Failure) -> String

  init(_ name: String, _ summary: String, text: @escaping @Sendable (History, Terminal) throws(Failure) -> String) {
    self.name = name
    self.summary = summary
    self.text = text
  }

  /// The whole text, with a newline at its end.
  public func render(_ history: History, on terminal: Terminal = Terminal()) throws(Failure) -> String {
    try text(history, terminal)
  }

  public static let all: [HistoryFormat] = [.table, .json, .csv, .markdown]

  /// The format of that name, or nil when there is none.
  public static func named(_ name: String) -> HistoryFormat? {
    all.first { $0.name == name }
  }
}

extension HistorySeries.Point {
  /// `197.2 … 201.0`
  package var intervalText: String {
    guard let low, let high else { return ReportText.unknown }
    return "\(ReportText.number(low)) … \(ReportText.number(high))"
  }
}
