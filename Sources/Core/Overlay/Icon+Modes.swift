import Glibc

/// A square with coordinates from 0 to 1.
struct IconGrid {
  var left: Double
  var top: Double
  var side: Double

  func at(_ x: Double, _ y: Double) -> Canvas.Point { Canvas.Point(left + x * side, top + y * side) }

  func part(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Canvas.Box {
    Canvas.Box(left: left + x * side, top: top + y * side, width: width * side, height: height * side)
  }
}

// Icons of modes: projection, stereo, loop and window.
extension Canvas {
  mutating func modeIcon(_ icon: Icon, _ grid: IconGrid, _ color: Color) {
    let stroke = max(1, grid.side / 11)
    switch icon {
    case .previousFile: files(grid, color) { $0 }
    case .nextFile: files(grid, color) { 1 - $0 }
    case .globe: globe(grid, stroke, color)
    case .twoPictures:
      rectangle(grid.part(0.06, 0.16, 0.62, 0.44), color, radius: grid.side * 0.08, border: stroke)
      rectangle(grid.part(0.32, 0.4, 0.62, 0.44), color, radius: grid.side * 0.08)
    case .goggles:
      rectangle(grid.part(0.02, 0.18, 0.96, 0.64), color, radius: grid.side * 0.18, border: stroke)
      for x in [0.19, 0.57] { rectangle(grid.part(x, 0.38, 0.24, 0.24), color, radius: grid.side) }
    case .loop:
      for flip in [false, true] { halfLoop(grid, stroke, color) { flip ? 1 - $0 : $0 } }
    case .statistics:
      for (x, height) in [(0.12, 0.36), (0.41, 0.74), (0.7, 0.52)] {
        rectangle(grid.part(x, 0.87 - height, 0.18, height), color)
      }
    case .smallWindow:
      rectangle(grid.part(0.06, 0.14, 0.88, 0.72), color, radius: grid.side * 0.08, border: stroke)
      rectangle(grid.part(0.5, 0.5, 0.32, 0.24), color)
    case .leaveFullScreen:
      for (x, y) in [(0.36, 0.36), (0.64, 0.36), (0.36, 0.64), (0.64, 0.64)] {
        line(from: grid.at(x, y), to: grid.at(x + (x < 0.5 ? -0.24 : 0.24), y), width: stroke, color)
        line(from: grid.at(x, y), to: grid.at(x, y + (y < 0.5 ? -0.24 : 0.24)), width: stroke, color)
      }
    case .open:
      polyline(
        [(0.08, 0.82), (0.08, 0.2), (0.38, 0.2), (0.48, 0.32), (0.84, 0.32), (0.84, 0.46)].map { grid.at($0.0, $0.1) },
        width: stroke, color)
      polyline(
        [(0.08, 0.82), (0.24, 0.46), (0.95, 0.46), (0.8, 0.82), (0.08, 0.82)].map { grid.at($0.0, $0.1) },
        width: stroke, color)
    default: break
    }
  }

  /// The frame of a film with an arrow that enters it.
  mutating func frameStep(_ grid: IconGrid, _ stroke: Double, _ color: Color, _ x: (Double) -> Double) {
    rectangle(grid.part(min(x(0.4), x(0.96)), 0.14, 0.56, 0.72), color, radius: grid.side * 0.06, border: stroke)
    line(from: grid.at(x(0.04), 0.5), to: grid.at(x(0.5), 0.5), width: stroke, color)
    triangle(grid.at(x(0.5), 0.3), grid.at(x(0.5), 0.7), grid.at(x(0.78), 0.5), color)
  }

  /// A bar with two triangles pointing at it.
  private mutating func files(_ grid: IconGrid, _ color: Color, _ x: (Double) -> Double) {
    for tip in [0.18, 0.54] {
      triangle(grid.at(x(tip + 0.36), 0.2), grid.at(x(tip + 0.36), 0.8), grid.at(x(tip), 0.5), color)
    }
    rectangle(grid.part(min(x(0.08), x(0.18)), 0.2, 0.1, 0.6), color)
  }

  private mutating func globe(_ grid: IconGrid, _ stroke: Double, _ color: Color) {
    rectangle(grid.part(0.08, 0.08, 0.84, 0.84), color, radius: grid.side, border: stroke)
    line(from: grid.at(0.1, 0.5), to: grid.at(0.9, 0.5), width: stroke, color)
    let angles = (0...24).map { 2 * .pi * Double($0) / 24 }
    polyline(angles.map { grid.at(0.5 + 0.18 * sin($0), 0.5 - 0.38 * cos($0)) }, width: stroke, color)
  }

  /// An arrow to the right with the corner before it; the second half is the first one rotated about the centre.
  private mutating func halfLoop(_ grid: IconGrid, _ stroke: Double, _ color: Color, _ turned: (Double) -> Double) {
    func at(_ x: Double, _ y: Double) -> Point { grid.at(turned(x), turned(y)) }
    polyline([at(0.12, 0.5), at(0.12, 0.3), at(0.7, 0.3)], width: stroke, color)
    triangle(at(0.66, 0.1), at(0.92, 0.3), at(0.66, 0.5), color)
  }
}
