import Encode
import Foundation
import Frames
import GPU
import Overlay
import Render
import Support
import Testing

/// Canvases over a view, compared with a twin in plain Swift.
@Suite(.tier(.test), .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
struct CanvasTests {
  /// Of canvases with four items: devices blend in 8 bits, and each item over another may be rounded the other way.
  private static let rounding = 3

  private static let sizes = ["160x90", "97x61", "1x1", "333x7"]

  @Test(arguments: Shading.allCases, sizes)
  func agreesWithTheTwin(_ shading: Shading, _ size: String) throws {
    try Self.expectTheTwinsCanvases(8, shading, size)
  }

  @Test(.tier(.full), arguments: Shading.allCases, sizes)
  func manyCanvasesAgreeWithTheTwin(_ shading: Shading, _ size: String) throws {
    try Self.expectTheTwinsCanvases(40, shading, size)
  }

  /// Draws random canvases of four items.
  private static func expectTheTwinsCanvases(_ count: Int, _ shading: Shading, _ text: String) throws {
    let size = try #require(PictureSize(text))
    var generator = SeededGenerator(for: "agreesWithTheTwin")
    let screen = try CanvasScreen(size, shading)
    let view = try screen.drawn(nil)
    for _ in 0..<count {
      let canvas = Canvas.random(4, size: size, using: &generator)
      let difference = largestDifference(try screen.drawn(canvas), screen.expected(canvas, over: view))
      #expect(difference <= rounding, "seed \(generator.seed), \(canvas.items)")
    }
    #expect(try TestDevice.validationMessages() == [])
  }

  @Test(arguments: Canvas.Kind.allCases, Shading.allCases)
  func everyKindAgreesWithTheTwin(_ kind: Canvas.Kind, _ shading: Shading) throws {
    try Self.expectTheTwinsItems(15, kind, shading)
  }

  @Test(.tier(.full), arguments: Canvas.Kind.allCases, Shading.allCases)
  func manyOfEveryKindAgreeWithTheTwin(_ kind: Canvas.Kind, _ shading: Shading) throws {
    try Self.expectTheTwinsItems(80, kind, shading)
  }

  /// Draws random items of one kind.
  private static func expectTheTwinsItems(_ count: Int, _ kind: Canvas.Kind, _ shading: Shading) throws {
    let size = PictureSize(width: 97, height: 61)
    var generator = SeededGenerator(for: "everyKindAgreesWithTheTwin")
    let screen = try CanvasScreen(size, shading)
    let view = try screen.drawn(nil)
    for _ in 0..<count {
      let canvas = Canvas.random(1, kind, size: size, using: &generator)
      let difference = largestDifference(try screen.drawn(canvas), screen.expected(canvas, over: view))
      #expect(difference <= 1, "seed \(generator.seed), \(canvas.items)")
    }
  }

  /// Over both eyes' views, which do not confine it.
  @Test(arguments: Shading.allCases)
  func liesOverBothEyes(_ shading: Shading) throws {
    let size = PictureSize(width: 120, height: 40)
    var generator = SeededGenerator(for: "liesOverBothEyes")
    let screen = try CanvasScreen(size, shading, eye: .both)
    let view = try screen.drawn(nil)
    var canvas = Canvas.random(3, size: size, using: &generator)
    canvas.rectangle(.init(left: 30, top: 10, width: 60, height: 20), .white, radius: 5)
    #expect(
      largestDifference(try screen.drawn(canvas), screen.expected(canvas, over: view)) <= Self.rounding,
      "seed \(generator.seed)")
    #expect(try TestDevice.validationMessages() == [])
  }

  /// An empty canvas gives the same pixels as none, and neither affects later views.
  @Test(arguments: Shading.allCases)
  func anEmptyCanvasChangesNothing(_ shading: Shading) throws {
    let screen = try CanvasScreen(PictureSize(width: 64, height: 36), shading)
    let view = try screen.drawn(nil)
    #expect(try screen.drawn(Canvas()) == view)
    var canvas = Canvas()
    canvas.text("text", TextStyle(height: 20), at: .init(4, 4), .white)
    #expect(try screen.drawn(canvas) != view)
    #expect(try screen.drawn(nil) == view)
    #expect(try TestDevice.validationMessages() == [])
  }

  @Test func theSameItemsAreCopiedOnce() throws {
    var generator = SeededGenerator(for: "theSameItemsAreCopiedOnce")
    let size = PictureSize(width: 160, height: 90)
    let screen = try CanvasScreen(size)
    var canvas = Canvas()
    canvas.text("one", TextStyle(height: 20), at: .init(4, 4), .white)
    canvas.picture(.random(using: &generator), .init(left: 50, top: 10, width: 40, height: 30))
    let first = try screen.drawn(canvas)
    #expect(screen.painter.piecesCopied == 2)
    #expect(try screen.drawn(canvas) == first)
    #expect(screen.painter.piecesCopied == 2 && screen.painter.texts.misses == 1)
    // Moved and coloured otherwise it is still the same text.
    canvas.text("one", TextStyle(height: 20), at: .init(30, 40), .black)
    _ = try screen.drawn(canvas)
    #expect(screen.painter.piecesCopied == 2 && screen.painter.texts.misses == 1)
    canvas.text("two", TextStyle(height: 20), at: .init(30, 60), .black)
    _ = try screen.drawn(canvas)
    #expect(screen.painter.piecesCopied == 3)
  }

  /// Pieces of a canvas that was painted and not submitted are copied with the next submitted one.
  @Test func unsubmittedCanvasesAreCopiedLater() throws {
    let screen = try CanvasScreen(PictureSize(width: 80, height: 40))
    let view = try screen.drawn(nil)
    var canvas = Canvas()
    canvas.text("one", TextStyle(height: 20), at: .init(4, 4), .white)
    _ = screen.painter.paint(canvas)
    canvas.rectangle(.init(left: 1, top: 1, width: 3, height: 3), .black)
    #expect(largestDifference(try screen.drawn(canvas), screen.expected(canvas, over: view)) <= 2)
  }

  /// A cleared atlas drops pieces that were not copied yet.
  @Test func removedPiecesAreNotCopied() throws {
    let screen = try CanvasScreen(PictureSize(width: 80, height: 60), atlasSide: 64)
    let view = try screen.drawn(nil)
    var (vain, canvas) = (Canvas(), Canvas())
    let bytes = [UInt8](repeating: 90, count: 64 * 40)
    vain.coverage(Coverage(width: 64, height: 40, bytes: bytes), at: .init(0, 0), .white)
    canvas.coverage(Coverage(width: 64, height: 40, bytes: bytes.map { $0 + 9 }), at: .init(0, 0), .white)
    _ = screen.painter.paint(vain)
    #expect(largestDifference(try screen.drawn(canvas), screen.expected(canvas, over: view)) <= 1)
    #expect(screen.painter.piecesCopied == 1 && screen.painter.leftOut == 0)
  }

  /// Frames in flight keep the atlas that they were made with, while later ones overwrite it.
  @Test(arguments: Shading.allCases)
  func aFullAtlasStartsOver(_ shading: Shading) throws {
    let size = PictureSize(width: 120, height: 80)
    var generator = SeededGenerator(for: "aFullAtlasStartsOver")
    let screen = try CanvasScreen(size, shading, atlasSide: 128)
    let view = try screen.drawn(nil)
    var canvases: [Canvas] = []
    for index in 0..<24 {
      var canvas = Canvas()
      canvas.text("number \(index)", TextStyle(height: 24), at: .init(2, 2), .white)
      canvas.picture(.random(using: &generator), .init(left: 10, top: 30, width: 60, height: 40))
      canvases.append(canvas)
    }
    var shown: [[UInt8]] = []
    for canvas in canvases { try screen.submit(canvas) { shown.append($0.pixels ?? []) } }
    try screen.renderer.drain { shown.append($0.pixels ?? []) }
    try #require(shown.count == canvases.count)
    for (pixels, canvas) in zip(shown, canvases) {
      #expect(largestDifference(pixels, screen.expected(canvas, over: view)) <= 2, "seed \(generator.seed)")
    }
    #expect(screen.painter.leftOut == 0)
    #expect(try TestDevice.validationMessages() == [])
  }

  @Test func oversizedPiecesAreLeftOut() throws {
    let screen = try CanvasScreen(PictureSize(width: 90, height: 50), atlasSide: 64)
    let view = try screen.drawn(nil)
    func strip(_ width: Int, _ height: Int, _ value: UInt8) -> Coverage {
      Coverage(width: width, height: height, bytes: [UInt8](repeating: value, count: width * height))
    }
    var fitting = Canvas()
    fitting.coverage(strip(64, 40, 100), at: .init(0, 0), .white)
    _ = try screen.drawn(fitting)
    // A piece larger than an atlas does not clear it.
    var canvas = fitting
    canvas.coverage(strip(65, 1, 200), at: .init(0, 0), .white)
    #expect(largestDifference(try screen.drawn(canvas), screen.expected(fitting, over: view)) <= 1)
    #expect(screen.painter.leftOut == 1 && screen.painter.piecesCopied == 1)
    // Each fits by itself, not both: the first wins.
    canvas = fitting
    canvas.coverage(strip(64, 30, 50), at: .init(0, 0), .white)
    #expect(largestDifference(try screen.drawn(canvas), screen.expected(fitting, over: view)) <= 1)
    #expect(screen.painter.leftOut == 1)
    #expect(try screen.drawn(Canvas()) == view)
    #expect(screen.painter.leftOut == 0)
  }

  @Test(arguments: Shading.allCases)
  func followsTheTargetsSize(_ shading: Shading) throws {
    var generator = SeededGenerator(for: "followsTheTargetsSize")
    let screen = try CanvasScreen(PictureSize(width: 100, height: 60), shading)
    let canvas = Canvas.random(4, size: PictureSize(width: 100, height: 60), using: &generator)
    for text in ["100x60", "141x33", "20x90", "100x60"] {
      screen.renderer.targetSize = try #require(PictureSize(text))
      let view = try screen.drawn(nil)
      let difference = largestDifference(try screen.drawn(canvas), screen.expected(canvas, over: view))
      #expect(difference <= Self.rounding, "seed \(generator.seed), \(text)")
    }
    #expect(try TestDevice.validationMessages() == [])
  }

  /// More items than the first buffer of a frame holds, and fewer again.
  @Test func takesAsManyItemsAsThereAre() throws {
    let size = PictureSize(width: 60, height: 40)
    let screen = try CanvasScreen(size)
    let view = try screen.drawn(nil)
    for count in [3, 2400, 700, 5000, 1] {
      var canvas = Canvas()
      for index in 0..<count {
        let box = Canvas.Box(left: Double(index % 60), top: Double(index / 60 % 40), width: 1, height: 1)
        canvas.rectangle(box, Canvas.Color(Double(index % 7) / 7, 0.5, Double(index % 3) / 3))
      }
      #expect(largestDifference(try screen.drawn(canvas), screen.expected(canvas, over: view)) <= 1, "\(count) items")
    }
    #expect(try TestDevice.validationMessages() == [])
  }

  @Test func nonFinitePlacesAreNotDrawn() throws {
    let screen = try CanvasScreen(PictureSize(width: 40, height: 30))
    let view = try screen.drawn(nil)
    var canvas = Canvas()
    canvas.rectangle(.init(left: 5, top: 5, width: 0, height: 10), .white)
    canvas.rectangle(.init(left: 5, top: 5, width: -8, height: 10), .white)
    canvas.rectangle(.init(left: .nan, top: 5, width: 8, height: 10), .white)
    canvas.rectangle(.init(left: 5, top: 5, width: .infinity, height: 10), .white)
    canvas.line(from: .init(.nan, 0), to: .init(9, 9), width: 2, .white)
    canvas.line(from: .init(0, 0), to: .init(9, 9), width: 0, .white)
    canvas.triangle(.init(0, 0), .init(.infinity, 0), .init(9, 9), .white)
    canvas.triangle(.init(0, 0), .init(4, 4), .init(9, 9), .white)
    canvas.text("x", TextStyle(height: .nan), at: .init(5, 5), .white)
    canvas.text("x", TextStyle(height: 10), at: .init(.nan, 5), .white)
    canvas.text(" \n ", TextStyle(height: 10), at: .init(5, 5), .white)
    #expect(try screen.drawn(canvas) == view)
    #expect(try TestDevice.validationMessages() == [])
  }

  /// Looked at once; without letters, which differ from one machine's fonts to another's.
  @Test(arguments: Shading.allCases)
  func looksAsItDid(_ shading: Shading) throws {
    let size = PictureSize(width: 320, height: 180)
    let pixels = try CanvasScreen(size, shading).drawn(.sampleControls(size, hasText: false))
    let file = TestFolders.repository + "/Tests/OverlayTests/Golden/controls.png"
    if ProcessInfo.processInfo.environment["BENCH360_REWRITE_GOLDEN"] == "1" {
      try writePNG(rgba: pixels, size: size, to: file)
    }
    let golden = try CommandOutput.of(
      "ffmpeg", ["-v", "error", "-i", file, "-f", "rawvideo", "-pix_fmt", "rgba", "-"])
    try #require(golden.output.count == pixels.count, "\(golden.errors)")
    #expect(largestDifference(Array(golden.output), pixels) <= 2)
  }
}

