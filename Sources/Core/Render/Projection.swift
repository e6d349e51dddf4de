import Frames

/// How a picture covers the viewer's surroundings. One row each; `--projection` names them.
///
/// A new one is a file `Shaders/projection_<name>.glsl` that defines `<name>At`, its number in `Shaders/view.glsl`, a case of `ProjectionShader`, its row
/// in `Shaders/projections.glsl`, a file in `Projections/` with the same in Swift, and a row here.
public enum Projection: String, Sendable, Codable, CaseIterable {
  case flat, equirectangular
  case halfEquirectangular = "half-equirectangular"
  case cubemap3x2 = "cubemap-3x2"
  case cubemap6x1 = "cubemap-6x1"
  case eac, fisheye
  case littlePlanet = "little-planet"

  var model: any ProjectionModel {
    switch self {
    case .flat: FlatProjection()
    case .equirectangular: EquirectangularProjection()
    case .halfEquirectangular: PartOfSphereProjection.half
    case .cubemap3x2: CubemapProjection(columns: 3)
    case .cubemap6x1: CubemapProjection(columns: 6)
    case .eac: EquiangularProjection()
    case .fisheye: FisheyeProjection()
    case .littlePlanet: LittlePlanetProjection()
    }
  }

  /// Whether the camera has any effect.
  public var usesCamera: Bool { self != .flat }

  /// Whether its picture may cover a part of the sphere only.
  var hasBounds: Bool { self == .equirectangular || self == .halfEquirectangular }

  /// What FFmpeg's metadata calls it; nil when it is none of ours.
  public init?(metadata: String) {
    switch metadata {
    case "equirectangular": self = .equirectangular
    case "cubemap": self = .cubemap3x2
    default: return nil
    }
  }
}

/// One projection: its shaders, and what they compute in double precision.
///
/// Directions are in the picture's own axes: x right, y up, z towards its middle; of any length.
protocol ProjectionModel: Sendable {
  var shader: ProjectionShader { get }
  /// The picture goes on at its left edge behind its right one.
  var wrapsHorizontally: Bool { get }
  /// The picture is a grid of parts that have nothing to do with their neighbours, such as a cube's faces: nothing is read
  /// across their edges.
  var cells: (columns: Int, rows: Int) { get }
  /// What tilt 0 looks at, in degrees above the horizon.
  var restingTilt: Double { get }
  /// `lens` of `Shaders/view.glsl`.
  ///
  /// - Parameter eye: size of one eye's picture, in samples.
  func lens(_ geometry: PictureGeometry, eye: PictureSize) -> Lens
  /// What a ray through the target sees: the ray itself unless the camera bends it.
  func direction(seenAlong ray: Vector3, forward: Vector3) -> Vector3
  /// The inverse: a ray that sees a direction; nil where none does.
  func ray(towards direction: Vector3, forward: Vector3) -> Vector3?
  /// How much of the sphere is seen around a ray per unit of the plane at distance 1, in steradians.
  func solidAngle(along ray: Vector3) -> Double
  /// Where in one eye's picture a direction is looked up, and whether it is shown there: a picture may not reach so far.
  func place(of direction: Vector3, _ lens: Lens) -> (at: Place, isShown: Bool)
  /// The inverse: what a place shows; nil where it shows nothing.
  func direction(at place: Place, _ lens: Lens) -> Vector3?
}

/// Four numbers that a projection tells its shader.
struct Lens: Sendable, Hashable {
  var x = 0.0
  var y = 0.0
  var z = 0.0
  var w = 0.0
}

/// A place in one eye's picture: u to the right, v down, both in [0, 1] inside of it.
public struct Place: Sendable, Hashable {
  public var u: Double
  public var v: Double

  public init(u: Double, v: Double) {
    self.u = u
    self.v = v
  }
}

extension ProjectionModel {
  var wrapsHorizontally: Bool { false }
  var cells: (columns: Int, rows: Int) { (1, 1) }
  var restingTilt: Double { 0 }
  func lens(_ geometry: PictureGeometry, eye: PictureSize) -> Lens { Lens() }
  func direction(seenAlong ray: Vector3, forward: Vector3) -> Vector3 { ray }
  func ray(towards direction: Vector3, forward: Vector3) -> Vector3? { direction }
  /// A distance of |d| and a slope of 1 / |d|.
  func solidAngle(along ray: Vector3) -> Double {
    let square = ray.dot(ray)
    return 1 / (square * square.squareRoot())
  }
}
