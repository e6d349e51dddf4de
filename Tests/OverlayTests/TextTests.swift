import Frames
import Overlay
import Support
import Testing

/// Text as ink. Nothing here depends on which fonts a machine has, only on there being some.
struct TextTests {
  private static let style = TextStyle(height: 40)

  @Test func inkLiesInItsBox() throws {
    let texts = try TextRenderer()
    for height in [8.0, 13, 20.5, 48, 100] {
      let picture = try #require(texts.render("Hxg|", TextStyle(height: height)))
      #expect(picture.left >= -1 && picture.left < Int(height), "\(height)")
      #expect(picture.top >= -1 && picture.top + picture.coverage.height <= Int(height) + 2, "\(height)")
      #expect(picture.width == picture.left + picture.coverage.width)
      #expect(picture.height == Int(height.rounded(.up)))
      // The tallest and the deepest letter take up most of a line.
      #expect(Double(picture.coverage.height) > 0.6 * height, "\(height)")
    }
  }

  /// Commands of libass are text like any other.
  @Test(arguments: [
    ("{\\fs200}x", "(\\fs200)x"), ("a\\Nb", "a/Nb"), ("{\\b1", "(\\b1"), ("a\\hb", "a/hb"), ("{x}", "(x)"),
    ("{\u{301}\\fs200}x", "(\u{301}\\fs200)x"), ("\\\\N", "//N"), ("\\{\\fs200}x", "/(\\fs200)x"),
  ])
  func nothingIsACommand(_ text: String, _ alike: String) throws {
    let texts = try TextRenderer()
    let picture = try #require(texts.render(text, Self.style))
    let other = try #require(texts.render(alike, Self.style))
    // As wide as the same with other brackets, to a few pixels: no letter is gone, and none has another size.
    #expect(abs(picture.width - other.width) < 24, "\(picture.width) beside \(other.width)")
    #expect(picture.height == 40 && picture.coverage.height < 60)
  }

  @Test func linesBreakAtNewlinesOnly() throws {
    let texts = try TextRenderer()
    let one = try #require(texts.render("HH", Self.style))
    for end in ["\n", "\r\n", "\r", "\u{2028}"] {
      let two = try #require(texts.render("HH\(end)HH", Self.style))
      #expect(two.height == 80 && two.width == one.width)
      #expect(two.coverage.height == one.coverage.height + 40)
    }
    #expect(try #require(texts.render("\nHH", Self.style)).top == one.top + 40)
    #expect(try #require(texts.render("\n\n\nHH", Self.style)).top == one.top + 120)
    // Never by itself.
    let long = try #require(texts.render(String(repeating: "word ", count: 40), Self.style))
    #expect(long.height == 40 && long.coverage.height < 60 && long.width > 1000)
  }

  @Test func spacesCount() throws {
    let texts = try TextRenderer()
    let plain = try #require(texts.render("H", Self.style))
    let behind = try #require(texts.render("   H", Self.style))
    #expect(behind.left > plain.left + 15 && abs(behind.coverage.width - plain.coverage.width) <= 1)
  }

