import Foundation
import Frames

/// FFmpeg's thumbnails of a clip.
public struct ThumbnailJudge {
  /// Packed R'G'B' of every frame.
  public let frames: [[UInt8]]

  /// - Parameters:
  ///   - filter: applied before scaling, such as a crop.
  ///   - turns: whether FFmpeg applies the file's display matrix.
  public init(_ path: String, size: PictureSize, filter: String = "", turns: Bool = false) throws {
    let scale = "scale=\(size.width):\(size.height):flags=area+accurate_rnd+full_chroma_int+full_chroma_inp"
    let run = try CommandOutput.of(
      "ffmpeg",
      ["-v", "error", "-nostdin"] + (turns ? [] : ["-noautorotate"])
        + [
          "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-vf", filter + (filter.isEmpty ? "" : ",") + scale,
          "-f", "rawvideo", "-pix_fmt", "rgb24", "-",
        ])
    guard run.status == 0 else { throw Failure(.failed, "cannot judge '\(path)'", cause: run.errors) }
    let count = size.width * size.height * 3
    let bytes = [UInt8](run.output)
    frames = stride(from: 0, to: bytes.count - count + 1, by: count).map { Array(bytes[$0..<$0 + count]) }
  }

  /// Which of some frames a picture is most like, and how much: in dB.
  public func nearest(to picture: SmallPicture, among numbers: [Int]) -> (number: Int, psnr: Double)? {
    numbers.map { ($0, Self.psnr(picture.rgba, frames[$0])) }.max { $0.1 < $1.1 }
  }

  /// Of four bytes a pixel against three; 100 where they are equal.
  public static func psnr(_ rgba: [UInt8], _ rgb: [UInt8]) -> Double {
    guard rgba.count / 4 == rgb.count / 3 else { return 0 }
    var sum = 0
    for pixel in 0..<rgb.count / 3 {
      for channel in 0..<3 {
        let difference = Int(rgba[pixel * 4 + channel]) - Int(rgb[pixel * 3 + channel])
        sum += difference * difference
      }
    }
    return sum == 0 ? 100 : 10 * log10(255 * 255 * Double(rgb.count) / Double(sum))
  }
}
