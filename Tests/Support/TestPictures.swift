import Encode
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
