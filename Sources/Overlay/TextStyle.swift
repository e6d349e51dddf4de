/// How a piece of text looks.
public struct TextStyle: Sendable, Hashable {
  /// From one line to the next, in pixels: the tallest letters and the deepest fit in; 1 … 1024.
  public var height: Double
  public var isBold: Bool
  /// All letters are equally wide, so that numbers which change stand still.
  public var isMonospaced: Bool

  public init(height: Double, isBold: Bool = false, isMonospaced: Bool = false) {
    (self.height, self.isBold, self.isMonospaced) = (height, isBold, isMonospaced)
  }

  /// Others are not drawn, whatever the text.
  var isDrawable: Bool { height >= 1 && height <= 1024 }
}

/// Which part of a text lies at the place it is drawn at, and where its lines lie among themselves.
public enum TextAlignment: Sendable, Hashable, CaseIterable { case left, center, right }

/// A text's ink. Its box begins where the pen does, ends with the ink on the right, and is as high as its lines.
public struct TextPicture: Sendable, Hashable {
  public let coverage: Coverage
  /// Of the coverage's left edge from the box's; negative where a letter reaches out of it.
  public let left: Int
  /// Of the coverage's top edge from the box's, downwards.
  public let top: Int
  /// Of the box, in pixels.
  public let width: Int
  public let height: Int
}
