import Encode
import Foundation
import Frames

/// Frames that tests make themselves.
public enum TestPictures {
  /// Smooth waves with noise on them: every wrong coordinate shows, and no single texel decides.
  public static func noisy(
    format: PictureFormat, size: PictureSize, color: ColorDescription, generator: inout SeededGenerator
  ) -> VideoFrame {
    let picture = HostPicture(format: format, size: size)
    for plane in picture.planes {
      for row in 0..<plane.rows {
        for column in 0..<plane.rowBytes {
          let wave = 128 + 60 * wave(Double(column) / 9) + 40 * wave(Double(row) / 7)
          let value = wave + Double.random(in: -20...20, using: &generator)
          plane.base.storeBytes(
            of: UInt8(min(max(value, 0), 255)), toByteOffset: row * plane.bytesPerRow + column, as: UInt8.self)
        }
      }
    }
    return frame(picture, format: format, size: size, color: color)
  }

  /// The same samples of luma over chroma that is grey everywhere.
  public static func grey(_ frame: VideoFrame) -> VideoFrame {
    for plane in frame.picture.planes.dropFirst() {
      for row in 0..<plane.rows {
        (plane.base + row * plane.bytesPerRow).initializeMemory(as: UInt8.self, repeating: 128, count: plane.rowBytes)
      }
    }
    return frame
  }

  /// Smooth in every plane: what a sky or a blurred background is, one slow wave over the picture.
  public static func smooth(size: PictureSize, color: ColorDescription) -> VideoFrame {
    let picture = HostPicture(format: .yuv420p, size: size)
    for (index, plane) in picture.planes.enumerated() {
      for row in 0..<plane.rows {
        for column in 0..<plane.rowBytes {
          let around = 2 * Double.pi * (Double(column) + 0.5) / Double(plane.rowBytes)
          let down = Double.pi * (Double(row) + 0.5) / Double(plane.rows)
          let value = 128 + 60 * sin(3 * around + Double(index)) * sin(down)
          plane.base.storeBytes(
            of: UInt8(value.rounded()), toByteOffset: row * plane.bytesPerRow + column, as: UInt8.self)
        }
      }
    }
    return frame(picture, format: .yuv420p, size: size, color: color)
  }

  /// Frame `number` of a synthetic clip, without any codec in between.
  public static func synthetic(_ number: Int, size: PictureSize) throws -> VideoFrame {
    var clip = ClipSpecification()
    clip.size = size
    let scene = try SyntheticScene(clip)
    let picture = HostPicture(format: .yuv420p, size: size)
    scene.draw(frame: number, into: picture.planes)
    return frame(
      picture, format: .yuv420p, size: size, color: ColorDescription(matrix: .bt709, range: .limited))
  }

  private static func frame(
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
