import Frames

/// Directions of the samples of one plane of one eye's picture.
struct SceneGeometry: Sendable {
  let width: Int
  let height: Int
  /// Sine and cosine of each column's longitude and each row's latitude.
  private let columns: [SIMD2<Float>]
  private let rows: [SIMD2<Float>]

  /// A flat picture is a panorama: all longitudes, and latitudes from here to there.
  private static let flatLatitudes = 110.0

  /// A plane of `eye` whose samples are halved `shift` times; chroma sits left and in the middle between rows.
  init(eye: PictureSize, shift: (horizontal: Int, vertical: Int), projection: SyntheticTag.Projection) {
    let latitudes = projection == .flat ? Self.flatLatitudes : 180
    width = eye.width >> shift.horizontal
    height = eye.height >> shift.vertical
    let planeHeight = Double(height)
    columns = (0..<width).map { x in
      let turns = (Double(x << shift.horizontal) + 0.5) / Double(eye.width) - 0.5
      return SIMD2(Float(sine(turns: turns)), Float(cosine(turns: turns)))
    }
    rows = (0..<height).map { y in
      let turns = (0.5 - (Double(y) + 0.5) / planeHeight) * latitudes / 360
      return SIMD2(Float(sine(turns: turns)), Float(cosine(turns: turns)))
    }
  }

  /// A unit vector: x right, y up, z ahead at longitude 0.
  func direction(column: Int, row: Int) -> SIMD3<Float> {
    SIMD3(rows[row].y * columns[column].x, rows[row].x, rows[row].y * columns[column].y)
  }

  func horizonDirection(column: Int) -> SIMD3<Float> {
    SIMD3(columns[column].x, 0, columns[column].y)
  }

  func isAboveHorizon(row: Int) -> Bool { rows[row].x > 0 }
  func isNearPole(row: Int) -> Bool { rows[row].y < 0.17 }
}
