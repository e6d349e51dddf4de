import Frames

/// The six faces of a cube around the camera, in the order right, left, up, down, front, back, row by row and not turned:
/// FFmpeg's `c3x2` and `c6x1`, and layout 0 of spherical metadata's version 2.
struct CubemapProjection: ProjectionModel {
  var columns: Int

  var shader: ProjectionShader { .cubemap }
  var cells: (columns: Int, rows: Int) { (columns, 6 / columns) }

  func lens(_ geometry: PictureGeometry, eye: PictureSize) -> Lens {
    Lens(x: Double(cells.columns), y: Double(cells.rows))
  }

  func place(of direction: Vector3, _ lens: Lens) -> (at: Place, isShown: Bool) {
    let (face, on) = CubeFace.met(by: direction)
    // As in the shader: not up to the very edge.
    func inFace(_ on: Double) -> Double { min(max(0.5 + 0.5 * on, 1e-5), 1 - 1e-5) }
    let (column, row) = (face.rawValue % columns, face.rawValue / columns)
    return (Place(u: (Double(column) + inFace(on.x)) / lens.x, v: (Double(row) + inFace(on.y)) / lens.y), true)
  }

  func direction(at place: Place, _ lens: Lens) -> Vector3? {
    let (x, y) = (place.u * lens.x, place.v * lens.y)
    let column = min(max(Int(x), 0), cells.columns - 1)
    let row = min(max(Int(y), 0), cells.rows - 1)
    let face = CubeFace(rawValue: row * columns + column)
    return face?.direction(2 * (x - Double(column)) - 1, 2 * (y - Double(row)) - 1)
  }
}

/// A face of a cube with sides of 2 around the camera. Places on it: −1 … 1 to the right and down, as a viewer in the
/// cube sees it; for up and down the viewer faces the front. `Shaders/cube.glsl` has the same.
enum CubeFace: Int {
  case right, left, up, down, front, back

  static func met(by direction: Vector3) -> (face: CubeFace, on: (x: Double, y: Double)) {
    let (x, y, z) = (direction.x, direction.y, direction.z)
    if abs(x) >= abs(y), abs(x) >= abs(z) {
      return x > 0 ? (.right, (-z / x, -y / x)) : (.left, (-z / x, y / x))
    }
    if abs(y) >= abs(z) {
      return y > 0 ? (.up, (x / y, z / y)) : (.down, (-x / y, z / y))
    }
    return z > 0 ? (.front, (x / z, -y / z)) : (.back, (x / z, y / z))
  }

  /// The inverse, beyond the edges as well.
  func direction(_ x: Double, _ y: Double) -> Vector3 {
    switch self {
    case .right: Vector3(1, -y, -x)
    case .left: Vector3(-1, -y, x)
    case .up: Vector3(x, 1, y)
    case .down: Vector3(x, -1, -y)
    case .front: Vector3(x, -y, 1)
    case .back: Vector3(-x, -y, -1)
    }
  }
}