extension Canvas {
  /// Every shape and sign, as a control bar and a graph would have them.
  static func sampleControls(_ size: PictureSize, hasText: Bool) -> Canvas {
    let (width, height) = (Double(size.width), Double(size.height))
    var canvas = Canvas()
    canvas.rectangle(.init(left: 8, top: height - 44, width: width - 16, height: 36), .black.opacity(0.6), radius: 8)
    for (index, icon) in Icon.allCases.prefix(8).enumerated() {
      canvas.icon(icon, in: Box(left: 18 + 36 * Double(index), top: height - 36, width: 20, height: 20), .white)
    }
    canvas.rectangle(.init(left: 8, top: 54, width: 108, height: 58), .black.opacity(0.6), radius: 8)
    for (index, icon) in Icon.allCases.dropFirst(8).enumerated() {
      let place = (left: 12 + 20 * Double(index % 5), top: 56 + 18 * Double(index / 5))
      canvas.icon(icon, in: Box(left: place.left, top: place.top, width: 18, height: 18), .white)
    }
    canvas.rectangle(.init(left: 20, top: height - 56, width: width - 40, height: 4), .white.opacity(0.4), radius: 2)
    canvas.rectangle(
      .init(left: 20, top: height - 56, width: width / 2.5, height: 4), Color(0.2, 0.6, 1), radius: 2)
    canvas.rectangle(
      .init(left: 13.5 + width / 2.5, top: height - 60.5, width: 13, height: 13), .white, radius: 6.5)
    canvas.rectangle(.init(left: 200, top: 10, width: 110, height: 50), .black.opacity(0.5))
    var times: [Point] = []
    for index in 0..<20 {
      let height = Double(index * 7 % 5) / 5 - 0.5
      times.append(Point(205 + 5 * Double(index), 35 + 24 * height))
    }
    canvas.polyline(times, width: 1.5, Color(0.3, 1, 0.4))
    canvas.rectangle(.init(left: 200, top: 10, width: 110, height: 50), .white.opacity(0.8), radius: 4, border: 1)
    var bytes: [UInt8] = []
    for pixel in 0..<48 * 27 { bytes += [UInt8(pixel % 48 * 5), UInt8(pixel / 48 * 9), 128, 255] }
    canvas.picture(
      SmallPicture(rgba: bytes, size: PictureSize(width: 48, height: 27), time: .zero),
      Box(left: 120, top: 70, width: 96, height: 54), radius: 6)
    guard hasText else { return canvas }
    canvas.text("60.0 fps  16.7 ms\nдекод 日本語 שלום", TextStyle(height: 18), at: .init(10, 8), .white)
    canvas.text(
      "01:23 / 10:00", TextStyle(height: 14, isMonospaced: true), at: .init(width - 16, 64), .white,
      alignment: .right)
    return canvas
  }
}
