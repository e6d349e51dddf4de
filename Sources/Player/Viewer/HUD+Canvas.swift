import Bench360Player
import Frames
import Overlay

/// The parts of a target that statistics and notices are drawn in.
package struct HUDRoom: Sendable, Hashable {
  /// The view of each eye.
  package var eyes: [Canvas.Box]
  /// Subtitles: notices do not cover them.
  package var subtitles: [Canvas.Box] = []
  /// Pixels at the target's bottom that controls cover.
  package var bottom = 0.0
  /// Of text, relative to its usual size.
  package var textSize = 1.0
  package var colors = ControlColors.usual

  package init(_ size: PictureSize) {
    eyes = [Canvas.Box(left: 0, top: 0, width: Double(size.width), height: Double(size.height))]
  }

  /// - Parameter regions: where each eye's view is drawn.
  package init(_ regions: (first: TargetRegion, second: TargetRegion?)) {
    let drawn: [TargetRegion] = if let second = regions.second { [regions.first, second] } else { [regions.first] }
    eyes = drawn.map { (region: TargetRegion) -> Canvas.Box in
      Canvas.Box(
        left: Double(region.left), top: Double(region.top), width: Double(region.size.width),
        height: Double(region.size.height))
    }
  }

  /// An eye's view above the controls.
  func free(_ eye: Canvas.Box) -> Canvas.Box {
    Canvas.Box(left: eye.left, top: eye.top, width: eye.width, height: max(0, eye.height - bottom))
  }
}

extension HUD {
  /// Statistics at the top left of each eye's view, notices in its middle, below the top; in its centre why the picture stands.
  package func canvas(_ room: HUDRoom, measure: TextMeasure) -> Canvas {
    var canvas = Canvas()
    for eye in room.eyes {
      let free = room.free(eye)
      let usual = min(max(eye.height / 30, 13), 40) * room.textSize
      var covered = room.subtitles
      meter?.draw(in: free, height: usual, room.colors, on: &canvas)
      if !statistics.lines.isEmpty {
        let sheet = StatisticsSheet(statistics.lines, statistics.graph, in: free, usual: usual, measure)
        sheet.draw(room.colors, on: &canvas, measure)
        covered.append(sheet.box)
      }
      if let waiting { covered.append(Self.draw(waiting, height: usual, in: free, room.colors, on: &canvas, measure)) }
      if let noticeText {
        Self.draw(notice: noticeText, height: usual, in: free, avoiding: covered, room.colors, on: &canvas, measure)
      }
    }
    return canvas
  }

  /// An indicator above its text; returns the box of both.
  private static func draw(
    _ waiting: Wait, height: Double, in free: Canvas.Box, _ colors: ControlColors, on canvas: inout Canvas,
    _ measure: TextMeasure
  ) -> Canvas.Box {
    let (style, gap, side) = (TextStyle(height: height), height * 0.6, height * 2)
    let text = Tooltip.wrapped(waiting.text, to: free.width - 4 * gap, style, measure: measure)
    let extent = measure(text, style)
    let (width, tall) = (max(side, Double(extent.width)) + 2 * gap, side + Double(extent.height) + 3 * gap)
    let box = Canvas.Box(
      left: free.center.x - width / 2, top: free.center.y - tall / 2, width: width, height: tall)
    canvas.rectangle(box, colors.sheet, radius: gap)
    canvas.spinner(
      in: Canvas.Box(left: box.center.x - side / 2, top: box.top + gap, width: side, height: side),
      turn: waiting.spin, colors.text)
    canvas.text(
      text, style, at: Canvas.Point(box.center.x, box.top + side + 2 * gap), colors.text, alignment: .center)
    return box
  }

  private static func draw(
    notice: String, height: Double, in free: Canvas.Box, avoiding covered: [Canvas.Box], _ colors: ControlColors,
    on canvas: inout Canvas, _ measure: TextMeasure
  ) {
    let (style, gap) = (TextStyle(height: height), height * 0.6)
    let text = Tooltip.wrapped(notice, to: free.width - 4 * gap, style, measure: measure)
    let extent = measure(text, style)
    let (width, tall) = (Double(extent.width) + 2 * gap, Double(extent.height) + gap)
    let box = place(
      Canvas.Box(left: free.center.x - width / 2, top: free.top + gap, width: width, height: tall), in: free,
      avoiding: covered, gap: gap)
    canvas.rectangle(box, colors.sheet, radius: gap / 2)
    canvas.text(text, style, at: Canvas.Point(box.center.x, box.top + gap / 2), colors.text, alignment: .center)
  }

