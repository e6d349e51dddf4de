import Frames
import Overlay
import Support
import Testing

/// Subtitles as ink. Nothing here depends on which fonts a machine has, only on there being some.
@Suite(.tier(.test)) struct SubtitleTests {
  static let size = PictureSize(width: 640, height: 360)

  /// libavcodec's header for formats without styles.
  static let plain = SubtitleScript(
    header: """
      [Script Info]
      ScriptType: v4.00+
      PlayResX: 384
      PlayResY: 288
      ScaledBorderAndShadow: yes

      [V4+ Styles]
      Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, \
      Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, \
      MarginV, Encoding
      Style: Default,Arial,16,&Hffffff,&Hffffff,&H0,&H0,0,0,0,0,100,100,0,0,1,1,0,2,10,10,10,0

      [Events]
      Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

      """, isStyled: false)

  static let styled = SubtitleScript(
    header: plain.header.replacing("Arial,16,&Hffffff", with: "Sans,40,&H0000FFFF").replacing(
      "1,0,2,10", with: "1,0,8,10"),
    isStyled: true)

  static func event(_ text: String, _ start: Double = 0, _ end: Double = 1, order: Int = 0) -> SubtitleEvent {
    SubtitleEvent(
      start: MediaTime(seconds: start), end: MediaTime(seconds: end), line: "\(order),0,Default,,0,0,0,,\(text)")
  }

  /// Drawn over black by the canvas's twin.
  static func pixels(_ picture: SubtitlePicture, _ size: PictureSize = size) throws -> [UInt8] {
    var canvas = Canvas()
    picture.draw(on: &canvas, at: Canvas.Point(0, 0))
    let black = (0..<size.width * size.height).flatMap { _ in [0, 0, 0, 255] as [UInt8] }
    var twin = CanvasTwin(size: size, pixels: black, texts: try TextRenderer())
    twin.draw(canvas)
    return twin.pixels
  }

  /// Columns and rows with something bright in them.
  static func bright(_ pixels: [UInt8], _ size: PictureSize = size) -> (
    columns: ClosedRange<Int>, rows: ClosedRange<Int>
  )? {
    let black = (0..<pixels.count).map { UInt8($0 % 4 == 3 ? 255 : 0) }
    let dimmed = pixels.enumerated().map { $0.offset % 4 == 3 ? 255 : $0.element > 128 ? $0.element : 0 }
    return changedArea(black, dimmed, width: size.width)
  }

  @Test func inkStandsWithinItsInterval() throws {
    let renderer = try SubtitleRenderer()
    renderer.load(Self.plain)
    let events = SubtitleEvents([Self.event("Hxg", 1, 3), Self.event("later", 5, 6, order: 1)])
    for time in [0, 0.999, 1, 1.0001, 2, 2.9999, 3, 3.0001, 4.9999, 5, 5.9999, 6, 100] {
      let now = MediaTime(seconds: time)
      let picture = renderer.picture(events.visible(at: now), at: now, size: Self.size)
      let isDue = (1..<3).contains(time) || (5..<6).contains(time)
      #expect(picture.isEmpty != isDue, "\(time)")
      let isBlack = try Self.pixels(picture).enumerated().allSatisfy { $0.offset % 4 == 3 || $0.element == 0 }
      #expect(isBlack != isDue, "\(time)")
    }
  }

  @Test(arguments: [PictureSize(width: 640, height: 360), PictureSize(width: 1280, height: 720)])
  func linesStandAtTheBottom(size: PictureSize) throws {
    let renderer = try SubtitleRenderer()
    renderer.load(Self.plain)
    let picture = renderer.picture([Self.event("Hxg|")], at: .zero, size: size)
    let area = try #require(Self.bright(try Self.pixels(picture, size), size))
    #expect(area.rows.lowerBound > size.height * 8 / 10 && area.rows.upperBound < size.height * 98 / 100)
    // The tallest and the deepest letter take up most of a line, which is an eighteenth.
    #expect((size.height / 30...size.height / 17).contains(area.rows.count), "\(area.rows)")
    #expect(abs(area.columns.lowerBound + area.columns.upperBound - size.width) < size.width / 40)
    // A bar lifts them by its height.
    let lifted = renderer.picture([Self.event("Hxg|")], at: .zero, size: size, bottom: size.height / 6)
    let higher = try #require(Self.bright(try Self.pixels(lifted, size), size))
    #expect(abs(area.rows.upperBound - size.height / 6 - higher.rows.upperBound) <= 2)
    #expect(abs(higher.rows.count - area.rows.count) <= 1)
  }

  @Test func narrowTargetsHaveSmallerLetters() throws {
    let renderer = try SubtitleRenderer()
    renderer.load(Self.plain)
    let size = PictureSize(width: 200, height: 600)
    let text = "Some words that want room"
    let area = try #require(
      Self.bright(try Self.pixels(renderer.picture([Self.event(text)], at: .zero, size: size), size), size))
    #expect(area.rows.count < 60 && area.columns.count < 200)
  }

  @Test func coloursAreTheTexts() throws {
    let renderer = try SubtitleRenderer()
    renderer.load(Self.plain)
    func colors(_ text: String) -> Set<Canvas.Color> {
      Set(renderer.picture([Self.event(text)], at: .zero, size: Self.size).pieces.map(\.color))
    }
    let white = colors("Hxg")
    #expect(white.contains(.white) && white.contains { $0.red < 0.1 && $0.blue < 0.15 && $0.alpha > 0.9 })
    // ASS colours are transparency, blue, green, red.
    let red = colors("{\\c&H0000FF&}Hxg")
    #expect(red.contains(Canvas.Color(1, 0, 0)) && !red.contains(.white))
    #expect(colors("{\\1a&H33&}Hxg").contains { $0.opacity(1) == .white && abs($0.alpha - 0.8) < 0.01 })
    let pixels = try Self.pixels(
      renderer.picture([Self.event("{\\c&H20FF40&}HHHH")], at: .zero, size: Self.size))
    let pure = (0..<pixels.count / 4).filter { Array(pixels[$0 * 4..<$0 * 4 + 3]) == [0x40, 0xFF, 0x20] }
    #expect(pure.count > 50)
  }

  @Test func authorStylesAreKept() throws {
    let renderer = try SubtitleRenderer()
    renderer.load(Self.styled)
    let picture = renderer.picture([Self.event("Hxg")], at: .zero, size: Self.size)
    #expect(picture.pieces.contains { $0.color == Canvas.Color(1, 1, 0) })
    let area = try #require(Self.bright(try Self.pixels(picture)))
    #expect(area.rows.upperBound < Self.size.height / 3, "at the top, and large")
    #expect(area.rows.count > Self.size.height / 18)
    // The next track keeps none of it.
    renderer.load(Self.plain)
    let other = renderer.picture([Self.event("Hxg")], at: .zero, size: Self.size)
    #expect(
      other.pieces.contains { $0.color == .white } && !other.pieces.contains { $0.color == Canvas.Color(1, 1, 0) })
  }

  @Test func unchangedSubtitlesAreDrawnOnce() throws {
    let renderer = try SubtitleRenderer()
    renderer.load(Self.plain)
    let events = [Self.event("one"), Self.event("two", order: 1)]
    let first = renderer.picture(events, at: .zero, size: Self.size)
    for tick in 0..<100 {
      #expect(renderer.picture(events, at: MediaTime(seconds: Double(tick) / 100), size: Self.size) == first)
    }
    renderer.load(Self.plain)
    _ = renderer.picture(events, at: .zero, size: Self.size)
    #expect(renderer.renders == 1)
    _ = renderer.picture([events[0]], at: .zero, size: Self.size)
    #expect(renderer.renders == 2)
    _ = renderer.picture([events[0]], at: .zero, size: PictureSize(width: 320, height: 180))
    #expect(renderer.renders == 3)
    _ = renderer.picture([], at: .zero, size: Self.size)
    #expect(renderer.renders == 3)
  }

  @Test(arguments: [
    "{\\move(0,0,300,200)}x", "{\\fad(500,500)}x", "{\\t(0,1000,\\fscx300)}x", "{\\k50}x{\\k50}y",
  ])
  func animatedSubtitlesAreRedrawn(text: String) throws {
    let renderer = try SubtitleRenderer()
    renderer.load(Self.styled)
    let pictures = [0.1, 0.2, 0.6, 0.9].map {
      renderer.picture([Self.event(text)], at: MediaTime(seconds: $0), size: Self.size)
    }
    #expect(Set(pictures).count > 1 && renderer.renders == 4)
  }

  @Test func visibleLinesKeepTheirPlace() throws {
    let renderer = try SubtitleRenderer()
    renderer.load(Self.plain)
    let (low, high) = (Self.event("low", 0, 2), Self.event("high", 1, 3, order: 1))
    _ = renderer.picture([low], at: .zero, size: Self.size)
    let both = try Self.pixels(renderer.picture([low, high], at: MediaTime(seconds: 1), size: Self.size))
    let alone = try Self.pixels(renderer.picture([high], at: MediaTime(seconds: 2), size: Self.size))
    #expect(Self.bright(alone)?.rows.lowerBound == Self.bright(both)?.rows.lowerBound)
  }

  /// Pieces put together again are the picture they were cut from.
  @Test func piecesCoverThePicture() {
    var random = SeededGenerator(for: "piecesCoverThePicture")
    for _ in 0..<20 {
      let (width, height) = (Int.random(in: 1...1300, using: &random), Int.random(in: 1...600, using: &random))
      let isSparse = Bool.random(using: &random)
      let bytes = (0..<width * height).map { _ in
        isSparse && UInt16.random(in: 0...999, using: &random) > 0 ? 0 : UInt8.random(in: 0...255, using: &random)
      }
      var picture = SubtitlePicture()
      bytes.withUnsafeBufferPointer { buffer in
        picture.add(left: 7, top: -3, width: width, height: height, color: .white) {
          UnsafeBufferPointer(rebasing: buffer[$0 * width..<($0 + 1) * width])
        }
      }
      var found = [UInt8](repeating: 0, count: width * height)
      for piece in picture.pieces {
        #expect(piece.coverage.width <= SubtitlePicture.side && piece.coverage.height <= SubtitlePicture.side)
        for row in 0..<piece.coverage.height {
          for column in 0..<piece.coverage.width {
            found[(piece.top + 3 + row) * width + piece.left - 7 + column] = piece.coverage[column, row]
          }
        }
      }
      #expect(found == bytes, "seed \(random.seed)")
    }
  }

  @Test(arguments: [
    "{\\fs999999999}x", "{\\fscx99999999\\fscy99999999}x", "{\\bord99999}x", "{\\blur99999\\be99999}x",
    "{\\p1}m 0 0 l 99999999 0 99999999 99999999{\\p0}", "{\\p30}m 0 0 b 1 1 2 2 3 3", "{\\pos(1e300,nan)}x",
    "{\\frx89.9\\fry89.9\\fscx10000}x", "{\\clip(0,0,-1,99999999)}x", "{\\iclip(m 0 0 l 1 1)}x", "{", "\\",
    "{\\r{\\r{\\r",
    "{\\t({\\t({\\t(", "{\\fn../../../etc/passwd}x", "{\\fsp1e9}xxxx", "{\\xbord1e30}x", "{\\org(1e9,1e9)\\frz45}x",
    "\u{202E}\u{202D}\u{200F}", "\0", String(repeating: "\u{301}", count: 5000),
    String(repeating: "{\\b1}x", count: 5000),
    String(repeating: "x", count: 20_000),
  ])
  func hostileTextsEnd(text: String) throws {
    let renderer = try SubtitleRenderer()
    for script in [Self.plain, Self.styled] {
      renderer.load(script)
      let picture = renderer.picture([Self.event(text)], at: MediaTime(seconds: 0.5), size: Self.size)
      #expect(picture.pieces.reduce(0) { $0 + $1.coverage.bytes.count } <= SubtitlePicture.byteLimit)
      let next = renderer.picture([Self.event("Hxg")], at: MediaTime(seconds: 0.5), size: Self.size)
      #expect(!next.isEmpty, "afterwards all is as before")
    }
  }

  @Test func hostileScriptsAndFontsAreHandled() throws {
    var random = SeededGenerator(for: "hostileScriptsAndFontsAreHandled")
    let renderer = try SubtitleRenderer()
    for _ in 0..<100 {
      var header = Array(Self.styled.header.utf8)
      for _ in 0..<20 {
        header[Int.random(in: 0..<header.count, using: &random)] = UInt8.random(in: 0...127, using: &random)
      }
      renderer.load(
        SubtitleScript(header: String(decoding: header, as: UTF8.self), isStyled: Bool.random(using: &random)))
      let line = (0..<60).map { _ in "{\\}&(),0123456789bclmnoprstxN".randomElement(using: &random) ?? "x" }
      for time in [0, 0.3, 0.7] {
        _ = renderer.picture([Self.event(String(line))], at: MediaTime(seconds: time), size: Self.size)
      }
    }
    let noise = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let font = SubtitleScript.Font(name: "noise.ttf", bytes: [0, 1, 0, 0, 0, 9] + noise)
    renderer.load(SubtitleScript(header: Self.styled.header, isStyled: true, fonts: [font, font]))
    #expect(!renderer.picture([Self.event("Hxg")], at: .zero, size: Self.size).isEmpty)
    renderer.load(Self.plain)
    #expect(!renderer.picture([Self.event("Hxg")], at: .zero, size: Self.size).isEmpty)
    for size in [
      PictureSize(width: 0, height: 0), PictureSize(width: 1, height: 1), PictureSize(width: 1 << 20, height: 9),
    ] {
      _ = renderer.picture([Self.event("Hxg")], at: .zero, size: size)
    }
  }
}

@Suite(.tier(.test), .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
struct SubtitleOnTargetTests {
  @Test func subtitlesOnTargetsMatchTheTwin() throws {
    let screen = try CanvasScreen(PictureSize(width: 640, height: 200))
    let renderer = try SubtitleRenderer()
    renderer.load(SubtitleTests.plain)
    let view = try screen.drawn(nil)
    var canvas = Canvas()
    let text = "A line that is {\\i1}longer{\\i0} than a piece is {\\c&H00FFFF&}wide"
    renderer.picture([SubtitleTests.event(text)], at: .zero, size: PictureSize(width: 640, height: 200)).draw(
      on: &canvas, at: Canvas.Point(0, 0))
    let seen = try screen.drawn(canvas)
    #expect(largestDifference(seen, screen.expected(canvas, over: view)) <= 2)
    #expect(seen != view && screen.painter.leftOut == 0)
  }
}
