import Encode
import Foundation
import Frames
import GPU
import Overlay
import Render
import Support
import Testing
import Viewer

/// The window in each state of a stream. Looked at once; `BENCH360_REWRITE_GOLDEN=1` draws them anew, to be looked at again, and
/// `BENCH360_LETTERS=FOLDER` draws them with letters there. A bar stands for each line of letters, which differ from one machine's fonts
/// to another's; the letters stand in the test.
@Suite(.enabled(if: TestDevice.isAvailable, "no Vulkan device"))
struct StreamGoldenTests {
  enum State: String, CaseIterable, Sendable {
    case live, behind, buffering, lost, network, audio, subtitles, preview
  }

  static let size = PictureSize(width: 854, height: 480)

  @Test(arguments: State.allCases)
  func looksAsItDid(_ state: State) throws {
    let screen = try Screen(Self.size)
    let canvas = Self.canvas(state, screen)
    #expect(canvas.texts.isSuperset(of: Self.texts(state)), "\(canvas.texts)")
    if let folder = ProcessInfo.processInfo.environment["BENCH360_LETTERS"] {
      try writePNG(rgba: try screen.drawn(canvas), size: Self.size, to: "\(folder)/\(state).png")
    }
    let pixels = try screen.drawn(Self.canvas(state, nil).withBars)
    let file = TestFolders.repository + "/Tests/ViewerTests/Golden/\(state.rawValue).png"
    if ProcessInfo.processInfo.environment["BENCH360_REWRITE_GOLDEN"] == "1" {
      try writePNG(rgba: pixels, size: Self.size, to: file)
    }
    let golden = try CommandOutput.of(
      "ffmpeg", ["-v", "error", "-i", file, "-f", "rawvideo", "-pix_fmt", "rgba", "-"])
    try #require(golden.output.count == pixels.count, "\(golden.errors)")
    #expect((zip(golden.output, pixels).map { abs(Int($0) - Int($1)) }.max() ?? 255) <= 2)
  }

  private static func texts(_ state: State) -> Set<String> {
    switch state {
    case .live: ["LIVE", "12:06:34", "720p", "1×"]
    case .behind: ["LIVE", "12:05:22", "720p"]
    case .buffering: ["Buffering", "LIVE"]
    case .lost: ["The network is lost (connection refused): 12 s are loaded ahead"]
    case .network: ["2.4 Mbit/s", "LIVE"]
    case .audio: ["English", "Deutsch", "English, audio description"]
    case .subtitles: ["Off", "English", "Deutsch"]
    case .preview: ["12:03:03 · −3:30"]
    }
  }

  private static func canvas(_ state: State, _ screen: Screen?) -> Canvas {
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
    let stage = LiveControlTests.stage(at: state == .behind ? 322 : 394)
    stage.size = size
    stage.facts.sound.tracks = [0: "English", 1: "Deutsch", 2: "English, audio description"]
    stage.facts.subtitles = [0: "English", 1: "Deutsch"]
    stage.facts.chosenSubtitles = 0
    stage.refresh()
    switch state {
    case .audio: stage.click(.audio)
    case .subtitles: stage.click(.subtitles)
    case .preview:
      stage.thumbnail = picture
      stage.move(stage.box(.slider).left + 0.28 * stage.box(.slider).width, stage.box(.slider).center.y)
    default: break
    }
    return stage
  }

  private static func hud(_ state: State) -> HUD {
    var hud = HUD()
    let now = MonotonicTime(nanoseconds: 2_000_000_000)
    switch state {
    case .buffering:
      var buffering = Buffering()
      _ = buffering.notice(isWaiting: true, trouble: nil, at: MonotonicTime(nanoseconds: 1_400_000_000))
      _ = hud.wait(buffering.notice(isWaiting: true, trouble: nil, at: now))
    case .lost:
      var network = NetworkNotices()
      _ = network.notice(trouble: "connection refused", ahead: 12.3, at: MonotonicTime(nanoseconds: 0))
      if let said = network.notice(trouble: "connection refused", ahead: 12.3, at: now) { hud.say(said, at: now) }
    case .network:
      var facts = HUD.Facts()
      (facts.file, facts.network) = ("main.m3u8", NetworkPageTests.facts(isLive: true))
      hud.turnPage(hasNetwork: true)
      hud.turnPage(hasNetwork: true)
      _ = hud.advance(to: now) { facts }
    default: break
    }
    return hud
  }

  /// Colours that differ from corner to corner.
  private static let picture: SmallPicture = {
    let size = PictureSize(width: 160, height: 90)
    var rgba: [UInt8] = []
    for row in 0..<size.height {
      for column in 0..<size.width { rgba += [UInt8(40 + column), UInt8(60 + 2 * row), UInt8(200 - column), 255] }
    }
    return SmallPicture(rgba: rgba, size: size, time: .zero)
  }()

  /// A view to draw over.
  private final class Screen {
    let renderer: ViewRenderer
    let painter: CanvasPainter
    private let frame = TestPictures.smooth(
      size: PictureSize(width: 64, height: 32), color: ColorDescription(matrix: .bt709, range: .limited))

    init(_ size: PictureSize) throws {
      let device = try TestDevice.device()
      renderer = try ViewRenderer(
        device: device, geometry: PictureGeometry(projection: .equirectangular), targetSize: size, shading: .fragment)
      painter = try CanvasPainter(device: device, texts: TextCache(renderer: try TextRenderer()))
    }

    func drawn(_ canvas: Canvas) throws -> [UInt8] {
      _ = try renderer.render(frame, camera: Camera(pan: 30), layer: painter.paint(canvas), wantsPixels: true)
      return try #require(try renderer.drain().last?.pixels)
    }
  }
}

extension Canvas {
  fileprivate var texts: Set<String> {
    Set(items.compactMap { if case .text(let text, _, _, _, _) = $0 { text } else { nil } })
  }

  /// The same with a bar for each line of letters.
  fileprivate var withBars: Canvas {
    var canvas = Canvas()
    for item in items {
      guard case .text(let text, let style, let place, let color, let alignment) = item else {
        canvas.add(item)
        continue
      }
      for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        let width = Double(ControlStage.measure(String(line), style).width)
        let left = alignment == .center ? place.x - width / 2 : alignment == .right ? place.x - width : place.x
        canvas.rectangle(
          Canvas.Box(
            left: left, top: place.y + (Double(number) + 0.25) * style.height, width: width, height: style.height / 2),
          color)
      }
    }
    return canvas
  }
}
