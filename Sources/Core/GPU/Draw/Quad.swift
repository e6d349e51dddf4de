/// One item drawn over a view: a shape, a piece of text, or a picture. Laid out as `Shaders/quad_vertex.glsl` reads it.
///
/// Places are pixels from the target's top-left corner, x to the right and y down; pixel centres lie at halves.
public struct Quad: Sendable, Hashable {
  /// Left, top, right, bottom.
  private var frame: SIMD4<Float>
  /// Red, green, blue and alpha, straight, 0 … 1.
  private var fill: SIMD4<Float>
  /// Texels of an atlas from … to, or two points.
  private var source = SIMD4<Float>()
  /// The kind, then what that kind needs.
  private var shape = SIMD4<Float>()

  /// What of an atlas is drawn: texels from its top-left corner.
  public struct Texels: Sendable, Hashable {
    public var left: Int
    public var top: Int
    public var width: Int
    public var height: Int

    public init(left: Int, top: Int, width: Int, height: Int) {
      (self.left, self.top, self.width, self.height) = (left, top, width, height)
    }

    fileprivate var bounds: SIMD4<Float> {
      SIMD4(Float(left), Float(top), Float(left + width), Float(top + height))
    }
  }

  /// - Parameters:
  ///   - radius: of its corners; at most half of the shorter side. Without one, edges between pixels are exact.
  ///   - border: how wide a frame is drawn, inwards; 0: all of it is filled.
  public static func rectangle(
    _ frame: SIMD4<Float>, fill: SIMD4<Float>, radius: Float = 0, border: Float = 0
  ) -> Quad {
    Quad(frame: frame, fill: fill, shape: SIMD4(0, radius, border, 0))
  }

  /// Texels of the coverage atlas in one colour, one a pixel: `left` and `top` are whole.
  public static func coverage(_ texels: Texels, left: Float, top: Float, fill: SIMD4<Float>) -> Quad {
    let frame = SIMD4(left, top, left + Float(texels.width), top + Float(texels.height))
    return Quad(frame: frame, fill: fill, source: texels.bounds, shape: SIMD4(1, 0, 0, 0))
  }

  /// Texels of the picture atlas, scaled between the nearest four.
  public static func picture(_ texels: Texels, frame: SIMD4<Float>, opacity: Float, radius: Float) -> Quad {
    Quad(frame: frame, fill: SIMD4(1, 1, 1, opacity), source: texels.bounds, shape: SIMD4(2, radius, 0, 0))
  }

  /// With round ends.
  public static func line(from: SIMD2<Float>, to: SIMD2<Float>, width: Float, fill: SIMD4<Float>) -> Quad {
    let reach = SIMD2(repeating: width / 2 + 0.5)
    let (low, high) = (pointwiseMin(from, to) - reach, pointwiseMax(from, to) + reach)
    return Quad(
      frame: SIMD4(lowHalf: low, highHalf: high), fill: fill, source: SIMD4(lowHalf: from, highHalf: to),
      shape: SIMD4(3, width / 2, 0, 0))
  }

  /// - Parameter corners: in either order round.
  public static func triangle(
    _ corners: (SIMD2<Float>, SIMD2<Float>, SIMD2<Float>), fill: SIMD4<Float>
  ) -> Quad {
    var (a, b, c) = corners
    let (first, second) = (b - a, c - a)
    if first.x * second.y - first.y * second.x < 0 { (b, c) = (c, b) }
    let low = pointwiseMin(a, pointwiseMin(b, c)) - 0.5
    let high = pointwiseMax(a, pointwiseMax(b, c)) + 0.5
    return Quad(
      frame: SIMD4(lowHalf: low, highHalf: high), fill: fill, source: SIMD4(lowHalf: a, highHalf: b),
      shape: SIMD4(4, c.x, c.y, 0))
  }
}

/// What is drawn over one view, and by whom.
public struct QuadLayer {
  /// On the ring's device; of one ring only.
  public var drawer: QuadDrawer
  /// In the order in which they cover each other.
  public var quads: [Quad]

  public init(drawer: QuadDrawer, quads: [Quad]) {
    self.drawer = drawer
    self.quads = quads
  }
}
