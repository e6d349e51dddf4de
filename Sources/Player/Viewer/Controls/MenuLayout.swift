import Overlay

/// The position of an open menu: above its control, inside the window, over the bar if it is too long. Items that do
/// not fit are scrolled to. Pure.
package struct MenuLayout: Sendable, Hashable {
  package let box: Canvas.Box
  package let rowHeight: Double
  /// Visible rows, at least one.
  package let rowCount: Int
  /// Distance of its upper and lower edge to the rows.
  let padding: Double
  /// Left edge of the titles, from the menu's left edge; the check mark is before it.
  let indent: Double

  /// - Parameter layout: of the bar that the menu belongs to.
  package init(_ menu: Menu, _ layout: ControlLayout, measure: TextMeasure) {
    let (style, bar) = (layout.style, layout.bar)
    let anchor = layout.boxes[menu.control] ?? bar
    let count = Double(menu.items.count)
    (padding, indent) = (style.pixels(4), style.pixels(28))
    let space = style.pixels(4)
    let least = style.text.height
    // Above the bar, if need be with smaller rows; else from the window's bottom.
    let (above, all) = (bar.top - 2 * space - 2 * padding, bar.bottom - 2 * space - 2 * padding)
    let isAbove = count * least <= above
    let height = max(isAbove ? above : all, least)
    // In windows of a few pixels a unit rounds to nothing.
    rowHeight = max(1, min(style.pixels(30), max(least, (height / count).rounded(.down))))
    rowCount = min(menu.items.count, max(1, Int(height / rowHeight)))
    let titles = menu.items.map { Double(measure($0.title, style.text).width) }.max() ?? 0
    let width = max(0, min(titles + indent + 2 * style.padding, bar.width - 2 * space))
    let total = Double(rowCount) * rowHeight + 2 * padding
    let left = min(max(anchor.center.x - width / 2, space), max(space, bar.width - width - space))
    box = Canvas.Box(
      left: left.rounded(), top: max(0, (isAbove ? bar.top : bar.bottom) - space - total), width: width, height: total)
  }

  /// - Parameter row: counted from the first visible one.
  package func row(_ row: Int) -> Canvas.Box {
    Canvas.Box(
      left: box.left + padding, top: box.top + padding + Double(row) * rowHeight, width: box.width - 2 * padding,
      height: rowHeight)
  }

  /// The visible row at a point.
  package func row(at point: Canvas.Point) -> Int? {
    (0..<rowCount).first { row($0).contains(point) }
  }
}

/// An open menu, and its focused item. Pure.
package struct OpenMenu: Sendable, Hashable {
  package private(set) var menu: Menu
  package private(set) var layout: MenuLayout
  /// The item that Enter chooses.
  package private(set) var highlighted: Int
  /// The first visible item.
  package private(set) var top = 0
  /// The inputs of the layout.
  private(set) var room: ControlRoom

  package init(_ menu: Menu, _ layout: MenuLayout, in room: ControlRoom) {
    (self.menu, self.layout, self.room, highlighted) = (menu, layout, room, menu.currentIndex)
    reveal()
  }

  package var choice: MenuChoice? {
    menu.items.indices.contains(highlighted) ? menu.items[highlighted].choice : nil
  }

  /// Moves the focus that many items down; wraps around at the ends.
  package mutating func move(_ way: Int) {
    let count = menu.items.count
    highlighted = ((highlighted + way) % count + count) % count
    reveal()
  }

  package mutating func moveToEnd(_ isLast: Bool) {
    highlighted = isLast ? menu.items.count - 1 : 0
    reveal()
  }

  /// Scrolls down or up.
  package mutating func scroll(_ rows: Int) {
    top = min(max(top + rows, 0), menu.items.count - layout.rowCount)
  }

  /// The item at a point.
  package func item(at point: Canvas.Point) -> Int? { layout.row(at: point).map { $0 + top } }

  package mutating func point(at point: Canvas.Point) {
    if let item = item(at: point) { highlighted = item }
  }

  /// The same menu, with other items or in another window.
  mutating func update(_ menu: Menu, _ layout: MenuLayout, in room: ControlRoom) {
    (self.menu, self.layout, self.room) = (menu, layout, room)
    highlighted = min(highlighted, menu.items.count - 1)
    scroll(0)
  }

  private mutating func reveal() {
    if highlighted < top { top = highlighted }
    if highlighted >= top + layout.rowCount { top = highlighted - layout.rowCount + 1 }
  }
}
