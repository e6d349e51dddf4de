import Glibc

extension Canvas {
  /// An indicator of work whose end is unknown: eight dots in a circle, a bright one that goes round.
  ///
  /// - Parameter turn: turns of the bright dot since it began.
  public mutating func spinner(in box: Box, turn: Double, _ color: Color) {
    guard turn.isFinite else { return }
    let (radius, dot) = (min(box.width, box.height) * 0.38, min(box.width, box.height) * 0.2)
    let bright = Int(((turn - turn.rounded(.down)) * 8).rounded(.down))
    for index in 0..<8 {
      let angle = Double(index) * .pi / 4
      let age = (bright - index + 8) % 8
      let place = Point(box.center.x + radius * sin(angle), box.center.y - radius * cos(angle))
      rectangle(
        Box(left: place.x - dot / 2, top: place.y - dot / 2, width: dot, height: dot),
        color.opacity(color.alpha * max(0.15, 1 - Double(age) * 0.14)), radius: dot / 2)
    }
  }
}
