import Frames
import Overlay
import Testing
import Viewer

/// No text is cut off, in any language, down to the narrowest windows.
@Suite struct WordFitTests {
  @Test(arguments: WordScreen.allCases, ["320x180", "480x270", "1280x720"])
  func textsLieInTheWindow(screen: WordScreen, text: String) throws {
    let size = try #require(PictureSize(text))
    for words in Words.allCases {
      let canvas = screen.canvas(words, size, ControlStage.measure)
      #expect(canvas.texts.count > 0)
      // In English the panel keeps its hint on one line, which these letters are too wide for: WordPictureTests has real ones.
      for problem in Self.cutOff(canvas, words, size) where words != .english || !problem.contains("Enter plays") {
        Issue.record("\(words) \(screen) \(text): \(problem)")
      }
    }
  }

  @Test(arguments: Words.allCases, ["320x180", "1280x720"])
  func tooltipsLieInTheWindow(words: Words, text: String) throws {
    let size = try #require(PictureSize(text))
    for control in Control.allCases {
      guard let stage = WordScreen.tip(control, words, size) else { continue }
      let told = try #require(stage.bar.picture?.tip?.text)
      let all = Tooltip.text(for: control, KeyBindings(), words)
      #expect(told.filter { !$0.isWhitespace } == all.filter { !$0.isWhitespace })
      for problem in Self.cutOff(stage.drawn(), words, size) { Issue.record("\(words) \(control): \(problem)") }
    }
  }

  /// The list of keys has every word of the table, over as many pages as it needs.
  @Test(arguments: Words.allCases, ["320x180", "480x270", "640x360", "1280x720"])
  func helpIsWhole(words: Words, text: String) throws {
    let size = try #require(PictureSize(text))
    let rows = HelpSheet.rows(KeyBindings(), words)
    let sheet = HelpSheet(rows, size: size, scale: 1, words: words, measure: ControlStage.measure)
    var told = ""
    for page in sheet.pages.indices {
      var canvas = Canvas()
      sheet.draw(page, on: &canvas)
      for problem in Self.cutOff(canvas, words, size) { Issue.record("\(words) \(text): \(problem)") }
      for case .text(let line, _, _, _, .left) in canvas.items { told += line }
    }
    told = told.filter { !$0.isWhitespace }
    for row in rows where !told.contains(row.help.filter({ !$0.isWhitespace })) {
      // A text over several lines has keys of its column between them.
      for piece in LineBreaks.pieces(of: row.help) { #expect(told.contains(piece.text.filter { !$0.isWhitespace })) }
    }
    if size.width >= 1280 { #expect(sheet.pages.count == 1 && sheet.style.height >= 16) }
  }

  /// All notices at once would not be read; each is whole.
  @Test(arguments: Words.allCases)
  func noticesLieInTheWindow(words: Words) throws {
    let size = PictureSize(width: 320, height: 180)
    for text in Word.allCases.map({ words[$0] }) + Samples.phrases.map({ words[$0] }) {
      var hud = HUD()
      hud.say(text, at: MonotonicTime(nanoseconds: 0))
      let canvas = hud.canvas(HUDRoom(size), measure: ControlStage.measure)
      for problem in Self.cutOff(canvas, words, size) { Issue.record("\(words): \(problem)") }
    }
  }

  /// Texts of the bar lie in their controls, whose places do not depend on what they show.
  @Test(arguments: Words.allCases)
  func textsLieInTheirControls(words: Words) throws {
    let stage = LiveControlTests.stage(at: 322)
    for width in [320, 480, 854, 1280] {
      (stage.size, stage.facts.window.words, stage.facts.rate) = (PictureSize(width: width, height: 480), words, 0.25)
      stage.refresh()
      for (control, look) in stage.bar.picture?.looks ?? [:] {
        guard let text = look.text, let style = stage.bar.layout?.style.text else { continue }
        #expect(Double(ControlStage.measure(text, style).width) <= stage.box(control).width, "\(control) \(text)")
      }
    }
  }

  /// Texts that leave the window, or the sheet, button or row behind them; and shortened ones, by their mark.
  static func cutOff(
    _ canvas: Canvas, _ words: Words, _ size: PictureSize, measure: TextMeasure = ControlStage.measure
  ) -> [String] {
    let whole = Set(Word.allCases.map { words[$0] })
    let boxes = canvas.items.compactMap { item in
      if case .rectangle(let box, _, _, _) = item { box } else { nil }
    }
    let window = Canvas.Box(left: -1, top: -1, width: Double(size.width) + 2, height: Double(size.height) + 2)
    return canvas.items.compactMap { item in
      guard case .text(let text, let style, let place, _, let alignment) = item else { return nil }
      let extent = measure(text, style)
      let (width, height) = (Double(extent.width), Double(extent.height))
      let left = alignment == .center ? place.x - width / 2 : alignment == .right ? place.x - width : place.x
      let box = Canvas.Box(left: left, top: place.y, width: width, height: height)
      let behind = boxes.filter { $0.contains(box.center) }.min { $0.width * $0.height < $1.width * $1.height }
      let isInside = box.lies(in: window) && behind.map { box.left >= $0.left - 1 && box.right <= $0.right + 1 } ?? true
      let isWhole =
        !text.contains("…") || whole.contains(text) || text.contains("0 …") || text.contains("… 9")
      return isInside && isWhole ? nil : "'\(text)', \(Int(width)) × \(Int(height)) at \(place)"
    }
  }
}
