/// Text within XML, between tags or in quotes.
///
/// Scalar by scalar: an accent on a `<` does not make it another character for XML. XML 1.0 can hold printable text.
func xmlEscaped(_ text: String) -> String {
  ReportText.printable(text).unicodeScalars.reduce(into: "") { result, scalar in
    switch scalar {
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "\"": result += "&quot;"
    default: result.unicodeScalars.append(scalar)
    }
  }
}
