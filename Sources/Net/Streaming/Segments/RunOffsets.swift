import Frames

/// How far the time stamps of a stream's runs are behind its axis, as the stream's video tells: its sound has the same. Any thread.
///
/// A run is a stretch of segments with one discontinuity number: see `SegmentClock.run`. A live stream has ever new ones: the newest
/// `limit` are remembered, which are more than a player has at hand.
package final class RunOffsets: Sendable {
  private struct State: Sendable {
    /// By the run's number, in nanoseconds.
    var offsets: [Int64: Int64] = [:]
    /// The runs in the order in which they were told.
    var order: [Int64] = []
    /// Where the video was read up to; nil after a jump.
    var reached: MediaTime?

    func hasPassed(_ position: MediaTime) -> Bool { reached.map { $0 > position + RunOffsets.margin } ?? false }
  }

  private let state = Monitor(State())
  /// The video is past a place when it was read so far behind it.
  private static let margin = MediaTime(nanoseconds: 1_000_000_000)
  package static let limit = 256

  package init() {}

  /// How many runs are remembered.
  package var count: Int { state.read { $0.offsets.count } }

  /// The offset of a run; the one that the caller found where none is known.
  package func offset(of run: Int64, orKeep found: Int64) -> Int64 {
    state.withLock { state in
      if let known = state.offsets[run] { return known }
      if state.order.count >= Self.limit { state.offsets[state.order.removeFirst()] = nil }
      state.order.append(run)
      state.offsets[run] = found
      return found
    }
  }

  /// The offset of a run; nil where the video has not told it.
  package func offset(of run: Int64) -> Int64? { state.read { $0.offsets[run] } }

  /// The video was read up to there; nil: it goes on elsewhere.
  package func reach(_ place: MediaTime?) { state.withLock { $0.reached = place } }

  /// The video will not bring a run that begins there: it was read past that.
  package func hasPassed(_ position: MediaTime) -> Bool { state.read { $0.hasPassed(position) } }

  /// Waits until the offset of a run is known; nil once `interruption` asks to stop, and where the video does not bring it: it was read past
  /// the position where the run begins, or `end` has come.
  package func offset(
    of run: Int64, beginningAt position: MediaTime, until end: MonotonicTime, unless interruption: Interruption
  ) -> Int64? {
    let result = state.wait(until: end, unless: interruption) { state -> Int64?? in
      if let offset = state.offsets[run] { return .some(offset) }
      return state.hasPassed(position) ? .some(nil) : nil
    }
    return result ?? nil
  }
}
