import Frames
import GPU

/// Turns canvases into layers that a frame ring draws over its views.
///
/// One painter for each ring, used on the ring's thread. Items of earlier canvases stay in the drawer's atlases: only
/// new items are laid out and copied, and an unchanged canvas costs a comparison. A full atlas is cleared and refilled
/// with the current canvas's items; items that do not fit into an empty atlas are left out, in order.
public final class CanvasPainter {
  public let texts: TextCache
  /// Items of the last canvas that were left out because an atlas had no room.
  public private(set) var leftOut = 0
  /// Pieces of text, coverages and pictures that were copied to the GPU so far.
  public var piecesCopied: Int { drawer.copied.pieces }
  private let drawer: QuadDrawer
  private var inks: PlacedPictures<InkKey>
  private var pictures: PlacedPictures<PictureKey>
  private var last: (canvas: Canvas, layer: QuadLayer)?

  /// - Parameter atlasSide: texels along the sides of both atlases: 2048 take 20 MiB.
  public init(device: GPUDevice, texts: TextCache, atlasSide: Int = 2048) throws(Failure) {
    self.texts = texts
    drawer = try QuadDrawer(
      device: device, vertex: OverlayShaders.quadVertex, fragment: OverlayShaders.quadFragment, side: atlasSide)
    inks = PlacedPictures(.coverages, of: drawer)
    pictures = PlacedPictures(.pictures, of: drawer)
  }

  /// The size of a text's box in pixels.
  public func measure(_ text: String, _ style: TextStyle) -> (width: Int, height: Int) { texts.measure(text, style) }

  /// The layer that draws `canvas`; valid until the next call.
  public func paint(_ canvas: Canvas) -> QuadLayer {
    if let last, last.canvas == canvas { return last.layer }
    build(canvas)
    if inks.isFull || pictures.isFull {
      if inks.isFull { inks.removeAll(from: drawer) }
      if pictures.isFull { pictures.removeAll(from: drawer) }
      build(canvas)
    }
    let layer = QuadLayer(drawer: drawer, quads: quads)
    last = (canvas, layer)
    return layer
  }

  private var quads: [Quad] = []

  private func build(_ canvas: Canvas) {
    quads = []
    quads.reserveCapacity(canvas.items.count)
    leftOut = 0
    inks.beginCanvas()
    pictures.beginCanvas()
    for item in canvas.items { add(item) }
  }

  private func add(_ item: Canvas.Item) {
    switch item {
    case .rectangle(let box, let color, let radius, let border):
      guard let frame = box.vector, [radius, border].allSatisfy(\.isFinite) else { return }
      let corner = min(max(radius, 0), min(box.width, box.height) / 2)
      quads.append(.rectangle(frame, fill: color.vector, radius: Float(corner), border: Float(max(border, 0))))
    case .line(let from, let to, let width, let color):
      guard let (from, to) = both(from.vector, to.vector), width.isFinite, width > 0 else { return }
      quads.append(.line(from: from, to: to, width: Float(width), fill: color.vector))
    case .triangle(let a, let b, let c, let color):
      guard let (a, b) = both(a.vector, b.vector), let c = c.vector, hasArea(a, b, c) else { return }
      quads.append(.triangle((a, b, c), fill: color.vector))
    case .text(let text, let style, let place, let color, let alignment):
      add(text, style, place, color, alignment)
    case .coverage(let coverage, let place, let color):
      add(coverage, at: place, color)
    case .picture(let picture, let box, let radius, let opacity):
      add(picture, box, radius: radius, opacity: opacity)
    }
  }

  private func add(
    _ text: String, _ style: TextStyle, _ place: Canvas.Point, _ color: Canvas.Color, _ alignment: TextAlignment
  ) {
    guard let picture = texts.picture(text, style, alignment: alignment) else { return }
    let before =
      switch alignment {
      case .left: 0.0
      case .center: Double(picture.width) / 2
      case .right: Double(picture.width)
      }
    let corner = Canvas.Point(
      (place.x - before).rounded() + Double(picture.left), place.y.rounded() + Double(picture.top))
    add(picture.coverage, at: corner, color)
  }

  private func add(_ coverage: Coverage, at place: Canvas.Point, _ color: Canvas.Color) {
    guard let corner = Canvas.Point(place.x.rounded(), place.y.rounded()).vector else { return }
    let key = InkKey(coverage: coverage)
    let texels =
      inks.place(of: key)
      ?? inks.place(coverage.bytes, width: coverage.width, height: coverage.height, as: key, in: drawer)
    guard let texels else { return leftOut += 1 }
    quads.append(.coverage(texels, left: corner.x, top: corner.y, fill: color.vector))
  }

  private func add(_ picture: SmallPicture, _ box: Canvas.Box, radius: Double, opacity: Double) {
    guard let frame = box.vector, radius.isFinite, opacity.isFinite else { return }
    let key = PictureKey(picture: picture)
    let texels =
      pictures.place(of: key)
      ?? pictures.place(
        picture.rgba, width: picture.size.width, height: picture.size.height, as: key, in: drawer)
    guard let texels else { return leftOut += 1 }
    let corner = min(max(radius, 0), min(box.width, box.height) / 2)
    quads.append(
      .picture(texels, frame: frame, opacity: Float(min(max(opacity, 0), 1)), radius: Float(corner)))
  }
}

/// Equal coverages lie in the atlas once.
private struct InkKey: Hashable {
  var coverage: Coverage
}

/// Identifies a picture by its content, not by its time.
private struct PictureKey: Hashable {
  var picture: SmallPicture

  static func == (one: PictureKey, other: PictureKey) -> Bool {
    one.picture.size == other.picture.size && one.picture.rgba == other.picture.rgba
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(picture.size)
    hasher.combineSample(of: picture.rgba)
  }
}

private func both<Value>(_ one: Value?, _ other: Value?) -> (Value, Value)? {
  if let one, let other { (one, other) } else { nil }
}

private func hasArea(_ a: SIMD2<Float>, _ b: SIMD2<Float>, _ c: SIMD2<Float>) -> Bool {
  let (first, second) = (b - a, c - a)
  return first.x * second.y != first.y * second.x
}

extension Canvas.Point {
  /// Nil where it is not finite, or beyond the range in which a float resolves pixels.
  fileprivate var vector: SIMD2<Float>? {
    abs(x) < 1e6 && abs(y) < 1e6 ? SIMD2(Float(x), Float(y)) : nil
  }
}

extension Canvas.Box {
  /// Left, top, right and bottom; nil where it has no size, or leaves the range in which a float resolves pixels.
  fileprivate var vector: SIMD4<Float>? {
    guard let low = Canvas.Point(left, top).vector, let high = Canvas.Point(right, bottom).vector,
      low.x < high.x, low.y < high.y
    else { return nil }
    return SIMD4(lowHalf: low, highHalf: high)
  }
}

extension Canvas.Color {
  /// Each component clamped to 0 … 1; NaN becomes 0.
  fileprivate var vector: SIMD4<Float> {
    func clamped(_ value: Double) -> Float { Float(max(0, min(1, value.isNaN ? 0 : value))) }
    return SIMD4(clamped(red), clamped(green), clamped(blue), clamped(alpha))
  }
}
