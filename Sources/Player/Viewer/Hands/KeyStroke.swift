import Window

/// A key with its modifiers: `ctrl+shift+s`. A capital letter alone is that letter with shift: `F`.
package struct KeyStroke: Sendable, Hashable, CustomStringConvertible {
  package var key: Key
  package var modifiers: Modifiers

  package init(_ key: Key, _ modifiers: Modifiers = []) {
    self.key = key
    self.modifiers = modifiers.intersection(.all)
  }

  /// Nil for an unknown key name. Names are not case-sensitive, except for a letter alone.
  package init?(_ text: String) {
    if text.count == 1, let letter = text.first, letter.isASCII, letter.isUppercase,
      let key = Self.key(text.lowercased())
    {
      self.init(key, .shift)
      return
    }
    var parts = text.lowercased().split(separator: "+", omittingEmptySubsequences: false)[...]
    guard let name = parts.popLast(), let key = Self.key(String(name)) else { return nil }
    var modifiers: Modifiers = []
    for part in parts {
      guard let modifier = Self.modifiers.first(where: { $0.name == part })?.modifier else { return nil }
      modifiers.insert(modifier)
    }
    self.init(key, modifiers)
  }

  package var description: String {
    let name = Self.name(key)
    if modifiers == .shift, name.count == 1, let letter = name.first, letter.isLetter { return name.uppercased() }
    return (Self.modifiers.filter { modifiers.contains($0.modifier) }.map(\.name) + [name]).joined(separator: "+")
  }

  private static let modifiers: [(name: String, modifier: Modifiers)] = [
    ("ctrl", .control), ("alt", .alt), ("shift", .shift), ("cmd", .command),
  ]

  /// Keys written as characters, not names. The separator of a stroke has no character of its own.
  private static let signs: [(sign: String, key: Key)] = [
    ("'", .apostrophe), (",", .comma), ("-", .minus), (".", .period), ("/", .slash), (";", .semicolon), ("=", .equal),
    ("[", .leftBracket), ("\\", .backslash), ("]", .rightBracket), ("`", .grave),
  ]

  private static func key(_ name: String) -> Key? {
    signs.first { $0.sign == name }?.key ?? keys[name]
  }

  private static func name(_ key: Key) -> String { signs.first { $0.key == key }?.sign ?? words[key] ?? "unknown" }

  /// The names of keys in lower case: those from the source, which are slow to ask for, but `7` for `digit7`.
  private static let words: [Key: String] = Dictionary(
    uniqueKeysWithValues: Key.allCases.map { key in
      let name = "\(key)".lowercased()
      return (key, name.hasPrefix("digit") ? String(name.dropFirst(5)) : name)
    })
  private static let keys: [String: Key] = Dictionary(
    uniqueKeysWithValues: words.filter { $0.key != .unknown }.map { ($0.value, $0.key) })
}

extension Modifiers {
  /// The modifiers that distinguish strokes.
  static let all: Modifiers = [.control, .alt, .shift, .command]
}
