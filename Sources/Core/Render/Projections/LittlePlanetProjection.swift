/// An equirectangular picture seen by a camera that stands on the sphere, opposite to where it looks: stereographic. Looking
/// down, as it does at rest, it sees a planet.
///
/// The field of view is the angle at the camera, half of the angle at the sphere's centre.
struct LittlePlanetProjection: ProjectionModel {
  var shader: ProjectionShader { .planet }
  var wrapsHorizontally: Bool { true }
  var restingTilt: Double { -90 }

  /// With d the ray, d · f = 1, and the camera at −f, the point −f + t d is of length 1 at t = 2 / (d · d).
  func direction(seenAlong ray: Vector3, forward: Vector3) -> Vector3 {
    2 / ray.dot(ray) * ray + -1 * forward
  }

  /// From the camera at −f to the point on the sphere; nil for the point that it stands on.
  func ray(towards direction: Vector3, forward: Vector3) -> Vector3? {
    let length = direction.dot(direction).squareRoot()
    let ray = 1 / length * direction + forward
    return ray.dot(forward) > 1e-12 ? ray : nil
  }

  /// The map is conformal, angles grow by d(2 atan r) / dr = 2 / (1 + r²) = 2 / (d · d) in either direction.
  func solidAngle(along ray: Vector3) -> Double {
    let scale = 2 / ray.dot(ray)
    return scale * scale
  }

  func place(of direction: Vector3, _ lens: Lens) -> (at: Place, isShown: Bool) {
    EquirectangularProjection().place(of: direction, lens)
  }

  func direction(at place: Place, _ lens: Lens) -> Vector3? {
    EquirectangularProjection().direction(at: place, lens)
  }
}
