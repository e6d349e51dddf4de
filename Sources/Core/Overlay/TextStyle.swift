/// The look of a text.
public struct TextStyle: Sendable, Hashable {
  /// Line height in pixels, which holds the tallest ascenders and deepest descenders; 1 … 1024.
  public var height: Double
  public var isBold: Bool
  /// All letters have the same width, so that changing numbers keep their place.
  public var isMonospaced: Bool

  public init(height: Double, isBold: Bool = false, isMonospaced: Bool = false) {
    (self.height, self.isBold, self.isMonospaced) = (height, isBold, isMonospaced)
  }

  /// False for heights out of range: their texts are not drawn.
  var isDrawable: Bool { height >= 1 && height <= 1024 }
}

/// The point of a text that is put at its place, and the alignment of its lines.
public enum TextAlignment: Sendable, Hashable, CaseIterable { case left, center, right }

/// A text's ink. Its box begins at the pen's start, ends with the ink on the right, and is as high as its lines.
public struct TextPicture: Sendable, Hashable {
  public let coverage: Coverage
  /// Left edge of the coverage relative to the box; negative where a letter extends beyond it.
  public let left: Int
  /// Top edge of the coverage relative to the box, downwards.
  public let top: Int
  /// Width of the box, in pixels.
  public let width: Int
  public let height: Int
}
