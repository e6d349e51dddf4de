import Foundation
import Frames
import Render

/// What the shaders compute, in double precision and plain Swift: the reference they are held against.
public struct ExactTwin {
  private let frame: VideoFrame
  private let geometry: PictureGeometry
  private let planes: [TwinPlane]
  private let chroma: ChromaMap
  private let matrix: YCbCrMatrix

  public init(frame: VideoFrame, geometry: PictureGeometry) {
    self.frame = frame
    self.geometry = geometry
    planes = TwinPlane.planes(of: frame)
    chroma = ChromaMap(format: frame.format, size: frame.size, siting: frame.color.siting)
    matrix = YCbCrMatrix(frame.color, bitDepth: frame.format.bitDepth)
  }

  /// R, G, B of every pixel in code values (0 … 255, not rounded), top row first.
  public func view(camera: Camera, target: PictureSize) -> [Double] {
    var result: [Double] = []
    result.reserveCapacity(target.width * target.height * 3)
    let rays = camera.rays(size: target)
    let flat = geometry.flatMapping(picture: frame.size, target: target)
    for y in 0..<target.height {
      for x in 0..<target.width {
        let (px, py) = (Double(x) + 0.5, Double(y) + 0.5)
        let at: (u: Double, v: Double)? =
          switch geometry.projection {
          case .equirectangular: ExactTwin.equirectangular(rays.origin + px * rays.perX + py * rays.perY)
          case .flat: ExactTwin.inside(flat.u.dot(Vector3(px, py, 1)), flat.v.dot(Vector3(px, py, 1)))
          }
        let color = at.map { self.color(u: $0.u, v: $0.v) } ?? Vector3(0, 0, 0)
        for value in [color.x, color.y, color.z] { result.append(min(max(value, 0), 1) * 255) }
      }
    }
    return result
  }

  static func equirectangular(_ ray: Vector3) -> (u: Double, v: Double) {
    let longitude = atan2(ray.x, ray.z)
    let latitude = atan2(ray.y, (ray.x * ray.x + ray.z * ray.z).squareRoot())
    return (0.5 + longitude / (2 * .pi), 0.5 - latitude / .pi)
  }

  private static func inside(_ u: Double, _ v: Double) -> (u: Double, v: Double)? {
    u >= 0 && v >= 0 && u < 1 && v < 1 ? (u, v) : nil
  }

  /// R'G'B' at a place in this eye's picture, as fractions.
  private func color(u: Double, v: Double) -> Vector3 {
    let part = geometry.part
    let (pu, pv) = (part.u + u * part.width, part.v + v * part.height)
    let wraps = geometry.projection == .equirectangular
    let code = planes.enumerated().map { index, plane in
      index == 0
        ? plane.sample(u: pu, v: pv, part: part, wraps: wraps)
        : plane.sample(
          u: pu * chroma.scale.u + chroma.offset.u, v: pv * chroma.scale.v + chroma.offset.v, part: part, wraps: wraps)
    }
    let ycc = Vector3(code[0], code[1], code[2])
    return Vector3(
      matrix.red.dot(ycc) + matrix.offset.x, matrix.green.dot(ycc) + matrix.offset.y,
      matrix.blue.dot(ycc) + matrix.offset.z)
  }
}

/// Samples of one component, as fractions of full scale.
public struct TwinPlane {
  public let width: Int
  public let height: Int
  let values: [Double]

  /// Luma, Cb, Cr; interleaved chroma is taken apart.
  public static func planes(of frame: VideoFrame) -> [TwinPlane] {
    zip(frame.format.planes, frame.picture.planes).flatMap { format, plane in
      (0..<format.components).map { component in
        let size = format.size(of: frame.size)
        let bytes = plane.packedBytes()
        let values = (0..<size.width * size.height).map { index -> Double in
          let offset = (index * format.components + component) * format.bytesPerComponent
          return format.bytesPerComponent == 1
            ? Double(bytes[offset]) / 255 : Double(UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8) / 65535
        }
        return TwinPlane(width: size.width, height: size.height, values: values)
      }
    }
  }

  /// Bilinear, between texel centres; inside a part of the plane, round its sides when it wraps.
  func sample(
    u: Double, v: Double, part: (u: Double, v: Double, width: Double, height: Double), wraps: Bool
  ) -> Double {
    let left = part.u * Double(width)
    let across = part.width * Double(width)
    let top = Int((part.v * Double(height)).rounded())
    let bottom = Int(((part.v + part.height) * Double(height)).rounded()) - 1
    let x = u * Double(width) - 0.5
    let y = min(max(v * Double(height) - 0.5, Double(top)), Double(bottom))
    let (columns, rows) = (Int(across.rounded()), min(Int(y) + 1, bottom))
    func column(_ x: Int) -> Int {
      let offset = x - Int(left)
      return Int(left) + (wraps ? ((offset % columns) + columns) % columns : min(max(offset, 0), columns - 1))
    }
    func at(_ x: Int, _ y: Int) -> Double { values[y * width + x] }
    let (x0, y0) = (Int(x.rounded(.down)), Int(y))
    let (dx, dy) = (x - Double(x0), y - Double(y0))
    let upper = at(column(x0), y0) * (1 - dx) + at(column(x0 + 1), y0) * dx
    let lower = at(column(x0), rows) * (1 - dx) + at(column(x0 + 1), rows) * dx
    return upper * (1 - dy) + lower * dy
  }

  /// A view in the convention of FFmpeg's `v360`: ±180° lie on the first and last column, ±90° on the first and last
  /// row, and each plane is filtered for itself. Code values, rounded.
  public func v360View(camera: Camera, target: PictureSize) -> [UInt8] {
    let rays = camera.rays(size: target)
    return (0..<target.width * target.height).map { index in
      let (x, y) = (Double(index % target.width) + 0.5, Double(index / target.width) + 0.5)
      let place = ExactTwin.equirectangular(rays.origin + x * rays.perX + y * rays.perY)
      let (column, row) = (place.u * Double(width - 1), place.v * Double(height - 1))
      let (x0, y0) = (Int(column.rounded(.down)), Int(row.rounded(.down)))
      let (dx, dy) = (column - Double(x0), row - Double(y0))
      func at(_ x: Int, _ y: Int) -> Double { values[min(y, height - 1) * width + (x % width + width) % width] }
      let upper = at(x0, y0) * (1 - dx) + at(x0 + 1, y0) * dx
      let lower = at(x0, y0 + 1) * (1 - dx) + at(x0 + 1, y0 + 1) * dx
      return UInt8(((upper * (1 - dy) + lower * dy) * 255).rounded())
    }
  }
}

/// Peak signal-to-noise ratio of 8-bit samples in decibels; infinite when equal.
public func peakSignalToNoise(_ a: [UInt8], _ b: [UInt8]) -> Double {
  precondition(a.count == b.count && !a.isEmpty)
  let sum = zip(a, b).reduce(0.0) { $0 + (Double($1.0) - Double($1.1)) * (Double($1.0) - Double($1.1)) }
  return sum == 0 ? .infinity : 10 * log10(255 * 255 * Double(a.count) / sum)
}
