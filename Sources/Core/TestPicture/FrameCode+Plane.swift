import Frames

extension FrameCode {
  /// Reads the left eye's code from a decoded luma plane: the upper half in `tb`, the left half in `sbs`.
  ///
  /// Samples deeper than 8 bits are two bytes in host byte order, with `sampleShift` zero bits below the significant
  /// ones. The thresholds fit limited and full range alike.
  public static func read(
    luma plane: HostPlane, bitDepth: Int = 8, sampleShift: Int = 0, layout: Layout, stereo: StereoLayout = .mono
  ) -> Reading {
    let bytesPerSample = bitDepth > 8 ? 2 : 1
    let width = plane.rowBytes / bytesPerSample / (stereo == .sideBySide ? 2 : 1)
    let height = plane.rows / (stereo == .topBottom ? 2 : 1)
    guard width > 0, height > 0 else { return .unreadable(.missing(bits: Array(0..<bitCount))) }
    var votes = Votes()
    for cell in cells(for: layout) {
      let column = min(Int(cell.u * Double(width)), width - 1)
      let row = min(Int(cell.v * Double(height)), height - 1)
      let luma: UInt8
      if bytesPerSample == 1 {
        luma = plane[column, row]
      } else {
        let sample = UInt16(plane[2 * column, row]) | UInt16(plane[2 * column + 1, row]) << 8
        luma = UInt8(clamping: sample >> UInt16(bitDepth - 8 + sampleShift))
      }
      votes.add(luma, bit: cell.bit)
    }
    return votes.reading
  }
}
