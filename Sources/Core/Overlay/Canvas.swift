import Frames

/// A list of items to draw over a view, the later ones on top. A value: `CanvasPainter` draws it.
///
/// Places are pixels from the target's top-left corner, x to the right and y down; colours are display values. Items
/// that are not finite, have no size or no ink are skipped.
public struct Canvas: Sendable, Hashable {
  public private(set) var items: [Item] = []

  public struct Point: Sendable, Hashable {
    public var x: Double
    public var y: Double

    public init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }
  }

  public struct Box: Sendable, Hashable {
    public var left: Double
    public var top: Double
    public var width: Double
    public var height: Double

    public init(left: Double, top: Double, width: Double, height: Double) {
      (self.left, self.top, self.width, self.height) = (left, top, width, height)
    }

    public var right: Double { left + width }
    public var bottom: Double { top + height }
    public var center: Point { Point(left + width / 2, top + height / 2) }

    public func contains(_ point: Point) -> Bool {
      point.x >= left && point.x < right && point.y >= top && point.y < bottom
    }

    /// Smaller by `distance` on every side.
    public func inset(by distance: Double) -> Box {
      Box(left: left + distance, top: top + distance, width: width - 2 * distance, height: height - 2 * distance)
    }
  }

  /// Red, green, blue and alpha, 0 … 1; alpha is not multiplied into the others.
  public struct Color: Sendable, Hashable {
    public var red: Double
    public var green: Double
    public var blue: Double
    public var alpha: Double

    public init(_ red: Double, _ green: Double, _ blue: Double, alpha: Double = 1) {
      (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    public static let white = Color(1, 1, 1)
    public static let black = Color(0, 0, 0)

    public func opacity(_ alpha: Double) -> Color { Color(red, green, blue, alpha: alpha) }
  }

  public enum Item: Sendable, Hashable {
    case rectangle(Box, Color, radius: Double, border: Double)
    case line(from: Point, to: Point, width: Double, Color)
    case triangle(Point, Point, Point, Color)
    case text(String, TextStyle, at: Point, Color, TextAlignment)
    case coverage(Coverage, at: Point, Color)
    case picture(SmallPicture, Box, radius: Double, opacity: Double)
  }

  public init() {}

  public mutating func add(_ item: Item) { items.append(item) }

  /// - Parameters:
  ///   - radius: of its corners, at most half of the shorter side, which makes a circle or a capsule.
  ///   - border: width of a frame, inwards; 0: the box is filled.
  public mutating func rectangle(_ box: Box, _ color: Color, radius: Double = 0, border: Double = 0) {
    items.append(.rectangle(box, color, radius: radius, border: border))
  }

  /// With round ends.
  public mutating func line(from: Point, to: Point, width: Double, _ color: Color) {
    items.append(.line(from: from, to: to, width: width, color))
  }

  /// A line from each point to the next. At joints a translucent colour is applied twice.
  public mutating func polyline(_ points: [Point], width: Double, _ color: Color) {
    for (from, to) in zip(points, points.dropFirst()) { line(from: from, to: to, width: width, color) }
  }

  public mutating func triangle(_ a: Point, _ b: Point, _ c: Point, _ color: Color) {
    items.append(.triangle(a, b, c, color))
  }

  /// - Parameter place: the text's top edge at its left end, its middle, or its right end, by `alignment`; the nearest
  ///   pixel is taken, so that letters stay sharp.
  public mutating func text(
    _ text: String, _ style: TextStyle, at place: Point, _ color: Color, alignment: TextAlignment = .left
  ) {
    items.append(.text(text, style, at: place, color, alignment))
  }

  /// - Parameter place: its top-left corner; the nearest pixel is taken.
  public mutating func coverage(_ coverage: Coverage, at place: Point, _ color: Color) {
    items.append(.coverage(coverage, at: place, color))
  }

  /// Scaled to `box` with bilinear filtering, meant for sizes close to the picture's own.
  public mutating func picture(_ picture: SmallPicture, _ box: Box, radius: Double = 0, opacity: Double = 1) {
    items.append(.picture(picture, box, radius: radius, opacity: opacity))
  }
}