  /// The highest place below other parts; where there is none, the wanted one.
  static func place(_ wanted: Canvas.Box, in free: Canvas.Box, avoiding covered: [Canvas.Box], gap: Double)
    -> Canvas.Box
  {
    var box = wanted
    while let hit = covered.first(where: { $0.overlaps(box) }) {
      box.top = hit.bottom + gap
      if box.bottom > free.bottom { return wanted }
    }
    return box
  }
}

extension Canvas.Box {
  fileprivate func overlaps(_ other: Canvas.Box) -> Bool {
    left < other.right && other.left < right && top < other.bottom && other.top < bottom
  }
}

/// Statistics with their graph and its legend, as large as they fit. Pure.
struct StatisticsSheet {
  let box: Canvas.Box
  private let style: TextStyle
  private let text: String
  private let legend: String
  private let graph: (bars: HUDGraph, box: Canvas.Box)?

  /// The least height of a line, in pixels.
  static let least = 8.0

  init(_ lines: [String], _ bars: HUDGraph?, in free: Canvas.Box, usual: Double, _ measure: TextMeasure) {
    // Each line is measured once: texts change four times a second, and a new size of letters costs a layout each.
    let all = lines + (bars.map { [$0.legend] } ?? [])
    let widths = all.map {
      Double(measure($0, TextStyle(height: usual)).width) / Double(max(1, LineBreaks.letters(in: $0))) / usual
    }
    var (height, hasGraph) = (usual, bars != nil)
    func rows() -> [[String]] {
      zip(all, widths).prefix(lines.count + (hasGraph ? 1 : 0)).map { line, width in
        Self.wrapped(line, to: max(1, Int((free.width - 5 * height * 0.6) / max(width * height * 1.08, 1e-3))))
      }
    }
    // Smaller letters first, then no graph.
    while Double(rows().joined().count) * height + height * (hasGraph ? 6.5 : 2) > free.height {
      if height > Self.least {
        height = max(Self.least, height - 1)
      } else if hasGraph {
        (height, hasGraph) = (usual, false)
      } else {
        break
      }
    }
    let wrapped = rows()
    text = wrapped.prefix(lines.count).joined().joined(separator: "\n")
    legend = hasGraph ? wrapped[lines.count].joined(separator: "\n") : ""
    style = TextStyle(height: height)
    let gap = height * 0.6
    let (above, below) = (measure(text, style), hasGraph ? measure(legend, style) : (width: 0, height: 0))
    let inner = Double(max(above.width, below.width))
    let (top, rest) = (free.top + gap, free.top + 1.5 * gap + Double(above.height))
    let graph = Canvas.Box(left: free.left + 2 * gap, top: rest + gap / 2, width: inner, height: height * 4)
    let bottom = hasGraph ? graph.bottom + gap / 2 + Double(below.height) : rest
    box = Canvas.Box(left: free.left + gap, top: top, width: inner + 2 * gap, height: bottom + gap / 2 - top)
    self.graph = hasGraph ? bars.map { ($0, graph) } : nil
  }

  /// Lines of at most `count` letters, broken where `LineBreaks` allows it.
  private static func wrapped(_ line: String, to count: Int) -> [String] {
    var rows: [String] = []
    for (space, word) in LineBreaks.pieces(of: line) {
      if let last = rows.last, LineBreaks.letters(in: last + space + word) <= count {
        rows[rows.count - 1] = last + space + word
      } else {
        rows.append(word)
      }
    }
    return rows
  }

  func draw(_ colors: ControlColors, on canvas: inout Canvas, _ measure: TextMeasure) {
    let gap = style.height * 0.6
    canvas.rectangle(box, colors.panel, radius: gap / 2)
    canvas.text(text, style, at: Canvas.Point(box.left + gap, box.top + gap / 2), colors.text)
    guard let graph else { return }
    graph.bars.draw(
      in: graph.box, text: TextStyle(height: max(Self.least, style.height * 0.75)), measure: measure, on: &canvas)
    canvas.text(legend, style, at: Canvas.Point(graph.box.left, graph.box.bottom + gap / 2), colors.text)
  }
}
