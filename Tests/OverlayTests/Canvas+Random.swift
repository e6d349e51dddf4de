import Frames
import Overlay
import Support

extension Canvas {
  enum Kind: CaseIterable { case rectangle, line, triangle, text, coverage, picture }

  /// Items of one kind or of every kind, some of them partly outside the target.
  static func random(
    _ count: Int, _ kind: Kind? = nil, size: PictureSize, using generator: inout SeededGenerator
  ) -> Canvas {
    var canvas = Canvas()
    for _ in 0..<count {
      canvas.addRandom(kind ?? Kind.allCases.randomElement(using: &generator) ?? .text, size, &generator)
    }
    return canvas
  }

  private mutating func addRandom(_ kind: Kind, _ size: PictureSize, _ generator: inout SeededGenerator) {
    func number(_ range: ClosedRange<Double>) -> Double {
      let value = Double.random(in: range, using: &generator)
      return Bool.random(using: &generator) ? value.rounded() : value
    }
    func point() -> Point { Point(number(-10...Double(size.width)), number(-10...Double(size.height))) }
    func color() -> Color {
      Color(number(0...1), number(0...1), number(0...1), alpha: Double.random(in: 0.1...1, using: &generator))
    }
    let corner = point()
    let box = Box(left: corner.x, top: corner.y, width: number(1...60), height: number(1...40))
    let hasRadius = Bool.random(using: &generator)
    let radius = hasRadius ? Double.random(in: 0.5...30, using: &generator) : 0
    switch kind {
    case .rectangle: rectangle(box, color(), radius: radius, border: Bool.random(using: &generator) ? number(1...4) : 0)
    case .line: line(from: corner, to: point(), width: number(1...6), color())
    case .triangle: triangle(corner, point(), point(), color())
    case .text:
      let style = TextStyle(
        height: number(9...30).rounded(), isBold: Bool.random(using: &generator),
        isMonospaced: Bool.random(using: &generator))
      let text = ["Ag", "12:34", "two\nlines, one long", "{\\b1}", "jßé"].randomElement(using: &generator) ?? ""
      self.text(text, style, at: corner, color(), alignment: .random(&generator))
    case .coverage:
      let (width, height) = (Int(box.width.rounded(.up)), Int(box.height.rounded(.up)))
      let bytes = (0..<width * height).map { _ in UInt8.random(in: 0...255, using: &generator) }
      coverage(Coverage(width: width, height: height, bytes: bytes), at: corner, color())
    case .picture:
      picture(
        .random(using: &generator), box, radius: radius, opacity: Double.random(in: 0.2...1, using: &generator))
    }
  }
}

extension TextAlignment {
  fileprivate static func random(_ generator: inout SeededGenerator) -> TextAlignment {
    allCases.randomElement(using: &generator) ?? .left
  }
}

extension SmallPicture {
  static func random(using generator: inout SeededGenerator) -> SmallPicture {
    let size = PictureSize(
      width: .random(in: 1...40, using: &generator), height: .random(in: 1...30, using: &generator))
    let bytes = (0..<size.width * size.height * 4).map { _ in UInt8.random(in: 0...255, using: &generator) }
    return SmallPicture(rgba: bytes, size: size, time: .zero)
  }
}
