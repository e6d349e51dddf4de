import Glibc

/// Icons of a player's controls, drawn with the canvas's shapes.
public enum Icon: String, Sendable, Hashable, CaseIterable {
  case play, pause, previousFrame, nextFrame, replay, fullScreen, close, menu
  case previousFile, nextFile, globe, twoPictures, goggles, loop, statistics, smallWindow, leaveFullScreen, open
  case speaker, muted, notes
}

extension Canvas {
  /// - Parameter box: the icon fills its shorter side, centred.
  public mutating func icon(_ icon: Icon, in box: Box, _ color: Color) {
    let side = min(box.width, box.height)
    let (left, top) = (box.center.x - side / 2, box.center.y - side / 2)
    func at(_ x: Double, _ y: Double) -> Point { Point(left + x * side, top + y * side) }
    func part(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Box {
      Box(left: left + x * side, top: top + y * side, width: width * side, height: height * side)
    }
    let stroke = max(1, side / 10)
    switch icon {
    case .play: triangle(at(0.22, 0.1), at(0.88, 0.5), at(0.22, 0.9), color)
    case .pause:
      rectangle(part(0.2, 0.12, 0.2, 0.76), color)
      rectangle(part(0.6, 0.12, 0.2, 0.76), color)
    case .previousFrame: frameStep(IconGrid(left: left, top: top, side: side), stroke, color) { 1 - $0 }
    case .nextFrame: frameStep(IconGrid(left: left, top: top, side: side), stroke, color) { $0 }
    case .replay:
      // Three hundred degrees, clockwise from a little past the top.
      let angles = (0...24).map { (step: Int) -> Double in
        let degrees: Double = 20 + 300 * Double(step) / 24
        return degrees * .pi / 180
      }
      polyline(angles.map { at(0.5 + 0.35 * sin($0), 0.54 - 0.35 * cos($0)) }, width: stroke, color)
      triangle(at(0.64, 0.02), at(0.64, 0.4), at(0.34, 0.21), color)
    case .fullScreen:
      for (x, y) in [(0.12, 0.12), (0.88, 0.12), (0.12, 0.88), (0.88, 0.88)] {
        line(from: at(x, y), to: at(x + (x < 0.5 ? 0.24 : -0.24), y), width: stroke, color)
        line(from: at(x, y), to: at(x, y + (y < 0.5 ? 0.24 : -0.24)), width: stroke, color)
      }
    case .close:
      line(from: at(0.2, 0.2), to: at(0.8, 0.8), width: stroke, color)
      line(from: at(0.8, 0.2), to: at(0.2, 0.8), width: stroke, color)
    case .menu:
      for y in [0.25, 0.5, 0.75] { line(from: at(0.18, y), to: at(0.82, y), width: stroke, color) }
    case .speaker, .muted, .notes: soundIcon(icon, IconGrid(left: left, top: top, side: side), color)
    default: modeIcon(icon, IconGrid(left: left, top: top, side: side), color)
    }
  }
}
