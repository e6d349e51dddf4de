/// The path that a request asks for, decoded and checked, and its query.
package struct RequestTarget: Hashable {
  /// Decoded segments; none of them is empty, `.` or `..`, or holds a slash or a control character.
  package let segments: [String]
  /// As sent, without the question mark; nil where there is none.
  package let query: Substring?

  /// Why a target is refused.
  package enum Refusal: Error, Hashable {
    /// It is no path: a control character, an invalid escape, text that is not UTF-8, or too long.
    case malformed
    /// A segment leads out of the folder.
    case outside
  }

  package static let byteLimit = 8192

  /// Decoded, from the root: `/a/b c.m3u8`.
  package var path: String { "/" + segments.joined(separator: "/") }

  /// - Parameter text: the target of a request line, in origin form or absolute form (RFC 9112, section 3.2).
  package init(_ text: String) throws(Refusal) {
    guard text.utf8.count <= Self.byteLimit else { throw .malformed }
    var rest = text.prefix { $0 != "#" }
    for scheme in ["http://", "https://"] where rest.lowercased().hasPrefix(scheme) {
      rest = rest.dropFirst(scheme.count).drop { $0 != "/" && $0 != "?" }
      if !rest.hasPrefix("/") { rest = "/" + rest }
    }
    guard rest.hasPrefix("/") else { throw .malformed }
    let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    query = parts.count > 1 ? parts[1] : nil
    var segments: [String] = []
    for part in parts[0].split(separator: "/") {
      guard let segment = percentDecoded(part) else { throw .malformed }
      if segment == "." { continue }
      guard segment != "..", !segment.utf8.contains(UInt8(ascii: "/")) else { throw .outside }
      guard segment.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw .malformed }
      segments.append(segment)
    }
    self.segments = segments
  }
}

/// `%41` becomes `A`; nil for an invalid escape and for bytes that are not UTF-8.
func percentDecoded(_ text: Substring) -> String? {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(text.utf8.count)
  var rest = text.utf8[...]
  while let byte = rest.popFirst() {
    guard byte == UInt8(ascii: "%") else {
      bytes.append(byte)
      continue
    }
    guard let high = rest.popFirst().flatMap(hexDigit), let low = rest.popFirst().flatMap(hexDigit) else { return nil }
    bytes.append(high << 4 | low)
  }
  return String(validating: bytes, as: UTF8.self)
}

private func hexDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}
