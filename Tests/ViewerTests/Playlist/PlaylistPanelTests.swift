import Encode
import Foundation
import Frames
import Overlay
import Playlists
import Support
import Testing
import Viewer
import Window

/// The list of clips at the side of the window.
@Suite struct PlaylistPanelTests {
  private static let size = PictureSize(width: 854, height: 480)

  private static func queue(_ count: Int = 5) -> PlayQueue {
    PlayQueue(
      (0..<count).map { number in
        var item = PlaylistItem(
          "/films/clip \(number).mp4", title: number == 1 ? "A walk by the river, in spring" : nil)
        item.duration = number == 2 ? MediaTime(seconds: 3725) : MediaTime(seconds: 61 * Double(number))
        return item
      })
  }

  private static func draw(
    _ panel: inout PlaylistPanel, _ queue: PlayQueue, measure: @escaping TextMeasure = ControlStage.measure
  ) -> Canvas {
    var canvas = Canvas()
    panel.draw(
      queue, on: &canvas, ControlStyle(size: size, scale: 1), size: size, bottom: 60, title: "Tours", measure: measure
    ) { item in
      PlaylistPanel.Details(picture: item.source.contains("2") ? nil : Self.picture)
    }
    return canvas
  }

  private static let picture = SmallPicture(
    rgba: (0..<144).flatMap { (pixel: Int) -> [UInt8] in [UInt8(pixel), UInt8(200 - pixel), 120, 255] },
    size: PictureSize(width: 16, height: 9),
    time: .zero)

  private static func press(_ panel: inout PlaylistPanel, _ key: Key, _ queue: PlayQueue, _ modifiers: Modifiers = [])
    -> [PlaylistPanel.Effect]?
  { panel.handle(.key(key, .pressed, modifiers), queue) }

  @Test func keysPlayRemoveAndMove() {
    var (panel, queue) = (PlaylistPanel(), Self.queue())
    #expect(Self.press(&panel, .down, queue) == nil, "hidden")
    _ = queue.advance()
    panel.toggle(queue)
    _ = Self.draw(&panel, queue)
    #expect(panel.isShown && panel.selected == 1)
    #expect(Self.press(&panel, .enter, queue) == [.play(1)])
    #expect(Self.press(&panel, .down, queue) == [] && panel.selected == 2)
    #expect(Self.press(&panel, .down, queue, .alt) == [.move(2, to: 3)] && panel.selected == 3)
    #expect(Self.press(&panel, .end, queue) == [] && panel.selected == 4)
    #expect(Self.press(&panel, .down, queue, .alt) == [], "no row behind the last")
    #expect(Self.press(&panel, .delete, queue) == [.remove(4)] && panel.selected == 3)
    #expect(Self.press(&panel, .v, queue, .control) == [.paste])
    #expect(Self.press(&panel, .p, queue) == nil, "other keys are the view's")
    #expect(Self.press(&panel, .escape, queue) == [] && !panel.isShown)
  }

  @Test func thePointerPlaysAndDrags() throws {
    var panel = PlaylistPanel()
    let queue = Self.queue()
    panel.toggle(queue)
    let canvas = Self.draw(&panel, queue)
    let places = canvas.items.compactMap { item -> Canvas.Point? in
      guard case .text(let text, _, let place, _, _) = item, text.hasPrefix("clip ") || text.hasPrefix("▶") else {
        return nil
      }
      return Canvas.Point(place.x, place.y + 3)
    }
    try #require(places.count >= 4)
    func point(_ place: Canvas.Point) { _ = panel.handle(.pointerMoved(PointerPlace(x: place.x, y: place.y)), queue) }
    point(places[2])
    #expect(panel.handle(.button(.left, isPressed: true, []), queue) == [] && panel.selected == 3)
    #expect(panel.handle(.button(.left, isPressed: false, []), queue) == [.play(3)])
    _ = panel.handle(.button(.left, isPressed: true, []), queue)
    point(places[0])
    #expect(panel.handle(.button(.left, isPressed: false, []), queue) == [.move(3, to: 0)] && panel.selected == 0)
    point(Canvas.Point(20, 200))
    #expect(panel.handle(.button(.left, isPressed: true, []), queue) == nil, "the view's")
    #expect(panel.handle(.scroll(right: 0, up: 1), queue) == nil)
  }

  /// Thousands of rows are not drawn, and the selected one is visible.
  @Test func longListsScroll() {
    var (panel, queue) = (PlaylistPanel(), Self.queue(5000))
    panel.toggle(queue)
    _ = Self.draw(&panel, queue)
    _ = Self.press(&panel, .end, queue)
    let canvas = Self.draw(&panel, queue)
    #expect(canvas.items.count < 80 && canvas.texts.contains { $0.contains("4999") })
    queue.replace(with: [PlaylistItem("only.mp4")])
    #expect(Self.draw(&panel, queue).texts.contains { $0.contains("only") })
    #expect(Self.press(&panel, .enter, queue) == [] || panel.selected == 0)
  }

  @Test(.tier(.test), .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
  func looksAsItDid() throws {
    var (panel, queue) = (PlaylistPanel(), Self.queue())
    _ = queue.advance()
    queue.repeats = .all
    queue.refuse(3)
    panel.toggle(queue)
    _ = Self.press(&panel, .down, queue)
    let canvas = Self.draw(&panel, queue)
    #expect(
      canvas.texts.isSuperset(of: ["Tours · 2 of 5 · repeats all", "1:01", "1:02:05", "cannot be played", "clip 0.mp4"]
      ),
      "\(canvas.texts)")
    let screen = try GoldenScreen(Self.size)
    let isGolden = try screen.isGolden(
      "playlist", Self.draw(&panel, queue) { screen.painter.measure($0, $1) }, measured: canvas)
    #expect(isGolden)
  }
}
