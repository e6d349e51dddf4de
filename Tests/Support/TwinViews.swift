import Foundation
import Frames
import Render

extension ExactTwin {
  /// R, G, B of every pixel in code values (0 … 255, not rounded), top row first.
  public static func view(
    of frame: VideoFrame, _ geometry: PictureGeometry, camera: Camera, target: PictureSize, chromaBlock: Int = 1
  ) -> [Double] {
    let twin = ExactTwin(
      frame: frame, geometry: geometry, camera: camera, target: target, chromaBlock: chromaBlock)
    return (0..<target.width * target.height).flatMap { index in
      let color = twin.pixel(index % target.width, index / target.width) ?? Vector3(0, 0, 0)
      return [color.x, color.y, color.z]
    }
  }
}

extension TwinPlane {
  /// A view in the convention of FFmpeg's `v360`: ±180° lie on the first and last column, ±90° on the first and last
  /// row, and each plane is filtered for itself. Code values, rounded.
  public func v360View(camera: Camera, target: PictureSize) -> [UInt8] {
    let rays = camera.rays(size: target)
    let (geometry, size) = (PictureGeometry(projection: .equirectangular), PictureSize(width: width, height: height))
    return (0..<target.width * target.height).map { index in
      let (x, y) = (Double(index % target.width) + 0.5, Double(index / target.width) + 0.5)
      let place = geometry.place(of: rays.through(x, y), picture: size).at
      let (column, row) = (place.u * Double(width - 1), place.v * Double(height - 1))
      let (x0, y0) = (Int(column.rounded(.down)), Int(row.rounded(.down)))
      let (dx, dy) = (column - Double(x0), row - Double(y0))
      func at(_ x: Int, _ y: Int) -> Double { self[(x % width + width) % width, min(y, height - 1)] }
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
