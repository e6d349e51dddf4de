import Frames
import Overlay

/// Canvases drawn in plain Swift, pixel by pixel, rounded to 8 bits after every item.
struct CanvasTwin {
  var size: PictureSize
  /// RGBA; alpha is unchanged.
  var pixels: [UInt8]
  let texts: TextRenderer

  private typealias Point = Canvas.Point
  private typealias Box = Canvas.Box

  mutating func draw(_ canvas: Canvas) {
    for item in canvas.items { draw(item) }
  }

  private mutating func draw(_ item: Canvas.Item) {
    switch item {
    case .rectangle(let box, let color, let radius, let border):
      fill(color) { Self.coverage(of: box, at: $0, radius: radius, border: border) }
    case .line(let from, let to, let width, let color):
      fill(color) { Self.covered(Self.distance(from: $0, toLine: from, to) - width / 2) }
    case .triangle(let a, let b, let c, let color):
      fill(color) { Self.coverage(ofTriangle: [a, b, c], at: $0) }
    case .text(let text, let style, let place, let color, let alignment):
      guard let picture = texts.render(text, style, alignment: alignment) else { return }
      let share = alignment == .left ? 0 : alignment == .center ? 0.5 : 1.0
      let left = (place.x - share * Double(picture.width)).rounded() + Double(picture.left)
      draw(picture.coverage, Int(left), Int(place.y.rounded()) + picture.top, color)
    case .coverage(let coverage, let place, let color):
      draw(coverage, Int(place.x.rounded()), Int(place.y.rounded()), color)
    case .picture(let picture, let box, let radius, let opacity):
      draw(picture, box, radius, opacity)
    }
  }

  private mutating func fill(_ color: Canvas.Color, _ coverage: (Point) -> Double) {
    for row in 0..<size.height {
      for column in 0..<size.width {
        let alpha = color.alpha * coverage(Point(Double(column) + 0.5, Double(row) + 0.5))
        blend(column, row, [color.red * alpha, color.green * alpha, color.blue * alpha], alpha)
      }
    }
  }

  /// - Parameter color: premultiplied.
  private mutating func blend(_ column: Int, _ row: Int, _ color: [Double], _ alpha: Double) {
    guard alpha > 0, column >= 0, row >= 0, column < size.width, row < size.height else { return }
    for channel in 0..<3 {
      let place = (row * size.width + column) * 4 + channel
      let value = 255 * color[channel] + (1 - alpha) * Double(pixels[place])
      pixels[place] = UInt8(min(max(value.rounded(), 0), 255))
    }
  }

  private mutating func draw(_ coverage: Coverage, _ left: Int, _ top: Int, _ color: Canvas.Color) {
    for row in 0..<coverage.height {
      for column in 0..<coverage.width {
        let alpha = color.alpha * Double(coverage[column, row]) / 255
        blend(left + column, top + row, [color.red * alpha, color.green * alpha, color.blue * alpha], alpha)
      }
    }
  }

  private mutating func draw(_ picture: SmallPicture, _ box: Box, _ radius: Double, _ opacity: Double) {
    for row in 0..<size.height {
      for column in 0..<size.width {
        let at = Point(Double(column) + 0.5, Double(row) + 0.5)
        let share = opacity * Self.coverage(of: box, at: at, radius: radius, border: 0)
        guard share > 0 else { continue }
        let x = (at.x - box.left) / box.width * Double(picture.size.width) - 0.5
        let y = (at.y - box.top) / box.height * Double(picture.size.height) - 0.5
        let color = Self.sample(picture, x, y).map { $0 * share }
        blend(column, row, color, color[3])
      }
    }
  }

  /// Premultiplied, 0 … 1, between the nearest four; beyond the edge, the edge.
  private static func sample(_ picture: SmallPicture, _ x: Double, _ y: Double) -> [Double] {
    var sum = [0.0, 0, 0, 0]
    for (row, column) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
      let place = (Int(x.rounded(.down)) + column, Int(y.rounded(.down)) + row)
      let weight = (1 - abs(x - Double(place.0))) * (1 - abs(y - Double(place.1)))
      let (inX, inY) = (min(max(place.0, 0), picture.size.width - 1), min(max(place.1, 0), picture.size.height - 1))
      let texel = picture.rgba[((inY * picture.size.width + inX) * 4)...].prefix(4).map { Double($0) / 255 }
      for channel in 0..<3 { sum[channel] += weight * texel[channel] * texel[3] }
      sum[3] += weight * texel[3]
    }
    return sum
  }

  private static func covered(_ distance: Double) -> Double { min(max(0.5 - distance, 0), 1) }

  private static func coverage(of box: Box, at: Point, radius: Double, border: Double) -> Double {
    guard box.width > 0, box.height > 0 else { return 0 }
    let corner = min(max(radius, 0), min(box.width, box.height) / 2)
    if corner == 0 {
      let inner = border > 0 ? area(of: box.inset(by: border), at) : 0
      return area(of: box, at) - inner
    }
    // The distance to the box that the corners' circles roll around, less their radius.
    let core = box.inset(by: corner)
    let beyond = Point(abs(at.x - box.center.x) - core.width / 2, abs(at.y - box.center.y) - core.height / 2)
    let outside = (max(beyond.x, 0) * max(beyond.x, 0) + max(beyond.y, 0) * max(beyond.y, 0)).squareRoot()
    let distance = outside + min(max(beyond.x, beyond.y), 0) - corner
    return covered(distance) - (border > 0 ? covered(distance + border) : 0)
  }

  private static func area(of box: Box, _ at: Point) -> Double {
    let width = min(at.x + 0.5, box.right) - max(at.x - 0.5, box.left)
    let height = min(at.y + 0.5, box.bottom) - max(at.y - 0.5, box.top)
    return max(0, width) * max(0, height)
  }

  private static func distance(from at: Point, toLine from: Point, _ to: Point) -> Double {
    let (x, y) = (to.x - from.x, to.y - from.y)
    let square = x * x + y * y
    let share = square == 0 ? 0 : min(max(((at.x - from.x) * x + (at.y - from.y) * y) / square, 0), 1)
    let (dx, dy) = (at.x - from.x - share * x, at.y - from.y - share * y)
    return (dx * dx + dy * dy).squareRoot()
  }

  /// From the nearest edge, inwards where all three have the point on the side of the corner that is not theirs. One whose corners
  /// lie in a line has nothing inside, and is not drawn.
  private static func coverage(ofTriangle corners: [Point], at: Point) -> Double {
    let (from, to, tip) = (corners[0], corners[1], corners[2])
    guard (to.x - from.x) * (tip.y - from.y) != (to.y - from.y) * (tip.x - from.x) else { return 0 }
    var nearest = Double.infinity
    var isInside = true
    for index in 0..<3 {
      let (a, b, other) = (corners[index], corners[(index + 1) % 3], corners[(index + 2) % 3])
      func side(_ point: Point) -> Double { (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x) }
      if side(at) * side(other) <= 0 { isInside = false }
      nearest = min(nearest, distance(from: at, toLine: a, b))
    }
    return covered(isInside ? -nearest : nearest)
  }
}
