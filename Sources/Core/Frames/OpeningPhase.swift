/// A phase of opening a clip for drawing, reported when it ends.
public enum OpeningPhase: Sendable {
  /// The container's headers are read.
  case open
  /// Its streams are known.
  case probe
  case codecInit
  /// The part of opening the device that did not overlap with opening the clip.
  case deviceInit
  case pipelineInit
}
