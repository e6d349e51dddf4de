import Overlay

extension HUD {
  /// Draws the display time of each of the last frames as bars that grow upwards, and lines for 60 and 30 frames a
  /// second with their milliseconds: even pacing is level.
  ///
  /// - Parameters:
  ///   - times: milliseconds, the oldest first.
  ///   - text: of the lines' labels.
  static func graph(_ times: [Double], in inner: Canvas.Box, text: TextStyle, on canvas: inout Canvas) {
    func y(_ milliseconds: Double) -> Double {
      inner.bottom - min(milliseconds, graphLimit) / graphLimit * inner.height
    }
    let usual = times.sorted()[times.count / 2]
    // The lines' labels stand at the right of the bars.
    let right = inner.right - text.height * 4
    let step = (right - inner.left) / Double(graphCount)
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
        from: Canvas.Point(inner.left, place), to: Canvas.Point(right, place), width: 1,
        Canvas.Color.white.opacity(0.35))
      canvas.text(
        "\((10_000 / rate).rounded() / 10) ms", text, at: Canvas.Point(inner.right, place - text.height / 2), .white,
        alignment: .right)
    }
  }

  /// Says what the bars and lines are.
  static let legend = "Bars: ms on screen of the last \(graphCount) frames, orange if uneven. Lines: 60, 30 frames/s."
  /// The number of frames that fit.
  static let graphCount = 120
  /// Longer times reach the graph's upper edge; milliseconds.
  private static let graphLimit = 75.0
  private static let even = Canvas.Color(0.45, 0.78, 1)
  private static let uneven = Canvas.Color(1, 0.62, 0.2)
}
