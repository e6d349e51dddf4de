import Bench360Player
import Frames
import Overlay

// Drawing.
extension StartScreen {
  /// Click areas of the choices, in pixels of the window.
  package struct Layout: Sendable {
    package var boxes: [(entry: Entry, box: Canvas.Box)] = []

    package func entry(at x: Double, _ y: Double) -> Entry? {
      boxes.first { $0.box.contains(Canvas.Point(x, y)) }?.entry
    }
  }

  /// - Parameters:
  ///   - size: of the window, in pixels.
  ///   - scale: the user's text scale.
  ///   - measure: width and height of a text.
  package func canvas(
    _ size: PictureSize, scale: Double = 1, words: Words = .english,
    measure: @escaping (String, TextStyle) -> (width: Int, height: Int)
  ) -> (canvas: Canvas, layout: Layout) {
    var page = Page(
      size: size, scale: scale, lines: Double(entries.count) * 1.9 + (complaint == nil ? 10 : 15.5), measure: measure)
    page.canvas.rectangle(
      Canvas.Box(left: 0, top: 0, width: Double(size.width), height: Double(size.height)), StartInk.background)
    page.write("bench360", page.title, .white)
    page.write(words[.tagline], page.body, StartInk.quiet, shrinks: true)
    page.skip(0.6)
    if let complaint {
      for line in page.lines(complaint) { page.write(line, page.body, StartInk.warning) }
      page.skip(0.4)
    }
    if let work {
      page.wait(words[work.text], work.spin)
      if let detail = work.detail { page.write(words[detail], page.body, StartInk.quiet) }
      if let share = work.share { page.bar(share, StartInk.panel, StartInk.chosen) }
      page.write(words[.escCancels], page.small, StartInk.quiet)
      return (page.canvas, Layout())
    }
    var layout = Layout()
    var hasHeading = false
    for entry in entries {
      if case .recent = entry, !hasHeading {
        hasHeading = true
        page.skip(0.4)
        page.write(words[.recent], page.small, StartInk.quiet)
      }
      let box = page.row(entry == selected ? StartInk.chosen : StartInk.panel)
      layout.boxes.append((entry, box))
      switch entry {
      case .builtIn: page.label(words[.builtInClip], "", in: box)
      case .browse: page.label(words[.openAFile], "Ctrl+O", in: box, StartInk.quiet)
      case .field:
        let isEmpty = field.text.isEmpty
        let text = isEmpty && selected != .field ? words[.fileOrURL] : field.text
        page.field(
          text, hasCaret: selected == .field, in: box, isEmpty && selected != .field ? StartInk.quiet : .white)
      case .recent(let path):
        let shown = ShownClip(path)
        page.label(shown.name, String(shown.text.dropLast(shown.name.count)), in: box, StartInk.quiet)
      }
    }
    page.skip(0.5)
    page.write(words[.startHint], page.small, StartInk.quiet, shrinks: true)
    page.write(words[.quitHint], page.small, StartInk.quiet, shrinks: true)
    return (page.canvas, layout)
  }
}

/// Colours of the screens without a clip.
enum StartInk {
  static let background = Canvas.Color(0.055, 0.065, 0.085)
  static let panel = Canvas.Color(0.11, 0.125, 0.16)
  static let chosen = Canvas.Color(0.16, 0.32, 0.56)
  static let quiet = Canvas.Color(0.66, 0.70, 0.77)
  static let warning = Canvas.Color(1, 0.76, 0.36)
}

/// The text, or as much of its two ends as fits into `width` pixels.
func fittedText(_ text: String, width: Double, _ style: TextStyle, _ measure: TextMeasure) -> String {
  guard Double(measure(text, style).width) > width else { return text }
  var (low, high) = (0, text.count / 2)
  while low < high {
    let middle = (low + high + 1) / 2
    let candidate = "\(text.prefix(middle))…\(text.suffix(middle))"
    if Double(measure(candidate, style).width) <= width { low = middle } else { high = middle - 1 }
  }
  return "\(text.prefix(low))…\(text.suffix(low))"
}

/// Lines in a column in the middle of the window.
private struct Page {
  var canvas = Canvas()
  let title, body, small: TextStyle
  private let measure: (String, TextStyle) -> (width: Int, height: Int)
  private let left: Double
  private let width: Double
  private let line: Double
  private var top: Double

