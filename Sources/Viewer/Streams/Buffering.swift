import Frames
import Streaming

/// Whether playing waits for media, and the notice while it does. Pure.
package struct Buffering: Sendable {
  /// Playing begins once enough is loaded: until then the first picture stands.
  package private(set) var holdsStart: Bool
  private var waiting: Waiting?

  package init(holdsStart: Bool) { self.holdsStart = holdsStart }

  /// Whether playing begins at this refresh; true once.
  package mutating func begins(canPlay: Bool) -> Bool {
    guard holdsStart, canPlay else { return false }
    holdsStart = false
    return true
  }

  /// The user paused, or plays with what is there.
  package mutating func stopHolding() { holdsStart = false }

  /// The notice; nil while pictures come, and for as long as a user does not see that they do not.
  ///
  /// - Parameters:
  ///   - isWaiting: the picture stands for want of media.
  ///   - trouble: nil where requests bring what they ask for.
  package mutating func notice(isWaiting: Bool, trouble: StreamTrouble?, at now: MonotonicTime) -> HUD.Wait? {
    guard isWaiting else {
      waiting = nil
      return nil
    }
    let waiting = waiting ?? Waiting(since: now)
    self.waiting = waiting
    guard waiting.isShown(at: now) else { return nil }
    return HUD.Wait(text: trouble.map(Self.text) ?? "Buffering", spin: waiting.spin(at: now))
  }

  private static func text(_ trouble: StreamTrouble) -> String {
    (trouble.kind == .network ? "Reconnecting: " : "Trying again: ") + trouble.cause
  }
}
