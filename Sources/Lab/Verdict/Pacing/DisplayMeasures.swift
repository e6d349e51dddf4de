import Frames

/// Measures of a series of views on a display, in milliseconds.
public enum DisplayMeasures {
  /// Between successive times at which the picture changed.
  public static func intervals(_ views: [SeenView]) -> [Double] {
    zip(views, views.dropFirst()).map { $1.seen.milliseconds(since: $0.seen) }
  }

  /// Frames per second over the longest `share` of the intervals, as games are judged: 1000 ÷ their mean, of at least
  /// one. Nil where there are fewer intervals than the share needs for one.
  public static func low(_ share: Double, of intervals: [Double]) -> Double? {
    let count = Int((Double(intervals.count) * share).rounded(.down))
    guard count >= 1 else { return nil }
    let longest = intervals.sorted(by: >).prefix(count)
    let mean = longest.reduce(0, +) / Double(count)
    return mean > 0 ? 1000 / mean : nil
  }

  /// How much further the camera moved from one view to the next than time did; negative: less far. A pause
  /// between two views gives no value.
  public static func animationErrors(_ views: [SeenView]) -> [Double] {
    zip(views, views.dropFirst()).compactMap { view, next in
      next.followsStall
        ? nil : (next.moment - view.moment).milliseconds - next.seen.milliseconds(since: view.seen)
    }
  }

  /// From a view's due time to when it was ready: positive is missed. Of each frame's first view.
  public static func overruns(_ views: [SeenView]) -> [Double] {
    views.filter(\.isNew).map { $0.ready.milliseconds(since: $0.due) }
  }

  /// How many runs of each length there are among frames that were shown (false) or dropped (true).
  public static func dropRuns(_ isDropped: [Bool]) -> [Int: Int] {
    var runs: [Int: Int] = [:]
    var length = 0
    for isDropped in isDropped {
      if isDropped {
        length += 1
      } else if length > 0 {
        runs[length, default: 0] += 1
        length = 0
      }
    }
    if length > 0 { runs[length, default: 0] += 1 }
    return runs
  }
}
