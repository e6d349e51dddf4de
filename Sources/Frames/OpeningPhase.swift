/// A part of opening a clip for drawing, which is told when it ends.
public enum OpeningPhase: Sendable {
  /// The container's headers are read.
  case open
  /// Its streams are known.
  case probe
  case codecInit
  /// What of opening the device had to be waited for.
  case deviceInit
  case pipelineInit
}