  init(
    size: PictureSize, scale: Double, lines: Double, measure: @escaping (String, TextStyle) -> (width: Int, height: Int)
  ) {
    let (wide, high) = (Double(size.width), Double(size.height))
    // Shrinks to fit low windows, down to a readable size.
    let line = max(11, min(18 * scale, high / lines))
    (title, body, small) = (
      TextStyle(height: line * 1.9, isBold: true), TextStyle(height: line), TextStyle(height: max(11, line * 0.85))
    )
    self.line = line
    width = max(1, min(wide - 2 * line, 40 * line))
    left = (wide - width) / 2
    top = max(line, (high - line * lines) / 2)
    self.measure = measure
  }

  mutating func skip(_ lines: Double) { top += lines * line }

  /// - Parameter shrinks: a text that is too wide has smaller letters, as far as they can be read, then several lines.
  mutating func write(_ text: String, _ style: TextStyle, _ color: Canvas.Color, shrinks: Bool = false) {
    var letters = style
    while shrinks, letters.height > 11, Double(measure(text, letters).width) > width {
      letters.height = max(11, letters.height - 0.5)
    }
    let lines = shrinks ? Tooltip.wrapped(text, to: width, letters, measure: measure) : fitted(text, style: letters)
    canvas.text(lines, letters, at: Canvas.Point(left, top), color)
    top += style.height * 0.3 + max(style.height, Double(measure(lines, letters).height))
  }

  /// A text behind an indicator of work.
  mutating func wait(_ text: String, _ spin: Double) {
    canvas.spinner(in: Canvas.Box(left: left, top: top, width: line * 1.2, height: line * 1.2), turn: spin, .white)
    canvas.text(
      fitted(text, width: width - 2 * line), body, at: Canvas.Point(left + 2 * line, top + line * 0.1), .white)
    top += line * 1.6
  }

  mutating func row(_ color: Canvas.Color) -> Canvas.Box {
    let box = Canvas.Box(left: left, top: top, width: width, height: line * 1.7)
    canvas.rectangle(box, color, radius: line * 0.3)
    top += line * 1.9
    return box
  }

  mutating func bar(_ share: Double, _ back: Canvas.Color, _ front: Canvas.Color) {
    let box = Canvas.Box(left: left, top: top, width: width, height: line * 0.5)
    canvas.rectangle(box, back, radius: line * 0.25)
    let done = min(max(share, 0), 1) * width
    if done >= 1 {
      canvas.rectangle(
        Canvas.Box(left: left, top: top, width: done, height: line * 0.5), front, radius: line * 0.25)
    }
    top += line
  }

  /// A name, then dimmer details as far as they fit.
  mutating func label(_ name: String, _ more: String, in box: Canvas.Box, _ quiet: Canvas.Color = .white) {
    let name = fitted(name, width: width - 2 * line)
    let top = box.top + (box.height - line) / 2
    canvas.text(name, body, at: Canvas.Point(box.left + line, top), .white)
    let room = width - 3.5 * line - Double(measure(name, body).width)
    guard !more.isEmpty, room > 6 * line else { return }
    let text = fitted(more, width: room, style: small)
    canvas.text(
      text, small, at: Canvas.Point(box.right - line, top + (line - small.height) / 2), quiet, alignment: .right)
  }

  /// The typed text, scrolled to its end, with the caret.
  mutating func field(_ text: String, hasCaret: Bool, in box: Canvas.Box, _ color: Canvas.Color) {
    var shown = Substring(text)
    while shown.count > 1, Double(measure(String(shown), body).width) > width - 2.5 * line { shown = shown.dropFirst() }
    let top = box.top + (box.height - line) / 2
    canvas.text(String(shown), body, at: Canvas.Point(box.left + line, top), color)
    guard hasCaret else { return }
    let end = box.left + line + Double(shown.isEmpty ? 0 : measure(String(shown), body).width) + 2
    canvas.rectangle(Canvas.Box(left: end, top: top, width: max(1, line / 12), height: line), .white)
  }

  func fitted(_ text: String, width: Double? = nil, style: TextStyle? = nil) -> String {
    fittedText(text, width: width ?? self.width, style ?? body, measure)
  }

  /// The text wrapped between words into lines that fit; four at most.
  func lines(_ text: String) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, Double(measure(last + " " + word, body).width) <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(fitted(String(word)))
      }
    }
    return Array(lines.prefix(4))
  }
}
