import Frames

/// The hand's positions on a slider over time, from which a picture's lag is computed.
public struct HandPath: Sendable {
  /// Ascending; between two of them the hand moves evenly.
  private var points: [(time: MonotonicTime, place: MediaTime)] = []

  public init() {}

  /// - Parameter time: not before that of the last.
  public mutating func add(_ place: MediaTime, at time: MonotonicTime) { points.append((time, place)) }

  /// The time between now and the nearest instant at which the hand was, or will be, where a picture belongs, in
  /// milliseconds; where it never is there, the nearest place that it comes to counts. Nil without a way.
  ///
  /// - Parameter interval: when the picture is shown in the clip, both ends included.
  public func lag(of interval: ClosedRange<MediaTime>, at now: MonotonicTime) -> Double? {
    let places = points.map(\.place)
    guard let first = places.min(), let last = places.max() else { return nil }
    let interval = ClosedRange(
      from: min(max(interval.lowerBound, first), last), through: min(max(interval.upperBound, first), last))
    var least: Double?
    for (from, to) in zip(points, points.dropFirst()) {
      guard let stay = stay(from, to, interval) else { continue }
      let distance = max(
        0, stay.lowerBound - now.seconds(since: from.time), now.seconds(since: from.time) - stay.upperBound)
      least = min(least ?? distance, distance)
    }
    return least.map { $0 * 1000 }
  }

  /// From when to when the hand is in an interval on its way between two points, in seconds behind the first.
  private func stay(
    _ from: (time: MonotonicTime, place: MediaTime), _ to: (time: MonotonicTime, place: MediaTime),
    _ interval: ClosedRange<MediaTime>
  ) -> ClosedRange<Double>? {
    let (low, high) = (min(from.place, to.place), max(from.place, to.place))
    guard low <= interval.upperBound, high >= interval.lowerBound else { return nil }
    let (time, way) = (to.time.seconds(since: from.time), (to.place - from.place).seconds)
    guard way != 0 else { return ClosedRange(from: 0, through: max(0, time)) }
    func moment(_ place: MediaTime) -> Double {
      min(max((place - from.place).seconds / way, 0), 1) * time
    }
    let (a, b) = (moment(interval.lowerBound), moment(interval.upperBound))
    return ClosedRange(from: min(a, b), through: max(a, b))
  }
}
