import Frames

/// Finds places that playing does not lead to: clients count on from the last place, and are told of a jump. Pure.
package struct PlaceFollower: Sendable {
  /// The place that clients count on from, and when it was.
  private var last: (state: PlayerState, instant: MonotonicTime)?
  private var told: MonotonicTime?

  /// Seconds that a place may differ from the one that clients count on, and between two jumps at least.
  package static let (tolerance, interval) = (0.25, 0.1)

  package init() {}

  /// Whether clients are to be told of the place.
  package mutating func isJump(_ state: PlayerState, at now: MonotonicTime) -> Bool {
    guard let last, last.state.track == state.track, state.track != nil else {
      self.last = (state, now)
      return false
    }
    let isMoving = last.state.status == .playing
    let moved = isMoving ? now.seconds(since: last.instant) * last.state.rate : 0
    let isElsewhere = abs((state.place - last.state.place).seconds - moved) > Self.tolerance
    if isElsewhere, let told, now.seconds(since: told) < Self.interval { return false }
    // A tolerance that is not used up is not carried on where the pace changes.
    if isElsewhere || last.state.status != state.status || last.state.rate != state.rate { self.last = (state, now) }
    if isElsewhere { told = now }
    return isElsewhere
  }
}
