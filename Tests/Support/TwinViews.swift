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
    var values: [Double] = []
    values.reserveCapacity(3 * target.width * target.height)
    for row in 0..<target.height {
      for column in 0..<target.width {
        let color = twin.pixel(column, row) ?? Vector3(0, 0, 0)
        values.append(color.x)
        values.append(color.y)
        values.append(color.z)
      }
    }
    return values
  }

  /// R, G, B and 255 of every pixel, rounded, top row first.
  public static func pixels(
    of frame: VideoFrame, _ geometry: PictureGeometry, camera: Camera, target: PictureSize
  ) -> [UInt8] {
    let values = view(of: frame, geometry, camera: camera, target: target)
    var pixels: [UInt8] = []
    pixels.reserveCapacity(4 * target.width * target.height)
    for index in stride(from: 0, to: values.count, by: 3) {
      for channel in 0..<3 { pixels.append(UInt8(values[index + channel].rounded())) }
      pixels.append(255)
    }
    return pixels
  }
}

extension TwinPlane {
  /// A view in the convention of FFmpeg's `v360`: each plane is filtered for itself. Code values, rounded; nil where there is
  /// no picture.
  ///
  /// - Parameter withEdges: false leaves out the half texel along the edges of a cubemap's faces, where `v360` goes on on the
  ///   next face.
  public func v360View(
    _ geometry: PictureGeometry = PictureGeometry(projection: .equirectangular), camera: Camera, target: PictureSize,
    withEdges: Bool = true
  ) -> [UInt8?] {
    let rays = geometry.rays(camera, size: target)
    let size = PictureSize(width: width, height: height)
    return (0..<target.width * target.height).map { index in
      let ray = rays.through(Double(index % target.width) + 0.5, Double(index / target.width) + 0.5)
      let direction = geometry.direction(seenAlong: ray, forward: rays.forward)
      let (place, isShown) = geometry.place(of: direction, picture: size)
      guard isShown, withEdges || !isOnEdge(place, geometry.projection) else { return nil }
      return UInt8((v360Sample(place, geometry.projection) * 255).rounded())
    }
  }

  /// What others have on the picture's edge lies on the centre of the outermost texel, ±180° on the first and last column for
  /// one; cubes are as we have them, but for the reading on a neighbouring face.
  private func v360Sample(_ place: Place, _ projection: Projection) -> Double {
    let (u, v) = (place.u * Double(width), place.v * Double(height))
    switch projection {
    case .cubemap3x2: return bilinear(u - 0.5, v - 0.5, columns: cell(u, 3, width), rows: cell(v, 2, height))
    case .cubemap6x1: return bilinear(u - 0.5, v - 0.5, columns: cell(u, 6, width), rows: 0...height - 1)
    case .eac: return bilinear(u - 0.5, v - 0.5, columns: 0...width - 1, rows: 0...height - 1)
    default:
      let (x, y) = (place.u * Double(width - 1), place.v * Double(height - 1))
      return bilinear(x, y, columns: 0...width - 1, rows: 0...height - 1)
    }
  }

  private func isOnEdge(_ place: Place, _ projection: Projection) -> Bool {
    guard [.cubemap3x2, .cubemap6x1].contains(projection) else { return false }
    let columns = projection == .cubemap6x1 ? 6 : 3
    func isOn(_ place: Double, _ size: Int) -> Bool {
      let inFace = place.truncatingRemainder(dividingBy: Double(size))
      return inFace < 0.5 || inFace > Double(size) - 0.5
    }
    return isOn(place.u * Double(width), width / columns) || isOn(place.v * Double(height), height * columns / 6)
  }

  /// The texels of the cell that a place lies in, of `count` beside each other.
  private func cell(_ place: Double, _ count: Int, _ extent: Int) -> ClosedRange<Int> {
    let size = extent / count
    let index = min(Int(place) / size, count - 1)
    return index * size...(index + 1) * size - 1
  }

  private func bilinear(_ x: Double, _ y: Double, columns: ClosedRange<Int>, rows: ClosedRange<Int>) -> Double {
    let (x0, y0) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
    let (dx, dy) = (x - Double(x0), y - Double(y0))
    func at(_ x: Int, _ y: Int) -> Double {
      self[min(max(x, columns.lowerBound), columns.upperBound), min(max(y, rows.lowerBound), rows.upperBound)]
    }
    let upper = at(x0, y0) * (1 - dx) + at(x0 + 1, y0) * dx
    let lower = at(x0, y0 + 1) * (1 - dx) + at(x0 + 1, y0 + 1) * dx
    return upper * (1 - dy) + lower * dy
  }

  /// Between the texel centres of an equirectangular picture, round its sides.
  func onSphere(_ place: Place) -> Double {
    let (x, y) = (place.u * Double(width) - 0.5, place.v * Double(height) - 0.5)
    let (x0, y0) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
    let (dx, dy) = (x - Double(x0), y - Double(y0))
    func at(_ x: Int, _ y: Int) -> Double { self[(x % width + width) % width, min(max(y, 0), height - 1)] }
    let upper = at(x0, y0) * (1 - dx) + at(x0 + 1, y0) * dx
    let lower = at(x0, y0 + 1) * (1 - dx) + at(x0 + 1, y0 + 1) * dx
    return upper * (1 - dy) + lower * dy
  }
}

/// The same over the samples that `a` has; infinite when it has none.
public func peakSignalToNoise(_ a: [UInt8?], _ b: [UInt8]) -> Double {
  let both = zip(a, b).compactMap { pair in pair.0.map { ($0, pair.1) } }
  return both.isEmpty ? .infinity : peakSignalToNoise(both.map(\.0), both.map(\.1))
}

/// Peak signal-to-noise ratio of 8-bit samples in decibels; infinite when equal.
public func peakSignalToNoise(_ a: [UInt8], _ b: [UInt8]) -> Double {
  precondition(a.count == b.count && !a.isEmpty)
  let sum = zip(a, b).reduce(0.0) { $0 + (Double($1.0) - Double($1.1)) * (Double($1.0) - Double($1.1)) }
  return sum == 0 ? .infinity : 10 * log10(255 * 255 * Double(a.count) / sum)
}
