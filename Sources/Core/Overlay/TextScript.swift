/// Escapes plain text for libass, in which braces and backslashes begin commands.
enum TextScript {
  /// The script that shows `text` literally, and the number of its lines.
  ///
  /// Escapes scalars, not characters: a brace with a combining accent is still a brace to libass.
  static func of(_ text: String) -> (script: String, lineCount: Int) {
    var script = String.UnicodeScalarView()
    var lineCount = 1
    var previous: Unicode.Scalar?
    var isLineEmpty = true
    for scalar in text.unicodeScalars {
      defer { previous = scalar }
      switch scalar {
      // An invisible word joiner separates the backslash from the next character.
      case "\\": script.append(contentsOf: "\\\u{2060}".unicodeScalars)
      case "{", "}": script.append(contentsOf: ["\\", scalar])
      case "\n" where previous == "\r": continue
      case "\n", "\r", "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}":
        // Empty lines would be half as high as others.
        script.append(contentsOf: (isLineEmpty ? "\\h\\N" : "\\N").unicodeScalars)
        lineCount += 1
        isLineEmpty = true
        continue
      case "\t": script.append(contentsOf: "\\h\\h\\h\\h".unicodeScalars)
      // libass trims spaces at both ends of a line.
      case " ": script.append(contentsOf: "\\h".unicodeScalars)
      case "\0"..<" ", "\u{7f}"..<"\u{a0}": continue
      default: script.append(scalar)
      }
      isLineEmpty = false
    }
    return (String(script), lineCount)
  }
}
