import Frames

/// An object of the scene, centred on longitude 0: it moves along its circle of latitude.
struct SceneObject: Sendable {
  /// Degrees at time 0 and per second.
  var longitude: Double
  var speed: Double
  var latitude: Double
  var radius: Double
  var hue: Float
  /// Degrees by which the eyes see it apart.
  var disparity: Double

  /// Twelve globes stand on the meridians and tell directions by their hue, red ahead; four fly. Their latitudes are
  /// outside the bands of the frame code.
  static let all: [SceneObject] = globes + flyers

  private static let globes: [SceneObject] = (0..<12).map { index in
    SceneObject(
      longitude: Double(index) * 30, speed: 0, latitude: 10.1, radius: index % 3 == 0 ? 5.6 : 4.2,
      hue: Float(index) / 12, disparity: 0.8)
  }

  /// The one that the clip's sound comes from.
  static let sounding = flyers[0]

  private static let flyers = [
    SceneObject(longitude: 15, speed: 18, latitude: -10.1, radius: 3.4, hue: 0.08, disparity: 1.6),
    SceneObject(longitude: 200, speed: -24, latitude: 30.4, radius: 3, hue: 0.9, disparity: 1.2),
    SceneObject(longitude: 100, speed: -15, latitude: -30.4, radius: 4, hue: 0.55, disparity: 1.6),
    SceneObject(longitude: 300, speed: 30, latitude: 50.6, radius: 3.4, hue: 0.3, disparity: 1.2),
  ]

  /// Nil outside. A globe lit from above, with bands of its hue.
  func color(_ direction: SIMD3<Float>) -> Color? {
    let center = SIMD3(0, Float(sine(turns: latitude / 360)), Float(cosine(turns: latitude / 360)))
    let offset = direction - center
    let reach = Float(2 * sine(turns: radius / 720))
    let distance = (offset * offset).sum() / (reach * reach)
    guard distance < 1 else { return nil }
    let depth = (1 - distance).squareRoot()
    let light = 0.45 + 0.55 * max(0, 0.6 * depth + 0.8 * offset.y / reach)
    let band = Int32((offset.x / reach / max(0.3, depth) + 8) * 2.5) & 1
    return mix(hue(hue), Color(1, 1, 1), band == 0 ? 0.05 : 0.55) * light
  }

  private func hue(_ turns: Float) -> Color { TestPicture.hue(turns) }
}

/// The samples of an object in one plane: runs that are copied row by row.
struct Sprite<Sample: SceneSample>: Sendable {
  private struct Run {
    var row: Int
    /// Column when the object is at longitude 0; its centre is the picture's.
    var column: Int
    var samples: Range<Int>
  }

  private var runs: [Run] = []
  private var samples: [Sample] = []

  init(_ object: SceneObject, geometry: SceneGeometry, sample: (Color) -> Sample) {
    let center = geometry.width / 2
    for row in 0..<geometry.height {
      // An object is widest from its centre: rows whose middle it leaves free are free.
      guard object.color(geometry.direction(column: center, row: row)) != nil else { continue }
      let inside = { object.color(geometry.direction(column: $0, row: row)) != nil }
      let first = (0..<center).reversed().first { !inside($0) }.map { $0 + 1 } ?? 0
      let end = Range(from: center, to: geometry.width).first { !inside($0) } ?? geometry.width
      let start = samples.count
      for column in Range(from: first, to: end) {
        samples.append(sample(object.color(geometry.direction(column: column, row: row)) ?? .zero))
      }
      runs.append(Run(row: row, column: first, samples: Range(from: start, to: samples.count)))
    }
  }

  /// Draws it moved to the right by `shift` columns in a plane of `width` columns, `stride` samples from row to row.
  func draw(to base: UnsafeMutablePointer<Sample>, stride: Int, width: Int, shift: Int) {
    samples.withUnsafeBufferPointer { source in
      guard let first = source.baseAddress else { return }
      for run in runs {
        let row = base + run.row * stride
        let start = modulo(run.column + shift, width)
        let head = min(run.samples.count, width - start)
        (row + start).update(from: first + run.samples.lowerBound, count: head)
        row.update(from: first + run.samples.lowerBound + head, count: run.samples.count - head)
      }
    }
  }
}

/// The remainder that is never negative.
func modulo(_ value: Int, _ divisor: Int) -> Int {
  let remainder = value % divisor
  return remainder < 0 ? remainder + divisor : remainder
}
