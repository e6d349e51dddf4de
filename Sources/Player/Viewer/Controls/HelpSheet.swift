import Frames
import Overlay

/// All keys and their actions, in as many columns as fit the window; in small windows over several pages. Pure.
package struct HelpSheet: Sendable, Hashable {
  package struct Row: Sendable, Hashable {
    package var keys: String
    package var help: String
  }

  /// A column of rows.
  package struct Column: Sendable, Hashable {
    package var rows: [Row]
    /// Left edges of keys and actions, in pixels from the window's left edge.
    package var left: Double
    package var helpLeft: Double
  }

  package let pages: [[Column]]
  package let style: TextStyle
  /// Line spacing of rows, in pixels.
  let pitch: Double
  /// The whole sheet, in the window; the first row's top edge is `padding` below its own.
  package let box: Canvas.Box
  let padding: Double
  private let words: Words

  /// The least height of a line of text.
  private static let least = 16.0

  /// In the table's order, then the bar's own keys. Actions without a key are left out.
  package static func rows(_ keys: KeyBindings, _ words: Words = .english) -> [Row] {
    let jumps = (0...9).map { keys.keys(of: .jump($0)) }
    let areDigits = jumps.enumerated().allSatisfy { $0.element == ["\($0.offset)"] }
    var rows: [Row] = []
    for row in ViewerAction.table {
      if areDigits, case .jump(let tenth) = row.action {
        if tenth == 0 { rows.append(Row(keys: "0 … 9", help: words[.jumps])) }
        continue
      }
      let names = keys.keys(of: row.action).map(Tooltip.shown)
      if !names.isEmpty { rows.append(Row(keys: names.joined(separator: ", "), help: words[row.text])) }
    }
    return rows + [
      Row(keys: "Tab, Shift+Tab", help: words[.focusNext]),
      Row(keys: "Enter, Space", help: words[.useControl]),
    ]
  }

  /// - Parameters:
  ///   - size: of the target, in pixels.
  ///   - scale: pixels per point that the user has set.
  ///   - textSize: as `ControlStyle`.
  package init(
    _ rows: [Row], size: PictureSize, scale: Double, textSize: Double = 1, words: Words = .english, measure: TextMeasure
  ) {
    self.words = words
    let bar = ControlStyle(size: size, scale: scale, textSize: textSize)
    let (margin, padding) = (bar.pixels(8), bar.pixels(14))
    let room = (
      width: Double(size.width) - 2 * (margin + padding), height: Double(size.height) - 2 * (margin + padding)
    )
    let fitting = Self.fitting(rows, room, bar.text.height, measure)
    style = TextStyle(height: fitting.height)
    pitch = fitting.pitch
    self.padding = padding
    let lines = Double(fitting.pages.first?.map(\.rows.count).max() ?? 0) + (fitting.pages.count > 1 ? 2 : 0)
    let (width, height) = (min(fitting.width, room.width), min(lines * fitting.pitch, room.height))
    let left = ((Double(size.width) - width) / 2).rounded()
    box = Canvas.Box(
      left: left - padding, top: ((Double(size.height) - height) / 2).rounded() - padding, width: width + 2 * padding,
      height: height + 2 * padding)
    pages = fitting.pages.map { page in
      page.map { Column(rows: $0.rows, left: $0.left + left, helpLeft: $0.helpLeft + left) }
    }
  }

  private struct Fit {
    var height: Double
    var pitch: Double
    var width: Double
    var pages: [[Column]]
  }

  /// The largest text with which all rows fit one page; if none does, the smallest over several.
  private static func fitting(
    _ rows: [Row], _ room: (width: Double, height: Double), _ wanted: Double, _ measure: TextMeasure
  ) -> Fit {
    for height in stride(from: wanted, through: least, by: -1) {
      for count in [2, 3] {
        var fit = split(rows, into: count, height, measure)
        let lines = Double(fit.pages.first?.map(\.rows.count).max() ?? 0)
        guard fit.width <= room.width, lines * height <= room.height else { continue }
        // With extra space between the lines, if the window has room.
        fit.pitch = min((1.25 * height).rounded(), max(height, (room.height / lines).rounded(.down)))
        return fit
      }
    }
    // Two lines explain how to turn the pages.
    let lines = max(1, Int(room.height / least) - 2)
    let columns = min(3, max(1, Int(room.width / (17 * least))))
    let between = 1.5 * least * Double(columns - 1)
    let wrapped = wrapped(rows, (room.width - between) / Double(columns) - 1, measure)
    let pages = chunks(wrapped, of: lines * columns).map { chunks($0, of: lines) }
    let placed = pages.map { place($0, least, measure) }
    return Fit(
      height: least, pitch: least, width: placed.map(\.width).max() ?? 0, pages: placed.map(\.columns))
  }

  /// Long texts continue in rows of their own.
  private static func wrapped(_ rows: [Row], _ width: Double, _ measure: TextMeasure) -> [Row] {
    let style = TextStyle(height: least)
    let keys = rows.map { Double(measure($0.keys, style).width) }.max() ?? 0
    return rows.flatMap { row in
      Tooltip.wrapped(row.help, to: width - keys - least - 1, style, measure: measure).split(separator: "\n")
        .enumerated()
        .map { Row(keys: $0.offset == 0 ? row.keys : "", help: String($0.element)) }
    }
  }

  private static func split(_ rows: [Row], into count: Int, _ height: Double, _ measure: TextMeasure) -> Fit {
    let placed = place(chunks(rows, of: max(1, (rows.count + count - 1) / count)), height, measure)
    return Fit(height: height, pitch: height, width: placed.width, pages: [placed.columns])
  }

  private static func chunks<Element>(_ elements: [Element], of count: Int) -> [[Element]] {
    stride(from: 0, to: elements.count, by: count).map {
      Array(elements[Range(from: $0, to: min($0 + count, elements.count))])
    }
  }

  private static func place(
    _ parts: [[Row]], _ height: Double, _ measure: TextMeasure
  ) -> (columns: [Column], width: Double) {
    let style = TextStyle(height: height)
    var (columns, right): ([Column], Double) = ([], -1.5 * height)
    for rows in parts {
      let left = (right + 1.5 * height).rounded()
      let keys = rows.map { Double(measure($0.keys, style).width) }.max() ?? 0
      let helpLeft = (left + keys + height).rounded()
      columns.append(Column(rows: rows, left: left, helpLeft: helpLeft))
      right = helpLeft + (rows.map { Double(measure($0.help, style).width) }.max() ?? 0)
    }
    return (columns, max(0, right))
  }

  package func draw(_ page: Int, _ colors: ControlColors = .usual, on canvas: inout Canvas) {
    guard pages.indices.contains(page) else { return }
    canvas.rectangle(box, colors.sheet, radius: padding / 2)
    let top = box.top + padding
    for column in pages[page] {
      for (index, row) in column.rows.enumerated() {
        let top = top + Double(index) * pitch
        canvas.text(row.keys, style, at: Canvas.Point(column.left, top), colors.accent)
        canvas.text(row.help, style, at: Canvas.Point(column.helpLeft, top), colors.text)
      }
    }
    guard pages.count > 1 else { return }
    canvas.text(
      words[.page(page + 1, of: pages.count)], style,
      at: Canvas.Point(box.center.x, box.bottom - padding - style.height), colors.accent, alignment: .center)
  }
}
