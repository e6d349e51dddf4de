import Decode
import Encode
import Frames
import TestPicture

extension FrameReader {
  /// Every frame up to the end of the clip.
  package func allFrames() throws -> [VideoFrame] {
    var frames: [VideoFrame] = []
    while let frame = try next() { frames.append(frame) }
    return frames
  }
}

extension VideoFrame {
  /// The samples of all planes without padding.
  package var packedBytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(picture.planes.reduce(0) { $0 + $1.rowBytes * $1.rows })
    for plane in picture.planes { for row in 0..<plane.rows { bytes += plane.row(row) } }
    return bytes
  }

  /// The number that the picture shows.
  package func number(_ clip: ClipSpecification = SharedClips.small()) -> Int? {
    picture.planes.first.flatMap {
      FrameCode.read(luma: $0, bitDepth: format.bitDepth, layout: clip.projection, stereo: clip.stereo).number
    }
  }
}

package func failure(_ body: () throws -> Void) -> Failure? {
  do {
    try body()
  } catch {
    return error as? Failure
  }
  return nil
}
