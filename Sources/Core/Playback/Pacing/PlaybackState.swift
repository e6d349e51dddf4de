import Frames

/// A player's state.
public enum PlaybackState: Sendable, Hashable, CustomStringConvertible {
  case idle
  /// Waits for the first frame.
  case opening
  /// Shows the first frame, and has not been asked to play.
  case ready
  case playing
  case paused
  /// Waits for the seek target; then plays or pauses as asked.
  case seeking
  /// Stalled: no frame to show. The clock stands.
  case stalled
  /// Shows the last frame.
  case ended
  /// Shows the last frame that could be had: the clip should have more.
  case endedEarly
  case failed(Failure)

  /// No frame follows.
  public var isAtEnd: Bool { self == .ended || self == .endedEarly }

  public var description: String {
    switch self {
    case .idle: "idle"
    case .opening: "opening"
    case .ready: "ready"
    case .playing: "playing"
    case .paused: "paused"
    case .seeking: "seeking"
    case .stalled: "stalled"
    case .ended: "ended"
    case .endedEarly: "ended early"
    case .failed(let failure): "failed: \(failure)"
    }
  }
}

/// A player's events, in order.
public enum PlaybackEvent: Sendable, Hashable {
  case state(PlaybackState)
  case rate(Double)
  /// Playing crossed a multiple of the interval asked for.
  case time(MediaTime)
  case fate(PacedFrame, FrameFate)
  /// Playing resumes after a stall of this length.
  case stalled(MediaTime)
  /// A frame was shown so many refreshes late.
  case late(PacedFrame, refreshes: Int)
  /// A refresh showed the last frame though a new one was due.
  case repeated
  /// The wanted decoding effort changed.
  case effort(DecodeEffort)
}

/// How much of a clip is decoded.
public enum DecodeEffort: Sendable, Hashable {
  case everything
  /// Frames that no other refers to are left out.
  case references
  /// Nothing before the next sync sample at or after a place on the timeline.
  case syncSample(after: MediaTime)
}
