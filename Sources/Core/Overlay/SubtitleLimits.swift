import Frames

/// Limits against scripts that fill memory: the radius of blurs, and the number of lines drawn together.
///
/// Pure. A blurred piece of text has a bitmap far larger than itself, three of them with its outline and its shadow,
/// and libass holds those of all lines of a frame at once.
package enum SubtitleLimits {
  /// In the script's pixels; more hides the letters.
  package static let blur = 20.0
  /// Texts between commands and line breaks of an event. An event with more of them is drawn without blur.
  package static let pieces = 64
  /// Events drawn first, to learn the size of their bitmaps.
  package static let first = 2
  /// The most events added at a time: later ones may be larger.
  package static let step = 8
  /// Limit for the bitmaps of one picture.
  package static let bytes = 32 << 20

  /// The number of events to draw next, after `count` of them took `bytes`; `count` when no more fit.
  package static func next(_ count: Int, of all: Int, bytes: Int) -> Int {
    guard count < all else { return count }
    let fitting = Double(count) * Double(Self.bytes) / Double(max(bytes, 1))
    return max(count, min(all, 2 * count, count + step, Int(saturating: fitting)))
  }

  /// The line with `\blur` and `\be` clamped to the limit.
  package static func calmed(_ line: String) -> String {
    let text = Array(line.utf8)
    guard blurs.contains(where: { name in text.indices.contains { text[$0...].starts(with: name) } }) else {
      return line
    }
    let pieceCount = text.count { $0 == UInt8(ascii: "{") } + breaks(text)
    return calmed(text, limit: pieceCount > pieces ? 0 : blur)
  }

  private static let blurs = ["\\blur", "\\be"].map { Array($0.utf8) }

  private static func breaks(_ text: [UInt8]) -> Int {
    zip(text, text.dropFirst()).count { $0 == UInt8(ascii: "\\") && ($1 | 0x20) == UInt8(ascii: "n") }
  }

  private static func calmed(_ text: [UInt8], limit: Double) -> String {
    var output: [UInt8] = []
    var place = 0
    while place < text.count {
      guard let name = blurs.first(where: { text[place...].starts(with: $0) }) else {
        output.append(text[place])
        place += 1
        continue
      }
      var start = place + name.count
      while start < text.count, text[start] == UInt8(ascii: " ") || text[start] == UInt8(ascii: "(") { start += 1 }
      var end = start
      while end < text.count, isNumeric(text[end]) { end += 1 }
      // libass reads the longest valid prefix of a malformed number.
      let value =
        start == end ? 0 : Double(String(decoding: text[Range(from: start, to: end)], as: UTF8.self)) ?? .infinity
      output += text[Range(from: place, to: start)]
      output += value > limit ? Array("\(Int(limit))".utf8) : Array(text[Range(from: start, to: end)])
      place = end
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func isNumeric(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || "+-.eE".utf8.contains(byte)
  }
}
