/// How two eyes share one picture. The left eye is on top, or on the left.
public enum StereoLayout: String, Sendable, Codable, CaseIterable {
  case mono
  case topBottom = "tb"
  case sideBySide = "sbs"
}
