import Frames

/// What a player is doing.
public enum PlaybackState: Sendable, Hashable, CustomStringConvertible {
  case idle
  /// Waits for the first frame.
  case opening
  /// Shows the first frame, and has not been asked to play.
  case ready
  case playing
  case paused
  /// Waits for the frame that was sought; then goes on as it was asked to.
  case seeking
  /// Wants to play and has nothing to show. Its clock stands.
  case stalled
  /// Shows the last frame.
  case ended
  case failed(Failure)

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
    case .failed(let failure): "failed: \(failure)"
    }
  }
}

/// What happens to a player, in order.
public enum PlaybackEvent: Sendable, Hashable {
  case state(PlaybackState)
  case rate(Double)
  /// Playing crossed a multiple of the interval asked for.
  case time(MediaTime)
  case fate(PacedFrame, FrameFate)
  /// Playing goes on after so long.
  case stalled(MediaTime)
  /// A frame was shown so many refreshes late.
  case late(PacedFrame, refreshes: Int)
  /// A refresh showed the last frame though a new one was due.
  case repeated
  /// Decoding is to be made cheaper, or whole again.
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
