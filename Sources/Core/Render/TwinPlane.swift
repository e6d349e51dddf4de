import Frames

/// One component of a picture, read in double precision as fractions of full scale. Keeps the picture alive.
public struct TwinPlane {
  public let width: Int
  public let height: Int
  private let plane: HostPlane
  private let picture: HostPicture
  private let format: PlaneFormat
  private let component: Int

  /// Luma, Cb, Cr; interleaved chroma is taken apart.
  public static func planes(of frame: VideoFrame) -> [TwinPlane] {
    zip(frame.format.planes, frame.picture.planes).flatMap { format, plane in
      (0..<format.components).map { component in
        let size = format.size(of: frame.size)
        return TwinPlane(
          width: size.width, height: size.height, plane: plane, picture: frame.picture, format: format,
          component: component)
      }
    }
  }

  /// The sample at a column and row, as a fraction of full scale.
  public subscript(column: Int, row: Int) -> Double {
    let byte = (column * format.components + component) * format.bytesPerComponent
    let low = plane[byte, row]
    guard format.bytesPerComponent > 1 else { return Double(low) / 255 }
    return Double(UInt16(low) | UInt16(plane[byte + 1, row]) << 8) / 65535
  }

  /// The nearest place to `at` that is half a texel or more inside of a part, so that what lies wholly outside of it is not
  /// read. Parts need not end between texels.
  func inside(_ part: (u: Double, v: Double, width: Double, height: Double), _ at: Place) -> Place {
    let (du, dv) = (0.5 / Double(width), 0.5 / Double(height))
    return Place(
      u: min(max(at.u, part.u + du), part.u + part.width - du),
      v: min(max(at.v, part.v + dv), part.v + part.height - dv))
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
    let (x0, y0) = (Int(x.rounded(.down)), Int(y))
    let (dx, dy) = (x - Double(x0), y - Double(y0))
    let (before, after) = (column(x0), column(x0 + 1))
    let upper = self[before, y0] * (1 - dx) + self[after, y0] * dx
    let lower = self[before, rows] * (1 - dx) + self[after, rows] * dx
    return upper * (1 - dy) + lower * dy
  }
}
