/// The stored properties that a Swift source declares, by the type that holds them.
///
/// Reads tokens, no grammar: enough for sources that the formatter has laid out.
struct StoredProperties {
  /// `Outer.Inner` → names, in the order of the source. Static and computed ones are not among them.
  private(set) var names: [String: [String]] = [:]

  init(_ source: String) {
    tokens = SwiftTokens(source).tokens
    while position < tokens.count { readToken() }
  }

  private let tokens: [SwiftTokens.Token]
  private var position = 0
  /// One for each open brace: the type whose body it opens, or nil for any other.
  private var scopes: [String?] = []
  /// The type or extension whose `{` is still to come.
  private var opening: String?

  /// `class` begins a type too, where it is no modifier.
  private static let typeWords: Set<String> = ["struct", "class", "actor", "enum", "protocol", "extension"]
  private static let modifiers: Set<String> = [
    "public", "package", "internal", "fileprivate", "private", "open", "final", "lazy", "weak", "unowned",
    "nonisolated",
    "override", "static", "class", "(", ")", "set", "unsafe",
  ]

  private func text(_ offset: Int = 0) -> String? {
    tokens.indices.contains(position + offset) ? tokens[position + offset].text : nil
  }

  private mutating func readToken() {
    let word = tokens[position].text
    switch word {
    case "{":
      scopes.append(opening)
      opening = nil
    case "}":
      _ = scopes.popLast()
    case "let", "var":
      if let type = scopes.last ?? nil, !isStatic {
        let declared = declaredNames()
        if !declared.isEmpty { names[type, default: []] += declared }
        return
      }
    case _ where Self.typeWords.contains(word) && beginsType:
      let outer = scopes.compactMap(\.self).last
      // An extension names the type from the top: `extension Record.Settings`.
      var name = ""
      repeat {
        position += 1
        name += text() ?? ""
        if text(1) == "." {
          position += 1
          name += "."
        }
      } while name.hasSuffix(".")
      opening = [outer, name].compactMap(\.self).joined(separator: ".")
    default: break
    }
    position += 1
  }

  private var beginsType: Bool {
    guard let next = text(1), next.first?.isLetter == true || next.first == "_" || next.first == "`" else {
      return false
    }
    return text(-1) != "import" && text(-1) != "." && !["var", "let", "func", "subscript"].contains(next)
  }

  private var isStatic: Bool {
    var index = position - 1
    while index >= 0, Self.modifiers.contains(tokens[index].text) {
      if ["static", "class"].contains(tokens[index].text) { return true }
      index -= 1
    }
    return false
  }

  /// The names behind `let` or `var`; none when it is computed. Leaves the position on a body's brace, or behind the last token.
  private mutating func declaredNames() -> [String] {
    position += 1
    var (names, depth, isPattern, isInitialised) = ([String](), 0, true, false)
    while let token = text() {
      let isContinued = [":", "=", ",", "->", "&", "."].contains(text(-1) ?? "")
      if depth == 0, tokens[position].beginsLine, !isPattern || !names.isEmpty, !isContinued,
        !["=", "{", ",", "->", "&", ".", "?"].contains(token)
      {
        break
      }
      switch token {
      case "(", "[": depth += 1
      case "<" where !isInitialised: depth += 1
      case ")", "]": depth -= 1
      case ">" where !isInitialised: depth -= 1
      case "{" where depth > 0 || isInitialised: skipBraces()
      case "{": return ["willSet", "didSet"].contains(text(1) ?? "") ? names : []
      case "}" where depth == 0: return names
      case ";" where depth == 0: return names
      case ":" where depth == 0 && !isInitialised: isPattern = false
      case "=" where depth == 0: (isPattern, isInitialised) = (false, true)
      case "," where depth == 0: (isPattern, isInitialised) = (true, false)
      case "," where isPattern: break
      default: if isPattern { names.append(token) }
      }
      position += 1
    }
    return names
  }

  /// From an opening brace to its closing one.
  private mutating func skipBraces() {
    var depth = 0
    while let token = text() {
      if token == "{" { depth += 1 }
      if token == "}" { depth -= 1 }
      if depth == 0 { return }
      position += 1
    }
  }
}
