import Frames

/// What one needs to know of a picture to place it in a view, apart from its samples.
public struct PictureGeometry: Sendable, Hashable, Codable {
  public enum Eye: String, Sendable, Codable, CaseIterable { case left, right }

  public var projection: Projection
  public var stereo: StereoLayout
  /// The one that is shown. The left eye is on top, or on the left.
  public var eye: Eye
  /// Width of a sample over its height; ignored on the sphere.
  public var sampleAspect: Double
  /// Clockwise degrees, a multiple of 90; ignored on the sphere.
  public var rotation: Int
  /// Left and right change places before the turn; ignored on the sphere.
  public var isMirrored: Bool

  public init(
    projection: Projection, stereo: StereoLayout = .mono, eye: Eye = .left, sampleAspect: Double = 1, rotation: Int = 0,
    isMirrored: Bool = false
  ) {
    self.projection = projection
    self.stereo = stereo
    self.eye = eye
    self.sampleAspect = sampleAspect
    self.rotation = rotation
    self.isMirrored = isMirrored
  }

  /// This eye's part of the picture: offset and size as fractions.
  public var part: (u: Double, v: Double, width: Double, height: Double) {
    let second = eye == .right
    return switch stereo {
    case .mono: (0, 0, 1, 1)
    case .topBottom: (0, second ? 0.5 : 0, 1, 0.5)
    case .sideBySide: (second ? 0.5 : 0, 0, 0.5, 1)
    }
  }

  /// From a target's pixels to a place in one eye's flat picture: u and v = (a, b, c) · (x, y, 1).
  ///
  /// Square samples, turned, as large as fits, centred; what lies outside [0, 1) is letterbox.
  public func flatMapping(picture: PictureSize, target: PictureSize) -> (u: Vector3, v: Vector3) {
    let width = Double(picture.width) * part.width * sampleAspect
    let height = Double(picture.height) * part.height
    let isTurned = rotation % 180 != 0
    let shown = isTurned ? (height, width) : (width, height)
    let scale = min(Double(target.width) / shown.0, Double(target.height) / shown.1)
    let centre = (Double(target.width) / 2, Double(target.height) / 2)
    let (cosine, sine): (Double, Double) =
      switch ((rotation % 360) + 360) % 360 {
      case 90: (0, 1)
      case 180: (-1, 0)
      case 270: (0, -1)
      default: (1, 0)
      }
    // Back from the screen: the inverse of a clockwise turn, then picture units.
    func row(_ a: Double, _ b: Double, _ extent: Double) -> Vector3 {
      let perPixel = 1 / (scale * extent)
      return Vector3(a * perPixel, b * perPixel, 0.5 - (a * centre.0 + b * centre.1) * perPixel)
    }
    let across = row(cosine, sine, width)
    let u = isMirrored ? Vector3(-across.x, -across.y, 1 - across.z) : across
    return (u, row(-sine, cosine, height))
  }

  /// Where on the target a place in one eye's picture is seen; nil when it is not. The inverse of what shaders do.
  public func pixel(u: Double, v: Double, picture: PictureSize, target: PictureSize, camera: Camera)
    -> (x: Double, y: Double)?
  {
    switch projection {
    case .equirectangular:
      return camera.pixel(of: Projection.equirectangularDirection(u: u, v: v), size: target)
    case .flat:
      let map = flatMapping(picture: picture, target: target)
      let determinant = map.u.x * map.v.y - map.u.y * map.v.x
      let (du, dv) = (u - map.u.z, v - map.v.z)
      let x = (du * map.v.y - dv * map.u.y) / determinant
      let y = (dv * map.u.x - du * map.v.x) / determinant
      guard x >= 0, y >= 0, x < Double(target.width), y < Double(target.height) else { return nil }
      return (x, y)
    }
  }
}
