import Frames
import Overlay
import Render
import Testing
import Viewer

@Suite struct HUDTests {
  private func at(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(seconds * 1e9)) }

  private func facts(_ presented: Int) -> HUD.Facts {
    var facts = HUD.Facts()
    facts.file = "clip.mp4"
    (facts.presented, facts.dropped, facts.late, facts.queueDepth) = (presented, 3, 2, 8)
    facts.renderMilliseconds = 4.26
    (facts.readMilliseconds, facts.decodeMilliseconds, facts.inputMilliseconds) = (0.21, 17.04, 5.55)
    facts.frameTimes = (0..<presented).map { $0 % 50 == 49 ? 50 : 33.3 }
    (facts.device, facts.decoder, facts.upload) = ("a GPU", "h264, 2 threads", "direct")
    facts.camera = Camera(pan: -20.04, tilt: 5, fieldOfView: 85)
    return facts
  }

  private func texts(_ hud: HUD) -> [String] {
    hud.canvas(PictureSize(width: 1280, height: 720)) { text, style in (text.count * 10, Int(style.height)) }.items
      .compactMap { if case .text(let text, _, _, _, _) = $0 { text } else { nil } }
  }

  @Test func statisticsChangeFourTimesASecond() {
    var hud = HUD()
    hud.showsStatistics = true
    var (asked, changes) = (0, 0)
    for tick in 0..<120 {
      let hasChanged = hud.advance(to: at(Double(tick) / 60)) {
        asked += 1
        return facts(tick / 2)
      }
      changes += hasChanged ? 1 : 0
    }
    #expect((7...9).contains(asked) && changes == asked, "\(asked), \(changes)")
    let text = texts(hud).first ?? ""
    #expect(text.contains("30.0 fps") || text.contains("28.") || text.contains("32."), "\(text)")
    for part in [
      "clip.mp4", "3 dropped", "2 late", "read 0.2 ms", "decode 17.0 ms", "view 4.3 ms", "queue 8",
      "hand to view 5.6 ms",
      "h264, 2 threads", "pan -20.0°", "85.0° high",
    ] {
      #expect(text.contains(part), "'\(part)' is not in \(text)")
    }
    // While it stands nothing changes but the rate, once.
    var later = 0
    for tick in 120..<240 where hud.advance(to: at(Double(tick) / 60), { facts(59) }) { later += 1 }
    #expect(later <= 2)
    hud.showsStatistics = false
    let hasGone = hud.advance(to: at(4.1)) { facts(0) }
    #expect(hasGone && hud.isEmpty && texts(hud).isEmpty)
  }

  /// A bar for each frame: those of another length than most stand out.
  @Test func theGraphShowsUnevenFrames() {
    var hud = HUD()
    hud.showsStatistics = true
    _ = hud.advance(to: at(0)) { facts(100) }
    let canvas = hud.canvas(PictureSize(width: 1280, height: 720)) { text, style in
      (text.count * 10, Int(style.height) * text.split(separator: "\n").count)
    }
    var bars: [Canvas.Color: [Canvas.Box]] = [:]
    for case .rectangle(let box, let color, let radius, _) in canvas.items where radius == 0 {
      bars[color, default: []].append(box)
    }
    #expect(bars.values.map(\.count).sorted() == [2, 98])
    let (uneven, even) = (bars.values.first { $0.count == 2 } ?? [], bars.values.first { $0.count == 98 } ?? [])
    #expect(Set(uneven.map(\.bottom)).union(even.map(\.bottom)).count == 1)
    #expect(abs(uneven[0].height / even[0].height - 50 / 33.3) < 0.01)
    let small = hud.canvas(PictureSize(width: 320, height: 120)) { text, style in
      (text.count * 7, Int(style.height) * text.split(separator: "\n").count)
    }
    #expect(small.items.count < canvas.items.count, "there is no room for it")
  }

  @Test func messagesGoByThemselves() {
    var hud = HUD()
    hud.say("first", at: at(0))
    hud.say("second", at: at(1))
    #expect(texts(hud) == ["second"] && !hud.isEmpty)
    let early = hud.advance(to: at(3.4)) { facts(0) }
    let gone = hud.advance(to: at(3.6)) { facts(0) }
    #expect(!early && gone && hud.isEmpty)
  }
}
