import Frames
import GPU

/// The facts of a picture, apart from its samples, that place it in a view.
public struct PictureGeometry: Sendable, Hashable, Codable {
  /// `both`: side by side, the left eye's view on the left, as VR goggles want it.
  public enum Eye: String, Sendable, Codable, CaseIterable { case left, right, both }

  public var projection: Projection
  public var stereo: StereoLayout
  /// The one that is shown. The left eye is on top, or on the left.
  public var eye: Eye
  /// The surface that a spherical picture is drawn on.
  public var sphere: SphereShape
  /// Width of a sample over its height; ignored on the sphere.
  public var sampleAspect: Double
  /// Clockwise degrees, a multiple of 90; ignored on the sphere.
  public var rotation: Int
  /// Left and right change places before the turn; ignored on the sphere.
  public var isMirrored: Bool
  /// The picture covers the target, and its edges are cut off where the shapes differ; ignored on the sphere.
  public var fills = false
  /// The part of the sphere that one eye's picture covers; nil: all of it. Ignored by flat pictures.
  public var bounds: SphereBounds?
  /// How the content is turned about the viewer; ignored by flat pictures.
  public var pose: Pose
  /// Degrees across the circle of a fisheye picture, 1 to 360; ignored by other projections.
  public var lensFieldOfView: Double

  public init(
    projection: Projection, stereo: StereoLayout = .mono, eye: Eye = .left, sphere: SphereShape = .ray,
    sampleAspect: Double = 1, rotation: Int = 0, isMirrored: Bool = false, bounds: SphereBounds? = nil,
    pose: Pose = .none, lensFieldOfView: Double = 180
  ) {
    self.projection = projection
    self.stereo = stereo
    self.eye = eye
    self.sphere = sphere
    self.sampleAspect = sampleAspect
    self.rotation = rotation
    self.isMirrored = isMirrored
    self.bounds = bounds
    self.pose = pose
    self.lensFieldOfView = lensFieldOfView
  }

  /// How the picture is drawn, by its projection and the other properties.
  var model: any ProjectionModel {
    guard let bounds, projection.hasBounds else { return projection.model }
    return PartOfSphereProjection(left: bounds.left, top: bounds.top, width: bounds.width, height: bounds.height)
  }

  /// The parts of a target that show an eye each.
  public func regions(in target: PictureSize) -> (first: TargetRegion, second: TargetRegion?) {
    let (first, second) = eyes(in: target)
    return (first.region, second?.region)
  }

  /// Where in the target each eye's view is drawn, and as what.
  public func eyes(in target: PictureSize) -> (first: EyeGeometry, second: EyeGeometry?) {
    guard eye == .both, target.width > 1 else {
      return (EyeGeometry(geometry: self, region: TargetRegion(size: target)), nil)
    }
    func half(_ eye: Eye, _ left: Int, _ right: Int) -> EyeGeometry {
      var geometry = self
      geometry.eye = eye
      return EyeGeometry(
        geometry: geometry,
        region: TargetRegion(left: left, size: PictureSize(width: right - left, height: target.height)))
    }
    let middle = target.width / 2
    return (half(.left, 0, middle), half(.right, middle, target.width))
  }

  /// Rays of a view's pixels in the picture's own axes, from which its pose turns them away.
  package func rays(_ camera: Camera, size: PictureSize) -> Rays {
    var camera = camera
    camera.tilt += model.restingTilt
    let rays = camera.rays(size: size)
    return pose == .none ? rays : rays.turned(by: pose.orientation.transposed)
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

  /// Width and height of one eye's flat picture with square samples, in heights of samples.
  private func flatSize(of picture: PictureSize) -> (width: Double, height: Double) {
    (Double(picture.width) * part.width * sampleAspect, Double(picture.height) * part.height)
  }

  /// The same after the turn: the shape that a flat picture is shown in.
  public func shownSize(of picture: PictureSize) -> (width: Double, height: Double) {
    let (width, height) = flatSize(of: picture)
    return rotation % 180 != 0 ? (height, width) : (width, height)
  }

  /// From a target's pixels to a place in one eye's flat picture: u and v = (a, b, c) · (x, y, 1).
  ///
  /// Square samples, turned, as large as fits, or as covers the target, centred; what lies outside [0, 1) is letterbox.
  public func flatMapping(picture: PictureSize, target: PictureSize) -> (u: Vector3, v: Vector3) {
    let (width, height) = flatSize(of: picture)
    let shown = shownSize(of: picture)
    let scales = (Double(target.width) / shown.width, Double(target.height) / shown.height)
    let scale = fills ? max(scales.0, scales.1) : min(scales.0, scales.1)
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

  /// Where on the target a place in one eye's picture is seen, by the first eye shown; nil when it is not. The inverse
  /// of what shaders do.
  public func pixel(u: Double, v: Double, picture: PictureSize, target: PictureSize, camera: Camera)
    -> (x: Double, y: Double)?
  {
    let (shown, _) = eyes(in: target)
    let (view, size) = (shown.geometry, shown.region.size)
    guard projection.usesCamera else {
      return view.flatPixel(Place(u: u, v: v), picture: picture, target: size)
    }
    let rays = view.rays(camera, size: size)
    guard let direction = view.direction(at: Place(u: u, v: v), picture: picture),
      let ray = model.ray(towards: direction, forward: rays.forward)
    else { return nil }
    return rays.pixel(of: ray, size: size)
  }

  /// The direction that a view sees along one of its rays.
  package func direction(seenAlong ray: Vector3, forward: Vector3) -> Vector3 {
    model.direction(seenAlong: ray, forward: forward)
  }

  /// Where in one eye's picture a direction is looked up, and whether it is shown there; a flat picture shows none.
  ///
  /// - Parameter picture: size of the whole picture, both eyes.
  package func place(of direction: Vector3, picture: PictureSize) -> (at: Place, isShown: Bool) {
    if sphere == .mesh { return (SphereMesh.place(of: direction), true) }
    return model.place(of: direction, lens(picture))
  }

  /// What a place in one eye's picture shows, as a direction of any length; nil where it shows nothing.
  package func direction(at place: Place, picture: PictureSize) -> Vector3? {
    model.direction(at: place, lens(picture))
  }

  private func lens(_ picture: PictureSize) -> Lens { model.lens(self, eye: eyeSize(of: picture)) }

  private func flatPixel(_ place: Place, picture: PictureSize, target: PictureSize) -> (x: Double, y: Double)? {
    let map = flatMapping(picture: picture, target: target)
    let determinant = map.u.x * map.v.y - map.u.y * map.v.x
    let (du, dv) = (place.u - map.u.z, place.v - map.v.z)
    let x = (du * map.v.y - dv * map.u.y) / determinant
    let y = (dv * map.u.x - du * map.v.x) / determinant
    guard x >= 0, y >= 0, x < Double(target.width), y < Double(target.height) else { return nil }
    return (x, y)
  }

  /// Samples of one eye's picture.
  func eyeSize(of picture: PictureSize) -> PictureSize {
    PictureSize(
      width: Int(Double(picture.width) * part.width), height: Int(Double(picture.height) * part.height))
  }
}

/// One eye's view, and where in the target it is drawn.
public struct EyeGeometry: Sendable {
  public var geometry: PictureGeometry
  public var region: TargetRegion
}

/// Two ways to draw one sphere. `--geometry` names them.
public enum SphereShape: String, Sendable, Codable, CaseIterable {
  /// Every pixel's ray meets it exactly.
  case ray
  /// HTY360Player's mesh of 200 slices and 100 parallels, seen from inside.
  case mesh
}
