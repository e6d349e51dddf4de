import Frames

/// How a clip that comes from a network is doing, as far as the window tells of it and acts on it. A value.
struct ShownStream {
  var buffering: Buffering
  var pace = LivePace()
  var network = NetworkNotices()
  var sleep = SleepWatch()
  var stalls = StallCount()

  init(holdsStart: Bool) { buffering = Buffering(holdsStart: holdsStart) }
}

/// How often and how long the picture stood for want of media while it was to play. Pure.
package struct StallCount: Sendable {
  package private(set) var count = 0
  private var ended = 0.0
  private var since: MonotonicTime?

  package init() {}

  package mutating func note(isStalled: Bool, at now: MonotonicTime) {
    if isStalled, since == nil {
      since = now
      count += 1
    } else if !isStalled, let since {
      ended += now.seconds(since: since)
      self.since = nil
    }
  }

  /// In seconds, one that goes on among them.
  package func seconds(at now: MonotonicTime) -> Double { ended + (since.map { now.seconds(since: $0) } ?? 0) }
}
