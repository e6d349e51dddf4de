/// What may be left open when a clip is opened, so that there is a reason for how it was chosen.
public enum OpenChoice: Sendable, CaseIterable {
  case projection, stereo, bounds, pose, upload, shading, decoder
}
