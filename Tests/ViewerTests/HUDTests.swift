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
    facts.milliseconds.render = 4.26
    (facts.milliseconds.read, facts.milliseconds.decode, facts.milliseconds.input) = (0.21, 17.04, 5.55)
    facts.frameTimes = (0..<presented).map { $0 % 50 == 49 ? 50 : 33.3 }
    (facts.device, facts.decoder, facts.upload) = ("a GPU", "h264, 2 threads", "direct")
    facts.camera = Camera(pan: -20.04, tilt: 5, fieldOfView: 85)
    return facts
  }

  private func texts(_ hud: HUD) -> [String] {
    hud.canvas(HUDRoom(PictureSize(width: 1280, height: 720)), measure: ControlStage.measure).items
      .compactMap { if case .text(let text, _, _, _, _) = $0 { text } else { nil } }
  }

  @Test func statisticsUpdateFourTimesASecond() {
    var hud = HUD()
    hud.showsStatistics = true
    var (asked, changes) = (0, 0)
    for tick in 0..<120 {
      let now = at(Double(tick) / 60)
      asked += hud.wantsFacts(at: now) ? 1 : 0
      let hasChanged = hud.advance(to: now, facts(tick / 2))
      changes += hasChanged ? 1 : 0
    }
    #expect((7...9).contains(asked) && changes == asked, "\(asked), \(changes)")
    let text = texts(hud).first ?? ""
    #expect(text.contains("30.0 frames/s") || text.contains("28.") || text.contains("32."), "\(text)")
    for part in [
      "clip.mp4", "3 dropped", "2 late", "read 0.2 ms", "decode 17.0 ms", "render 4.3 ms", "8 queued",
      "input 5.6 ms", "decoder h264, 2 threads", "upload direct", "device a GPU", "pan -20.0°", "field of view 85.0°",
    ] {
      #expect(text.contains(part), "'\(part)' is not in \(text)")
    }
    // While paused only the rate changes, once.
    var later = 0
    for tick in 120..<240 where hud.advance(to: at(Double(tick) / 60), facts(59)) { later += 1 }
    #expect(later <= 2)
    hud.showsStatistics = false
    let hasGone = hud.advance(to: at(4.1), facts(0))
    #expect(hasGone && hud.isEmpty && texts(hud).isEmpty)
  }

  /// One bar per frame; uneven ones have another colour.
  @Test func theGraphShowsUnevenFrames() {
    var hud = HUD()
    hud.showsStatistics = true
    _ = hud.advance(to: at(0), facts(100))
    let canvas = hud.canvas(HUDRoom(PictureSize(width: 1280, height: 720)), measure: ControlStage.measure)
    var bars: [Canvas.Color: [Canvas.Box]] = [:]
    for case .rectangle(let box, let color, let radius, _) in canvas.items where radius == 0 {
      bars[color, default: []].append(box)
    }
    #expect(bars.values.map(\.count).sorted() == [2, 98])
    let (uneven, even) = (bars.values.first { $0.count == 2 } ?? [], bars.values.first { $0.count == 98 } ?? [])
    #expect(Set(uneven.map(\.bottom)).union(even.map(\.bottom)).count == 1)
    #expect(abs(uneven[0].height / even[0].height - 50 / 33.3) < 0.01)
    let small = hud.canvas(HUDRoom(PictureSize(width: 320, height: 80)), measure: ControlStage.measure)
    #expect(small.items.count < canvas.items.count, "no room for the graph")
  }

  @Test func noticesExpire() {
    var hud = HUD()
    hud.say("first", at: at(0))
    hud.say("second", at: at(1))
    #expect(texts(hud) == ["second"] && !hud.isEmpty)
    let early = hud.advance(to: at(3.4), facts(0))
    let gone = hud.advance(to: at(3.6), facts(0))
    #expect(!early && gone && hud.isEmpty)
  }

  /// Nothing is cut off in a small window: text, graph, its labels and the legend lie above the controls.
  @Test(arguments: [(320, 200, 0.0), (320, 200, 55), (640, 360, 55), (1280, 720, 74), (3840, 2160, 111)])
  func statisticsFit(width: Int, height: Int, bottom: Double) throws {
    var hud = HUD()
    hud.showsStatistics = true
    var facts = facts(100)
    facts.device = "llvmpipe (LLVM 15.0.6, 256 bits)"
    _ = hud.advance(to: at(0), facts)
    var room = HUDRoom(PictureSize(width: width, height: height))
    room.bottom = bottom
    let canvas = hud.canvas(room, measure: ControlStage.measure)
    let free = Canvas.Box(left: 0, top: 0, width: Double(width), height: Double(height) - bottom)
    for item in canvas.items {
      switch item {
      case .rectangle(let box, _, _, _): #expect(box.lies(in: free), "\(box)")
      case .text(let text, let style, let place, _, let alignment):
        let extent = ControlStage.measure(text, style)
        let left = alignment == .right ? place.x - Double(extent.width) : place.x
        let box = Canvas.Box(left: left, top: place.y, width: Double(extent.width), height: Double(extent.height))
        #expect(box.lies(in: free), "'\(text)' at \(box)")
      default: break
      }
    }
    let all = canvas.items.compactMap { if case .text(let text, _, _, _, _) = $0 { text } else { nil } }
    #expect(all.contains("16.7 ms") && all.contains("33.3 ms"), "the lines of the graph have units")
    #expect(all.contains { $0.contains("orange") }, "the graph has a legend")
  }

  private func notice(_ room: HUDRoom) -> [(box: Canvas.Box, center: Double)] {
    var hud = HUD()
    hud.say("Projection: Flat", at: at(0))
    return hud.canvas(room, measure: ControlStage.measure).items.compactMap {
      if case .rectangle(let box, _, _, _) = $0 { (box: box, center: box.center.x) } else { nil }
    }
  }

  @Test func noticesDoNotCoverSubtitles() throws {
    var room = HUDRoom(PictureSize(width: 640, height: 360))
    let usual = try #require(notice(room).first?.box)
    // At the bottom as usual, at the top as some ASS files have them, in both places.
    let (low, high) = (
      Canvas.Box(left: 100, top: 300, width: 440, height: 40), Canvas.Box(left: 100, top: 4, width: 440, height: 60)
    )
    for subtitles in [[low], [high], [low, high]] {
      room.subtitles = subtitles
      let box = try #require(notice(room).first?.box)
      for line in subtitles { #expect(!box.overlaps(line), "\(box) covers \(line)") }
      #expect(box.bottom <= 360 && (subtitles == [low]) == (box == usual))
    }
  }

  @Test func noticesAreCentredInEachEye() {
    let size = PictureSize(width: 640, height: 360)
    var geometry = PictureGeometry(projection: .equirectangular)
    #expect(notice(HUDRoom(geometry.regions(in: size))).map(\.center) == [320])
    geometry.eye = .both
    let room = HUDRoom(geometry.regions(in: size))
    #expect(notice(room).map(\.center) == [160, 480])
    for (notice, eye) in zip(notice(room), room.eyes) { #expect(notice.box.lies(in: eye)) }
  }
}
