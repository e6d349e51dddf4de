import Frames
import Testing
import Viewer
import Window

/// From keys to actions: the default table, and the user's file.
@Suite struct KeyBindingsTests {
  @Test func actionsHaveUniqueKeysAndNames() {
    let rows = ViewerAction.table
    let keys = rows.flatMap(\.keys)
    #expect(Set(keys).count == keys.count, "two actions share a key")
    #expect(Set(rows.map(\.name)).count == rows.count && Set(rows.map(\.action)).count == rows.count)
    #expect(rows.allSatisfy { !$0.keys.isEmpty && !$0.help.isEmpty && !$0.name.contains(" ") })
    for row in rows {
      #expect(ViewerAction.named(row.name) == row.action)
      for key in row.keys { #expect(KeyStroke(key.description) == key && KeyBindings()[key] == row.action) }
    }
    #expect(ViewerAction.named("dance") == nil)
  }

  @Test func strokesRoundTrip() {
    #expect(KeyStroke("Ctrl+Shift+S") == KeyStroke(.s, [.control, .shift]))
    #expect(KeyStroke("F") == KeyStroke(.f, .shift) && KeyStroke("shift+f")?.description == "F")
    #expect(KeyStroke("Ctrl+F") == KeyStroke(.f, .control) && KeyStroke("f") == KeyStroke(.f))
    #expect(KeyStroke("7") == KeyStroke(.digit7) && KeyStroke(".") == KeyStroke(.period))
    #expect(KeyStroke("keypad7") == KeyStroke(.keypad7) && KeyStroke("F11") == KeyStroke(.f11))
    for key in Key.allCases where key != .unknown {
      for modifiers: Modifiers in [[], .control, .shift, [.alt, .shift], [.alt, .command]] {
        let stroke = KeyStroke(key, modifiers)
        #expect(KeyStroke(stroke.description) == stroke, "\(stroke)")
      }
    }
    for wrong in ["", "+", "ctrl+", "hyper+s", "unknown", "ss", "s+ctrl"] {
      #expect(KeyStroke(wrong) == nil, "\(wrong)")
    }
  }

  @Test func fileChangesNamedKeys() throws {
    let bindings = try KeyBindings(
      "# mine\n\nctrl+s   screenshot # as elsewhere\r\nc none\nSPACE fullscreen\n", file: "keys")
    #expect(bindings[KeyStroke(.s, .control)] == .screenshot && bindings[KeyStroke(.c)] == nil)
    #expect(bindings[KeyStroke(.space)] == .fullscreen && bindings[KeyStroke(.k)] == .playOrPause)
    #expect(bindings.keys(of: .screenshot) == ["ctrl+s"] && bindings.keys(of: .fullscreen) == ["f", "f11", "space"])
  }

  @Test(arguments: [
    ("s", "line 1: there are 1 words"), ("\n\na b c", "line 3: there are 3 words"),
    ("hyper+s play", "line 1: there is no key 'hyper+s'"), ("s dance", "line 1: there is no action 'dance'"),
  ])
  func errorsNameTheLine(text: String, cause: String) {
    let failure = #expect(throws: Failure.self) { try KeyBindings(text, file: "mine.keys") }
    #expect(
      failure?.kind == .usage && failure?.cause.hasPrefix(cause) == true
        && failure?.attempt.contains("mine.keys") == true)
  }

  @Test func eventsMapToEffects() {
    let keys = KeyBindings()
    #expect(keys.effect(of: .space, .pressed, []) == .once(.playOrPause))
    #expect(keys.effect(of: .space, .repeated, []) == nil && keys.effect(of: .space, .released, []) == nil)
    #expect(keys.effect(of: .right, .repeated, []) == .once(.skip(5)), "repeats while held")
    #expect(keys.effect(of: .a, .pressed, []) == .hold(.left))
    #expect(keys.effect(of: .a, .pressed, .shift) == .hold(.rollLeft))
    #expect(keys.effect(of: .a, .repeated, []) == nil)
    // A release ends all turns of the key, whether shift is still down or not.
    #expect(keys.effect(of: .a, .released, .shift) == .release([.left, .rollLeft]))
    #expect(keys.effect(of: .a, .released, []) == .release([.left, .rollLeft]))
    #expect(
      keys.effect(of: .i, .pressed, .shift) == .once(.inertia)
        && keys.effect(of: .i, .pressed, []) == .once(.statistics))
    #expect(keys.effect(of: .c, .pressed, []) == .once(.screenshot))
    #expect(keys.effect(of: .q, .pressed, .control) == .once(.quit))
    #expect(keys.effect(of: .q, .pressed, [.control, .alt]) == nil && keys.effect(of: .unknown, .pressed, []) == nil)
    // As in mpv and ffplay.
    #expect(keys.effect(of: .q, .pressed, []) == .once(.quit))
    // Plus with and without shift, and on the keypad.
    for (key, modifiers) in [(Key.equal, Modifiers.shift), (.equal, []), (.keypadAdd, [])] {
      #expect(keys.effect(of: key, .pressed, modifiers) == .hold(.zoomIn))
    }
    for key in [Key.minus, .keypadSubtract] { #expect(keys.effect(of: key, .pressed, []) == .hold(.zoomOut)) }
    #expect(
      keys.effect(of: .f, .pressed, .shift) == .once(.fill) && keys.effect(of: .f, .pressed, []) == .once(.fullscreen))
    #expect(keys.effect(of: .o, .pressed, .control) == .once(.open))
    // Locks do not count.
    #expect(keys.effect(of: .space, .pressed, Modifiers(rawValue: 16 | 32)) == .once(.playOrPause))
  }
}
