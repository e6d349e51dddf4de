import Frames
import Overlay

extension ControlPicture {
  private var style: ControlStyle { layout.style }
  private var colors: ControlColors { layout.style.colors }

  package func draw(on canvas: inout Canvas, measure: TextMeasure) {
    if !looks.isEmpty {
      canvas.rectangle(layout.bar, colors.panel)
      drawSlider(on: &canvas)
      for control in Control.allCases where control != .slider { draw(control, on: &canvas) }
      drawHint(on: &canvas, measure)
      drawTip(on: &canvas, measure)
      drawMenu(on: &canvas)
    }
    if let help { help.sheet.draw(help.page, colors, on: &canvas) }
  }

  private func draw(_ control: Control, on canvas: inout Canvas) {
    guard let box = layout.boxes[control], let look = looks[control] else { return }
    let color = !look.isEnabled ? colors.off : look.isOn ? colors.accent : colors.text
    if look.isEnabled, pressed == control && hovered == control {
      canvas.rectangle(box, colors.pressed, radius: style.corner)
    } else if look.isEnabled, pressed == nil && hovered == control || menu?.menu.control == control {
      canvas.rectangle(box, colors.hover, radius: style.corner)
    }
    if control == .volume { drawVolume(in: box, color, on: &canvas) }
    if let icon = look.icon {
      let side = style.icon
      canvas.icon(
        icon,
        in: Canvas.Box(
          left: (box.center.x - side / 2).rounded(), top: (box.center.y - side / 2).rounded(), width: side, height: side
        ),
        color)
    }
    if let text = look.text {
      let top = box.center.y - style.text.height / 2
      // The clock is aligned left, because its sign comes and goes.
      if let badge = look.badge {
        draw(badge, in: box, on: &canvas)
        canvas.text(
          text, style.text, at: Canvas.Point(box.left + style.dot + 1.5 * style.padding, top), color)
      } else if control == .time {
        canvas.text(text, style.text, at: Canvas.Point(box.left + style.padding, top), color)
      } else {
        canvas.text(text, style.text, at: Canvas.Point(box.center.x, top), color, alignment: .center)
      }
    }
    if look.isOn { drawMark(under: box, on: &canvas) }
    if focus == control { drawRing(around: box, on: &canvas) }
  }

  /// Full and red while the picture is live, else a ring.
  private func draw(_ badge: LiveWindow.Badge, in box: Canvas.Box, on canvas: inout Canvas) {
    let side = style.dot
    canvas.rectangle(
      Canvas.Box(
        left: box.left + style.padding, top: (box.center.y - side / 2).rounded(), width: side, height: side),
      badge == .live ? colors.live : badge == .behind ? colors.text : colors.off, radius: side / 2,
      border: badge == .live ? 0 : style.ring)
  }

  private func drawVolume(in box: Canvas.Box, _ color: Canvas.Color, on canvas: inout Canvas) {
    guard let range = layout.volumeRange, let volumeKnob else { return }
    let (height, side) = (style.trackHeight, style.knob)
    let top = (box.center.y - height / 2).rounded()
    func part(to end: Double, _ color: Canvas.Color) {
      canvas.rectangle(
        Canvas.Box(left: range.lowerBound, top: top, width: end - range.lowerBound, height: height), color,
        radius: height / 2)
    }
    part(to: range.upperBound, colors.track)
    part(to: volumeKnob, color)
    canvas.rectangle(
      Canvas.Box(left: volumeKnob - side / 2, top: top + height / 2 - side / 2, width: side, height: side), color,
      radius: side / 2)
  }

  /// Marks controls that are turned on without relying on colour.
  private func drawMark(under box: Canvas.Box, on canvas: inout Canvas) {
    let (width, height) = (style.pixels(12), style.ring)
    canvas.rectangle(
      Canvas.Box(left: (box.center.x - width / 2).rounded(), top: box.bottom - height, width: width, height: height),
      colors.accent, radius: height / 2)
  }

  private func drawRing(around box: Canvas.Box, on canvas: inout Canvas) {
    canvas.rectangle(box, colors.focus, radius: style.corner, border: style.ring)
  }

  private func drawSlider(on canvas: inout Canvas) {
    guard let track = layout.track, let box = layout.boxes[.slider], let knob else { return }
    let isLively = hovered == .slider || isSliding || focus == .slider
    let height = (style.trackHeight * (isLively ? 1.5 : 1)).rounded()
    let top = (box.center.y - height / 2).rounded()
    func part(_ from: Int, _ to: Int, _ color: Canvas.Color) {
      guard to > from else { return }
      canvas.rectangle(
        Canvas.Box(left: Double(track.left + from), top: top, width: Double(to - from), height: height), color,
        radius: height / 2)
    }
    part(0, track.slider.width, colors.track)
    part(0, min(max(loadedTo, knob) + 1, track.slider.width), colors.decoded)
    part(0, knob + 1, colors.accent)
    for one in marks.breaks {
      part(
        one.from, max(one.to, one.from + Int(style.gap)), one.isWatched ? colors.adBreak.opacity(0.5) : colors.adBreak)
    }
    drawMarks(track, top: top, height: height, on: &canvas)
    let side = (style.knob * (isLively ? 1.2 : 1)).rounded()
    canvas.rectangle(
      Canvas.Box(left: track.middle(knob) - side / 2, top: top + height / 2 - side / 2, width: side, height: side),
      colors.text, radius: side / 2)
    if focus == .slider { drawRing(around: box, on: &canvas) }
  }

