/// A text that is safe to print to a terminal, a log or a page: control and invisible characters are escaped as
/// `\u{1B}`.
///
/// Escaped are control characters, bidirectional controls, characters without width, line separators of all kinds, and
/// unassigned code points. Joiners between letters of scripts that need them are kept. Idempotent.
///
/// - Parameter keepsLines: keep newlines and tabs, for text that its caller has laid out in lines.
public func printable(_ text: String, keepsLines: Bool = false) -> String {
  replacing(text, keepsLines: keepsLines) { "\\u{\(hexadecimal($0.value))}" }
}

/// JSON that is safe to print to a terminal: the same JSON, with `\u001b` for each character that `printable` escapes.
public func printableJSON(_ json: String) -> String {
  // A backslash before such a character is invalid JSON, so that no character is escaped twice.
  replacing(json, keepsLines: true) { scalar in
    scalar.utf16.map { "\\u" + hexadecimal(UInt32($0), digits: 4) }.joined()
  }
}

/// A text as a part of a sentence: printable, without secrets, in one line of at most `limit` characters.
public func oneLine(_ text: String, limit: Int = 300) -> String {
  let words = text.unicodeScalars.split { " \t\r\n".unicodeScalars.contains($0) }
  // Secrets first: a truncated URL might not be recognised.
  let line = redactingSecrets(printable(words.map(String.init).joined(separator: " ")))
  return line.count <= limit ? line : String(line.prefix(limit))
}

private func replacing(_ text: String, keepsLines: Bool, with escape: (Unicode.Scalar) -> String) -> String {
  // Most texts are plain ASCII, and records are long.
  if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || keepsLines && ($0 == 0x0A || $0 == 0x09) }) { return text }
  let scalars = text.unicodeScalars
  var result = ""
  result.reserveCapacity(text.utf8.count)
  for index in scalars.indices {
    let scalar = scalars[index]
    let isShown =
      keepsLines && isLayout(index, in: scalars) || isPrintable(scalar)
      || (scalar == "\u{200C}" || scalar == "\u{200D}") && joins(index, in: scalars)
    if isShown { result.unicodeScalars.append(scalar) } else { result += escape(scalar) }
  }
  return result
}

/// A tab, or a newline with or without the carriage return that CSV has before it.
private func isLayout(_ index: String.UnicodeScalarView.Index, in scalars: String.UnicodeScalarView) -> Bool {
  switch scalars[index] {
  case "\n", "\t": return true
  case "\r":
    let next = scalars.index(after: index)
    return next < scalars.endIndex && scalars[next] == "\n"
  default: return false
  }
}

private func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
  if scalar.isASCII { return scalar.value >= 0x20 && scalar.value < 0x7F }
  switch scalar.properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: return false
  default:
    // Variation selectors change the character before them; all other ignorable ones are invisible.
    return !scalar.properties.isDefaultIgnorableCodePoint || (0xFE00...0xFE0F).contains(scalar.value)
  }
}

/// Whether a joiner lies between two characters of a script that may need it.
private func joins(_ index: String.UnicodeScalarView.Index, in scalars: String.UnicodeScalarView) -> Bool {
  let next = scalars.index(after: index)
  guard index > scalars.startIndex, next < scalars.endIndex else { return false }
  let neighbours = [scalars[scalars.index(before: index)], scalars[next]]
  return neighbours.allSatisfy { !$0.isASCII && isPrintable($0) }
}

private func hexadecimal(_ value: UInt32, digits: Int = 1) -> String {
  let text = String(value, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
}
