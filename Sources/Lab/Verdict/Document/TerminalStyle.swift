import Frames

/// Lines for a terminal: never wider than 100 columns, coloured on request.
struct TerminalStyle {
  static let width = 100

  enum Color: String {
    case bold = "1"
    case red = "31"
    case green = "32"
    case yellow = "33"
  }

  let useColor: Bool

  /// A text's words as lines.
  func wrapped(_ text: String, first: String, color: Color? = nil) -> [String] {
    let words = ReportText.printable(text).split(separator: " ").map(String.init)
    return wrapped(words: words, first: first, color: color)
  }

  /// Lines no wider than the table, continuation lines indented as far as `first`; none if there are no words.
  func wrapped(words: [String], separator: String = " ", first: String, color: Color? = nil) -> [String] {
    guard let opening = words.first else { return [] }
    let indent = String(repeating: " ", count: first.count)
    let room = Self.width - first.count
    var lines = [first + ReportText.cut(opening, to: room)]
    for word in words.dropFirst() {
      let longer = lines[lines.count - 1] + separator + word
      if longer.count <= Self.width {
        lines[lines.count - 1] = longer
      } else {
        lines.append(indent + ReportText.cut(word, to: room))
      }
    }
    return color.map { color in lines.map { styled($0, color) } } ?? lines
  }

  /// Each warning, and its remedy behind the last of those in a row that share it.
  func warnings(_ warnings: [Record.Warning]) -> [String] {
    warnings.enumerated().flatMap { index, warning in
      let next = index + 1 < warnings.count ? warnings[index + 1].remedy : nil
      let remedy = warning.remedy == next ? nil : warning.remedy
      return wrapped("\(warning.code): \(warning.text)", first: "warning  ", color: .yellow)
        + (remedy.map { wrapped($0, first: "       → ") } ?? [])
    }
  }

  func styled(_ text: String, _ color: Color) -> String {
    useColor ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
  }
}
