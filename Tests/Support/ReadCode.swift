import Frames
import TestPicture

/// Reads the code from a picture without padding.
public func readCode(
  _ luma: [UInt8], size: PictureSize, bitDepth: Int = 8, layout: FrameCode.Layout = .equirectangular,
  stereo: StereoLayout = .mono
) -> FrameCode.Reading {
  var bytes = luma
  return bytes.withUnsafeMutableBytes { buffer in
    guard let base = buffer.baseAddress else { return .unreadable(.checksum) }
    let rowBytes = size.width * (bitDepth > 8 ? 2 : 1)
    let plane = HostPlane(base: base, bytesPerRow: rowBytes, rowBytes: rowBytes, rows: size.height)
    return FrameCode.read(luma: plane, bitDepth: bitDepth, layout: layout, stereo: stereo)
  }
}