  @Test func stylesDiffer() throws {
    let texts = try TextRenderer()
    let plain = try #require(texts.render("Ill", Self.style))
    #expect(try #require(texts.render("Ill", TextStyle(height: 40, isBold: true))) != plain)
    let mono = TextStyle(height: 40, isMonospaced: true)
    let (narrow, wide) = (try #require(texts.render("iiiiiH", mono)), try #require(texts.render("MMMMMH", mono)))
    #expect(abs(narrow.width - wide.width) <= 1 && narrow.width > plain.width)
    // A style does not affect the next text.
    #expect(texts.render("Ill", Self.style) == plain)
  }

  @Test func linesAreAligned() throws {
    let texts = try TextRenderer()
    func edges(_ alignment: TextAlignment) throws -> (left: Int, right: Int) {
      let picture = try #require(texts.render("HHHHHHHH\nH", Self.style, alignment: alignment))
      let row = picture.coverage.height - 10
      let columns = (0..<picture.coverage.width).filter { picture.coverage[$0, row] > 128 }
      return (try #require(columns.first), picture.coverage.width - 1 - (try #require(columns.last)))
    }
    let (left, center, right) = (try edges(.left), try edges(.center), try edges(.right))
    #expect(left.left <= 1 && left.right > 60)
    #expect(right.right <= 1 && right.left > 60)
    #expect(abs(center.left - center.right) <= 2)
  }

  /// Right to left: the first letter stands on the right.
  @Test func rightToLeftTextIsLaidOut() throws {
    let texts = try TextRenderer()
    let (alef, final) = (try #require(texts.render("א", Self.style)), try #require(texts.render("ו", Self.style)))
    let both = try #require(texts.render("או", Self.style))
    try #require(alef.coverage != final.coverage, "no font here has these letters")
    func tail(_ coverage: Coverage, _ count: Int) -> Int {
      (0..<coverage.height).reduce(0) { sum, row in
        sum + (coverage.width - count..<coverage.width).filter { coverage[$0, row] > 128 }.count
      }
    }
    let count = final.coverage.width
    #expect(abs(tail(both.coverage, count) - tail(alef.coverage, count)) <= 6)
    #expect(abs(tail(both.coverage, count) - tail(final.coverage, count)) > 6)
  }

  @Test func textWithoutInkIsNil() throws {
    let texts = try TextRenderer()
    for text in ["", " ", "\n\n", "\t", "\u{200b}", "\0"] {
      #expect(texts.render(text, Self.style) == nil, "\(text.unicodeScalars.map(\.value))")
    }
    let cache = TextCache(renderer: texts)
    for height in [0, -4, 0.5, 1e9, Double.nan, .infinity] {
      #expect(texts.render("x", TextStyle(height: height)) == nil)
      #expect(cache.picture("x", TextStyle(height: height)) == nil)
      #expect(cache.measure("x", TextStyle(height: height)) == (0, 0))
    }
  }

  @Test func theCacheKeepsWhatIsUsed() throws {
    let texts = try TextRenderer()
    let cache = TextCache(renderer: texts, byteLimit: 16 << 10)
    for round in 0..<200 {
      #expect(cache.picture("kept", Self.style) == texts.render("kept", Self.style))
      #expect(cache.picture("number \(round)", Self.style) == texts.render("number \(round)", Self.style))
      #expect(cache.byteCount <= 16 << 10)
    }
    #expect(cache.misses == 201)
    _ = cache.picture("number 0", Self.style)
    #expect(cache.misses == 202)
    // Spelled otherwise, drawn anew.
    _ = cache.picture("\u{e9}", Self.style)
    _ = cache.picture("e\u{301}", Self.style)
    #expect(cache.misses == 204)
  }

  @Test func measuresBoxes() throws {
    let texts = try TextRenderer()
    let cache = TextCache(renderer: texts)
    let picture = try #require(texts.render("ab\ncdef", Self.style))
    #expect(cache.measure("ab\ncdef", Self.style) == (picture.width, 80))
    #expect(cache.measure("", Self.style) == (0, 40))
  }
}

/// Where text comes to lie on a target.
@Suite(.tier(.test), .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
struct TextPlaceTests {
  @Test(arguments: TextAlignment.allCases)
  func inkLiesWhereItWasAsked(_ alignment: TextAlignment) throws {
    let screen = try CanvasScreen(PictureSize(width: 200, height: 80))
    let view = try screen.drawn(nil)
    var canvas = Canvas()
    canvas.text("Hxg|", TextStyle(height: 30), at: .init(100, 20), .white, alignment: alignment)
    let area = try #require(changedArea(view, try screen.drawn(canvas), width: 200))
    let width = screen.painter.texts.measure("Hxg|", TextStyle(height: 30)).width
    #expect(area.rows.lowerBound >= 19 && area.rows.upperBound <= 51 && area.rows.count > 18)
    let expected =
      switch alignment {
      case .left: 100..<100 + width
      case .center: 100 - width / 2..<100 + width / 2
      case .right: 100 - width..<100
      }
    // A letter's own room on the left is a few pixels.
    #expect(area.columns.lowerBound >= expected.lowerBound - 1 && area.columns.lowerBound < expected.lowerBound + 6)
    #expect(abs(area.columns.upperBound + 1 - expected.upperBound) <= 1)
  }
}
