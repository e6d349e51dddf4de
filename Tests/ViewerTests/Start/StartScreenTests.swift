import Frames
import Overlay
import Support
import Testing
import Viewer
import Window

@Suite struct StartScreenTests {
  private static func screen(_ recent: [String] = ["/a/one.mp4", "/b/two.mp4"]) -> StartScreen {
    StartScreen(recent: RecentFiles(recent), home: "/home/me") { folder in
      folder == "/clips/" ? ["lake-1.mp4", "lake-2.mp4", "tunnel/"] : folder == "." ? ["only.mkv", ".hidden"] : []
    }
  }

  private static func press(_ screen: inout StartScreen, _ keys: [Key], copied: String? = nil) -> StartScreen.Choice? {
    keys.reduce(nil) { $0 ?? screen.press($1, [], clipboard: { copied }) }
  }

  @Test func arrowsWrapAndEnterChooses() {
    var screen = Self.screen()
    #expect(screen.entries == [.builtIn, .browse, .field, .recent("/a/one.mp4"), .recent("/b/two.mp4")])
    #expect(Self.press(&screen, [.enter]) == .builtIn)
    #expect(Self.press(&screen, [.down, .enter]) == .browse)
    #expect(Self.press(&screen, [.down, .down, .enter]) == .open("/a/one.mp4"))
    #expect(Self.press(&screen, [.down, .down, .enter]) == .builtIn)
    #expect(Self.press(&screen, [.up, .enter]) == .open("/b/two.mp4"))
    #expect(Self.press(&screen, [.tab, .tab, .tab, .enter]) == nil, "the field is empty")
  }

  @Test func typedTextGoesIntoTheField() {
    var screen = Self.screen()
    for scalar in "~/a b.mp4".unicodeScalars { screen.type(scalar) }
    #expect(Self.press(&screen, [.backspace, .enter]) == .open("/home/me/a b.mp"))
    #expect(screen.press(.u, .control, clipboard: { nil }) == nil)
    #expect(screen.press(.v, .control, clipboard: { "file:///x/y%20z.mp4\nmore" }) == nil)
    #expect(Self.press(&screen, [.enter]) == .open("/x/y z.mp4"))
    #expect(Self.press(&screen, [.escape, .enter]) == nil)
  }

  @Test func tabCompletesTheCommonPrefix() {
    var screen = Self.screen()
    for scalar in "/clips/l".unicodeScalars { screen.type(scalar) }
    _ = Self.press(&screen, [.tab])
    #expect(screen.field.text == "/clips/lake-")
    screen.type("2")
    _ = Self.press(&screen, [.tab])
    #expect(screen.field.text == "/clips/lake-2.mp4" && screen.selected == .field)
    screen.field.clear()
    screen.type("o")
    _ = Self.press(&screen, [.tab])
    #expect(screen.field.text == "only.mkv")
  }

  @Test func onlyEscapeWorksWhileBusy() {
    var screen = Self.screen()
    screen.work = .init(.opening("x"))
    #expect(Self.press(&screen, [.enter, .down]) == nil && screen.selected == .builtIn)
    screen.type("a")
    #expect(screen.field.text.isEmpty && screen.choose(.builtIn) == nil)
    #expect(Self.press(&screen, [.escape]) == .cancel)
  }

  /// In windows of all sizes the choices lie inside and do not overlap.
  @Test func layoutFitsAllWindows() {
    let recent = (0..<30).map { "/a/very/long/folder/name/that/goes/on/and/on/\($0)/clip with a long name \($0).mp4" }
    for (width, height) in [(320, 180), (640, 360), (1280, 720), (3840, 2160), (400, 1200)] {
      for scale in [1.0, 1.5, 2] {
        var screen = Self.screen(recent)
        screen.complaint = "cannot open 'x': it is truncated, damaged, or not a video — copy or download it again"
        let (canvas, layout) = screen.canvas(
          PictureSize(width: width, height: height), scale: scale, measure: ControlStage.measure)
        #expect(layout.boxes.map(\.entry) == screen.entries && screen.entries.count == 11)
        for (one, next) in zip(layout.boxes, layout.boxes.dropFirst()) { #expect(one.box.bottom <= next.box.top) }
        for (entry, box) in layout.boxes {
          #expect(box.left >= 0 && box.right <= Double(width) && box.top >= 0)
          #expect(height < 300 || box.bottom <= Double(height), "\(width)x\(height) \(scale)")
          #expect(layout.entry(at: box.center.x, box.center.y) == entry)
        }
        for case .text(let text, let style, let place, _, let alignment) in canvas.items {
          let wide = Double(ControlStage.measure(text, style).width)
          let left = alignment == .right ? place.x - wide : place.x
          #expect(left >= 0 && left + wide <= Double(width) || width < 400, "\(width)x\(height) \(scale): \(text)")
        }
      }
    }
  }

  /// Letters are typed here, so that the screens name the key that quits.
  @Test func bothScreensNameTheKeyThatQuits() throws {
    var browser = FileBrowser("/clips")
    browser.show([FolderEntry(name: "lake.mp4", bytes: 1)])
    for (width, height) in [(640, 360), (1280, 720), (3840, 2160)] {
      let size = PictureSize(width: width, height: height)
      for canvas in [
        Self.screen().canvas(size, measure: ControlStage.measure).canvas,
        browser.canvas(size, measure: ControlStage.measure).canvas,
      ] {
        let hints = canvas.items.compactMap { item -> Double? in
          guard case .text(let text, let style, let place, _, _) = item, text.contains("Ctrl+Q quits") else {
            return nil
          }
          return place.y + style.height
        }
        #expect(hints.count == 1 && hints[0] <= Double(height), "\(size): \(hints)")
      }
      let (canvas, layout) = browser.canvas(size, measure: ControlStage.measure)
      for case .text(let text, _, let place, _, _) in canvas.items where text.contains("Ctrl+Q") {
        #expect(layout.boxes.allSatisfy { $0.box.bottom <= place.y }, "below the rows")
      }
    }
    let effect = KeyBindings().effect(of: .q, .pressed, .control)
    #expect(effect == .once(.quit))
  }

  @Test func recentClipsAreUniqueNewestFirst() {
    var recent = RecentFiles(text: "/a\n/b\n\n/c\n")
    recent.add("/b")
    recent.add("https://me:secret@example.org/clip.mp4")
    recent.add("/with\nbreak")
    recent.add("https://example.org/a@b.mp4")
    #expect(recent.paths == ["https://example.org/a@b.mp4", "/b", "/a", "/c"])
    #expect(RecentFiles(text: recent.text) == recent)
    for number in 0..<100 { recent.add("/\(number)") }
    #expect(recent.paths.count == 20 && recent.paths.first == "/99")
  }

  @Test func fieldKeepsItsLimits() {
    var field = PathField()
    var random = SeededGenerator(for: "fieldKeepsItsLimits")
    for _ in 0..<2000 {
      switch Int.random(in: 0..<6, using: &random) {
      case 0: field.deleteBackward()
      case 1: field.paste(String(repeating: "%4", count: Int.random(in: 0..<40, using: &random)) + "\u{7}\"")
      case 2: field.complete(home: "/h") { _ in ["é", "e\u{301}x", "\u{2028}"] }
      default: Unicode.Scalar(UInt32.random(in: 0..<0x3000, using: &random)).map { field.type($0) }
      }
      #expect(field.text.utf8.count <= 4100 && !field.text.contains(where: \.isNewline))
      _ = field.path(home: "/h")
    }
  }
}
