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
      origin: world * Vector3(-perPixel * Double(size.width) / 2, halfHeight, 1),
      perX: world * Vector3(perPixel, 0, 0), perY: world * Vector3(0, -perPixel, 0),
      forward: world * Vector3(0, 0, 1))
  }
}

extension Pose {
  /// The picture's axes to the world's. Counter-clockwise about the vertical turns the content to the left,
  /// counter-clockwise about the axis to the right lifts it: as a camera that looks there sees the world, it lies there.
  var orientation: Matrix3 { Camera(pan: -yaw, tilt: pitch, roll: roll).orientation }
}

/// The rays of a view; see `Camera.rays`.
public struct Rays: Sendable {
  public var origin: Vector3
  public var perX: Vector3
  public var perY: Vector3
  /// Through the target's middle, of length 1.
  public var forward: Vector3

  /// The ray through a point, in pixels.
  package func through(_ x: Double, _ y: Double) -> Vector3 { origin + x * perX + y * perY }

  func turned(by rotation: Matrix3) -> Rays {
    Rays(origin: rotation * origin, perX: rotation * perX, perY: rotation * perY, forward: rotation * forward)
  }

  /// Where a ray meets a target of `size`, in pixels from its top-left corner; nil when it is behind the camera or
  /// outside the target.
  package func pixel(of ray: Vector3, size: PictureSize) -> (x: Double, y: Double)? {
    let distance = ray.dot(forward)
    guard distance > 1e-9 else { return nil }
    let x = ray.dot(perX) / perX.dot(perX) / distance + Double(size.width) / 2
    let y = ray.dot(perY) / perY.dot(perY) / distance + Double(size.height) / 2
    guard x >= 0, y >= 0, x < Double(size.width), y < Double(size.height) else { return nil }
    return (x, y)
  }
}

/// The view as a function of media time. `--camera` names them, or a file of keyframes.
public enum CameraMotion: Sendable, Hashable, Codable {
  case still, pan, orbit
  case path(CameraPath)

  /// The motions that need no file, by name.
  public static let named: KeyValuePairs<String, CameraMotion> = ["still": .still, "pan": .pan, "orbit": .orbit]

  public var name: String {
    switch self {
    case .still: "still"
    case .pan: "pan"
    case .orbit: "orbit"
    case .path: "path"
    }
  }

  /// The camera at `time`, moved from where it starts.
  public func camera(from start: Camera, at time: MediaTime) -> Camera {
    var camera = start
    switch self {
    case .still: break
    case .pan: camera.pan = wrapped(start.pan + 30 * time.seconds)
    case .orbit:
      camera.pan = wrapped(start.pan + 30 * time.seconds)
      camera.tilt = max(-90, min(90, start.tilt + 20 * sin(2 * .pi * time.seconds / 10)))
    case .path(let path): return path.camera(from: start, at: time)
    }
    return camera
  }

  private func wrapped(_ degrees: Double) -> Double {
    let turned = degrees.truncatingRemainder(dividingBy: 360)
    return turned > 180 ? turned - 360 : turned < -180 ? turned + 360 : turned
  }
}
