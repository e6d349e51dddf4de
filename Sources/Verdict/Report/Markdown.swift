/// Pieces of Markdown as GitHub reads it.
enum Markdown {
  static func note(_ warning: Record.Warning) -> String {
    let remedy = warning.remedy.map { " — \(escaped($0))" } ?? ""
    return "- warning `\(escaped(warning.code))`: \(escaped(warning.text))\(remedy)"
  }

  /// Text that stays text: no markup, no cell of its own, one line.
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in ReportText.printable(text) {
      switch character {
      case "|", "`", "*", "[", "]", "\\": result += "\\\(character)"
      case "<": result += "&lt;"
      default: result.append(character)
      }
    }
    return result
  }
}
