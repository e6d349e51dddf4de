import Overlay

/// Bars that grow upwards, the newest last, and lines across them. A value.
struct HUDGraph: Sendable, Hashable {
  struct Bar: Sendable, Hashable {
    /// Of the graph's height, 0 … 1.
    var share: Double
    /// It has another colour.
    var isOdd: Bool
  }

  struct Line: Sendable, Hashable {
    /// Of the graph's height, 0 … 1.
    var share: Double
    var label: String
  }

  var bars: [Bar]
  /// Bars that fit.
  var room: Int
  var lines: [Line]
  /// Says what the bars and lines are.
  var legend: String

  /// The number of frames that fit.
  static let frameCount = 120
  /// Longer times reach the graph's upper edge; milliseconds.
  private static let frameLimit = 75.0

  /// The display time of each of the last frames, and lines for 60 and 30 frames a second with their milliseconds: even pacing is
  /// level. Nil without frames.
  ///
  /// - Parameter times: milliseconds, the oldest first.
  static func frameTimes(_ times: [Double], _ words: Words) -> HUDGraph? {
    guard !times.isEmpty else { return nil }
    let usual = times.sorted()[times.count / 2]
    func share(_ milliseconds: Double) -> Double { min(milliseconds, frameLimit) / frameLimit }
    return HUDGraph(
      bars: times.suffix(frameCount).map { Bar(share: share($0), isOdd: abs($0 - usual) > usual * 0.5) },
      room: frameCount,
      lines: [60.0, 30].map { Line(share: share(1000 / $0), label: words.tenths(1000 / $0) + " ms") },
      legend: words[.frameLegend(count: frameCount)])
  }

  /// - Parameter text: of the lines' labels.
  func draw(in inner: Canvas.Box, text: TextStyle, measure: TextMeasure, on canvas: inout Canvas) {
    // The lines' labels stand at the right of the bars.
    let widest = lines.map { Double(measure($0.label, text).width) }.max() ?? 0
    let right = max(inner.left + 1, inner.right - max(text.height * 4, widest + text.height / 2))
    let step = (right - inner.left) / Double(room)
    for (position, bar) in bars.enumerated() {
      let height = bar.share * inner.height
      canvas.rectangle(
        Canvas.Box(
          left: inner.left + Double(position) * step, top: inner.bottom - height, width: max(1, step * 0.75),
          height: height), bar.isOdd ? Self.odd : Self.even)
    }
    for line in lines {
      let place = inner.bottom - min(line.share, 1) * inner.height
      canvas.line(
        from: Canvas.Point(inner.left, place), to: Canvas.Point(right, place), width: 1,
        Canvas.Color.white.opacity(0.35))
      canvas.text(
        line.label, text, at: Canvas.Point(inner.right, place - text.height / 2), .white, alignment: .right)
    }
  }

  private static let even = Canvas.Color(0.45, 0.78, 1)
  private static let odd = Canvas.Color(1, 0.62, 0.2)
}
