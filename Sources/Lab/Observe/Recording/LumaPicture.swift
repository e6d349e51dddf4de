import Frames

/// The luma of a decoded frame in eight bits.
///
/// Valid as long as the frame's picture.
package struct LumaPicture: Sendable {
  package let size: PictureSize
  private let plane: HostPlane
  /// Bytes of a sample, and how many of its lowest bits are left out.
  private let (sampleBytes, shift): (Int, Int)

  /// Nil where the frame is not in host memory, or has no sample.
  package init?(_ frame: VideoFrame) {
    guard let plane = frame.picture.planes.first else { return nil }
    self.init(plane, bitDepth: frame.format.bitDepth, sampleShift: frame.format.sampleShift)
  }

  /// - Parameter sampleShift: zero bits below the significant ones of a sample of more than eight bits.
  package init?(_ plane: HostPlane, bitDepth: Int = 8, sampleShift: Int = 0) {
    sampleBytes = bitDepth > 8 ? 2 : 1
    shift = bitDepth - 8 + sampleShift
    self.plane = plane
    size = PictureSize(width: plane.rowBytes / sampleBytes, height: plane.rows)
    guard size.width > 0, size.height > 0 else { return nil }
  }

  /// The mean over a square around a pixel, without its parts outside the picture; nil if none is inside.
  ///
  /// - Parameter radius: 0 is the pixel alone.
  func mean(_ x: Int, _ y: Int, radius: Int) -> UInt8? {
    let (left, right) = (max(0, x - radius), min(size.width - 1, x + radius))
    let (top, bottom) = (max(0, y - radius), min(size.height - 1, y + radius))
    guard left <= right, top <= bottom else { return nil }
    var sum = 0
    for row in ClosedRange(from: top, through: bottom) {
      let bytes = plane.row(row)
      for column in ClosedRange(from: left, through: right) { sum += Int(sample(bytes, column)) }
    }
    return UInt8(clamping: sum / ((right - left + 1) * (bottom - top + 1)))
  }

  private func sample(_ row: UnsafeRawBufferPointer, _ column: Int) -> UInt8 {
    guard sampleBytes > 1 else { return row[column] }
    let sample = UInt16(littleEndian: row.loadUnaligned(fromByteOffset: column * 2, as: UInt16.self))
    return UInt8(clamping: sample >> UInt16(shift))
  }

  /// A copy that is at most `width` wide, each pixel the mean of a square of this one, and the side of that square.
  func shrunk(toWidth width: Int) -> (GreyPicture, scale: Int) {
    let scale = max(1, (size.width + width - 1) / width)
    let small = PictureSize(width: max(1, size.width / scale), height: max(1, size.height / scale))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(small.width * small.height)
    var sums = [Int](repeating: 0, count: small.width)
    for row in 0..<small.height {
      for column in sums.indices { sums[column] = 0 }
      for line in 0..<min(scale, size.height) {
        let source = plane.row(row * scale + line)
        for column in 0..<small.width {
          for part in 0..<min(scale, size.width) { sums[column] += Int(sample(source, column * scale + part)) }
        }
      }
      let count = min(scale, size.height) * min(scale, size.width)
      for sum in sums { bytes.append(UInt8(clamping: sum / count)) }
    }
    return (GreyPicture(size: small, bytes: bytes), scale)
  }
}

/// A grey picture of eight bits, row by row.
struct GreyPicture {
  let size: PictureSize
  let bytes: [UInt8]
}
