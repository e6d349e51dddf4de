import Foundation
import Frames
import Support
import Testing

/// Printed text holds neither control characters nor invisible ones.
@Suite struct PrintableTextTests {
  @Test(arguments: [
    ("\u{1B}[31mred\u{7}", "\\u{1B}[31mred\\u{7}"), ("a\tb\r\nc", "a\\u{9}b\\u{D}\\u{A}c"),
    ("\u{0}\u{7F}\u{9B}\u{85}", "\\u{0}\\u{7F}\\u{9B}\\u{85}"),
    ("a\u{202E}b\u{2066}c\u{2069}", "a\\u{202E}b\\u{2066}c\\u{2069}"),
    ("a\u{200B}b\u{FEFF}\u{AD}\u{200F}", "a\\u{200B}b\\u{FEFF}\\u{AD}\\u{200F}"),
    ("\u{2028}\u{2029}\u{FFFF}\u{378}\u{3164}\u{E0041}", "\\u{2028}\\u{2029}\\u{FFFF}\\u{378}\\u{3164}\\u{E0041}"),
    ("a\u{200D}b \u{200D}", "a\\u{200D}b \\u{200D}"),
  ])
  func controlCharactersAreEscaped(text: String, shown: String) {
    #expect(printable(text) == shown && printable(shown) == shown)
  }

  @Test(arguments: [
    "", "clip.mp4", "größe 4K — ✓", "é e\u{301}", "日本語", "مرحبا", "नमस्ते", "می\u{200C}خواهم", "👩\u{200D}🚀", "☎\u{FE0F}",
    "\\u{1B}",
  ])
  func printableTextIsUnchanged(text: String) {
    #expect(printable(text) == text && oneLine(text) == text)
  }

  @Test func newlinesAreKeptOnRequest() {
    #expect(printable("a\tb\r\nc\nd\re\u{1B}", keepsLines: true) == "a\tb\r\nc\nd\\u{D}e\\u{1B}")
  }

  @Test func jsonStaysTheSameJSON() throws {
    var random = SeededGenerator(for: #function)
    for _ in 0..<200 {
      let scalars = (0..<20).compactMap { _ in Unicode.Scalar(UInt32.random(in: 0...0x2FFF, using: &random)) }
      let value = [String(String.UnicodeScalarView(scalars)) + "\u{E0041}\u{1B}\u{7F}\u{9B}"]
      let json = printableJSON(String(decoding: try JSONEncoder().encode(value), as: UTF8.self))
      #expect(printable(json, keepsLines: true) == json)
      #expect(try JSONDecoder().decode([String].self, from: Data(json.utf8)) == value)
    }
  }

  @Test func oneLineIsShortAndRedacted() {
    #expect(oneLine("  a\n\tb\u{1B}  c\r\n") == "a b\\u{1B} c")
    #expect(oneLine("ab\ncd", limit: 4) == "ab c")
    // Cut first, it would end in the middle of the password.
    #expect(oneLine("run http://u:password@h", limit: 17) == "run http://…@h")
  }
}
