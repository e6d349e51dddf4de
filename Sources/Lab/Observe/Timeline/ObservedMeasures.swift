import Frames
import Verdict

/// The numbers of a playback that was watched on a screen, from the frames that were seen and when.
///
/// Words are those of the metrics' table. A private screen has no refresh: instead of refreshes, periods of the clip are counted.
package struct ObservedMeasures: Sendable {
  /// What the player was given.
  package struct Clip: Hashable, Sendable {
    package var frames: Int
    /// Frames per second.
    package var rate: Double
    /// Each frame shows its number, from 0.
    package var isNumbered: Bool

    package init(frames: Int, rate: Double, isNumbered: Bool = true) {
      (self.frames, self.rate, self.isNumbered) = (frames, rate, isNumbered)
    }

    package var seconds: Double { Double(frames) / rate }

    /// ms
    package var period: Double { 1000 / rate }
  }

  /// Distributions and values, in the units of their metrics.
  package private(set) var samples: [Metric: [Double]] = [:]
  package private(set) var counters: [Metric: Int] = [:]
  /// Frames that stayed on screen for much longer than their duration.
  package private(set) var freezes: [Freeze] = []

  package struct Freeze: Hashable, Sendable {
    package var number: Int
    /// From the origin, s.
    package var start: Double
    package var seconds: Double
  }

  /// The moment from which times are counted.
  package enum Origin: Sendable {
    /// Just before the program was started.
    case start(MonotonicTime)
    /// The first frame of a recording. The start of the program is unknown, and with it the time to its first frame.
    case recording(MonotonicTime)

    package var time: MonotonicTime {
      switch self {
      case .start(let time), .recording(let time): time
      }
    }
  }

  /// - Parameters:
  ///   - heard: the clip's sound; nil where none is observed.
  ///   - wholeRefresh: a paint that takes longer than this is torn, in ms.
  package init(
    _ timeline: ScreenTimeline, _ heard: HeardSound? = nil, of clip: Clip, from origin: Origin,
    wholeRefresh: Double = 1000.0 / 60
  ) {
    let shown = timeline.shown
    if case .start(let start) = origin {
      samples[.timeToFirstFrame] = shown.first.map { [$0.complete.middle.milliseconds(since: start)] } ?? []
    }
    samples[.paint] = shown.map(\.paint)
    samples[.samplingError] = shown.map(\.complete.width)
    samples[.unreadable] = [timeline.unreadable]
    let numbers = Set(shown.map(\.number))
    counters[.presented] = numbers.count
    counters[.torn] = timeline.partial.count + shown.count { $0.paint > wholeRefresh }
    // A frame that only part of the screen showed was not dropped.
    let seen = numbers.union(timeline.partial)
    counters[.dropped] = Range(from: 0, to: (numbers.max() ?? -1) + 1).count { !seen.contains($0) }
    counters[.outOfOrder] = zip(shown, shown.dropFirst()).count { $1.number < $0.number }
    samples[.lastFrame] = numbers.max().map { [Double($0)] } ?? []
    let intervals = zip(shown, shown.dropFirst()).map { $1.complete.middle.milliseconds(since: $0.complete.middle) }
    samples[.frameInterval] = intervals
    counters[.repeated] = zip(zip(shown, shown.dropFirst()), intervals).reduce(0) { sum, pair in
      let ((frame, next), interval) = pair
      guard next.number > frame.number else { return sum }
      return sum + max(0, Int((interval / clip.period).rounded()) - (next.number - frame.number))
    }
    let inOrder = Self.inOrder(shown)
    samples[.lateness] = Self.lateness(inOrder, clip)
    let limit = WatchedScreen.freezeLimit(period: clip.period)
    // The clip's last frame stays: that is no freeze.
    freezes = zip(shown, intervals).filter { $1 >= limit }.map { frame, interval in
      Freeze(
        number: frame.number, start: frame.complete.middle.milliseconds(since: origin.time) / 1000,
        seconds: interval / 1000)
    }
    samples[.freeze] = freezes.map { $0.seconds * 1000 }
    counters[.freezes] = freezes.count
    let durations = zip(inOrder, inOrder.dropFirst()).map { frame, next in
      Roughness.Duration(
        intended: Double(next.number - frame.number) * clip.period,
        actual: next.complete.middle.milliseconds(since: frame.complete.middle))
    }
    if let roughness = Roughness(durations) { samples[.roughness] = [roughness.milliseconds] }
    guard let heard, !heard.points.isEmpty else { return }
    samples[.avSync] = inOrder.compactMap { frame in
      heard.time(of: Double(frame.number) / clip.rate).map { $0.milliseconds(since: frame.complete.middle) }
    }
    samples[.audioGap] = [heard.gap]
  }

  /// The measures of a clip without frame numbers. Dropped, repeated and late frames are unknown.
  package init(_ timeline: PictureTimeline, of clip: Clip, started: MonotonicTime) {
    let pictures = timeline.pictures
    samples[.timeToFirstFrame] = pictures.first.map { [$0.complete.middle.milliseconds(since: started)] } ?? []
    samples[.paint] = pictures.map(\.paint)
    samples[.samplingError] = pictures.map(\.complete.width)
    counters[.presented] = pictures.count
    let intervals = zip(pictures, pictures.dropFirst()).map {
      $1.complete.middle.milliseconds(since: $0.complete.middle)
    }
    samples[.frameInterval] = intervals
    let limit = WatchedScreen.freezeLimit(period: clip.period)
    freezes = pictures.indices.dropLast().filter { intervals[$0] >= limit }.map { index in
      Freeze(
        number: index, start: pictures[index].complete.middle.seconds(since: started), seconds: intervals[index] / 1000)
    }
    samples[.freeze] = freezes.map { $0.seconds * 1000 }
    counters[.freezes] = freezes.count
    let durations = intervals.map { interval in
      // Of whole periods, as many as fit best.
      Roughness.Duration(
        intended: max(1, (interval / clip.period).rounded()) * clip.period, actual: interval)
    }
    if let roughness = Roughness(durations) { samples[.roughness] = [roughness.milliseconds] }
  }

  /// The frames that advance: without frames that were shown again, or after a later one.
  private static func inOrder(_ shown: [ScreenTimeline.Shown]) -> [ScreenTimeline.Shown] {
    var highest = -1
    return shown.filter { frame in
      guard frame.number > highest else { return false }
      highest = frame.number
      return true
    }
  }

  /// How much later than the cadence of the clip each frame came, in ms. The cadence's origin is the median over all frames: a constant delay
  /// is no lateness.
  private static func lateness(_ shown: [ScreenTimeline.Shown], _ clip: Clip) -> [Double] {
    guard let first = shown.first else { return [] }
    let residuals = shown.map { frame in
      frame.complete.middle.milliseconds(since: first.complete.middle) - Double(frame.number) * clip.period
    }
    guard let origin = Distribution.median(residuals) else { return [] }
    return residuals.map { $0 - origin }
  }
}
