import Bench360Player
import Frames
import Overlay
import Window

/// An effect that the user requests through the controls.
package enum ControlEffect: Sendable, Hashable {
  case perform(ViewerAction)
  case choose(MenuChoice)
  case beginScrubbing(ScrubSlider)
  case scrub(MediaTime)
  case endScrubbing
  /// 0 … 1.
  case setVolume(Double)
}

/// The state of the control bar: visibility, hover, keyboard focus, open menu or help.
///
/// A state machine: the caller passes events, playback facts and instants, and gets effects back. It uses no
/// window and no clock. `picture` is what to draw.
package struct ControlBar: Sendable {
  package private(set) var isShown = true
  /// The control with keyboard focus; nil: the view.
  package internal(set) var focus: Control?
  package internal(set) var menu: OpenMenu?
  /// The open page of the help.
  package internal(set) var helpPage: Int?
  /// Shows the remaining time instead of the elapsed time.
  package var showsRemaining = false
  package private(set) var layout: ControlLayout?
  package private(set) var help: HelpSheet?
  /// What to draw; nil: nothing.
  package private(set) var picture: ControlPicture?

  let keys: KeyBindings
  var facts = ControlFacts()
  /// Nil while the pointer is outside the window.
  var pointer: Canvas.Point?
  var press: Press?
  /// Wheel motion that has not yet added up to a whole step.
  var wheel = 0.0
  /// The menu to open once its position is known.
  var opening: Control?
  var attention = Attention()

  /// What the user attends to, and since when.
  struct Attention: Sendable {
    /// Since when there has been no input; nil before the first refresh.
    var idleSince: MonotonicTime?
    /// Since when the pointer or the focus has not moved.
    var restingSince: MonotonicTime?
    /// The keyboard was used after the pointer.
    var isLedByKeys = false
    /// The control whose tooltip is shown, and one whose tooltip stays hidden until another control is hovered.
    private(set) var told: Control?
    var silenced: Control?

    /// Shows the tooltip of the subject after a delay, for as long as the subject stays the same.
    mutating func tell(_ subject: Control?, at now: MonotonicTime) {
      if subject != silenced { silenced = nil }
      if told != subject { told = nil }
      let since = restingSince ?? now
      restingSince = since
      if subject != nil, subject != silenced, now.seconds(since: since) >= Tooltip.delay { told = subject }
    }
  }

  /// The target of the pointer's button press.
  enum Press: Sendable, Hashable {
    case control(Control)
    /// The pointer's column in the target.
    case slider(Double)
    case volume
    case item(Int)
    /// A part of the bar without an action, or a click that closed a menu or the help.
    case nothing
    /// The view: it gets all events until the release.
    case view
  }

  /// Seconds without input after which the bar hides.
  package static let hidesAfter = 3.0

  package init(keys: KeyBindings = KeyBindings()) {
    self.keys = keys
  }

  /// The control under the pointer.
  package var hovered: Control? {
    guard isShown, helpPage == nil, menu == nil, let pointer else { return nil }
    switch press {
    case .view, .nothing, .item: return nil
    case .slider: return .slider
    case .volume: return .volume
    case .control(let control): return layout?.control(at: pointer) == control ? control : nil
    case nil: return layout?.control(at: pointer)
    }
  }

  /// Whether to hide the pointer over the view.
  package var hidesPointer: Bool { !isShown && facts.isPlaying && helpPage == nil && press == nil }

  /// Pixels that the bar covers at the bottom of the window.
  package var height: Double { isShown ? layout?.bar.height ?? 0 : 0 }
}

// Input.
extension ControlBar {
  /// Records input; a hidden bar stays hidden.
  mutating func note(_ now: MonotonicTime) { attention.idleSince = now }

  /// Restarts the tooltip's delay: the pointer or the focus moved.
  mutating func rest(from now: MonotonicTime) { attention.restingSince = now }

  package mutating func show(at now: MonotonicTime) {
    isShown = true
    note(now)
  }

  package mutating func hide() {
    isShown = false
    (menu, focus, opening) = (nil, nil, nil)
  }

  package mutating func toggle(at now: MonotonicTime) { isShown ? hide() : show(at: now) }

  package mutating func toggleHelp() {
    helpPage = helpPage == nil ? 0 : nil
    menu = nil
  }

  /// Another file is shown: closes the menu, and ignores the rest of a press.
  package mutating func startOver() {
    if press != nil { press = .nothing }
    (menu, opening) = (nil, nil)
  }
}

