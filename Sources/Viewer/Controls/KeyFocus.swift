import Window

/// Who gets a key: the bar and what it has opened, or the keys that are bound. A table, nothing else.
public enum KeyFocus {
  /// What the keyboard works on.
  public enum Mode: Sendable, Hashable, CaseIterable {
    /// The view: no control is marked, nothing is open.
    case view
    /// A control of the bar; its slider.
    case control, slider
    case menu
    case help
  }

  /// What the bar does with a key.
  public enum Command: Sendable, Hashable {
    /// The control that comes next, or before.
    case next, previous
    /// Does what a click on the marked control does, or takes the marked choice.
    case activate
    /// Closes what is open, else the mark goes.
    case leave
    /// So many items down in a menu, or pages on in the help.
    case move(Int)
    case first, last
    /// Seconds on the slider.
    case slide(Int)
    /// The bar keeps it and does nothing.
    case nothing
  }

  /// What the bar does with a key's event; nil: what the key is bound to counts.
  ///
  /// - Parameter isBound: whether the key, with these modifiers, has an action: then only what is marked or open comes
  ///   before it.
  public static func command(
    for key: Key, _ event: KeyAction, _ modifiers: Modifiers, _ mode: Mode, isBound: Bool
  ) -> Command? {
    let modifiers = modifiers.intersection(.all)
    // Whatever went down, whoever holds it is told that it is up again.
    guard event != .released, modifiers.isSubset(of: .shift) else { return nil }
    if key == .tab { return tab(isBack: modifiers == .shift, mode, isBound: isBound) }
    guard modifiers.isEmpty, let command = table[mode]?[key] else { return nil }
    // Held down, a key chooses, activates and closes once.
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
