import Frames
import Glibc

/// What one lens sees, equidistant: angles from its axis are distances from the picture's middle. The lens's field of view
/// spans the picture's lesser side; outside of that circle nothing is shown.
struct FisheyeProjection: ProjectionModel {
  var shader: ProjectionShader { .fisheye }

  /// What a radian is along u and v, and the greatest angle from the axis.
  func lens(_ geometry: PictureGeometry, eye: PictureSize) -> Lens {
    let fieldOfView = geometry.lensFieldOfView * .pi / 180
    let side = Double(min(eye.width, eye.height))
    return Lens(
      x: side / Double(eye.width) / fieldOfView, y: side / Double(eye.height) / fieldOfView, z: fieldOfView / 2)
  }

  func place(of direction: Vector3, _ lens: Lens) -> (at: Place, isShown: Bool) {
    let across = hypot(direction.x, direction.y)
    let angle = atan2(across, direction.z)
    let perAcross = min(angle, lens.z) / max(across, 1e-20)
    return (
      Place(u: 0.5 + perAcross * direction.x * lens.x, v: 0.5 - perAcross * direction.y * lens.y), angle <= lens.z
    )
  }

  func direction(at place: Place, _ lens: Lens) -> Vector3? {
    let (x, y) = ((place.u - 0.5) / lens.x, (0.5 - place.v) / lens.y)
    let angle = hypot(x, y)
    guard angle <= lens.z else { return nil }
    let share = angle == 0 ? 0 : sin(angle) / angle
    return Vector3(share * x, share * y, cos(angle))
  }
}
