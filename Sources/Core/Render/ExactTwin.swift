import Frames
import GPU

/// What the shaders compute, in double precision and plain Swift: the reference they are held against, in tests and
/// beside the speed of a run.
///
/// Every pixel is placed for itself, luma and chroma are read bilinearly where it looks, and nothing is rounded. With
/// `chromaBlock` 2 chroma is read in the middle of the pixel's block of 2×2 instead, as compute shading does: to tell its
/// mistakes from its intended simplification.
public struct ExactTwin {
  private let first: EyeTwin
  private let second: EyeTwin?
  public let target: PictureSize

  /// Keeps the frame's samples alive and reads them where they lie.
  public init(
    frame: VideoFrame, geometry: PictureGeometry, camera: Camera, target: PictureSize, chromaBlock: Int = 1
  ) {
    let eyes = geometry.eyes(in: target)
    first = EyeTwin(frame, eyes.first, camera, chromaBlock: chromaBlock)
    second = eyes.second.map { EyeTwin(frame, $0, camera, chromaBlock: chromaBlock) }
    self.target = target
  }

  /// R, G, B of the pixel in a column and row, in code values (0 … 255, not rounded); nil where there is no picture,
  /// which is black.
  public func pixel(_ column: Int, _ row: Int) -> Vector3? {
    let eye = eye(column)
    return eye.pixel(column - eye.region.left, row - eye.region.top)
  }

  /// The same, read that many texels beside where it looks: what a sampler makes of a place that it knows by some bits only.
  package func pixel(_ column: Int, _ row: Int, lumaAside: Place, chromaAside: Place) -> Vector3? {
    let eye = eye(column)
    return eye.pixel(
      column - eye.region.left, row - eye.region.top, lumaAside: lumaAside, chromaAside: chromaAside)
  }

  /// The share of the sphere that a pixel covers, up to a factor; the same for all pixels of a flat picture.
  package func weight(_ column: Int, _ row: Int) -> Double {
    let eye = eye(column)
    return eye.weight(column - eye.region.left, row - eye.region.top)
  }

  private func eye(_ column: Int) -> EyeTwin {
    guard let second, column >= second.region.left else { return first }
    return second
  }
}

/// Offset and size as fractions of the picture.
private typealias Part = (u: Double, v: Double, width: Double, height: Double)

/// One eye's view; columns and rows are its own.
private struct EyeTwin {
  let region: TargetRegion
  private let geometry: PictureGeometry
  private let model: any ProjectionModel
  private let picture: PictureSize
  private let planes: [TwinPlane]
  private let chroma: ChromaMap
  private let matrix: YCbCrMatrix
  private let conversion: ColorConversion
  private let rays: Rays
  private let flat: (u: Vector3, v: Vector3)
  private let chromaBlock: Int

  init(_ frame: VideoFrame, _ eye: EyeGeometry, _ camera: Camera, chromaBlock: Int) {
    geometry = eye.geometry
    region = eye.region
    model = geometry.model
    picture = frame.size
    self.chromaBlock = chromaBlock
    planes = TwinPlane.planes(of: frame)
    chroma = ChromaMap(format: frame.format, size: frame.size, siting: frame.color.siting)
    matrix = YCbCrMatrix(frame.color, format: frame.format)
    conversion = ColorConversion(frame.color)
    rays = geometry.rays(camera, size: region.size)
    flat = geometry.flatMapping(picture: frame.size, target: region.size)
  }

  func pixel(
    _ column: Int, _ row: Int, lumaAside: Place = Place(u: 0, v: 0), chromaAside: Place = Place(u: 0, v: 0)
  ) -> Vector3? {
    let (at, isShown) = place(Double(column) + 0.5, Double(row) + 0.5)
    guard isShown else { return nil }
    func middle(_ pixel: Int) -> Double { Double(pixel / chromaBlock * chromaBlock) + Double(chromaBlock) / 2 }
    let color = color(
      at, chroma: chromaBlock == 1 ? at : place(middle(column), middle(row)).at, lumaAside, chromaAside)
    return 255 * conversion.apply(color)
  }

  func weight(_ column: Int, _ row: Int) -> Double {
    guard geometry.projection.usesCamera else { return 1 }
    let ray = rays.through(Double(column) + 0.5, Double(row) + 0.5)
    return model.solidAngle(along: ray)
  }

  /// Where in this eye's picture a point of the view looks, and whether there is anything to see.
  private func place(_ x: Double, _ y: Double) -> (at: Place, isShown: Bool) {
    guard geometry.projection.usesCamera else {
      let at = Place(u: flat.u.dot(Vector3(x, y, 1)), v: flat.v.dot(Vector3(x, y, 1)))
      return (at, at.u >= 0 && at.v >= 0 && at.u < 1 && at.v < 1)
    }
    let direction = geometry.direction(seenAlong: rays.through(x, y), forward: rays.forward)
    return geometry.place(of: direction, picture: picture)
  }

  /// The part of the picture that may be read for a place in this eye's: its cell of the projection's grid.
  private func cell(_ at: Place) -> Part {
    let (part, grid) = (geometry.part, model.cells)
    let (width, height) = (part.width / Double(grid.columns), part.height / Double(grid.rows))
    func index(_ at: Double, of count: Int) -> Double {
      min(max((at * Double(count)).rounded(.down), 0), Double(count - 1))
    }
    let (column, row) = (index(at.u, of: grid.columns), index(at.v, of: grid.rows))
    return (part.u + column * width, part.v + row * height, width, height)
  }

  /// - Parameter aside: in texels.
  private func read(_ plane: TwinPlane, _ at: Place, _ aside: Place, cell: Part) -> Double {
    let (du, dv) = (aside.u / Double(plane.width), aside.v / Double(plane.height))
    if model.wrapsHorizontally { return plane.sample(u: at.u + du, v: at.v + dv, part: cell, wraps: true) }
    let inside = plane.inside(cell, at)
    return plane.sample(u: inside.u + du, v: inside.v + dv, part: (0, 0, 1, 1), wraps: false)
  }

  /// R'G'B' of a place in this eye's picture and a place for its chroma, as fractions; both are read some texels aside.
  private func color(
    _ at: Place, chroma chromaAt: Place, _ lumaAside: Place, _ chromaAside: Place
  ) -> Vector3 {
    let part = geometry.part
    let (pu, pv) = (part.u + at.u * part.width, part.v + at.v * part.height)
    let cu = (part.u + chromaAt.u * part.width) * chroma.scale.u + chroma.offset.u
    let cv = (part.v + chromaAt.v * part.height) * chroma.scale.v + chroma.offset.v
    let (luma, chroma) = (Place(u: pu, v: pv), Place(u: cu, v: cv))
    func color(_ plane: Int) -> Double {
      plane < planes.count ? read(planes[plane], chroma, chromaAside, cell: cell(chromaAt)) : 0
    }
    let ycc = Vector3(read(planes[0], luma, lumaAside, cell: cell(at)), color(1), color(2))
    return Vector3(
      matrix.red.dot(ycc) + matrix.offset.x, matrix.green.dot(ycc) + matrix.offset.y,
      matrix.blue.dot(ycc) + matrix.offset.z)
  }
}
