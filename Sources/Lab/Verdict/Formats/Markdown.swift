/// Pieces of Markdown as GitHub reads it.
enum Markdown {
  static func note(_ warning: Record.Warning) -> String {
    let remedy = warning.remedy.map { " — \(escaped($0))" } ?? ""
    return "- warning `\(escaped(warning.code))`: \(escaped(warning.text))\(remedy)"
  }

  /// Escaped text: no markup, no cell of its own, one line.
  static func escaped(_ text: String) -> String {
    var result = ""
    // Scalar by scalar: with an accent on it a bar still ends the cell.
    for scalar in ReportText.printable(text).unicodeScalars {
      switch scalar {
      case "|", "`", "*", "[", "]", "\\": result += "\\\(scalar)"
      case "<": result += "&lt;"
      case "&": result += "&amp;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
