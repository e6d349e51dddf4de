import Frames
import Synchronization

/// How far the time stamps of a stream's runs are behind its axis, as the stream's video tells: its sound has the same. Any thread.
///
/// A run is a stretch of segments with one discontinuity number: see `SegmentClock.run`.
package final class RunOffsets: Sendable {
  private struct State {
    /// By the run's number, in nanoseconds.
    var offsets: [Int64: Int64] = [:]
    /// Where the video was read up to; nil after a jump.
    var reached: MediaTime?
  }

  private let state = Mutex(State())
  /// The video is past a place when it was read so far behind it.
  private static let margin = MediaTime(nanoseconds: 1_000_000_000)

  package init() {}

  /// The offset of a run; the one that the caller found where none is known.
  package func offset(of run: Int64, orKeep found: Int64) -> Int64 {
    state.withLock { state in
      let offset = state.offsets[run] ?? found
      state.offsets[run] = offset
      return offset
    }
  }

  /// The offset of a run; nil where the video has not told it.
  package func offset(of run: Int64) -> Int64? { state.withLock { $0.offsets[run] } }

  /// The video was read up to there; nil: it goes on elsewhere.
  package func reach(_ place: MediaTime?) { state.withLock { $0.reached = place } }

  /// The video will not tell of a run that begins there: it was read past that.
  package func hasPassed(_ place: MediaTime) -> Bool {
    state.withLock { $0.reached.map { $0 > place + Self.margin } ?? false }
  }
}
