import Foundation
import Frames
import Render

/// Pictures of a world that is known in every direction.
extension TestPictures {
  /// Y', Cb, Cr as full-range code values: each follows one axis of the direction, so that no two directions look the same.
  public static func worldCode(_ direction: Vector3) -> Vector3 {
    let perLength = 1 / direction.dot(direction).squareRoot()
    return Vector3(128, 128, 128) + 36 * perLength * direction
  }

  /// The same as R'G'B' of BT.709, in code values.
  public static func worldColor(_ direction: Vector3) -> Vector3 {
    let code = worldCode(direction)
    let (luma, cb, cr) = (code.x, code.y - 128, code.z - 128)
    return Vector3(luma + 1.5748 * cr, luma - 0.1873 * cb - 0.4681 * cr, luma + 1.8556 * cb)
  }
}

/// One eye's picture in 4:2:0, and its negative: pictures of every stereo layout are put together from them.
public struct EyePicture: Sendable {
  private let size: PictureSize
  private let color: ColorDescription
  /// Y', Cb and Cr without padding.
  private let planes: [[UInt8]]
  private let negatives: [[UInt8]]

  /// The world as a projection has it, full range BT.709.
  public static func world(_ geometry: PictureGeometry, size: PictureSize) -> EyePicture {
    EyePicture(geometry, size: size, color: ColorDescription(matrix: .bt709, range: .full, siting: .left)) {
      let code = TestPictures.worldCode($1)
      return $0 == 0 ? code.x : $0 == 1 ? code.y : code.z
    }
  }

  /// An equirectangular frame brought into another projection.
  public static func projected(_ frame: VideoFrame, _ geometry: PictureGeometry, size: PictureSize) -> EyePicture {
    let sphere = PictureGeometry(projection: .equirectangular)
    let planes = TwinPlane.planes(of: frame)
    return EyePicture(geometry, size: size, color: frame.color) {
      planes[$0].onSphere(sphere.place(of: $1, picture: frame.size).at) * 255
    }
  }

  /// - Parameters:
  ///   - geometry: its projection, lens and bounds; its stereo layout is ignored.
  ///   - sample: the code value of a component in a direction. What shows no direction is black.
  private init(
    _ geometry: PictureGeometry, size: PictureSize, color: ColorDescription,
    sample: (_ component: Int, _ direction: Vector3) -> Double
  ) {
    var geometry = geometry
    geometry.stereo = .mono
    let chroma = ChromaMap(format: .yuv420p, size: size, siting: color.siting)
    var (planes, negatives): ([[UInt8]], [[UInt8]]) = ([], [])
    for (component, format) in PictureFormat.yuv420p.planes.enumerated() {
      let plane = format.size(of: size)
      var (samples, opposites): ([UInt8], [UInt8]) = ([], [])
      samples.reserveCapacity(plane.width * plane.height)
      opposites.reserveCapacity(plane.width * plane.height)
      for row in 0..<plane.height {
        for column in 0..<plane.width {
          var u = (Double(column) + 0.5) / Double(plane.width)
          var v = (Double(row) + 0.5) / Double(plane.height)
          if component > 0 { (u, v) = ((u - chroma.offset.u) / chroma.scale.u, (v - chroma.offset.v) / chroma.scale.v) }
          if let direction = geometry.direction(at: Place(u: u, v: v), picture: size) {
            let value = sample(component, direction).rounded()
            samples.append(UInt8(value))
            opposites.append(UInt8(255 - value))
          } else {
            samples.append(component == 0 ? 16 : 128)
            opposites.append(component == 0 ? 16 : 128)
          }
        }
      }
      planes.append(samples)
      negatives.append(opposites)
    }
    (self.size, self.color, self.planes, self.negatives) = (size, color, planes, negatives)
  }

  /// A picture of one or both eyes.
  ///
  /// - Parameter eye: the eye that sees the picture, where the other eye sees the negative; nil: both see the picture.
  public func frame(_ stereo: StereoLayout = .mono, only eye: PictureGeometry.Eye? = nil) -> VideoFrame {
    let (columns, rows) = (stereo == .sideBySide ? 2 : 1, stereo == .topBottom ? 2 : 1)
    let whole = PictureSize(width: columns * size.width, height: rows * size.height)
    let picture = HostPicture(format: .yuv420p, size: whole)
    for (component, plane) in picture.planes.enumerated() {
      let (width, height) = (plane.rowBytes / columns, plane.rows / rows)
      for row in 0..<plane.rows {
        for column in 0..<columns {
          let seen: PictureGeometry.Eye = row >= height || column > 0 ? .right : .left
          let isNegative = stereo != .mono && eye != nil && eye != seen
          (isNegative ? negatives : planes)[component].withUnsafeBytes { samples in
            let start = row % height * width
            UnsafeMutableRawBufferPointer(start: plane.base + row * plane.bytesPerRow + column * width, count: width)
              .copyMemory(from: UnsafeRawBufferPointer(rebasing: samples[start..<start + width]))
          }
        }
      }
    }
    return TestPictures.frame(picture, format: .yuv420p, size: whole, color: color)
  }
}
