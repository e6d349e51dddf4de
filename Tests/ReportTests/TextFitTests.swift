import Frames
import RecordSamples
import Support
import Testing
import Verdict

/// No text of a page is cut off: not at the edge of a telephone, not below other text, not by an ellipsis.
@Suite struct TextFitTests {
  /// Pixels: the width of a drawing on a telephone of 360, the room for numbers left of it, and the page's margin.
  private static let (width, scale, margin) = (320.0, 44.0, 20.0)
  /// Pixels of a letter, in the widest of the usual fonts.
  private static let letter = 7.0

  private struct Label {
    let text: String
    let left: Double
    let right: Double
    let y: Double

    init?(_ attributes: Substring, _ text: Substring, width: Double) {
      func value(_ name: String) -> String? {
        attributes.firstRange(of: " \(name)=\"").map { found in
          String(attributes[found.upperBound...].prefix { $0 != "\"" })
        }
      }
      guard let x = value("x"), let y = value("y").flatMap(Double.init) else { return nil }
      // An escaped character is one letter.
      self.text = String(text.replacing(/&[a-z0-9#]+;/, with: "'"))
      self.y = y
      let place = x.hasSuffix("%") ? (Double(x.dropLast()) ?? 0) / 100 * width : Double(x) ?? 0
      let start = place + (value("dx").flatMap(Double.init) ?? 0)
      let length = Double(self.text.count) * TextFitTests.letter
      switch value("text-anchor") {
      case "end": (left, right) = (start - length, start)
      case "middle": (left, right) = (start - length / 2, start + length / 2)
      default: (left, right) = (start, start + length)
      }
    }
  }

  private static func expectFit(_ html: String) {
    for figure in html.split(separator: "<figure ").dropFirst() {
      let name = figure.prefix { $0 != ">" }
      let drawing = figure.split(separator: "<svg role").dropFirst().first ?? ""
      let isScaled = drawing.contains("class=\"scaled\"")
      let width = isScaled ? Self.width - scale : Self.width
      let labels = drawing.matches(of: /<text([^>]*)>([^<]*)<\/text>/).compactMap { Label($0.1, $0.2, width: width) }
      #expect(labels.count == drawing.matches(of: /<text/).count && !labels.isEmpty)
      for (index, label) in labels.enumerated() {
        #expect(label.left >= -margin - (isScaled ? scale : 0), "\(name): '\(label.text)' begins left of the page")
        #expect(label.right <= width + margin, "\(name): '\(label.text)' ends right of the page")
        for other in labels[..<index] where label.text.count > 1 && other.text.count > 1 {
          let isBeside = label.left >= other.right || other.left >= label.right
          #expect(isBeside || abs(label.y - other.y) >= 11, "\(name): '\(label.text)' lies on '\(other.text)'")
        }
      }
    }
  }

  @Test func textOfDrawingsFitsATelephone() throws {
    for page in try Pages.all() { Self.expectFit(page.html) }
  }

  @Test func longNamesAreWholeAndFit() throws {
    let page = try Pages.long()
    let html = page.html
    Self.expectFit(html)
    let text = html.replacing(/<[^>]*>/, with: "").filter { !$0.isWhitespace }
    for name in Pages.longNames { #expect(text.contains(name.filter { !$0.isWhitespace }), "\(name)") }
    #expect(text.contains(Pages.longNames[3].replacing("/", with: "·")), "the row of a chart")
    // The heading and the lines below it, not only the table of settings.
    let top = try #require(html.split(separator: "</nav>").first)
    for name in Pages.longNames.prefix(3) { #expect(top.contains(name), "\(name)") }
    let drawings = html.matches(of: /<svg role.*?<\/figcaption>/.dotMatchesNewlines()).map { String($0.0) }
    #expect(drawings.count > 3 && !drawings.contains { $0.contains("…") })
  }

  @Test func brokenLinesLoseNoLetter() {
    var random = SeededGenerator(for: "brokenLinesLoseNoLetter")
    let letters = Array("abcdefgh -/_.,·")
    for _ in 0..<300 {
      let text = String(
        (0..<Int.random(in: 0...150, using: &random)).compactMap { _ in letters.randomElement(using: &random) })
      let width = Int.random(in: 5...50, using: &random)
      let lines = RowLabel.broken(text, width: width)
      #expect(lines.allSatisfy { $0.count <= width }, "\(lines), seed \(random.seed)")
      #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " }, "seed \(random.seed)")
    }
    #expect(RowLabel.broken("one two three", width: 7) == ["one two", "three"])
    #expect(RowLabel.broken("one/two/three", width: 8) == ["one/two/", "three"])
    #expect(RowLabel.broken("", width: 7) == [""])
  }
}
