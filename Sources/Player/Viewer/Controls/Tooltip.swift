import Overlay

/// What a control does and its keys, from the table of actions and the key bindings.
package enum Tooltip {
  /// Seconds of hover or focus before the tooltip appears.
  package static let delay = 0.5

  /// One line for each action, after the control's own where it has one.
  package static func text(for control: Control, _ keys: KeyBindings, _ words: Words = .english) -> String {
    let lines = control.actions.map { action in
      let names = keys.keys(of: action).map(shown).joined(separator: ", ")
      let help = control.title == nil ? capitalised(words[action.text]) : words[action.text]
      return names.isEmpty ? help : "\(help) · \(names)"
    }
    return ([control.title].compactMap { $0.map { words[$0] } } + lines).joined(separator: "\n")
  }

  /// `ctrl+q` as users know it: `Ctrl+Q`; `shift+=` is `+`. Letters alone stay as they are, because capitals are those with
  /// shift.
  package static func shown(_ key: String) -> String {
    if key == "shift+=" { return "+" }
    if key.count == 1 { return key }
    return key.split(separator: "+", omittingEmptySubsequences: false).map { part in
      switch part {
      case "keypadadd": "Keypad +"
      case "keypadsubtract": "Keypad −"
      default: capitalised(String(part))
      }
    }.joined(separator: "+")
  }

  private static func capitalised(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  /// Breaks lines where `LineBreaks` allows it so that they are not wider than `width` pixels; a longer word stays whole.
  package static func wrapped(_ text: String, to width: Double, _ style: TextStyle, measure: TextMeasure) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      var lines = [""]
      for (space, word) in LineBreaks.pieces(of: line) {
        let last = lines[lines.count - 1]
        let longer = last.isEmpty ? word : last + space + word
        if last.isEmpty || Double(measure(longer, style).width) <= width {
          lines[lines.count - 1] = longer
        } else {
          lines.append(word)
        }
      }
      return lines.joined(separator: "\n")
    }.joined(separator: "\n")
  }

  /// The tooltip's box of that size above the bar, centred over its control, inside the window.
  static func box(width: Double, height: Double, over x: Double, _ layout: ControlLayout) -> Canvas.Box {
    let space = layout.style.pixels(6)
    let left = min(max(x - width / 2, space), max(space, layout.bar.width - width - space))
    return Canvas.Box(
      left: left.rounded(), top: max(0, layout.bar.top - space - height), width: width, height: height)
  }
}
