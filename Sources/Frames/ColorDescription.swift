/// How YCbCr code values become light, as signalled or, where the file is silent, as guessed.
public struct ColorDescription: Hashable, Sendable, Codable {
  /// BT.2020 is the one of non-constant luminance.
  public enum Matrix: String, Sendable, Codable, CaseIterable { case bt601, bt709, bt2020, fcc, smpte240m }
  public enum Range: String, Sendable, Codable, CaseIterable { case limited, full }
  /// Where a chroma sample sits relative to its luma samples.
  public enum ChromaSiting: String, Sendable, Codable, CaseIterable { case left, center, topLeft = "top-left" }
  public enum Property: String, Sendable, Codable, CaseIterable { case matrix, range, siting, primaries, transfer }

  public var matrix: Matrix
  public var range: Range
  public var siting: ChromaSiting
  /// FFmpeg's names. `ColorConversion` tells what is done about them.
  public var primaries: String
  public var transfer: String
  /// The brightest that the picture means to be, in cd/m²: of the display it was mastered on, else of its content. Nil
  /// where nothing sensible is signalled.
  public var peakNits: Double?
  /// What the file did not say, or what it said and cannot be done, in the order of `Property`.
  public var guessed: [Property]
  /// What the file says and cannot be done, such as `matrix ycgco`; nil where there is no such thing.
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
