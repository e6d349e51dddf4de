/// How the bytes of a text file are to be read.
enum TextEncoding: String, Sendable, Hashable {
  case utf8 = "UTF-8"
  case utf16 = "UTF-16"
  case windows1252 = "Windows-1252"

  /// The text as UTF-8 without a byte order mark. UTF-16 is recognised by its mark; other text that is not UTF-8 is
  /// read as Windows-1252, the usual encoding of old subtitle files.
  static func utf8(_ bytes: [UInt8]) -> (bytes: [UInt8], encoding: TextEncoding) {
    if bytes.starts(with: [0xFF, 0xFE]) { return (Array(utf16(bytes.dropFirst(2), isBigEndian: false).utf8), .utf16) }
    if bytes.starts(with: [0xFE, 0xFF]) { return (Array(utf16(bytes.dropFirst(2), isBigEndian: true).utf8), .utf16) }
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    if String(validating: text, as: UTF8.self) != nil { return (text, .utf8) }
    return (Array(fromWindows1252(text).utf8), .windows1252)
  }

  private static func utf16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> String {
    let bytes = Array(bytes)
    let units = (0..<bytes.count / 2).map { index in
      let (first, second) = (UInt16(bytes[2 * index]), UInt16(bytes[2 * index + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    return String(decoding: units, as: UTF16.self)
  }

  private static func fromWindows1252(_ bytes: [UInt8]) -> String {
    var text = String.UnicodeScalarView()
    for byte in bytes { text.append((0x80..<0xA0).contains(byte) ? upper[Int(byte) - 0x80] : Unicode.Scalar(byte)) }
    return String(text)
  }

  /// 0x80 … 0x9F (WHATWG Encoding, index windows-1252); the five that mean nothing stay control characters.
  private static let upper: [Unicode.Scalar] = [
    "\u{20AC}", "\u{81}", "\u{201A}", "\u{192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}", "\u{2C6}", "\u{2030}",
    "\u{160}", "\u{2039}", "\u{152}", "\u{8D}", "\u{17D}", "\u{8F}", "\u{90}", "\u{2018}", "\u{2019}", "\u{201C}",
    "\u{201D}", "\u{2022}", "\u{2013}", "\u{2014}", "\u{2DC}", "\u{2122}", "\u{161}", "\u{203A}", "\u{153}", "\u{9D}",
    "\u{17E}", "\u{178}",
  ]
}
