import Frames
import Glibc

/// A part of an equirectangular picture: fractions of the picture that the whole sphere would have. It may lie across ±180°;
/// outside of it nothing is shown.
struct PartOfSphereProjection: ProjectionModel {
  var left: Double
  var top: Double
  var width: Double
  var height: Double

  /// The half in front of the camera, as VR180 has it.
  static let half = PartOfSphereProjection(left: 0.25, top: 0, width: 0.5, height: 1)

  var shader: ProjectionShader { .part }
  var wrapsHorizontally: Bool { width == 1 }

  func lens(_ geometry: PictureGeometry, eye: PictureSize) -> Lens { Lens(x: left, y: top, z: width, w: height) }

  func place(of direction: Vector3, _ lens: Lens) -> (at: Place, isShown: Bool) {
    let inSphere = EquirectangularProjection().place(of: direction, lens).at
    let beside = inSphere.u - left - 0.5 * width
    let (x, y) = (beside - (beside + 0.5).rounded(.down), inSphere.v - top - 0.5 * height)
    return (Place(u: 0.5 + x / width, v: 0.5 + y / height), abs(x) <= 0.5 * width && abs(y) <= 0.5 * height)
  }

  func direction(at place: Place, _ lens: Lens) -> Vector3? {
    EquirectangularProjection().direction(at: Place(u: left + place.u * width, v: top + place.v * height), lens)
  }
}
