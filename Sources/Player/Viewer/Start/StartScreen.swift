import Window

/// The screen without a clip: recent clips, the built-in one, a field for a path or URL, and the last
/// error. Pure: events in, choices out.
package struct StartScreen: Sendable {
  /// A part of the screen that the user can select.
  package enum Entry: Sendable, Hashable {
    case builtIn
    case browse
    case field
    case recent(String)
  }

  /// An operation that the user waits for.
  package struct Work: Sendable {
    package var text: Phrase
    /// What is being waited for.
    package var detail: Phrase?
    /// Progress from 0 to 1 if known.
    package var share: Double?
    /// Turns of the indicator.
    package var spin = 0.0

    package init(_ text: Phrase, detail: Phrase? = nil, share: Double? = nil, spin: Double = 0) {
      (self.text, self.detail, self.share, self.spin) = (text, detail, share, spin)
    }
  }

  /// The user's choice.
  package enum Choice: Sendable, Hashable {
    case builtIn
    /// Show the file browser.
    case browse
    case open(String)
    /// Cancel the current operation.
    case cancel
  }

  package let entries: [Entry]
  package var selected: Entry
  package var field = PathField()
  /// The last error, a sentence; nil: none.
  package var complaint: String?
  /// The current operation; nil: none.
  package var work: Work?
  /// The folder that `~` stands for.
  private let home: String
  /// The names in a folder, folders with a trailing `/`.
  private let names: @Sendable (_ folder: String) -> [String]

  /// Limit of recent clips shown.
  static let recentLimit = 8

  package init(
    recent: RecentFiles, home: String, hasBuiltIn: Bool = true,
    names: @escaping @Sendable (_ folder: String) -> [String] = { _ in [] }
  ) {
    entries =
      (hasBuiltIn ? [.builtIn] : []) + [.browse, .field] + recent.paths.prefix(Self.recentLimit).map { .recent($0) }
    selected = entries[0]
    self.home = home
    self.names = names
  }

  /// A key was pressed or repeats.
  package mutating func press(_ key: Key, _ modifiers: Modifiers, clipboard: () -> String?) -> Choice? {
    if work != nil { return key == .escape ? .cancel : nil }
    switch key {
    case .up: select(-1)
    case .down: select(1)
    case .home: selected = entries[0]
    case .end: selected = entries[entries.count - 1]
    case .tab where selected == .field && !modifiers.contains(.shift) && !field.text.isEmpty:
      field.complete(home: home, names: names)
    case .tab: select(modifiers.contains(.shift) ? -1 : 1)
    case .enter, .keypadEnter: return choose(selected)
    case .backspace:
      selected = .field
      field.deleteBackward()
    case .v where modifiers.contains(.control), .insert where modifiers.contains(.shift):
      selected = .field
      if let copied = clipboard() { field.paste(copied) }
    case .u where modifiers.contains(.control): field.clear()
    case .escape:
      field.clear()
      complaint = nil
    default: break
    }
    return nil
  }

  /// Typed text goes into the field regardless of the selection.
  package mutating func type(_ scalar: Unicode.Scalar) {
    guard work == nil else { return }
    selected = .field
    field.type(scalar)
  }

  package mutating func choose(_ entry: Entry) -> Choice? {
    guard work == nil else { return nil }
    selected = entry
    switch entry {
    case .builtIn: return .builtIn
    case .browse: return .browse
    case .recent(let path): return .open(path)
    case .field: return field.path(home: home).map { .open($0) }
    }
  }

  /// Whether it is drawn differently from another one.
  func isDrawn(unlike other: StartScreen) -> Bool {
    selected != other.selected || field != other.field || complaint != other.complaint
  }

  private mutating func select(_ way: Int) {
    guard let position = entries.firstIndex(of: selected) else { return }
    selected = entries[(position + way + entries.count) % entries.count]
  }
}
