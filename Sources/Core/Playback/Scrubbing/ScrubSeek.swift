import Decode
import Frames
import Media

/// One seek of a drag.
public struct ScrubSeek: Sendable, Hashable {
  /// Counts the seeks of a scrubber; who lands says which one it was.
  public let id: Int
  public let request: SeekRequest
  /// When the hand was where this seek leads: a seek that waited for another one is as old as its wish.
  public let requested: MonotonicTime

  public var isExact: Bool { request.toleranceBefore == .zero && request.toleranceAfter == .zero }
}

/// A scrubber's commands, in order.
public enum ScrubAction: Sendable, Hashable {
  /// Playing stops while the hand is on the slider.
  case pause
  case seek(ScrubSeek)
  /// Playing goes on as it was before.
  case play(rate: Double)
}

/// How far from the hand a landing may lie while the hand moves. Where it rests or lets go, landings are exact.
public enum ScrubTolerance: Sendable, Hashable {
  /// Half a pixel of the slider for a slow hand. A fast one has gone on when its picture comes: then it is sought where
  /// the hand will be by then, anywhere between the soonest and the latest that a seek may take.
  case adaptive
  /// Always the same on both sides; `.max` nanoseconds is any distance.
  case fixed(MediaTime)
}
