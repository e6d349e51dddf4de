import Frames

/// What keeps a hostile script from filling memory: how far it may blur, and how many lines are drawn together.
///
/// Pure. A blurred piece of text has a bitmap far larger than itself, three of them with its outline and its shadow, and
/// libass holds those of all lines of a frame at once.
package enum SubtitleLimits {
  /// In the script's pixels; more hides the letters.
  package static let blur = 20.0
  /// Of an event: texts between commands and line breaks. One with more of them is drawn sharp.
  package static let pieces = 64
  /// Events that are drawn before it is known how large they are.
  package static let first = 2
  /// And so many more at most each time: those to come may be larger.
  package static let step = 8
  /// Of the bitmaps of one picture.
  package static let bytes = 32 << 20

  /// How many events are to be drawn after `count` of them took so many bytes; `count` when no more fit.
  package static func next(_ count: Int, of all: Int, bytes: Int) -> Int {
    guard count < all else { return count }
    let fitting = Double(count) * Double(Self.bytes) / Double(max(bytes, 1))
    return max(count, min(all, 2 * count, count + step, Int(saturating: fitting)))
  }

  /// The line with its `\blur` and `\be` no larger than they may be.
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
      // libass reads as much of a malformed number as makes one.
      let value = start == end ? 0 : Double(String(decoding: text[start..<end], as: UTF8.self)) ?? .infinity
      output += text[place..<start]
      output += value > limit ? Array("\(Int(limit))".utf8) : Array(text[start..<end])
      place = end
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func isNumeric(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || "+-.eE".utf8.contains(byte)
  }
}
