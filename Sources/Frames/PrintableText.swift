/// A text as a terminal, a log or a page may be given it: what would steer it, or cannot be seen, reads `\u{1B}`.
///
/// That is control characters, what changes the direction of writing, what has no width, ends of lines of all kinds, and what
/// Unicode has not assigned. Joiners stay between letters of scripts that need them. A text that was made printable before
/// stays as it is.
///
/// - Parameter keepsLines: newlines and tabs stay: for text that is laid out in lines by its caller.
public func printable(_ text: String, keepsLines: Bool = false) -> String {
  replacing(text, keepsLines: keepsLines) { "\\u{\(hexadecimal($0.value))}" }
}

/// JSON text that a terminal may be given: the same JSON, with `\u001b` for what `printable` does not let through.
public func printableJSON(_ json: String) -> String {
  // A backslash before a character of this kind is no JSON: nothing is escaped twice.
  replacing(json, keepsLines: true) { scalar in
    scalar.utf16.map { "\\u" + hexadecimal(UInt32($0), digits: 4) }.joined()
  }
}

/// A text as a part of a sentence: printable, without secrets, in one line of at most `limit` characters.
public func oneLine(_ text: String, limit: Int = 300) -> String {
  let words = text.unicodeScalars.split { " \t\r\n".unicodeScalars.contains($0) }
  // What is secret first: of a URL that was cut it might not be seen.
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
    // Variation selectors change what is before them; all others that may be ignored cannot be seen.
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
