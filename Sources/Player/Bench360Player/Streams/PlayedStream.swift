import Frames
import Streaming

/// How a clip that comes from a network is doing, as far as playing it goes. A value.
package struct PlayedStream {
  package var start: StartHold
  package var pace = LivePace()
  var sleep = SleepWatch()
  package var stalls = StallCount()
  package var breaks: BreakSeeks

  init(holdsStart: Bool, _ rule: BreakRule) { (start, breaks) = (StartHold(holds: holdsStart), BreakSeeks(rule)) }

  /// Playing begins once enough is loaded.
  package var holdsStart: Bool { start.holds }
}

/// Whether playing waits for the first media. Pure.
package struct StartHold: Sendable {
  /// Playing begins once enough is loaded: until then the first picture stands.
  package private(set) var holds: Bool

  package init(holds: Bool) { self.holds = holds }

  /// Whether playing begins at this refresh; true once.
  package mutating func begins(canPlay: Bool) -> Bool {
    guard holds, canPlay else { return false }
    holds = false
    return true
  }

  /// The user paused, or plays with what is there.
  package mutating func stop() { holds = false }
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
