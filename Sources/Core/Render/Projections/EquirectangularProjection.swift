import Glibc

/// A sphere unrolled: longitude along u, −180° to 180°, latitude along v, 90° to −90°.
struct EquirectangularProjection: ProjectionModel {
  var shader: ProjectionShader { .equirectangular }
  var wrapsHorizontally: Bool { true }

  func place(of direction: Vector3, _ lens: Lens) -> (at: Place, isShown: Bool) {
    let longitude = atan2(direction.x, direction.z)
    let latitude = atan2(direction.y, (direction.x * direction.x + direction.z * direction.z).squareRoot())
    return (Place(u: 0.5 + longitude / (2 * .pi), v: 0.5 - latitude / .pi), true)
  }

  func direction(at place: Place, _ lens: Lens) -> Vector3? {
    let longitude = (place.u - 0.5) * 2 * .pi
    let latitude = (0.5 - place.v) * .pi
    return Vector3(cos(latitude) * sin(longitude), sin(latitude), cos(latitude) * cos(longitude))
  }
}
