import Overlay

extension HUD {
  /// Draws the display time of each of the last frames as bars that grow upwards, and lines for 60 and 30 a second:
  /// even pacing is level.
  ///
  /// - Parameter times: milliseconds, the oldest first.
  static func graph(_ times: [Double], in box: Canvas.Box, on canvas: inout Canvas) {
    canvas.rectangle(box, Canvas.Color.black.opacity(0.65), radius: box.height * 0.06)
    let inner = box.inset(by: box.height * 0.06)
    func y(_ milliseconds: Double) -> Double {
      inner.bottom - min(milliseconds, graphLimit) / graphLimit * inner.height
    }
    let usual = times.sorted()[times.count / 2]
    let step = inner.width / Double(graphCount)
    for (position, time) in times.suffix(graphCount).enumerated() {
      let isUneven = abs(time - usual) > usual * 0.5
      let top = y(time)
      canvas.rectangle(
        Canvas.Box(
          left: inner.left + Double(position) * step, top: top, width: max(1, step * 0.75), height: inner.bottom - top),
        isUneven ? uneven : even)
    }
    for rate in [60.0, 30] {
      let place = y(1000 / rate)
      canvas.line(
        from: Canvas.Point(inner.left, place), to: Canvas.Point(inner.right, place), width: 1,
        Canvas.Color.white.opacity(0.35))
    }
  }

  /// The number of frames that fit.
  static let graphCount = 120
  /// Longer times reach the graph's upper edge; milliseconds.
  private static let graphLimit = 75.0
  private static let even = Canvas.Color(0.45, 0.78, 1)
  private static let uneven = Canvas.Color(1, 0.62, 0.2)
}
