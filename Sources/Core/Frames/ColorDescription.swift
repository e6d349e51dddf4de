/// How YCbCr code values become light, as signalled or, where the file is silent, as guessed.
public struct ColorDescription: Hashable, Sendable, Codable {
  /// `bt2020` is the matrix for non-constant luminance.
  public enum Matrix: String, Sendable, Codable, CaseIterable { case bt601, bt709, bt2020, fcc, smpte240m }
  public enum Range: String, Sendable, Codable, CaseIterable { case limited, full }
  /// Where a chroma sample sits relative to its luma samples.
  public enum ChromaSiting: String, Sendable, Codable, CaseIterable { case left, center, topLeft = "top-left" }
  public enum Property: String, Sendable, Codable, CaseIterable { case matrix, range, siting, primaries, transfer }

  public var matrix: Matrix
  public var range: Range
  public var siting: ChromaSiting
  /// FFmpeg's names. `ColorConversion` decides how they are displayed.
  public var primaries: String
  public var transfer: String
  /// Peak luminance in cd/m²: of the mastering display, else MaxCLL. Nil
  /// where neither is signalled with a usable value.
  public var peakNits: Double?
  /// Properties the file did not signal, or signalled with a value that is not supported, in the order of `Property`.
  public var guessed: [Property]
  /// Signalled values that are not supported, such as `matrix ycgco`; nil where there are none.
  public var ignored: [String]?

  public init(
    matrix: Matrix, range: Range, siting: ChromaSiting = .left, primaries: String = "bt709",
    transfer: String = "bt709", peakNits: Double? = nil, guessed: [Property] = [], ignored: [String]? = nil
  ) {
    self.matrix = matrix
    self.range = range
    self.siting = siting
    self.primaries = primaries
    self.transfer = transfer
    self.peakNits = peakNits
    self.ignored = ignored
    self.guessed = guessed
  }

  /// The usual rule for untagged video: 709 from 1280 wide or above 576 lines, else 601.
  public static func guessedMatrix(for size: PictureSize) -> Matrix {
    size.width >= 1280 || size.height > 576 ? .bt709 : .bt601
  }
}
