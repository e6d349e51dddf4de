import Frames
import Overlay
import Render
import Viewer
import Window

/// A bar in a window of that size, with simulated input: time advances only when told.
final class ControlStage {
  var bar: ControlBar
  var facts: ControlFacts
  var size: PictureSize
  var scale = 1.0
  var thumbnail: SmallPicture?
  private(set) var now = MonotonicTime(nanoseconds: 1_000_000_000)
  private(set) var asked: [MediaTime] = []

  /// Letters that are all 0.55 as wide as their line is high, and ideographs twice that: wider than most fonts have them.
  static func measure(_ text: String, _ style: TextStyle) -> (width: Int, height: Int) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let width = lines.map { Double(LineBreaks.letters(in: $0)) * style.height * 0.55 }.max() ?? 0
    return (Int(width.rounded(.up)), Int((Double(lines.count) * style.height).rounded(.up)))
  }

  init(width: Int = 1280, height: Int = 720, keys: KeyBindings = KeyBindings()) {
    bar = ControlBar(keys: keys)
    size = PictureSize(width: width, height: height)
    facts = ControlFacts()
    (facts.isPlaying, facts.duration) = (true, MediaTime(seconds: 60))
    facts.files = ControlFacts.Files(hasNext: true)
    facts.files.count = 3
    facts.subtitles = [0: "English", 2: "Deutsch"]
    (facts.sound.tracks, facts.sound.chosen) = ([0: "English, stereo", 1: "Deutsch, 5.1"], 0)
    facts.qualities = ControlFacts.Qualities(
      titles: ["360p · 0.9 Mbit/s", "720p · 2.4 Mbit/s"], names: ["360p", "720p"], shown: 1)
    refresh()
  }

  /// Advances time by `seconds`; returns whether the picture has changed.
  @discardableResult
  func refresh(after seconds: Double = 0.01) -> Bool {
    now = now.advanced(byMilliseconds: seconds * 1000)
    return bar.advance(to: now, facts, size: size, scale: scale, measure: Self.measure) { time in
      self.asked.append(time)
      return self.thumbnail
    }
  }

  @discardableResult
  func send(_ event: WindowEvent) -> ControlAnswer {
    defer { refresh() }
    return bar.handle(event, at: now)
  }

  @discardableResult
  func move(_ x: Double, _ y: Double) -> ControlAnswer { send(.pointerMoved(PointerPlace(x: x, y: y))) }

  @discardableResult
  func button(_ isPressed: Bool) -> ControlAnswer { send(.button(.left, isPressed: isPressed, [])) }

  @discardableResult
  func key(_ key: Key, _ modifiers: Modifiers = []) -> ControlAnswer { send(.key(key, .pressed, modifiers)) }

  func box(_ control: Control) -> Canvas.Box {
    bar.layout?.boxes[control] ?? Canvas.Box(left: -1, top: -1, width: 0, height: 0)
  }

  func point(at control: Control) { move(box(control).center.x, box(control).center.y) }

  /// What the button's release comes to.
  @discardableResult
  func click(_ control: Control) -> ControlAnswer {
    point(at: control)
    button(true)
    return button(false)
  }

  func drawn() -> Canvas {
    var canvas = Canvas()
    bar.picture?.draw(on: &canvas, measure: Self.measure)
    return canvas
  }

  var texts: [String] {
    drawn().items.compactMap { if case .text(let text, _, _, _, _) = $0 { text } else { nil } }
  }
}

extension Canvas.Box {
  func overlaps(_ other: Canvas.Box) -> Bool {
    left < other.right && other.left < right && top < other.bottom && other.top < bottom
  }

  func lies(in other: Canvas.Box) -> Bool {
    left >= other.left && top >= other.top && right <= other.right && bottom <= other.bottom
  }
}
