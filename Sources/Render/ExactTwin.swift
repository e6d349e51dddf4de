import Frames
import Glibc

/// What the shaders compute, in double precision and plain Swift: the reference they are held against, in tests and
/// beside the speed of a run.
///
/// Every pixel is placed for itself, luma and chroma are read bilinearly where it looks, and nothing is rounded. With
/// `chromaBlock` 2 chroma is read in the middle of the pixel's block of 2×2 instead, as compute shading does: to tell its
/// mistakes from what it leaves out on purpose.
public struct ExactTwin {
  private let geometry: PictureGeometry
  private let planes: [TwinPlane]
  private let chroma: ChromaMap
  private let matrix: YCbCrMatrix
  private let rays: Rays
  private let flat: (u: Vector3, v: Vector3)
  private let chromaBlock: Int
  public let target: PictureSize

  /// Keeps the frame's samples alive and reads them where they lie.
  public init(
    frame: VideoFrame, geometry: PictureGeometry, camera: Camera, target: PictureSize, chromaBlock: Int = 1
  ) {
    self.geometry = geometry
    self.chromaBlock = chromaBlock
    self.target = target
    planes = TwinPlane.planes(of: frame)
    chroma = ChromaMap(format: frame.format, size: frame.size, siting: frame.color.siting)
    matrix = YCbCrMatrix(frame.color, bitDepth: frame.format.bitDepth)
    rays = camera.rays(size: target)
    flat = geometry.flatMapping(picture: frame.size, target: target)
  }

  /// R, G, B of the pixel in a column and row, in code values (0 … 255, not rounded); nil for letterbox, which is black.
  public func pixel(_ column: Int, _ row: Int) -> Vector3? {
    let at = place(Double(column) + 0.5, Double(row) + 0.5)
    // Only a flat picture has an end.
    let isInside = at.u >= 0 && at.v >= 0 && at.u < 1 && at.v < 1
    guard isInside || geometry.projection.usesCamera else { return nil }
    func middle(_ pixel: Int) -> Double { Double(pixel / chromaBlock * chromaBlock) + Double(chromaBlock) / 2 }
    let color = color(at, chroma: chromaBlock == 1 ? at : place(middle(column), middle(row)))
    func code(_ value: Double) -> Double { min(max(value, 0), 1) * 255 }
    return Vector3(code(color.x), code(color.y), code(color.z))
  }

  /// The share of the sphere that a pixel covers, up to a factor; the same for all pixels of a flat picture.
  func weight(_ column: Int, _ row: Int) -> Double {
    guard geometry.projection.usesCamera else { return 1 }
    let ray = rays.origin + (Double(column) + 0.5) * rays.perX + (Double(row) + 0.5) * rays.perY
    let square = ray.dot(ray)
    return 1 / (square * square.squareRoot())
  }

  /// Where in one eye's picture a world direction is seen.
  public static func equirectangular(_ ray: Vector3) -> (u: Double, v: Double) {
    let longitude = atan2(ray.x, ray.z)
    let latitude = atan2(ray.y, (ray.x * ray.x + ray.z * ray.z).squareRoot())
    return (0.5 + longitude / (2 * .pi), 0.5 - latitude / .pi)
  }

  /// Where in this eye's picture a point of the target looks; outside of [0, 1) for letterbox.
  private func place(_ x: Double, _ y: Double) -> (u: Double, v: Double) {
    switch geometry.projection {
    case .equirectangular: ExactTwin.equirectangular(rays.origin + x * rays.perX + y * rays.perY)
    case .flat: (flat.u.dot(Vector3(x, y, 1)), flat.v.dot(Vector3(x, y, 1)))
    }
  }

  /// R'G'B' of a place in this eye's picture and a place for its chroma, as fractions.
  private func color(_ at: (u: Double, v: Double), chroma chromaAt: (u: Double, v: Double)) -> Vector3 {
    let part = geometry.part
    let (pu, pv) = (part.u + at.u * part.width, part.v + at.v * part.height)
    let cu = (part.u + chromaAt.u * part.width) * chroma.scale.u + chroma.offset.u
    let cv = (part.v + chromaAt.v * part.height) * chroma.scale.v + chroma.offset.v
    let wraps = geometry.projection.wrapsHorizontally
    let ycc = Vector3(
      planes[0].sample(u: pu, v: pv, part: part, wraps: wraps),
      planes[1].sample(u: cu, v: cv, part: part, wraps: wraps),
      planes[2].sample(u: cu, v: cv, part: part, wraps: wraps))
    return Vector3(
      matrix.red.dot(ycc) + matrix.offset.x, matrix.green.dot(ycc) + matrix.offset.y,
      matrix.blue.dot(ycc) + matrix.offset.z)
  }
}
