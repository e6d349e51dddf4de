extension FrameCode {
  /// The rungs that a picture can show.
  public static let rungs = 0..<16
  /// Numbers of frames that also show a rung run from 0 to below this.
  public static let ladderCapacity = 1 << 20

  /// Differs from the check sum of a plain number. Of all values it is the only one that no two cells read wrongly turn
  /// into: a frame of a ladder becomes a plain number, or the other way round, by four wrong bits at least, as many as
  /// turn one number into another (found by trying all pairs).
  static let ladderMark: UInt8 = 0x9F

  /// The 32 bits that cells show for `number`, which is below `ladderCapacity`, of one of `rungs`.
  public static func word(for number: Int, rung: Int) -> UInt32 {
    precondition((0..<ladderCapacity).contains(number), "frame number outside 20 bits")
    precondition(rungs.contains(rung), "rung outside 4 bits")
    let bits = UInt32(rung * ladderCapacity + number)
    return bits | UInt32(checksum(bits) ^ ladderMark) << 24
  }
}
