import Glibc

// Icons of sound.
extension Canvas {
  mutating func soundIcon(_ icon: Icon, _ grid: IconGrid, _ color: Color) {
    let stroke = max(1, grid.side / 11)
    switch icon {
    case .speaker:
      speaker(grid, color)
      for radius in [0.16, 0.3] {
        let angles = (-6...6).map { Double($0) * .pi / 20 }
        polyline(
          angles.map { grid.at(0.56 + radius * cos($0), 0.5 + radius * sin($0) * 1.15) }, width: stroke, color)
      }
    case .muted:
      speaker(grid, color)
      line(from: grid.at(0.64, 0.36), to: grid.at(0.92, 0.64), width: stroke, color)
      line(from: grid.at(0.92, 0.36), to: grid.at(0.64, 0.64), width: stroke, color)
    case .notes:
      for (x, y) in [(0.1, 0.68), (0.58, 0.6)] { rectangle(grid.part(x, y, 0.28, 0.22), color, radius: grid.side) }
      polyline(
        [(0.35, 0.78), (0.35, 0.2), (0.83, 0.12), (0.83, 0.7)].map { grid.at($0.0, $0.1) }, width: stroke, color)
    default: break
    }
  }

  /// A box with a cone that opens to the right.
  private mutating func speaker(_ grid: IconGrid, _ color: Color) {
    rectangle(grid.part(0.06, 0.36, 0.22, 0.28), color)
    triangle(grid.at(0.1, 0.5), grid.at(0.5, 0.14), grid.at(0.5, 0.86), color)
  }
}
