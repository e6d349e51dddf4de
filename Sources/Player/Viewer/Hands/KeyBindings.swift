import Bench360Player
import Frames
import Window

/// Key bindings: the table's defaults, and the user's file.
package struct KeyBindings: Sendable, Hashable {
  private var actions: [KeyStroke: ViewerAction]

  /// The default bindings.
  package init() {
    actions = [:]
    for row in ViewerAction.table {
      for key in row.keys { actions[key] = row.action }
    }
  }

  /// Reads one binding a line: `ctrl+s screenshot`, `f11 none`. `#` starts a comment. Keys absent from the file
  /// keep their binding.
  ///
  /// Throws `.usage` with the file, the line and the error.
  package init(_ text: String, file: String) throws(Failure) {
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

  package subscript(stroke: KeyStroke) -> ViewerAction? { actions[stroke] }

  /// Bindings with an action, in alphabetical order.
  package func keys(of action: ViewerAction) -> [String] {
    actions.filter { $0.value == action }.map(\.key.description).sorted()
  }
}

extension KeyBindings {
  /// The effect of a key.
  package enum Effect: Sendable, Hashable {
    case once(ViewerAction)
    /// Until the key is released.
    case hold(LookAround.Turn)
    /// The turns that the key has with any modifiers.
    case release([LookAround.Turn])
  }

  /// The effect of a key event: a table lookup. Held keys repeat only actions that may repeat.
  package func effect(of key: Key, _ event: KeyAction, _ modifiers: Modifiers) -> Effect? {
    // A release counts even if the user released the modifier first.
    if event == .released {
      let turns = actions.filter { $0.key.key == key }.compactMap { $0.value.turn }
      return turns.isEmpty ? nil : .release(turns.sorted { $0.rawValue < $1.rawValue })
    }
    guard let action = actions[KeyStroke(key, modifiers)] else { return nil }
    if let turn = action.turn { return event == .pressed ? .hold(turn) : nil }
    return event == .pressed || action.repeats ? .once(action) : nil
  }
}

extension ViewerAction {
  fileprivate var turn: LookAround.Turn? {
    if case .turn(let turn) = self { turn } else { nil }
  }

  /// Whether a held key repeats the action.
  fileprivate var repeats: Bool {
    switch self {
    case .skip, .step, .slower, .faster, .volume, .audioDelay, .subtitleDelay, .subtitleSize, .textSize: true
    default: false
    }
  }
}
