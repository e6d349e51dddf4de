import Frames
import Glibc

/// Equi-angular cubemap (EAC): a cube's faces with columns and rows that stand for equal angles, so that all texels show about
/// as much. Left, front, right above down, back, up; the lower three are turned so that each row is one strip of neighbours.
///
/// As in FFmpeg's `v360`, each strip has two samples of padding above and below, and at both its ends.
struct EquiangularProjection: ProjectionModel {
  private static let padding = 2.0

  var shader: ProjectionShader { .eac }
  /// A strip is one cell: filtering may go from face to face in it.
  var cells: (columns: Int, rows: Int) { (1, 2) }

  /// The padding as a fraction of the picture.
  func lens(_ geometry: PictureGeometry, eye: PictureSize) -> Lens {
    Lens(x: Self.padding / Double(eye.width), y: Self.padding / Double(eye.height))
  }

  func place(of direction: Vector3, _ lens: Lens) -> (at: Place, isShown: Bool) {
    let (face, met) = CubeFace.met(by: direction)
    let on =
      switch face {
      case .up, .down: (x: met.y, y: -met.x)
      case .back: (x: -met.y, y: met.x)
      default: met
      }
    let (column, row) = Self.cell(of: face)
    let u = lens.x + (column + 0.5 + atan(on.x) * 2 / .pi) * (1 - 2 * lens.x) / 3
    let v = lens.y + 0.5 * row + (0.5 + atan(on.y) * 2 / .pi) * (0.5 - 2 * lens.y)
    return (Place(u: u, v: v), true)
  }

  /// Angles go on in the padding.
  func direction(at place: Place, _ lens: Lens) -> Vector3? {
    let row = place.v < 0.5 ? 0 : 1
    let across = (place.u - lens.x) * 3 / (1 - 2 * lens.x)
    let column = min(max(Int(across.rounded(.down)), 0), 2)
    let down = (place.v - lens.y - 0.5 * Double(row)) / (0.5 - 2 * lens.y)
    let x = tan((across - Double(column) - 0.5) * .pi / 2)
    let y = tan((down - 0.5) * .pi / 2)
    let face = Self.faces[3 * row + column]
    return switch face {
    case .up, .down: face.direction(-y, x)
    case .back: face.direction(y, -x)
    default: face.direction(x, y)
    }
  }

  /// Row by row.
  private static let faces: [CubeFace] = [.left, .front, .right, .down, .back, .up]

  private static func cell(of face: CubeFace) -> (column: Double, row: Double) {
    let index = faces.firstIndex(of: face) ?? 0
    return (Double(index % 3), Double(index / 3))
  }
}
