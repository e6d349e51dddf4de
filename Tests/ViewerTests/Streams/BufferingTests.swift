import Bench360Player
import Frames
import Testing
import Viewer

/// What the window says while the picture stands.
@Suite struct BufferingTests {
  private static func instant(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds * 1e9)) }

  @Test func theNoticeTellsWhy() {
    var buffering = Buffering()
    func text(_ isWaiting: Bool, _ trouble: NetworkTrouble?, _ seconds: Double) -> String? {
      buffering.notice(isWaiting: isWaiting, trouble: trouble, at: Self.instant(seconds))?.text
    }
    let refused = NetworkTrouble(.network, "connection refused")
    let missing = NetworkTrouble(.server, "the server answered 404 Not Found")
    #expect(text(true, nil, 1) == nil && text(true, nil, 1.1) == nil, "no flicker")
    #expect(text(true, nil, 1.25) == "Buffering")
    #expect(text(true, refused, 1.3) == "Reconnecting: connection refused")
    #expect(text(true, missing, 1.35) == "Trying again: the server answered 404 Not Found")
    #expect(text(true, nil, 1.4) == "Buffering")
    #expect(text(false, refused, 1.5) == nil, "pictures come")
    #expect(text(true, nil, 1.6) == nil, "a new wait")
  }

  @Test func theIndicatorTurns() {
    var buffering = Buffering()
    var turns: [Double] = []
    for step in 0...10 {
      let notice = buffering.notice(isWaiting: true, trouble: nil, at: Self.instant(Double(step) / 10))
      if let notice { turns.append(notice.spin) }
    }
    #expect(turns.count == 9 && zip(turns, turns.dropFirst()).allSatisfy { $0 < $1 })
  }

  /// It stands in the centre of each eye's view, and nothing else is moved by it.
  @Test func theNoticeIsDrawnForEachEye() {
    var hud = HUD()
    let size = PictureSize(width: 640, height: 360)
    let notice = HUD.Wait(text: "Buffering", spin: 0.2)
    let changes = [nil, notice, notice].map { hud.wait($0) }
    #expect(changes == [false, true, false] && !hud.isEmpty)
    var room = HUDRoom(size)
    let one = hud.canvas(room) { text, style in (text.count * Int(style.height / 2), Int(style.height)) }
    room.eyes = [0, 320].map { .init(left: $0, top: 0, width: 320, height: 360) }
    let two = hud.canvas(room) { text, style in (text.count * Int(style.height / 2), Int(style.height)) }
    #expect(!one.items.isEmpty && two.items.count == 2 * one.items.count)
    let hasGone = hud.wait(nil)
    #expect(hasGone && hud.isEmpty)
  }
}
