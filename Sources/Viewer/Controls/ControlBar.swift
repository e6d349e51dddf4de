import Frames
import Overlay
import Playback
import Window

/// What a hand on the controls wants done.
public enum ControlEffect: Sendable, Hashable {
  case perform(ViewerAction)
  case choose(MenuChoice)
  case beginScrubbing(ScrubSlider)
  case scrub(MediaTime)
  case endScrubbing
}

/// The controls under hands: what is shown, pointed at, marked and open.
///
/// A state machine that is told of events, of how playing is, and of instants; what it decides is returned. It knows no
/// window and no clock. `picture` is what is to be drawn.
public struct ControlBar: Sendable {
  public private(set) var isShown = true
  /// What the keyboard works on; nil: the view.
  public internal(set) var focus: Control?
  public internal(set) var menu: OpenMenu?
  /// The page of the help that is open.
  public internal(set) var helpPage: Int?
  /// Instead of the time that has passed.
  public var showsRemaining = false
  public private(set) var layout: ControlLayout?
  public private(set) var help: HelpSheet?
  /// What is to be drawn; nil: nothing.
  public private(set) var picture: ControlPicture?

  let keys: KeyBindings
  var facts = ControlFacts()
  /// Nil while it is not over the window.
  var pointer: Canvas.Point?
  var press: Press?
  /// Steps of a wheel that do not make a whole one yet.
  var wheel = 0.0
  /// Which menu is to be opened when its place is known.
  var opening: Control?
  var attention = Attention()

  /// What a person attends to, and since when.
  struct Attention: Sendable {
    /// Since when the controls are not used; nil before the first refresh.
    var idleSince: MonotonicTime?
    /// Since when the pointer or the keyboard rests where it is.
    var restingSince: MonotonicTime?
    /// The keyboard was used after the pointer.
    var isLedByKeys = false
    /// The control that is told of, and one that is not told of again before another was pointed at.
    private(set) var told: Control?
    var silenced: Control?

    /// What is rested on is told of, and stays so while it is pointed at.
    mutating func tell(_ subject: Control?, at now: MonotonicTime) {
      if subject != silenced { silenced = nil }
      if told != subject { told = nil }
      let since = restingSince ?? now
      restingSince = since
      if subject != nil, subject != silenced, now.seconds(since: since) >= Tooltip.delay { told = subject }
    }
  }

  /// What the button of the pointer went down on.
  enum Press: Sendable, Hashable {
    case control(Control)
    /// Where the hand is on it, as a column of the target.
    case slider(Double)
    case item(Int)
    /// Something of ours that does nothing, or closed what was open.
    case nothing
    /// The view: everything is its until the button is up.
    case view
  }

  /// It hides after so many seconds without input.
  public static let hidesAfter = 3.0

  public init(keys: KeyBindings = KeyBindings()) {
    self.keys = keys
  }

  /// What is pointed at.
  public var hovered: Control? {
    guard isShown, helpPage == nil, menu == nil, let pointer else { return nil }
    switch press {
    case .view, .nothing, .item: return nil
    case .slider: return .slider
    case .control(let control): return layout?.control(at: pointer) == control ? control : nil
    case nil: return layout?.control(at: pointer)
    }
  }

  /// Whether the pointer is to be out of the way, over the view.
  public var hidesPointer: Bool { !isShown && facts.isPlaying && helpPage == nil && press == nil }

  /// So many pixels at the bottom of the window are taken.
  public var height: Double { isShown ? layout?.bar.height ?? 0 : 0 }
}

// What is done to it.
extension ControlBar {
  /// There was input; a hidden bar stays hidden.
  mutating func note(_ now: MonotonicTime) { attention.idleSince = now }

  /// The pointer moved, or the keyboard came elsewhere.
  mutating func rest(from now: MonotonicTime) { attention.restingSince = now }

  public mutating func show(at now: MonotonicTime) {
    isShown = true
    note(now)
  }

  public mutating func hide() {
    isShown = false
    (menu, focus, opening) = (nil, nil, nil)
  }

  public mutating func toggle(at now: MonotonicTime) { isShown ? hide() : show(at: now) }

  public mutating func toggleHelp() {
    helpPage = helpPage == nil ? 0 : nil
    menu = nil
  }

  /// Another file is shown: what a hand did with the last one is over.
  public mutating func startOver() {
    if press != nil { press = .nothing }
    (menu, opening) = (nil, nil)
  }
}

// What time does.
extension ControlBar {
  /// Takes note of a refresh; whether what is to be drawn has changed.
  ///
  /// - Parameters:
  ///   - size: of the target, in pixels.
  ///   - scale: pixels per point that the user has set.
  ///   - thumbnail: asked for what there is by now for the time that is pointed at on the slider.
  public mutating func advance(
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
    if helpPage == nil {
      help = nil
    } else if help == nil {
      help = HelpSheet(HelpSheet.rows(keys), size: room.size, scale: room.scale, measure: measure)
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
        pixel: track.pixel(at: x), text: ClockText.text(time, hours: track.slider.duration.seconds >= 3600),
        thumbnail: thumbnail(time))
    } else if let told = attention.told {
      picture.tip = ControlPicture.Tip(
        control: told,
        text: Tooltip.wrapped(
          Tooltip.text(for: told, keys), to: layout.bar.width - 4 * layout.style.padding, layout.style.text,
          measure: measure))
    }
    return picture
  }

  private var handOnSlider: Double? {
    if case .slider(let x) = press { x } else { pointer?.x }
  }
}
