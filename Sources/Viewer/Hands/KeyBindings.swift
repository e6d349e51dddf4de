import Frames
import Playback
import Window

/// Which key does what: the table's keys, and what a file of the user's says.
public struct KeyBindings: Sendable, Hashable {
  private var actions: [KeyStroke: ViewerAction]

  /// The keys of the table.
  public init() {
    actions = [:]
    for row in ViewerAction.table {
      for key in row.keys { actions[key] = row.action }
    }
  }

  /// Reads a line for each key: `ctrl+s screenshot`, `f11 none`. What follows `#` is a remark. Keys that the file does not name
  /// keep what they do.
  ///
  /// Throws `.usage` with the file, the line and what is wrong with it.
  public init(_ text: String, file: String) throws(Failure) {
    self.init()
    for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      do throws(BadLine) {
        try read(line)
      } catch {
        throw Failure(
          .usage, "cannot read the keys in '\(file)'", cause: "line \(number + 1): \(error.cause)",
          remedy: "a line is KEY ACTION, as in 'ctrl+s screenshot', or KEY none; view --help names the actions")
      }
    }
  }

  private struct BadLine: Error {
    var cause: String
  }

  private mutating func read(_ line: Substring) throws(BadLine) {
    let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" || $0 == "\r" }
    guard !words.isEmpty else { return }
    guard words.count == 2 else { throw BadLine(cause: "there are \(words.count) words, not a key and an action") }
    guard let stroke = KeyStroke(String(words[0])) else { throw BadLine(cause: "there is no key '\(words[0])'") }
    if words[1] == "none" {
      actions[stroke] = nil
    } else if let action = ViewerAction.named(String(words[1])) {
      actions[stroke] = action
    } else {
      throw BadLine(cause: "there is no action '\(words[1])'")
    }
  }

  public subscript(stroke: KeyStroke) -> ViewerAction? { actions[stroke] }

  /// Those that do something, in the order of the alphabet.
  public func keys(of action: ViewerAction) -> [String] {
    actions.filter { $0.value == action }.map(\.key.description).sorted()
  }
}

extension KeyBindings {
  /// Something that is to be done because of a key.
  public enum Effect: Sendable, Hashable {
    case once(ViewerAction)
    /// For as long as the key is down.
    case hold(LookAround.Turn, isDown: Bool)
  }

  /// What a key's event comes to: a table, nothing else. Keys that are held down repeat only what may be done many times.
  public func effect(of key: Key, _ event: KeyAction, _ modifiers: Modifiers) -> Effect? {
    // Whoever lets go of a modifier first still lets go of the key.
    if event == .released {
      guard case .turn(let turn) = actions.first(where: { $0.key.key == key && isTurn($0.value) })?.value else {
        return nil
      }
      return .hold(turn, isDown: false)
    }
    guard let action = actions[KeyStroke(key, modifiers)] else { return nil }
    if case .turn(let turn) = action { return event == .pressed ? .hold(turn, isDown: true) : nil }
    return event == .pressed || action.repeats ? .once(action) : nil
  }

  private func isTurn(_ action: ViewerAction) -> Bool {
    if case .turn = action { true } else { false }
  }
}

extension ViewerAction {
  /// Whether a key that is held down does it again and again.
  fileprivate var repeats: Bool {
    switch self {
    case .skip, .step, .slower, .faster: true
    default: false
    }
  }
}
