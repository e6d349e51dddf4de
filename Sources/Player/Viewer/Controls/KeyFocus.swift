import Window

/// Routes a key: to the bar and its open parts, or to the key bindings. A table.
package enum KeyFocus {
  /// The target of the keyboard.
  package enum Mode: Sendable, Hashable, CaseIterable {
    /// The view: no control has focus, and no menu or help is open.
    case view
    /// A control of the bar; a slider.
    case control, slider
    case menu
    case help
  }

  /// What the bar does with a key.
  package enum Command: Sendable, Hashable {
    /// Moves the focus to the next control, or the previous one.
    case next, previous
    /// Clicks the focused control, or takes the focused choice.
    case activate
    /// Closes the open menu or help, else clears the focus.
    case leave
    /// Moves that many items down in a menu, or pages forward in the help.
    case move(Int)
    case first, last
    /// Seconds on the slider; of the volume the way alone counts.
    case slide(Int)
    /// The bar consumes the key and does nothing.
    case nothing
  }

  /// What the bar does with a key event; nil: the key's binding applies.
  ///
  /// - Parameter isBound: whether the key, with these modifiers, has an action: then only a focused or open part takes
  /// precedence.
  package static func command(
    for key: Key, _ event: KeyAction, _ modifiers: Modifiers, _ mode: Mode, isBound: Bool
  ) -> Command? {
    let modifiers = modifiers.intersection(.all)
    // The bar never consumes a release, so that the receiver of the press gets it.
    guard event != .released, modifiers.isSubset(of: .shift) else { return nil }
    if key == .tab { return tab(isBack: modifiers == .shift, mode, isBound: isBound) }
    guard modifiers.isEmpty, let command = table[mode]?[key] else { return nil }
    // A repeated key chooses, activates and closes only once.
    if event == .repeated, [.activate, .leave].contains(command) { return .nothing }
    return command
  }

  private static func tab(isBack: Bool, _ mode: Mode, isBound: Bool) -> Command? {
    switch mode {
    case .view where isBound: nil
    case .help: .nothing
    default: isBack ? .previous : .next
    }
  }

  private static let table: [Mode: [Key: Command]] = [
    .view: [:],
    .control: [.enter: .activate, .keypadEnter: .activate, .space: .activate, .escape: .leave],
    // The space bar still plays and pauses.
    .slider: [
      .enter: .nothing, .keypadEnter: .nothing, .escape: .leave, .right: .slide(5), .left: .slide(-5),
      .up: .slide(60), .down: .slide(-60),
    ],
    .menu: [
      .enter: .activate, .keypadEnter: .activate, .space: .activate, .escape: .leave, .up: .move(-1), .down: .move(1),
      .home: .first, .end: .last, .left: .nothing, .right: .nothing, .pageUp: .move(-1), .pageDown: .move(1),
    ],
    .help: [
      .escape: .leave, .enter: .leave, .up: .move(-1), .down: .move(1), .left: .move(-1), .right: .move(1),
      .pageUp: .move(-1), .pageDown: .move(1), .home: .first, .end: .last,
    ],
  ]
}
