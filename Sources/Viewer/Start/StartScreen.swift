import Window

/// What is seen where no clip is: the clips that were shown last, the built-in one, a line to type a path or URL in, and what
/// went wrong. Pure: events in, choices out.
public struct StartScreen: Sendable {
  /// Something that can be chosen.
  public enum Entry: Sendable, Hashable {
    case builtIn
    case field
    case recent(String)
  }

  /// What somebody wants.
  public enum Choice: Sendable, Hashable {
    case builtIn
    case open(String)
    /// What is going on is to be given up.
    case cancel
  }

  public let entries: [Entry]
  public var selected: Entry
  public var field = PathField()
  /// What went wrong, in a sentence; nil: nothing.
  public var complaint: String?
  /// What is going on, and how far it has come, from 0 to 1, where that is known; nil: nothing.
  public var work: (text: String, share: Double?)?
  /// What `~` stands for.
  private let home: String
  /// What a folder holds, folders with a `/` behind.
  private let names: @Sendable (_ folder: String) -> [String]

  /// So many recent clips are shown.
  static let recentLimit = 8

  public init(
    recent: RecentFiles, home: String, hasBuiltIn: Bool = true,
    names: @escaping @Sendable (_ folder: String) -> [String] = { _ in [] }
  ) {
    entries = (hasBuiltIn ? [.builtIn] : []) + [.field] + recent.paths.prefix(Self.recentLimit).map { .recent($0) }
    selected = entries[0]
    self.home = home
    self.names = names
  }

  /// A key went down, or is held down.
  public mutating func press(_ key: Key, _ modifiers: Modifiers, clipboard: () -> String?) -> Choice? {
    if work != nil { return key == .escape ? .cancel : nil }
    switch key {
    case .up: select(-1)
    case .down: select(1)
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

  /// Something was typed: it goes into the line wherever the selection is.
  public mutating func type(_ scalar: Unicode.Scalar) {
    guard work == nil else { return }
    selected = .field
    field.type(scalar)
  }

  public mutating func choose(_ entry: Entry) -> Choice? {
    guard work == nil else { return nil }
    selected = entry
    switch entry {
    case .builtIn: return .builtIn
    case .recent(let path): return .open(path)
    case .field: return field.path(home: home).map { .open($0) }
    }
  }

  /// Whether it looks different from another one.
  func isDrawn(unlike other: StartScreen) -> Bool {
    selected != other.selected || field != other.field || complaint != other.complaint
  }

  private mutating func select(_ way: Int) {
    guard let position = entries.firstIndex(of: selected) else { return }
    selected = entries[(position + way + entries.count) % entries.count]
  }
}
