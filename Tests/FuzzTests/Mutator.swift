import Foundation
import Support

/// Changes inputs at random, as libFuzzer does, from a seed.
struct Mutator {
  private let corpus: [[UInt8]]
  private let tokens: [[UInt8]]
  private var random: SeededGenerator

  private static let sizeLimit = 1 << 17
  private static let extremes: [UInt8] = [0, 1, 0x7f, 0x80, 0xff]

  init(corpus: [[UInt8]], tokens: [[UInt8]], random: SeededGenerator) {
    (self.corpus, self.tokens, self.random) = (corpus, tokens, random)
  }

  /// An input of the corpus with one to four changes.
  mutating func next() -> [UInt8] {
    var bytes = corpus.randomElement(using: &random) ?? []
    for _ in 0..<Int.random(in: 1...4, using: &random) { change(&bytes) }
    return Array(bytes.prefix(Self.sizeLimit))
  }

  private mutating func change(_ bytes: inout [UInt8]) {
    let place = Int.random(in: 0...bytes.count, using: &random)
    let length = min(bytes.count - place, 1 << Int.random(in: 0...10, using: &random))
    switch Int.random(in: 0..<7, using: &random) {
    case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1:
      let width = min(bytes.count - place, 1 << Int.random(in: 0...3, using: &random))
      let value = Self.extremes.randomElement(using: &random) ?? 0
      bytes.replaceSubrange(place..<place + width, with: repeatElement(value, count: width))
    case 2: bytes.removeSubrange(place..<place + length)
    case 3: bytes.insert(contentsOf: bytes[place..<place + length], at: place)
    case 4: bytes.removeSubrange(place...)
    case 5:
      let other = corpus.randomElement(using: &random) ?? []
      let start = Int.random(in: 0...other.count, using: &random)
      bytes.replaceSubrange(place..<place + length, with: other[start..<min(other.count, start + 1 + length)])
    default:
      guard let token = tokens.randomElement(using: &random) else { return }
      let end = Bool.random(using: &random) ? place : min(bytes.count, place + token.count)
      bytes.replaceSubrange(place..<end, with: token)
    }
  }
}

/// The words of a dictionary in libFuzzer's form: a line each, quoted, with `\xAB`, `\\` and `\"`.
func dictionaryWords(_ text: String) -> [[UInt8]] {
  text.split(separator: "\n").compactMap { line in
    guard !line.hasPrefix("#"), let first = line.firstIndex(of: "\""), let last = line.lastIndex(of: "\""), first < last
    else { return nil }
    var rest = Array(line[line.index(after: first)..<last].utf8)[...]
    var word: [UInt8] = []
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() else {
        word.append(byte)
        continue
      }
      guard escaped == UInt8(ascii: "x") else {
        word.append(escaped)
        continue
      }
      word.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
      rest = rest.dropFirst(2)
    }
    return word
  }
}
