import Bench360Player
import Foundation
import Frames
import Overlay
import Playlists
import Render
import Support
import Testing
import Viewer
import Window

/// Every screen and panel can be drawn in every window: from one pixel to 16384, at each of the user's scales. `ControlLayoutTests` has the
/// bar, its menus and its keys.
@Suite(.tier(.test)) struct PanelSizeTests {
  private static let longName = "/films/" + String(repeating: "a walk by the river, in spring ", count: 8) + ".mp4"

  /// All low and narrow windows, and random others.
  private static func sizes(_ random: inout SeededGenerator) -> [PictureSize] {
    func side(_ random: inout SeededGenerator) -> Int {
      Int(exp2(Double.random(in: 0...14, using: &random)).rounded())
    }
    let low = (1...48).map { PictureSize(width: [1, 30, 640, 16384].randomElement(using: &random) ?? 1, height: $0) }
    let narrow = (1...48).map { PictureSize(width: $0, height: side(&random)) }
    return low + narrow + (0..<30).map { _ in PictureSize(width: side(&random), height: side(&random)) }
  }

  /// Positions are numbers, and nothing has a negative side.
  private static func isSound(_ canvas: Canvas) -> Bool {
    canvas.items.allSatisfy { item in
      switch item {
      case .rectangle(let box, _, _, _): isSound(box)
      case .picture(_, let box, _, _): isSound(box)
      case .text(_, let style, let point, _, _): style.height.isFinite && style.height > 0 && isSound(point)
      case .line(let start, let end, _, _): isSound(start) && isSound(end)
      case .triangle(let one, let other, let third, _): isSound(one) && isSound(other) && isSound(third)
      case .coverage(_, let point, _): isSound(point)
      }
    }
  }

  private static func isSound(_ point: Canvas.Point) -> Bool { point.x.isFinite && point.y.isFinite }

  private static func isSound(_ box: Canvas.Box) -> Bool {
    box.left.isFinite && box.top.isFinite && box.width.isFinite && box.height.isFinite && box.width >= 0
      && box.height >= 0
  }

  /// Draws in windows of every size.
  private static func draw(
    _ name: String, _ body: (PictureSize, _ scale: Double, inout SeededGenerator) -> Canvas
  ) {
    var random = SeededGenerator(for: name)
    for size in sizes(&random) {
      let scale = Double.random(in: 0.5...4, using: &random)
      // Not within the expectation, which would print the canvas.
      let isSound = isSound(body(size, scale, &random))
      #expect(isSound, "\(size), scale \(scale)")
    }
  }

  @Test func theStartScreen() {
    Self.draw("theStartScreen") { size, scale, random in
      var screen = StartScreen(recent: RecentFiles((0..<9).map { "/\($0)" + Self.longName }), home: "/home/me")
      for scalar in Self.longName.unicodeScalars.prefix(Int.random(in: 0...99, using: &random)) { screen.type(scalar) }
      if Bool.random(using: &random) { screen.complaint = "cannot open '\(Self.longName)': it does not exist" }
      if Bool.random(using: &random) { screen.work = StartScreen.Work(.named("Opens", value: "clip.mp4"), share: 0.4) }
      return screen.canvas(size, scale: scale, measure: ControlStage.measure).canvas
    }
  }

  @Test func theFileBrowser() {
    Self.draw("theFileBrowser") { size, scale, random in
      var browser = FileBrowser("/home/me" + Self.longName)
      browser.show((0..<40).map { FolderEntry(name: "\($0)" + Self.longName.dropFirst(7), bytes: 1 << 40) })
      if Bool.random(using: &random) { browser.fail("cannot list '\(Self.longName)'") }
      let page = browser.canvas(size, scale: scale, spin: 0.3, measure: ControlStage.measure)
      browser.fit(page.layout.rowCount)
      _ = browser.press([.end, .home, .pageDown, .up].randomElement(using: &random) ?? .end, [])
      return browser.canvas(size, scale: scale, measure: ControlStage.measure).canvas
    }
  }

  @Test func thePlaylist() {
    var panel = PlaylistPanel()
    let queue = PlayQueue((0..<30).map { PlaylistItem("/\($0)" + Self.longName) })
    panel.toggle(queue)
    Self.draw("thePlaylist") { size, scale, random in
      var canvas = Canvas()
      let keys: [Key] = [.end, .home, .pageDown, .pageUp, .up]
      _ = panel.handle(.key(keys.randomElement(using: &random) ?? .end, .pressed, []), queue)
      panel.draw(
        queue, on: &canvas, ControlStyle(size: size, scale: scale), size: size,
        bottom: Double.random(in: 0...300, using: &random), measure: ControlStage.measure
      ) { _ in PlaylistPanel.Details(duration: MediaTime(seconds: 3725)) }
      return canvas
    }
  }

  @Test func statisticsAndNotices() {
    var hud = HUD()
    hud.showsStatistics = true
    var facts = HUD.Facts()
    (facts.file, facts.stream, facts.presented) = (Self.longName, "720p, 2.4 Mbit/s", 100)
    facts.frameTimes = (0..<200).map { 33.3 + Double($0 % 7) }
    facts.camera = Camera(pan: -20)
    _ = hud.advance(to: MonotonicTime(nanoseconds: 1_000_000_000), facts)
    hud.say(Self.longName, at: MonotonicTime(nanoseconds: 1_000_000_000))
    Self.draw("statisticsAndNotices") { size, scale, random in
      var room = HUDRoom(size)
      (room.bottom, room.textSize) = (Double.random(in: 0...300, using: &random), scale)
      return hud.canvas(room, measure: ControlStage.measure)
    }
  }
}
