import Frames
import Overlay

// Drawing.
extension FileBrowser {
  /// Click areas, in pixels of the window.
  package struct Layout: Sendable {
    package var boxes: [(part: Part, box: Canvas.Box)] = []
    /// Rows that fit.
    package var rowCount = 1

    package func part(at x: Double, _ y: Double) -> Part? {
      boxes.first { $0.box.contains(Canvas.Point(x, y)) }?.part
    }
  }

  /// - Parameters:
  ///   - size: of the window, in pixels.
  ///   - scale: the user's text scale.
  ///   - spin: of the indicator while the folder is listed, in turns; nil: not shown.
  ///   - thumbnail: of a file, if there is one.
  package func canvas(
    _ size: PictureSize, scale: Double = 1, spin: Double? = nil, words: Words = .english,
    measure: @escaping TextMeasure, thumbnail: (String) -> SmallPicture? = { _ in nil }
  ) -> (canvas: Canvas, layout: Layout) {
    var page = BrowserPage(size: size, scale: scale, measure: measure)
    page.canvas.rectangle(
      Canvas.Box(left: 0, top: 0, width: Double(size.width), height: Double(size.height)), StartInk.background)
    page.hint(words[.browserHint])
    page.write(printable(folder), from: page.button(.back, words[.firstScreen], least: 9) + 0.5)
    page.next()
    var left = 0.0
    for order in Order.allCases {
      let mark = isDescending ? " ▾" : " ▴"
      left +=
        page.button(
          .order(order), words[order.title] + (order == self.order ? mark : ""), as: words[order.title] + mark,
          least: 5,
          at: left) + 0.4
    }
    page.next()
    if let complaint { page.complain(complaint) }
    if isLoading {
      if let spin { page.wait(words[.listingFolder], spin) }
      return (page.canvas, page.layout)
    }
    if rows.allSatisfy({ $0.name == Self.parent }), complaint == nil {
      page.write(words[.noClips], from: 0, row: rows.count)
    }
    page.layout.rowCount = page.count
    for (place, row) in rows.indices.filter({ $0 >= top && $0 < top + page.count }).enumerated() {
      let entry = rows[row]
      page.entry(
        entry, .row(row), at: place, isSelected: row == selected, words,
        entry.isFolder ? nil : thumbnail(path(of: entry.name)))
    }
    return (page.canvas, page.layout)
  }
}

/// The browser's lines, in units of a line of text.
private struct BrowserPage {
  var canvas = Canvas()
  var layout = FileBrowser.Layout()
  /// Rows that fit below the head.
  var count: Int { max(1, Int((bottom - top) / rowHeight)) }
  private let (body, small): (TextStyle, TextStyle)
  private let measure: TextMeasure
  private let (left, width, line): (Double, Double, Double)
  /// The lower edge of the rows.
  private var bottom: Double
  private var top: Double
  private var rowHeight: Double { (line * 3).rounded() }

  init(size: PictureSize, scale: Double, measure: @escaping TextMeasure) {
    let (wide, high) = (Double(size.width), Double(size.height))
    line = max(11, min(18 * scale, high / 14))
    (body, small) = (TextStyle(height: line), TextStyle(height: max(11, line * 0.85)))
    width = max(1, min(wide - 2 * line, 60 * line))
    (left, top, bottom) = ((wide - width) / 2, line * 0.6, high - line * 0.4)
    self.measure = measure
  }

  mutating func next() { top += line * 2 }

  /// A line at the bottom, below the rows; in narrow windows several.
  mutating func hint(_ text: String) {
    let text = Tooltip.wrapped(text, to: width, small, measure: measure)
    bottom -= Double(measure(text, small).height) + small.height * 0.3
    canvas.text(text, small, at: Canvas.Point(left, bottom), StartInk.quiet)
  }

  /// Returns its width.
  ///
  /// - Parameters:
  ///   - widest: of its texts.
  ///   - least: its least width.
  mutating func button(
    _ part: FileBrowser.Part, _ text: String, as widest: String? = nil, least: Double, at place: Double = 0
  ) -> Double {
    let width = max(least, Double(measure(widest ?? text, small).width) / line + 0.5)
    let box = Canvas.Box(left: left + place * line, top: top, width: width * line, height: line * 1.7)
    canvas.rectangle(box, StartInk.panel, radius: line * 0.3)
    canvas.text(
      text, small, at: Canvas.Point(box.center.x, box.center.y - small.height / 2), .white, alignment: .center)
    layout.boxes.append((part, box))
    return width
  }

  mutating func write(_ text: String, from place: Double, row: Int? = nil) {
    let y = row.map { top + Double($0) * rowHeight + line } ?? top + line * 0.35
    canvas.text(
      fittedText(text, width: width - place * line, body, measure), body, at: Canvas.Point(left + place * line, y),
      StartInk.quiet)
  }

  mutating func complain(_ text: String) {
    canvas.text(
      Tooltip.wrapped(text, to: width, body, measure: measure), body, at: Canvas.Point(left, top + rowHeight),
      StartInk.warning)
  }

  mutating func wait(_ text: String, _ spin: Double) {
    canvas.spinner(in: Canvas.Box(left: left, top: top, width: line * 1.5, height: line * 1.5), turn: spin, .white)
    canvas.text(text, body, at: Canvas.Point(left + 2.2 * line, top + line * 0.25), .white)
  }

  /// A row: thumbnail or folder, name, size and date.
  mutating func entry(
    _ entry: FolderEntry, _ part: FileBrowser.Part, at place: Int, isSelected: Bool, _ words: Words,
    _ thumbnail: SmallPicture?
  ) {
    let y = top + Double(place) * rowHeight
    let box = Canvas.Box(left: left, top: y, width: width, height: rowHeight - line * 0.2)
    layout.boxes.append((part, box))
    canvas.rectangle(box, isSelected ? StartInk.chosen : StartInk.panel, radius: line * 0.3)
    let frame = Canvas.Box(
      left: box.left + line * 0.3, top: box.top + line * 0.2, width: line * 4, height: box.height - line * 0.4)
    canvas.thumbnail(thumbnail, in: frame, sign: entry.isFolder ? .open : .play, share: 0.7, StartInk.quiet)
    let start = frame.right + line * 0.7
    let details = [entry.sizeText(words), entry.dateText(words)].filter { !$0.isEmpty }.joined(separator: " · ")
    let space = max(line, box.right - start - line * 0.5)
    let name = fittedText(printable(entry.name), width: space, body, measure)
    canvas.text(
      name, body, at: Canvas.Point(start, details.isEmpty ? box.center.y - line / 2 : box.top + line * 0.25), .white)
    if !details.isEmpty {
      canvas.text(
        fittedText(details, width: space, small, measure), small, at: Canvas.Point(start, box.top + line * 1.4),
        isSelected ? .white : StartInk.quiet)
    }
  }
}
