import Frames
import Overlay
import Playlists

// Drawing.
extension PlaylistPanel {
  /// Click areas, in pixels of the window.
  struct Layout: Sendable, Hashable {
    var box: Canvas.Box?
    var rows: [(row: Int, box: Canvas.Box)] = []

    static func == (one: Self, other: Self) -> Bool {
      one.box == other.box && one.rows.elementsEqual(other.rows) { $0.row == $1.row && $0.box == $1.box }
    }

    func hash(into hasher: inout Hasher) { hasher.combine(box) }
  }

  /// What a row shows beside the title.
  package struct Details: Sendable {
    package var picture: SmallPicture?
    package var duration: MediaTime?

    package init(picture: SmallPicture? = nil, duration: MediaTime? = nil) {
      (self.picture, self.duration) = (picture, duration)
    }
  }

  /// Draws the list at the right side, above the controls.
  ///
  /// - Parameters:
  ///   - bottom: pixels that the controls cover.
  ///   - title: of the playlist; nil: it has none.
  ///   - details: of an entry, as far as they are known.
  package mutating func draw(
    _ queue: PlayQueue, on canvas: inout Canvas, _ style: ControlStyle, size: PictureSize, bottom: Double,
    title: String? = nil, words: Words = .english, measure: @escaping TextMeasure, details: (PlaylistItem) -> Details
  ) {
    layout = Layout()
    guard isShown else { return }
    let (line, gap) = (style.text.height, style.padding)
    let width = min(Double(size.width) * 0.6, line * 22).rounded()
    let box = Canvas.Box(
      left: Double(size.width) - width, top: 0, width: width, height: max(line, Double(size.height) - bottom))
    layout.box = box
    let pitch = (line * 3).rounded()
    let page = PanelPage(box: box, style: style, gap: gap, words: words, measure: measure)
    let head = page.head(title ?? words[.playlist], queue)
    // In narrow windows head and hint have several lines; in low ones there is no room for the hint.
    var hint = page.hint(wraps: words != .english || width < line * 22)
    let first = max(box.top + 2 * line, head.bottom)
    var last: Double { box.bottom - (hint.lines.isEmpty ? 0 : 1.8 * line + hint.rest) }
    if last - first < pitch { hint = ([], 0) }
    fit(Int((last - first) / pitch), queue)
    page.draw(head, on: &canvas)
    for (place, row) in visible(queue).enumerated() {
      let entry = queue.entries[row]
      let area = Canvas.Box(
        left: box.left + gap / 2, top: first + Double(place) * pitch, width: max(0, width - gap),
        height: max(0, pitch - gap / 2))
      layout.rows.append((row, area))
      page.row(
        entry, details(entry.item), in: area, isCurrent: entry.id == queue.current?.id, isSelected: row == selected,
        on: &canvas)
    }
    page.foot(hint, on: &canvas)
  }
}

/// The panel's parts. Pure.
private struct PanelPage {
  let box: Canvas.Box
  let style: ControlStyle
  let gap: Double
  let words: Words
  let measure: TextMeasure

  /// The title, and how the list is played.
  struct Head {
    var text: String
    var letters: TextStyle
    var bottom: Double
  }

  func head(_ title: String, _ queue: PlayQueue) -> Head {
    var facts: [Phrase] = [.position(queue.position, of: queue.entries.count)]
    if queue.isShuffled { facts.append(.word(.shuffled)) }
    if queue.repeats != .off { facts.append(.word(queue.repeats == .one ? .repeatsOne : .repeatsAll)) }
    let (name, state, room) = (printable(title), " · " + words.line(facts), box.width - 2 * gap)
    if Double(measure(name + state, style.text).width) <= room {
      return Head(text: name + state, letters: style.text, bottom: box.top)
    }
    let text = Tooltip.wrapped(
      fittedText(name, width: room, small, measure) + state, to: room, small, measure: measure)
    return Head(text: text, letters: small, bottom: box.top + gap + Double(measure(text, small).height))
  }

  func draw(_ head: Head, on canvas: inout Canvas) {
    canvas.rectangle(box, style.colors.sheet)
    canvas.text(head.text, head.letters, at: Canvas.Point(box.left + gap, box.top + gap / 2), style.colors.text)
  }

  /// What the keys do, and how high its lines are but for the last.
  func hint(wraps: Bool) -> (lines: [Substring], rest: Double) {
    let text = words[.panelHint]
    let lines = (wraps ? Tooltip.wrapped(text, to: box.width - 2 * gap, small, measure: measure) : text).split(
      separator: "\n")
    return (lines, Double(lines.count - 1) * small.height)
  }

  func foot(_ hint: (lines: [Substring], rest: Double), on canvas: inout Canvas) {
    var top = box.bottom - small.height * 1.5 - hint.rest
    for line in hint.lines {
      write(String(line), small, style.colors.text.opacity(0.75), at: top, on: &canvas)
      top += small.height
    }
  }

  private var small: TextStyle { TextStyle(height: max(11, style.text.height * 0.8)) }

  func row(
    _ entry: PlayQueue.Entry, _ details: PlaylistPanel.Details, in area: Canvas.Box, isCurrent: Bool, isSelected: Bool,
    on canvas: inout Canvas
  ) {
    let line = style.text.height
    canvas.rectangle(area, isSelected ? style.colors.pressed : style.colors.hover, radius: style.corner)
    if isSelected { canvas.rectangle(area, style.colors.focus, radius: style.corner, border: style.ring) }
    let frame = Canvas.Box(
      left: area.left + gap / 2, top: area.top + gap / 2, width: line * 4, height: area.height - gap)
    canvas.thumbnail(details.picture, in: frame, sign: .play, share: 0.6, style.colors.off)
    let start = frame.right + gap
    let space = max(line, area.right - start - gap)
    let color = entry.isRefused ? style.colors.off : isCurrent ? style.colors.accent : style.colors.text
    let title = (isCurrent ? "▶ " : "") + printable(entry.item.name)
    canvas.text(
      fittedText(title, width: space, style.text, measure), style.text,
      at: Canvas.Point(start, area.top + gap / 2), color)
    var small = TextStyle(height: max(11, line * 0.85))
    let duration = details.duration ?? entry.item.duration
    let note =
      entry.isRefused ? words[.cannotBePlayed] : duration.map { ClockText.text($0, hours: $0.seconds >= 3600) } ?? ""
    guard !note.isEmpty else { return }
    while small.height > 11, Double(measure(note, small).width) > space { small.height = max(11, small.height - 0.5) }
    canvas.text(note, small, at: Canvas.Point(start, area.bottom - gap / 2 - small.height), color.opacity(0.85))
  }

  private func write(
    _ text: String, _ letters: TextStyle, _ color: Canvas.Color, at top: Double, on canvas: inout Canvas
  ) {
    canvas.text(
      fittedText(text, width: box.width - 2 * gap, letters, measure), letters, at: Canvas.Point(box.left + gap, top),
      color)
  }
}
