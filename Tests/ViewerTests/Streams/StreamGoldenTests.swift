import Bench360Player
import Encode
import Foundation
import Frames
import GPU
import Overlay
import Render
import Streaming
import Support
import Testing
import Viewer

/// The window in each state of a stream. Looked at once; `BENCH360_REWRITE_GOLDEN=1` draws them anew, to be looked at again, and
/// `BENCH360_LETTERS=FOLDER` draws them with letters there. A bar stands for each line of letters, which differ from one machine's fonts
/// to another's; the letters stand in the test.
@Suite(.tier(.test), .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
struct StreamGoldenTests {
  enum State: String, CaseIterable, Sendable {
    case live, behind, ended, dateless, buffering, reconnecting, lost, refused, back, network, quality, audio,
      subtitles,
      preview, breaks

    /// States of a live stream, which has video alone here.
    var isLive: Bool { [.live, .behind, .ended, .dateless, .buffering, .network].contains(self) }
  }

  static let size = PictureSize(width: 854, height: 480)

  @Test func statesLookAsTheyDid() throws {
    let screen = try GoldenScreen(Self.size)
    for state in State.allCases {
      let canvas = Self.canvas(state, screen)
      #expect(canvas.texts.isSuperset(of: Self.texts(state)), "\(state): \(canvas.texts)")
      let isGolden = try screen.isGolden(state.rawValue, canvas, measured: Self.canvas(state, nil))
      #expect(isGolden, "\(state)")
    }
  }

  private static func texts(_ state: State) -> Set<String> {
    switch state {
    case .live: ["LIVE", "12:06:34", "720p", "1×"]
    case .behind: ["LIVE", "12:05:22", "720p"]
    case .ended: ["ENDED", "12:05:22"]
    case .dateless: ["LIVE", "−1:12"]
    case .buffering: ["Buffering", "LIVE"]
    case .reconnecting: ["Reconnecting: connection refused", "0:12 / 1:00"]
    case .lost: ["The network is lost (connection refused): 12 s are loaded ahead", "0:12 / 1:00"]
    case .refused: ["Loading fails (the server answered 503 Service Unavailable): 12 s are loaded ahead"]
    case .back: ["The network is back", "0:12 / 1:00"]
    case .network: ["2.4 Mbit/s", "LIVE"]
    case .quality: ["Auto", "720p", "360p · 0.9 Mbit/s", "720p · 2.4 Mbit/s"]
    case .audio: ["English", "Deutsch", "English, audio description"]
    case .subtitles: ["Off", "English", "Deutsch"]
    case .preview: ["0:16"]
    case .breaks: ["0:12 / 1:00"]
    }
  }

  private static func canvas(_ state: State, _ screen: GoldenScreen?) -> Canvas {
    let measure: TextMeasure = screen.map { screen in { screen.painter.measure($0, $1) } } ?? ControlStage.measure
    let stage = stage(state)
    var canvas = Canvas()
    var room = HUDRoom(size)
    let now = MonotonicTime(nanoseconds: 3_000_000_000)
    // Twice: a menu opens at the next refresh.
    for _ in 0..<2 {
      _ = stage.bar.advance(
        to: now, stage.facts, size: size, scale: 1, measure: measure, thumbnail: { _ in stage.thumbnail })
    }
    room.bottom = stage.bar.height
    for item in hud(state).canvas(room, measure: measure).items { canvas.add(item) }
    stage.bar.picture?.draw(on: &canvas, measure: measure)
    return canvas
  }

  private static func stage(_ state: State) -> ControlStage {
    let stage = state.isLive ? live(state) : ControlStage()
    stage.size = size
    stage.facts.files.count = 1
    if state.isLive {
      (stage.facts.sound.tracks, stage.facts.sound.chosen, stage.facts.subtitles) = ([:], nil, [:])
    } else {
      let ahead = state == .reconnecting ? 0.0 : 12
      (stage.facts.place, stage.facts.loadedTo) = (MediaTime(seconds: 12), MediaTime(seconds: 12 + ahead))
      stage.facts.sound.tracks = [0: "English", 1: "Deutsch", 2: "English, audio description"]
      stage.facts.subtitles = [0: "English", 1: "Deutsch"]
      stage.facts.chosenSubtitles = 0
    }
    stage.refresh()
    switch state {
    case .quality: stage.click(.quality)
    case .audio: stage.click(.audio)
    case .subtitles: stage.click(.subtitles)
    case .breaks: stage.facts.marks.breaks = breaks
    case .preview:
      stage.thumbnail = picture
      stage.move(stage.box(.slider).left + 0.28 * stage.box(.slider).width, stage.box(.slider).center.y)
    default: break
    }
    return stage
  }

  private static func live(_ state: State) -> ControlStage {
    var edge = LiveWindowTests.edge(zero: state == .dateless ? nil : LiveWindowTests.noon)
    edge.hasEnded = state == .ended
    let stage = LiveControlTests.stage(at: [.behind, .ended, .dateless].contains(state) ? 322 : 394, edge)
    // The picture stands, for there is no more.
    if state == .buffering { stage.facts.loadedTo = stage.facts.place }
    return stage
  }

  private static func hud(_ state: State) -> HUD {
    var hud = HUD()
    let now = MonotonicTime(nanoseconds: 2_000_000_000)
    switch state {
    case .buffering, .reconnecting:
      var buffering = Buffering()
      let trouble = state == .buffering ? nil : lost
      _ = buffering.notice(isWaiting: true, trouble: trouble, at: MonotonicTime(nanoseconds: 1_400_000_000))
      _ = hud.wait(buffering.notice(isWaiting: true, trouble: trouble, at: now))
    case .lost, .refused, .back:
      var network = NetworkNotices()
      let trouble = state == .refused ? NetworkTrouble(.server, "the server answered 503 Service Unavailable") : lost
      _ = network.notice(trouble: trouble, ahead: 12.3, at: MonotonicTime(nanoseconds: 0))
      if let said = network.notice(trouble: trouble, ahead: 12.3, at: now) { hud.say(said, at: now) }
      guard state == .back, let said = network.notice(trouble: nil, ahead: 12.3, at: now) else { break }
      hud.say(said, at: now)
    case .network:
      var facts = HUD.Facts()
      (facts.file, facts.network) = ("main.m3u8", NetworkPageTests.facts(isLive: true))
      hud.turnPage(hasNetwork: true)
      hud.turnPage(hasNetwork: true)
      _ = hud.advance(to: now, facts)
    default: break
    }
    return hud
  }

  /// One that was watched, one to come, one that takes no time, and one that is announced behind the end.
  private static let breaks = [(3.0, 9.0), (24, 36), (48, 48), (80, 90)].map { start, end in
    var one = Player.Break(id: "\(start)")
    (one.start, one.end, one.isWatched) = (MediaTime(seconds: start), MediaTime(seconds: end), start < 10)
    return one
  }

  private static let lost = NetworkTrouble(.network, "connection refused")

  /// Colours that differ from corner to corner.
  private static let picture: SmallPicture = {
    let size = PictureSize(width: 160, height: 90)
    var rgba: [UInt8] = []
    for row in 0..<size.height {
      for column in 0..<size.width { rgba += [UInt8(40 + column), UInt8(60 + 2 * row), UInt8(200 - column), 255] }
    }
    return SmallPicture(rgba: rgba, size: size, time: .zero)
  }()
}
