import Frames

/// How far the display durations of frames lie from the intended ones.
///
/// After the playback roughness of Chromium's `VideoPlaybackRoughnessReporter`: the errors of successive frames are summed
/// up, since a frame that is too long and one that is too short after it cancel out; the root of the mean square of
/// these sums is the roughness of a second. Sums restart with every second.
public struct Roughness: Hashable, Sendable {
  /// 95th percentile of the seconds' roughness.
  public let milliseconds: Double
  /// The largest error of a single frame that was shown too long; 0 when none was.
  public let freezingMilliseconds: Double

  /// A frame's intended and actual duration, in milliseconds.
  public struct Duration: Hashable, Sendable {
    public var intended: Double
    public var actual: Double

    public init(intended: Double, actual: Double) {
      self.intended = intended
      self.actual = actual
    }
  }

  /// A second is full at this sum of intended durations, in milliseconds: time stamps are rounded.
  private static let fullWindow = 999.0

  /// Nil without durations. An incomplete last second counts only if there is no other.
  public init?(_ durations: some Collection<Duration>) {
    guard !durations.isEmpty else { return nil }
    var windows: [Double] = []
    var window = Window()
    for duration in durations {
      window.add(duration)
      guard window.intended >= Self.fullWindow else { continue }
      windows.append(window.roughness)
      window = Window()
    }
    if windows.isEmpty { windows = [window.roughness] }
    milliseconds = Distribution.quantile(0.95, ofSorted: windows.sorted())
    freezingMilliseconds = durations.reduce(0) { max($0, $1.actual - $1.intended) }
  }

  private struct Window {
    var intended = 0.0
    private var sum = 0.0
    private var squares = 0.0
    private var count = 0.0

    mutating func add(_ duration: Duration) {
      intended += duration.intended
      sum += duration.actual - duration.intended
      squares += sum * sum
      count += 1
    }

    var roughness: Double { (squares / count).squareRoot() }
  }
}

extension Roughness {
  /// Roughness of frames as they were seen. A dropped frame's duration belongs to the frame shown in its place; a frame
  /// followed by a pause is left out.
  public init?(_ views: [SeenView]) {
    self.init(Self.durations(views))
  }

  static func durations(_ views: [SeenView]) -> [Duration] {
    var durations: [Duration] = []
    var before: SeenView?
    for view in views where view.isNew {
      if let before, !view.followsStall {
        durations.append(
          Duration(
            intended: (view.time - before.time).milliseconds, actual: view.seen.milliseconds(since: before.seen)))
      }
      before = view
    }
    return durations
  }

  /// Durations of frames at these media times if no frame is late: each is seen from the first refresh that
  /// is not more than a sixteenth of a refresh before its time, which is the pacer's rule; one that the next follows
  /// before that is not seen.
  ///
  /// - Parameters:
  ///   - times: ascending.
  ///   - refresh: refreshes per second, one of which is at the first frame's time.
  public static func ideal(times: [MediaTime], refresh: Ratio) -> Roughness? {
    guard let first = times.first, let rate = refresh.value else { return nil }
    let period = 1000 / rate
    let shown = times.map { time in
      (time: time, refresh: ((time - first).milliseconds / period - 1.0 / 16).rounded(.up))
    }
    let seen = shown.indices.filter { $0 == shown.count - 1 || shown[$0 + 1].refresh > shown[$0].refresh }
    return Roughness(
      zip(seen, seen.dropFirst()).map { frame, next in
        Duration(
          intended: (shown[next].time - shown[frame].time).milliseconds,
          actual: (shown[next].refresh - shown[frame].refresh) * period)
      })
  }
}
