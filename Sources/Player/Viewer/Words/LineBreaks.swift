/// Where lines may break: at spaces, and beside the characters of Chinese and Japanese, which have none.
package enum LineBreaks {
  /// The parts of a line that stay whole, each with what stands before it in the middle of a line.
  package static func pieces(of line: some StringProtocol) -> [(space: String, text: String)] {
    line.split(separator: " ").enumerated().flatMap { index, word in
      parts(of: word).enumerated().map { ($0.offset == 0 && index > 0 ? " " : "", $0.element) }
    }
  }

  private static func parts(of word: some StringProtocol) -> [String] {
    var parts: [String] = []
    var before: Character?
    for character in word {
      if before.map({ mayBreak(between: $0, and: character) }) ?? true {
        parts.append(String(character))
      } else {
        parts[parts.count - 1].append(character)
      }
      before = character
    }
    return parts
  }

  private static func mayBreak(between one: Character, and other: Character) -> Bool {
    (isWide(one) || isWide(other)) && !opening.contains(one) && !closing.contains(other)
  }

  /// No line begins with these, and none ends with those: JIS X 4051.
  private static let closing: Set<Character> = Set(
    "、。，．・：；？！）］｝」』】〕〉》”’…‥ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ,.:;?!)]}%°")
  private static let opening: Set<Character> = Set("（［｛「『【〔〈《“‘([{")

  /// About as wide as its line is high: ideographs, kana, and their punctuation.
  private static func isWide(_ character: Character) -> Bool {
    switch character.unicodeScalars.first?.value ?? 0 {
    case 0x2E80...0x9FFF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFF00...0xFF60, 0x20000...0x3FFFD: true
    default: false
    }
  }

  /// The width of a text in letters.
  package static func letters(in text: some StringProtocol) -> Int { text.reduce(0) { $0 + (isWide($1) ? 2 : 1) } }
}
