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
  public struct Details: Sendable {
    public var picture: SmallPicture?
    public var duration: MediaTime?

    public init(picture: SmallPicture? = nil, duration: MediaTime? = nil) {
      (self.picture, self.duration) = (picture, duration)
    }
  }

  /// Draws the list at the right side, above the controls.
  ///
  /// - Parameters:
  ///   - bottom: pixels that the controls cover.
  ///   - title: of the playlist; nil: it has none.
  ///   - details: of an entry, as far as they are known.
  public mutating func draw(
    _ queue: PlayQueue, on canvas: inout Canvas, _ style: ControlStyle, size: PictureSize, bottom: Double,
    title: String? = nil, measure: @escaping TextMeasure, details: (PlaylistItem) -> Details
  ) {
    layout = Layout()
    guard isShown else { return }
    let (line, gap) = (style.text.height, style.padding)
    let width = min(Double(size.width) * 0.6, line * 22).rounded()
    let box = Canvas.Box(
      left: Double(size.width) - width, top: 0, width: width, height: max(line, Double(size.height) - bottom))
    layout.box = box
    let pitch = (line * 3).rounded()
    let (first, last) = (box.top + 2 * line, box.bottom - 1.8 * line)
    fit(Int((last - first) / pitch), queue)
    let page = PanelPage(box: box, style: style, gap: gap, measure: measure)
    page.head(title ?? "Playlist", queue, on: &canvas)
    for (place, row) in visible(queue).enumerated() {
      let entry = queue.entries[row]
      let area = Canvas.Box(
        left: box.left + gap / 2, top: first + Double(place) * pitch, width: width - gap, height: pitch - gap / 2)
      layout.rows.append((row, area))
      page.row(
        entry, details(entry.item), in: area, isCurrent: entry.id == queue.current?.id, isSelected: row == selected,
        on: &canvas)
    }
    page.foot("Enter plays · Del removes · Alt+↑↓ moves · Ctrl+V adds", on: &canvas)
  }
}

/// The panel's parts. Pure.
private struct PanelPage {
  let box: Canvas.Box
  let style: ControlStyle
  let gap: Double
  let measure: TextMeasure

  func head(_ title: String, _ queue: PlayQueue, on canvas: inout Canvas) {
    canvas.rectangle(box, style.colors.sheet)
    var text = printable(title) + " · \(queue.position) of \(queue.entries.count)"
    if queue.isShuffled { text += " · shuffled" }
    if queue.repeats != .off { text += " · repeats \(queue.repeats.rawValue)" }
    write(text, style.text, style.colors.text, at: box.top + gap / 2, on: &canvas)
  }

  func foot(_ text: String, on canvas: inout Canvas) {
    let small = TextStyle(height: max(11, style.text.height * 0.8))
    write(text, small, style.colors.text.opacity(0.75), at: box.bottom - small.height * 1.5, on: &canvas)
  }

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
    let small = TextStyle(height: max(11, line * 0.85))
    let duration = details.duration ?? entry.item.duration
    let note =
      entry.isRefused ? "cannot be played" : duration.map { ClockText.text($0, hours: $0.seconds >= 3600) } ?? ""
    guard !note.isEmpty else { return }
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
