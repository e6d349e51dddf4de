import Foundation
import Frames
import TestPicture

/// Frames that tests make themselves.
public enum TestPictures {
  /// Smooth waves with noise on them: every wrong coordinate shows, and no single texel decides.
  public static func noisy(
    format: PictureFormat, size: PictureSize, color: ColorDescription, generator: inout SeededGenerator
  ) -> VideoFrame {
    let picture = HostPicture(format: format, size: size)
    let bytes = format.isDeep ? 2 : 1
    let most = Double(1 << format.bitDepth - 1)
    for plane in picture.planes {
      for row in 0..<plane.rows {
        for column in 0..<plane.rowBytes / bytes {
          let wave = 128 + 60 * wave(Double(column) / 9) + 40 * wave(Double(row) / 7)
          let value = (wave + Double.random(in: -20...20, using: &generator)) / 255 * most
          store(min(max(value, 0), most), column, row, of: plane, format)
        }
      }
    }
    return frame(picture, format: format, size: size, color: color)
  }

  /// Samples as `value` says, by plane, column and row; columns of interleaved chroma count Cb and Cr.
  public static func filled(
    format: PictureFormat, size: PictureSize, color: ColorDescription, value: (Int, Int, Int) -> Int
  ) -> VideoFrame {
    let picture = HostPicture(format: format, size: size)
    for (index, plane) in picture.planes.enumerated() {
      for row in 0..<plane.rows {
        for column in 0..<plane.rowBytes / (format.isDeep ? 2 : 1) {
          store(Double(value(index, column, row)), column, row, of: plane, format)
        }
      }
    }
    return frame(picture, format: format, size: size, color: color)
  }

  /// A planar picture with the samples in the order and place of `format` of the same depth, such as NV12 or P010.
  public static func interleaved(_ frame: VideoFrame, as format: PictureFormat) -> VideoFrame {
    let planes = frame.picture.planes
    var other = filled(format: format, size: frame.size, color: frame.color) { plane, column, row in
      let source = planes[plane == 0 ? 0 : 1 + column % 2]
      let place = plane == 0 ? column : column / 2
      guard format.isDeep else { return Int(source[place, row]) }
      let byte = 2 * place
      return Int(source[byte, row]) | Int(source[byte + 1, row]) << 8
    }
    other.presentationTime = frame.presentationTime
    return other
  }

  private static func store(
    _ value: Double, _ column: Int, _ row: Int, of plane: HostPlane, _ format: PictureFormat
  ) {
    let offset = row * plane.bytesPerRow + column * (format.isDeep ? 2 : 1)
    if format.isDeep {
      plane.base.storeBytes(of: UInt16(value) << UInt16(format.sampleShift), toByteOffset: offset, as: UInt16.self)
    } else {
      plane.base.storeBytes(of: UInt8(value), toByteOffset: offset, as: UInt8.self)
    }
  }

  /// The same samples of luma over chroma that is grey everywhere.
  public static func grey(_ frame: VideoFrame) -> VideoFrame {
    for plane in frame.picture.planes.dropFirst() {
      for row in 0..<plane.rows {
        for column in 0..<plane.rowBytes / (frame.format.isDeep ? 2 : 1) {
          store(Double(128 << (frame.format.bitDepth - 8)), column, row, of: plane, frame.format)
        }
      }
    }
    return frame
  }

  /// Smooth in every plane, as a sky or a blurred background: one slow wave over the picture.
  public static func smooth(size: PictureSize, color: ColorDescription) -> VideoFrame {
    let picture = HostPicture(format: .yuv420p, size: size)
    for (index, plane) in picture.planes.enumerated() {
      let waves = (0..<plane.rowBytes).map { (column: Int) -> Double in
        let turn: Double = (Double(column) + 0.5) / Double(plane.rowBytes)
        return sin(6 * Double.pi * turn + Double(index))
      }
      for row in 0..<plane.rows {
        let amplitude = 60 * sin(Double.pi * (Double(row) + 0.5) / Double(plane.rows))
        for column in 0..<plane.rowBytes {
          plane.base.storeBytes(
            of: UInt8((128 + amplitude * waves[column]).rounded()), toByteOffset: row * plane.bytesPerRow + column,
            as: UInt8.self)
        }
      }
    }
    return frame(picture, format: .yuv420p, size: size, color: color)
  }

  /// Frame `number` of a synthetic clip, without any codec in between.
  public static func synthetic(_ number: Int, size: PictureSize) throws -> VideoFrame {
    var clip = SceneSpecification()
    clip.size = size
    let scene = try SyntheticScene(clip)
    let picture = HostPicture(format: .yuv420p, size: size)
    scene.draw(frame: number, into: picture.planes)
    return frame(
      picture, format: .yuv420p, size: size, color: ColorDescription(matrix: .bt709, range: .limited))
  }

  static func frame(
    _ picture: HostPicture, format: PictureFormat, size: PictureSize, color: ColorDescription
  ) -> VideoFrame {
    VideoFrame(
      index: 0, presentationTime: .zero, duration: MediaTime(seconds: 1 / 30), format: format, size: size,
      color: color, picture: picture)
  }

  /// A triangle wave between -1 and 1 with period 4.
  private static func wave(_ x: Double) -> Double {
    let phase = x - 4 * (x / 4).rounded(.down)
    return phase < 2 ? phase - 1 : 3 - phase
  }
}
