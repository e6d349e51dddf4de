import Frames

/// What a run prints by default: the answer first, then its main numbers, what disturbed them, and what to do next.
///
/// At most 100 columns, except commands, which stay whole so that users can copy them.
public struct AnswerText: Sendable {
  /// A command, and its purpose in a few words.
  public struct Step: Sendable {
    public let command: String
    public let purpose: String

    public init(_ command: String, _ purpose: String) {
      self.command = command
      self.purpose = purpose
    }
  }

  /// The capabilities of the output.
  public struct Screen: Sendable {
    /// Whether it is a terminal: frame times are drawn there.
    public var isTerminal = false
    public var useColor = false
    /// Whether it supports ASCII only.
    public var isASCII = false

    public init(isTerminal: Bool = false, useColor: Bool = false, isASCII: Bool = false) {
      self.isTerminal = isTerminal
      self.useColor = useColor
      self.isASCII = isASCII
    }
  }

  private let record: Record
  private let next: [Step]
  private let screen: Screen
  private let style: TerminalStyle

  public init(_ record: Record, next: [Step], on screen: Screen = Screen()) {
    self.record = record
    self.next = next
    self.screen = screen
    style = TerminalStyle(useColor: screen.useColor)
  }

  /// The whole text, with a newline at its end.
  public var text: String {
    let answer = Answer(record)
    let color = answer.isGood.map { $0 ? TerminalStyle.Color.green : .red } ?? .bold
    let parts = [
      style.wrapped(answer.sentence, first: "", color: color), numbers, histogram, disturbances, steps,
    ]
    return parts.filter { !$0.isEmpty }.map { lines in lines.map { $0 + "\n" }.joined() }.joined(separator: "\n")
  }

  /// A line for progress where there is no terminal: `pipeline/direct: pipeline_fps 60.07 1/s`; nil without a number.
  public static func line(_ scenario: Record.Scenario) -> String? {
    guard let main = scenario.key?.mainMetric, let number = KeyNumbers.Number(scenario, main) else { return nil }
    let value = [number.name, number.value, number.unit].filter { !$0.isEmpty }.joined(separator: " ")
    return "\(ReportText.printable(scenario.title)): \(value)"
  }

  private var numbers: [String] {
    if let players = Document.Section(playersOf: record) { return players.terminal(style) }
    let numbers = KeyNumbers(record).numbers
    let names = numbers.map(\.name.count).max() ?? 0
    let units = numbers.map(\.unit.count).max() ?? 0
    return numbers.map { number in
      let value = String(repeating: " ", count: max(0, 9 - number.value.count)) + number.value
      let head = "  " + number.name.filled(to: names) + value + " " + number.unit.filled(to: units)
      return style.styled(head, .bold) + "  " + ReportText.cut(number.place, to: TerminalStyle.width - head.count - 2)
    }
  }

  private var histogram: [String] {
    guard screen.isTerminal, let histogram = TextHistogram(record) else { return [] }
    return ["  " + histogram.heading] + histogram.lines(isASCII: screen.isASCII).map { "  " + $0 }
  }

  private var disturbances: [String] {
    let ended = record.complete ? [] : [style.styled("incomplete: the run ended early", .yellow)]
    guard !record.warnings.isEmpty else { return ended.isEmpty ? ["nothing disturbed the run"] : ended }
    return ended + style.warnings(record.warnings)
  }

  private var steps: [String] {
    let width = next.map(\.command.count).max() ?? 0
    return next.enumerated().map { index, step in
      (index == 0 ? "next     " : "         ") + step.command.filled(to: min(width, 70)) + "  # " + step.purpose
    }
  }
}

extension String {
  /// Spaces behind, up to a width.
  fileprivate func filled(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
