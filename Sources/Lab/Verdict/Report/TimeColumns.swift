/// Times of a run on an axis of a limited number of columns: what lies too close to be told apart is drawn once, and no
/// interval and no extreme is lost.
package struct TimeColumns: Sendable {
  package struct Span: Hashable, Sendable {
    /// Fractions of the axis.
    package var start: Double
    package var end: Double
  }

  package struct Level: Hashable, Sendable {
    /// Fraction of the axis.
    package var place: Double
    package var low: Double
    package var high: Double
  }

  private let scale: Scale
  private let count: Int

  /// From 0 to `end`, in seconds.
  package init(end: Double, count: Int) {
    scale = Scale(0, max(end, 1e-3))
    self.count = max(count, 1)
  }

  package func place(_ time: Double) -> Double { scale.place(time) }

  /// Each interval where there are no more than columns; else runs of columns that an interval touches.
  package func spans(_ intervals: [(start: Double, end: Double)]) -> [Span] {
    let places = intervals.map { Span(start: place($0.start), end: max(place($0.start), place($0.end))) }
    guard places.count > count else { return places }
    // +1 where an interval begins, −1 behind its last column.
    var changes = [Int](repeating: 0, count: count + 1)
    for place in places {
      changes[column(place.start)] += 1
      changes[column(place.end) + 1] -= 1
    }
    var (runs, depth, start) = ([Span](), 0, 0)
    for (index, change) in changes.enumerated() {
      if depth == 0, change > 0 { start = index }
      if depth > 0, depth + change == 0 {
        runs.append(Span(start: Double(start) / Double(count), end: Double(index) / Double(count)))
      }
      depth += change
    }
    return runs
  }

  /// Each point where there are no more than columns; else the smallest and the largest value of each column that has one.
  package func levels(_ points: [(time: Double, value: Double)]) -> [Level] {
    let sorted = points.filter { $0.value.isFinite }.sorted { $0.time < $1.time }
    guard sorted.count > count else {
      return sorted.map { Level(place: place($0.time), low: $0.value, high: $0.value) }
    }
    var levels: [Level] = []
    var last = -1
    for point in sorted {
      let column = column(place(point.time))
      if column != last {
        levels.append(Level(place: (Double(column) + 0.5) / Double(count), low: point.value, high: point.value))
        last = column
      }
      levels[levels.count - 1].low = min(levels[levels.count - 1].low, point.value)
      levels[levels.count - 1].high = max(levels[levels.count - 1].high, point.value)
    }
    return levels
  }

  private func column(_ place: Double) -> Int { min(count - 1, max(0, Int(place * Double(count)))) }
}
