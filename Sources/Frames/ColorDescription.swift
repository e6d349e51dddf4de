/// How YCbCr code values become R'G'B', as signalled or, where the file is silent, as guessed.
public struct ColorDescription: Hashable, Sendable, Codable {
  public enum Matrix: String, Sendable, Codable, CaseIterable { case bt601, bt709, bt2020 }
  public enum Range: String, Sendable, Codable, CaseIterable { case limited, full }
  /// Where a chroma sample sits relative to its luma samples.
  public enum ChromaSiting: String, Sendable, Codable, CaseIterable { case left, center, topLeft = "top-left" }
  public enum Property: String, Sendable, Codable, CaseIterable { case matrix, range, siting, primaries, transfer }

  public var matrix: Matrix
  public var range: Range
  public var siting: ChromaSiting
  /// FFmpeg's names; reported, not yet applied.
  public var primaries: String
  public var transfer: String
  /// What the file did not say, in the order of `Property`.
  public var guessed: [Property]

  public init(
    matrix: Matrix, range: Range, siting: ChromaSiting = .left, primaries: String = "bt709",
    transfer: String = "bt709", guessed: [Property] = []
  ) {
    self.matrix = matrix
    self.range = range
    self.siting = siting
    self.primaries = primaries
    self.transfer = transfer
    self.guessed = guessed
  }

  /// The usual rule for untagged video: 709 from 1280 wide or above 576 lines, else 601.
  public static func guessedMatrix(for size: PictureSize) -> Matrix {
    size.width >= 1280 || size.height > 576 ? .bt709 : .bt601
  }
}