  /// Chapters as gaps of the track, ads as blocks in it, and the A–B loop as posts with a line between them.
  private func drawMarks(_ track: SliderTrack, top: Double, height: Double, on canvas: inout Canvas) {
    let (gap, post) = (max(2, style.pixels(2)), max(3, style.pixels(3)))
    for pixel in marks.chapters {
      canvas.rectangle(
        Canvas.Box(left: (track.middle(pixel) - gap / 2).rounded(), top: top, width: gap, height: height),
        Canvas.Color.black)
    }
    for pixel in marks.ads {
      canvas.rectangle(
        Canvas.Box(left: (track.middle(pixel) - post).rounded(), top: top, width: 2 * post, height: height),
        colors.adBreak)
    }
    if let first = marks.loop.first, let last = marks.loop.dropFirst().first {
      canvas.rectangle(
        Canvas.Box(
          left: track.middle(first), top: top - post, width: max(1, Double(last - first)), height: max(1, post / 2)),
        colors.focus)
    }
    for pixel in marks.loop {
      canvas.rectangle(
        Canvas.Box(
          left: (track.middle(pixel) - post / 2).rounded(), top: top - post, width: post, height: height + 2 * post),
        colors.focus)
    }
  }

  /// The hovered time, below its thumbnail.
  private func drawHint(on canvas: inout Canvas, _ measure: TextMeasure) {
    guard let hint, let track = layout.track else { return }
    let (gap, line) = (style.pixels(4), style.text.height)
    let textWidth = Double(measure(hint.text, style.text).width)
    let picture = hint.thumbnail.map { pictureSize($0.size, above: line + 3 * gap) }
    let width = max(textWidth + 2 * gap, picture?.width ?? 0) + 2 * gap
    let height = line + 2 * gap + (picture.map { $0.height + gap } ?? 0)
    let box = Tooltip.box(width: width, height: height, over: track.middle(hint.pixel), layout)
    canvas.rectangle(box, colors.sheet, radius: style.corner)
    if let thumbnail = hint.thumbnail, let picture {
      let frame = Canvas.Box(
        left: box.left + (width - picture.width) / 2, top: box.top + gap, width: picture.width, height: picture.height)
      canvas.picture(thumbnail, frame, radius: style.corner / 2)
    }
    canvas.text(
      hint.text, style.text, at: Canvas.Point(box.center.x, box.bottom - gap - line), colors.text,
      alignment: .center)
  }

  /// A thumbnail is 160 units wide, or less where the space above the bar is smaller.
  private func pictureSize(_ size: PictureSize, above rest: Double) -> (width: Double, height: Double) {
    let aspect = Double(size.width) / Double(size.height)
    let room = max(1, layout.bar.top - rest - style.pixels(12))
    let width = min(style.pixels(160), room * aspect, layout.bar.width / 2)
    return (width.rounded(), max(1, (width / aspect).rounded()))
  }

  private func drawTip(on canvas: inout Canvas, _ measure: TextMeasure) {
    guard let tip, let anchor = layout.boxes[tip.control] else { return }
    let extent = measure(tip.text, style.text)
    let (gap, padding) = (style.pixels(4), style.padding)
    let box = Tooltip.box(
      width: Double(extent.width) + 2 * padding, height: Double(extent.height) + 2 * gap,
      over: tip.control == .slider ? layout.bar.center.x : anchor.center.x, layout)
    canvas.rectangle(box, colors.sheet, radius: style.corner)
    canvas.text(tip.text, style.text, at: Canvas.Point(box.left + padding, box.top + gap), colors.text)
  }

  private func drawMenu(on canvas: inout Canvas) {
    guard let menu else { return }
    let place = menu.layout
    canvas.rectangle(place.box, colors.sheet, radius: style.corner)
    for row in 0..<place.rowCount {
      let item = row + menu.top
      guard menu.menu.items.indices.contains(item) else { continue }
      let (box, entry) = (place.row(row), menu.menu.items[item])
      if item == menu.highlighted { canvas.rectangle(box, colors.pressed, radius: style.corner / 2) }
      if entry.isCurrent { drawTick(in: box, place.indent, on: &canvas) }
      canvas.text(
        entry.title, style.text,
        at: Canvas.Point(place.box.left + place.indent + style.padding / 2, box.center.y - style.text.height / 2),
        entry.isCurrent ? colors.accent : colors.text)
    }
    drawScrollMark(menu, on: &canvas)
  }

  private func drawTick(in box: Canvas.Box, _ indent: Double, on canvas: inout Canvas) {
    let (x, y, side) = (box.left + indent / 2, box.center.y, style.text.height * 0.3)
    canvas.polyline(
      [Canvas.Point(x - side, y), Canvas.Point(x - side / 3, y + side * 0.7), Canvas.Point(x + side, y - side * 0.7)],
      width: max(1.5, style.pixels(2)), colors.accent)
  }

  /// How much of a menu is visible, and which part.
  private func drawScrollMark(_ menu: OpenMenu, on canvas: inout Canvas) {
    let (count, place) = (Double(menu.menu.items.count), menu.layout)
    guard menu.menu.items.count > place.rowCount else { return }
    let length = place.box.height - 2 * place.padding
    canvas.rectangle(
      Canvas.Box(
        left: place.box.right - style.pixels(3), top: place.box.top + place.padding + length * Double(menu.top) / count,
        width: max(2, style.pixels(2)), height: length * Double(place.rowCount) / count),
      colors.off, radius: style.unit)
  }
}
