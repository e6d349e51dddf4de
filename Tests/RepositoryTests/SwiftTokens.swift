/// The words and signs of a Swift source; comments and what strings hold are left out.
struct SwiftTokens {
  struct Token: Equatable {
    var text: String
    /// Nothing but blanks stands before it on its line.
    var beginsLine: Bool
  }

  private(set) var tokens: [Token] = []

  init(_ source: String) {
    characters = Array(source)
    while index < characters.count { readOne() }
  }

  private let characters: [Character]
  private var index = 0
  private var isAtLineStart = true

  private func has(_ text: String) -> Bool {
    index + text.count <= characters.count && zip(characters[index...], text).allSatisfy { $0 == $1 }
  }

  private mutating func append(_ text: String) {
    tokens.append(Token(text: text, beginsLine: isAtLineStart))
    isAtLineStart = false
  }

  private mutating func readOne() {
    let character = characters[index]
    if character.isNewline {
      isAtLineStart = true
      index += 1
    } else if character.isWhitespace {
      index += 1
    } else if has("//") {
      while index < characters.count, !characters[index].isNewline { index += 1 }
    } else if has("/*") {
      skipComment()
    } else if has("#/") {
      append("#/")
      index += 2
      while index < characters.count, !has("/#") { index += 1 }
      index += 2
    } else if character == "\"" || has("#\"") || has("##\"") {
      append("\"\"")
      skipString()
    } else if character.isLetter || character == "_" || character == "`" {
      let start = index
      while index < characters.count, isWord(characters[index]) { index += 1 }
      append(String(characters[start..<index]))
    } else if has("->") {
      append("->")
      index += 2
    } else {
      append(String(character))
      index += 1
    }
  }

  private func isWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_" || character == "`"
  }

  private mutating func skipComment() {
    var depth = 0
    repeat {
      if has("/*") {
        depth += 1
        index += 2
      } else if has("*/") {
        depth -= 1
        index += 2
      } else {
        index += 1
      }
    } while depth > 0 && index < characters.count
  }

  /// With any number of `#` around it, of one line or several, interpolations included.
  private mutating func skipString() {
    let hashes = String(characters[index...].prefix { $0 == "#" })
    index += hashes.count
    let quotes = has("\"\"\"") ? "\"\"\"" : "\""
    index += quotes.count
    while index < characters.count, !has(quotes + hashes) {
      if has("\\" + hashes + "(") {
        index += hashes.count + 2
        skipInterpolation()
      } else if has("\\" + hashes) {
        index += hashes.count + 2
      } else {
        index += 1
      }
    }
    index += quotes.count + hashes.count
  }

  /// From behind `\(` to behind its `)`.
  private mutating func skipInterpolation() {
    var depth = 1
    while depth > 0, index < characters.count {
      if characters[index] == "\"" || has("#\"") {
        skipString()
        continue
      }
      if characters[index] == "(" { depth += 1 }
      if characters[index] == ")" { depth -= 1 }
      index += 1
    }
  }
}