// Time.
extension ControlBar {
  /// Updates the bar for a refresh; returns whether the picture has changed.
  ///
  /// - Parameters:
  ///   - size: of the target, in pixels.
  ///   - scale: pixels per point that the user has set.
  ///   - thumbnail: called for the current thumbnail of the time under the pointer on the slider.
  package mutating func advance(
    to now: MonotonicTime, _ facts: ControlFacts, size: PictureSize, scale: Double, measure: TextMeasure,
    thumbnail: (MediaTime) -> SmallPicture? = { _ in nil }
  ) -> Bool {
    self.facts = facts
    lay(out: ControlRoom(size: size, scale: scale, facts: facts), measure)
    arrangeMenu(measure)
    hideWhenIdle(now)
    tell(now)
    let before = picture
    picture = makePicture(measure, thumbnail)
    return picture != before
  }

  private mutating func lay(out room: ControlRoom, _ measure: TextMeasure) {
    if layout?.room != room {
      let made = ControlLayout(room, measure: measure)
      layout = made
      if let focus, made.boxes[focus] == nil { self.focus = nil }
      help = nil
    }
    if let live = facts.live { layout?.follow(live) }
    if helpPage == nil {
      help = nil
    } else if help == nil {
      help = HelpSheet(
        HelpSheet.rows(keys, room.words), size: room.size, scale: room.scale, textSize: room.textSize,
        words: room.words, measure: measure)
      helpPage = min(helpPage ?? 0, max(0, (help?.pages.count ?? 1) - 1))
    }
  }

  private mutating func arrangeMenu(_ measure: TextMeasure) {
    let wanted = opening ?? menu?.menu.control
    opening = nil
    guard let wanted, let layout, layout.boxes[wanted] != nil, let menu = Menu(wanted, facts) else {
      return self.menu = nil
    }
    if var open = self.menu, open.menu.control == wanted {
      guard open.menu != menu || open.room != layout.room else { return }
      open.update(menu, MenuLayout(menu, layout, measure: measure), in: layout.room)
      self.menu = open
    } else {
      self.menu = OpenMenu(menu, MenuLayout(menu, layout, measure: measure), in: layout.room)
    }
  }

  private mutating func hideWhenIdle(_ now: MonotonicTime) {
    guard isShown else { return }
    let isOver = pointer.map { layout?.bar.contains($0) == true && press != .view } ?? false
    let isInUse = isOver || menu != nil || focus != nil || press.map { $0 != .view && $0 != .nothing } ?? false
    guard let idleSince = attention.idleSince, !isInUse else { return attention.idleSince = now }
    if now.seconds(since: idleSince) >= Self.hidesAfter { hide() }
  }

  private mutating func tell(_ now: MonotonicTime) {
    let isFree = press == nil && menu == nil && opening == nil && helpPage == nil
    let subject = !isFree ? nil : attention.isLedByKeys ? focus ?? hovered : hovered ?? focus
    attention.tell(subject, at: now)
  }

  private func makePicture(
    _ measure: TextMeasure, _ thumbnail: (MediaTime) -> SmallPicture?
  ) -> ControlPicture? {
    guard let layout, isShown || helpPage != nil else { return nil }
    var picture = ControlPicture(layout: layout)
    if let help, let helpPage { picture.help = ControlPicture.Help(sheet: help, page: helpPage) }
    guard isShown else { return picture }
    var facts = facts
    if case .slider(let x) = press, let track = layout.track { facts.place = track.time(at: x) }
    picture.fill(facts, showsRemaining: showsRemaining)
    (picture.hovered, picture.focus, picture.menu) = (hovered, focus, menu)
    if case .control(let control) = press { picture.pressed = control }
    picture.isSliding = if case .slider = press { true } else { false }
    if hovered == .slider, !attention.isLedByKeys, let x = handOnSlider, let track = layout.track {
      let time = track.time(at: x)
      picture.hint = ControlPicture.Hint(
        pixel: track.pixel(at: x), text: hintText(time, track, layout, measure),
        thumbnail: thumbnail(time))
    } else if let told = attention.told {
      picture.tip = ControlPicture.Tip(
        control: told,
        text: Tooltip.wrapped(
          Tooltip.text(for: told, keys, facts.words), to: layout.bar.width - 4 * layout.style.padding,
          layout.style.text,
          measure: measure))
    }
    return picture
  }

  /// The time, and the chapter's title as far as the window is wide.
  private func hintText(
    _ time: MediaTime, _ track: SliderTrack, _ layout: ControlLayout, _ measure: TextMeasure
  ) -> String {
    if let live = facts.live { return live.hint(at: time, facts.words) }
    let clock = ClockText.text(time, hours: track.slider.duration.seconds >= 3600)
    guard let title = facts.marks.chapter(at: time).flatMap({ facts.marks.chapters[$0].title }) else { return clock }
    var shown = printable(title)[...]
    let room = layout.bar.width - 4 * layout.style.padding
    while !shown.isEmpty, Double(measure("\(clock) · \(shown)", layout.style.text).width) > room { shown.removeLast() }
    return shown.isEmpty ? clock : "\(clock) · \(shown)"
  }

  private var handOnSlider: Double? {
    if case .slider(let x) = press { x } else { pointer?.x }
  }
}
