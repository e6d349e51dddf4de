/// Plain text as libass reads it, where braces and backslashes begin commands.
enum TextScript {
  /// The script that shows `text` as it stands, and the number of its lines.
  ///
  /// Goes by scalars: a brace with an accent on it is a character of its own, and still a brace to libass.
  static func of(_ text: String) -> (script: String, lineCount: Int) {
    var script = String.UnicodeScalarView()
    var lineCount = 1
    var previous: Unicode.Scalar?
    var isLineEmpty = true
    for scalar in text.unicodeScalars {
      defer { previous = scalar }
      switch scalar {
      // Nothing that is seen keeps the backslash from what follows it.
      case "\\": script.append(contentsOf: "\\\u{2060}".unicodeScalars)
      case "{", "}": script.append(contentsOf: ["\\", scalar])
      case "\n" where previous == "\r": continue
      case "\n", "\r", "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}":
        // Lines without anything would be half as high as others.
        script.append(contentsOf: (isLineEmpty ? "\\h\\N" : "\\N").unicodeScalars)
        lineCount += 1
        isLineEmpty = true
        continue
      case "\t": script.append(contentsOf: "\\h\\h\\h\\h".unicodeScalars)
      // libass takes spaces off both ends of a line.
      case " ": script.append(contentsOf: "\\h".unicodeScalars)
      case "\0"..<" ", "\u{7f}"..<"\u{a0}": continue
      default: script.append(scalar)
      }
      isLineEmpty = false
    }
    return (String(script), lineCount)
  }
}
