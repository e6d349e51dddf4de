import Frames
import Overlay
import Window

/// The result of an event: effects for the viewer, and whether the bar has consumed the event.
package struct ControlAnswer: Sendable, Hashable {
  package var effects: [ControlEffect]
  package var isTaken: Bool

  package init(effects: [ControlEffect], isTaken: Bool) { (self.effects, self.isTaken) = (effects, isTaken) }

  static func taken(_ effects: ControlEffect...) -> ControlAnswer { ControlAnswer(effects: effects, isTaken: true) }
  static let passed = ControlAnswer(effects: [], isTaken: false)
}

extension ControlBar {
  /// Handles a window event. Pointer motion is never consumed; the target of a button press gets all its events
  /// until the release.
  package mutating func handle(_ event: WindowEvent, at now: MonotonicTime) -> ControlAnswer {
    switch event {
    case .key(let key, let action, let modifiers): return keyed(key, action, modifiers, at: now)
    case .pointerMoved(let place): return move(to: Canvas.Point(place.x, place.y), at: now)
    case .pointerLeft:
      pointer = nil
      return .passed
    case .button(.left, true, _): return pressed(at: now)
    case .button(.left, false, _): return released(at: now)
    case .scroll(_, let up): return scrolled(up, at: now)
    default: return .passed
    }
  }

  private mutating func move(to point: Canvas.Point, at now: MonotonicTime) -> ControlAnswer {
    (pointer, attention.isLedByKeys) = (point, false)
    rest(from: now)
    show(at: now)
    menu?.point(at: point)
    if press == .volume {
      return ControlAnswer(effects: layout?.volume(at: point.x).map { [.setVolume($0)] } ?? [], isTaken: false)
    }
    guard case .slider(let before) = press else { return .passed }
    press = .slider(point.x)
    guard let track = layout?.track, track.pixel(at: before) != track.pixel(at: point.x) else { return .passed }
    return ControlAnswer(effects: [.scrub(track.time(at: point.x))], isTaken: false)
  }

  private mutating func pressed(at now: MonotonicTime) -> ControlAnswer {
    note(now)
    if helpPage != nil {
      (helpPage, press) = (nil, .nothing)
      return .taken()
    }
    if let open = menu {
      if let item = pointer.flatMap({ open.item(at: $0) }) {
        press = .item(item)
      } else {
        press = .nothing
        if pointer.map({ open.layout.box.contains($0) }) != true { menu = nil }
      }
      return .taken()
    }
    guard isShown, let pointer, let layout, layout.bar.contains(pointer) else {
      press = .view
      focus = nil
      return .passed
    }
    return pressed(layout.control(at: pointer), at: pointer.x)
  }

  private mutating func pressed(_ control: Control?, at x: Double) -> ControlAnswer {
    (focus, attention.silenced) = (nil, control)
    guard let control else { return nothing() }
    if control.purpose == .setVolume {
      guard !facts.sound.tracks.isEmpty, let volume = layout?.volume(at: x) else { return nothing() }
      press = .volume
      return .taken(.setVolume(volume))
    }
    guard control == .slider, let track = layout?.track else {
      press = .control(control)
      return .taken()
    }
    press = .slider(x)
    return .taken(.beginScrubbing(track.slider), .scrub(track.time(at: x)))
  }

  private mutating func nothing() -> ControlAnswer {
    press = .nothing
    return .taken()
  }

  private mutating func released(at now: MonotonicTime) -> ControlAnswer {
    note(now)
    rest(from: now)
    defer { press = nil }
    switch press {
    case nil, .view: return .passed
    case .nothing, .volume: return .taken()
    case .slider: return .taken(.endScrubbing)
    case .control(let control):
      guard let pointer, layout?.control(at: pointer) == control else { return .taken() }
      return activate(control)
    case .item(let item):
      guard let pointer, menu?.item(at: pointer) == item else { return .taken() }
      return choose()
    }
  }

  private mutating func scrolled(_ up: Double, at now: MonotonicTime) -> ControlAnswer {
    note(now)
    guard press == nil, up.isFinite else { return press == .view ? .passed : .taken() }
    let place = isShown ? pointer : nil
    guard helpPage != nil || menu != nil || place.map({ layout?.bar.contains($0) == true }) == true else {
      return .passed
    }
    if up * wheel < 0 { wheel = 0 }
    wheel += min(max(up, -100), 100)
    let steps = Int(wheel)
    wheel -= Double(steps)
    if helpPage != nil {
      turnPage(-steps)
    } else if menu != nil {
      menu?.scroll(-steps)
    } else if steps != 0, let place, layout?.control(at: place) == .slider {
      return .taken(.perform(.skip(5 * steps)))
    } else if steps != 0, let place, layout?.control(at: place).map({ [.mute, .volume].contains($0) }) == true {
      return .taken(.perform(.volume(5 * steps)))
    }
    return .taken()
  }
}

// The keyboard.
extension ControlBar {
  var mode: KeyFocus.Mode {
    if helpPage != nil { return .help }
    if menu != nil || opening != nil { return .menu }
    return focus.map { [.slider, .volume].contains($0) ? .slider : .control } ?? .view
  }

  private mutating func keyed(
    _ key: Key, _ action: KeyAction, _ modifiers: Modifiers, at now: MonotonicTime
  ) -> ControlAnswer {
    note(now)
    let isBound = keys[KeyStroke(key, modifiers)] != nil
    guard let command = KeyFocus.command(for: key, action, modifiers, mode, isBound: isBound) else { return .passed }
    switch command {
    case .next: mark(1, at: now)
    case .previous: mark(-1, at: now)
    case .activate: return menu != nil ? choose() : focus.map { activate($0) } ?? .taken()
    case .leave: leave()
    case .move(let way):
      turnPage(way)
      menu?.move(way)
    case .first, .last:
      turnPage(command == .first ? -1000 : 1000)
      menu?.moveToEnd(command == .last)
    case .slide(let seconds):
      return .taken(.perform(focus == .volume ? .volume(seconds > 0 ? 5 : -5) : .skip(seconds)))
    case .nothing: break
    }
    return .taken()
  }

  /// The next control, or the previous one; from the view the first or the last.
  private mutating func mark(_ way: Int, at now: MonotonicTime) {
    show(at: now)
    rest(from: now)
    (menu, attention.silenced, attention.isLedByKeys) = (nil, nil, true)
    guard let controls = layout?.controls, !controls.isEmpty else { return }
    let place = focus.flatMap { controls.firstIndex(of: $0) } ?? (way > 0 ? -1 : controls.count)
    focus = controls[(place + way + controls.count) % controls.count]
  }

  /// Closes the innermost open part.
  private mutating func leave() {
    if helpPage != nil {
      helpPage = nil
    } else if menu != nil || opening != nil {
      (menu, opening) = (nil, nil)
    } else {
      focus = nil
    }
  }

  private mutating func turnPage(_ way: Int) {
    guard let page = helpPage, let count = help?.pages.count else { return }
    helpPage = min(max(page + way, 0), max(0, count - 1))
  }

  private mutating func activate(_ control: Control) -> ControlAnswer {
    attention.silenced = control
    guard ControlLook(control, facts, time: "").isEnabled else { return .taken() }
    switch control.purpose {
    case .act(let action): return .taken(.perform(action))
    case .openMenu:
      opening = control
      return .taken()
    case .slide, .setVolume: return .taken()
    }
  }

  private mutating func choose() -> ControlAnswer {
    defer { menu = nil }
    return menu?.choice.map { .taken(.choose($0)) } ?? .taken()
  }
}
