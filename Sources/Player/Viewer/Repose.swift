import Bench360Player
import Frames
import Window

/// Whether the window stands still: nothing in it has moved for a while, and nothing will without an event. A value.
package struct Repose {
  /// When something moved last.
  private var moved: MonotonicTime?

  /// What stands still for so long is left to events, in seconds.
  package static let seconds = 0.5
  /// Events are waited for no longer, in seconds: what other threads have done by then, such as a small picture, is looked for.
  package static let longestWait = 0.25

  package init() {}

  /// - Parameter moves: at this refresh something was drawn, came or is about to come.
  package mutating func note(moves: Bool, at now: MonotonicTime) { if moves || moved == nil { moved = now } }

  package func isThere(at now: MonotonicTime) -> Bool {
    moved.map { now.seconds(since: $0) >= Self.seconds } ?? false
  }
}

extension Viewer {
  /// The events since the last refresh.
  func takeEvents(_ showing: Showing, at now: MonotonicTime) -> [WindowEvent] {
    let events = window.poll()
    showing.repose.note(moves: !events.isEmpty, at: now)
    return events
  }

  /// After a refresh: where the window stands still, waits for an event, which the next refresh takes.
  func rest(after tick: PlayTick, _ showing: Showing) {
    let isStill = tick.state == .paused || tick.state == .ready || tick.state.isAtEnd
    showing.repose.note(moves: tick.view != nil || !isStill || next != nil, at: tick.tick.timestamp)
    // Head trackers and gamepads have no events; a record counts all refreshes.
    guard showing.repose.isThere(at: tick.tick.timestamp), options.watch == nil, options.hands.headTracker == nil,
      Gamepad.first == nil
    else { return }
    showing.clip.resting { window.waitForEvents(timeout: Repose.longestWait) }
  }
}
