/// A picture as it is: it has no directions, `PictureGeometry.flatMapping` places it.
struct FlatProjection: ProjectionModel {
  var shader: ProjectionShader { .flat }

  func place(of direction: Vector3, _ lens: Lens) -> (at: Place, isShown: Bool) {
    (Place(u: 0, v: 0), false)
  }
  func direction(at place: Place, _ lens: Lens) -> Vector3? { nil }
}
