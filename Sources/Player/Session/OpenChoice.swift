/// A setting that may be `auto` when a clip is opened; the choice is recorded with its reason.
public enum OpenChoice: Sendable, CaseIterable {
  case projection, stereo, bounds, pose, upload, shading, decoder
}
