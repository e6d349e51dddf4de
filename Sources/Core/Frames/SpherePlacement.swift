/// The part of a full sphere's equirectangular picture that one eye's picture covers, as fractions of that full
/// picture: `left` and `top` from its left and top edges, `width` and `height` more than 0, nothing outside [0, 1].
///
/// The full picture spans 360° × 180°, so that `width` 0.5 and `height` 1 are a VR180 half.
public struct SphereBounds: Sendable, Hashable, Codable {
  public var left: Double
  public var top: Double
  public var width: Double
  public var height: Double

  /// Nil when the part is empty, not finite, or reaches out of the sphere by more than rounding.
  public init?(left: Double, top: Double, width: Double, height: Double) {
    let slack = 1e-9
    guard [left, top, width, height].allSatisfy(\.isFinite), left >= 0, top >= 0, width > 0, height > 0,
      left + width <= 1 + slack, top + height <= 1 + slack
    else { return nil }
    self.left = left
    self.top = top
    self.width = min(width, 1 - left)
    self.height = min(height, 1 - top)
  }

  /// Covers the whole sphere, the same as no bounds.
  public var isWhole: Bool { self == SphereBounds(left: 0, top: 0, width: 1, height: 1) }
}

/// How a sphere's content is turned about the viewer, in degrees: yaw counter-clockwise about the up vector, then pitch
/// counter-clockwise about the right vector, then roll clockwise about the forward vector.
///
/// The signs and the order are those of `prhd` in Google's Spherical Video V2 RFC.
public struct Pose: Sendable, Hashable, Codable {
  public var yaw: Double
  public var pitch: Double
  public var roll: Double

  public init(yaw: Double = 0, pitch: Double = 0, roll: Double = 0) {
    self.yaw = yaw
    self.pitch = pitch
    self.roll = roll
  }

  /// Nothing is turned.
  public static let none = Pose()
}
