import Frames
import Glibc

/// Where a view looks, in degrees: pan + looks right, tilt + looks up, roll + clockwise (signs of FFmpeg's v360).
public struct Camera: Sendable, Hashable, Codable {
  public var pan: Double
  public var tilt: Double
  public var roll: Double
  /// Vertical field of view, as in a perspective matrix; 1 to 179.
  public var fieldOfView: Double

  public init(pan: Double = 0, tilt: Double = 0, roll: Double = 0, fieldOfView: Double = 85) {
    self.pan = pan
    self.tilt = tilt
    self.roll = roll
    self.fieldOfView = fieldOfView
  }

  /// Camera axes to world axes; both x right, y up, z forward.
  ///
  /// Roll turns the camera about its own forward axis first, then tilt lifts it, then pan turns it about the vertical.
  public var orientation: Matrix3 {
    Matrix3.rotationAboutY(pan) * Matrix3.rotationAboutX(-tilt) * Matrix3.rotationAboutZ(-roll)
  }

  /// World rays of a target's pixels: `origin + x · perX + y · perY` looks through the point (x, y), in pixels from
  /// the top-left corner (centres lie at ½). Not normalised: its length along the camera's axis is 1.
  public func rays(size: PictureSize) -> Rays {
    let halfHeight = tan(fieldOfView * .pi / 360)
    let perPixel = 2 * halfHeight / Double(size.height)
    let world = orientation
    return Rays(
      origin: world
        * Vector3(-perPixel * Double(size.width) / 2, halfHeight, 1),
      perX: world * Vector3(perPixel, 0, 0), perY: world * Vector3(0, -perPixel, 0))
  }

  /// Where on a target of `size` a world direction is seen, in pixels from the top-left corner; nil when it is behind
  /// the camera or outside the picture.
  public func pixel(of direction: Vector3, size: PictureSize) -> (x: Double, y: Double)? {
    let local = orientation.transposed * direction
    guard local.z > 1e-9 else { return nil }
    let perPixel = 2 * tan(fieldOfView * .pi / 360) / Double(size.height)
    let x = local.x / local.z / perPixel + Double(size.width) / 2
    let y = Double(size.height) / 2 - local.y / local.z / perPixel
    guard x >= 0, y >= 0, x < Double(size.width), y < Double(size.height) else { return nil }
    return (x, y)
  }
}

/// The rays of a view; see `Camera.rays`.
public struct Rays: Sendable {
  public var origin: Vector3
  public var perX: Vector3
  public var perY: Vector3
}

/// The view as a function of media time. `--camera` names them.
public enum CameraMotion: String, Sendable, Codable, CaseIterable {
  case still, pan, orbit

  /// The camera at `time`, moved from where it starts.
  public func camera(from start: Camera, at time: MediaTime) -> Camera {
    var camera = start
    switch self {
    case .still: break
    case .pan: camera.pan = wrapped(start.pan + 30 * time.seconds)
    case .orbit:
      camera.pan = wrapped(start.pan + 30 * time.seconds)
      camera.tilt = max(-90, min(90, start.tilt + 20 * sin(2 * .pi * time.seconds / 10)))
    }
    return camera
  }

  private func wrapped(_ degrees: Double) -> Double {
    let turned = degrees.truncatingRemainder(dividingBy: 360)
    return turned > 180 ? turned - 360 : turned < -180 ? turned + 360 : turned
  }
}
