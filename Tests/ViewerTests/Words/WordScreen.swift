import Bench360Player
import Frames
import Overlay
import Playlists
import Render
import Viewer

/// A part of the window with all its texts in a language.
enum WordScreen: String, CaseIterable, Sendable {
  case help, bar, live, ended, projections, stereo, repeats, panel, refused, start, making, opening, browser, listing,
    empty
  case notice, waiting, statistics, network

  /// - Parameter measure: of the texts.
  func canvas(_ words: Words, _ size: PictureSize, _ measure: @escaping TextMeasure) -> Canvas {
    switch self {
    case .help:
      let stage = ControlStage(width: size.width, height: size.height)
      stage.facts.window.words = words
      stage.bar.toggleHelp()
      return drawn(stage, measure)
    case .bar: return drawn(stage(words, size, nil), measure)
    case .live, .ended:
      var edge = LiveWindowTests.edge()
      edge.hasEnded = self == .ended
      let stage = LiveControlTests.stage(at: 322, edge)
      (stage.size, stage.facts.window.words) = (size, words)
      return drawn(stage, measure)
    case .projections: return drawn(stage(words, size, .projection), measure)
    case .stereo: return drawn(stage(words, size, .stereo), measure)
    case .repeats: return drawn(stage(words, size, .playlist), measure)
    case .panel, .refused: return panel(words, size, measure)
    case .start, .making, .opening: return start(words, size, measure)
    case .browser, .listing, .empty: return browser(words, size, measure)
    case .notice, .waiting, .statistics, .network: return hud(words, size, measure)
    }
  }

  /// The tooltip of a control.
  static func tip(_ control: Control, _ words: Words, _ size: PictureSize) -> ControlStage? {
    let stage = ControlStage(width: size.width, height: size.height)
    stage.facts.window.words = words
    stage.refresh()
    guard stage.bar.layout?.boxes[control] != nil else { return nil }
    while stage.bar.focus != control { stage.key(.tab) }
    stage.refresh(after: 0.6)
    return stage
  }

  private func stage(_ words: Words, _ size: PictureSize, _ menu: Control?) -> ControlStage {
    let stage = ControlStage(width: size.width, height: size.height)
    stage.facts.window.words = words
    (stage.facts.rate, stage.facts.qualities.shown) = (0.25, nil)
    stage.refresh()
    if let menu { stage.click(menu) }
    return stage
  }

  private func drawn(_ stage: ControlStage, _ measure: TextMeasure) -> Canvas {
    for _ in 0..<2 {
      _ = stage.bar.advance(
        to: stage.now, stage.facts, size: stage.size, scale: 1, measure: measure, thumbnail: { _ in nil })
    }
    var canvas = Canvas()
    stage.bar.picture?.draw(on: &canvas, measure: measure)
    return canvas
  }

  private func panel(_ words: Words, _ size: PictureSize, _ measure: @escaping TextMeasure) -> Canvas {
    var queue = PlayQueue((0..<5).map { PlaylistItem("/films/clip \($0).mp4") })
    queue.shuffle(true)
    queue.repeats = .all
    if self == .refused { for entry in queue.entries { queue.refuse(entry.id) } }
    var (panel, canvas) = (PlaylistPanel(), Canvas())
    panel.toggle(queue)
    panel.draw(
      queue, on: &canvas, ControlStyle(size: size, scale: 1), size: size, bottom: 60, words: words, measure: measure
    ) { _ in PlaylistPanel.Details() }
    return canvas
  }

  private func start(_ words: Words, _ size: PictureSize, _ measure: @escaping TextMeasure) -> Canvas {
    var screen = StartScreen(recent: RecentFiles(size.height < 200 ? [] : ["/a/one.mp4"]), home: "/home/me") { _ in [] }
    if self == .making { screen.work = .init(.word(.makingBuiltIn), share: 0.5) }
    if self == .opening { screen.work = .init(.opening("one.mp4"), detail: .waitingForStreams("example.org")) }
    return screen.canvas(size, words: words, measure: measure).canvas
  }

  private func browser(_ words: Words, _ size: PictureSize, _ measure: @escaping TextMeasure) -> Canvas {
    var browser = FileBrowser("/a")
    if self != .listing {
      browser.show(self == .empty ? [] : [FolderEntry(name: "a.mp4", bytes: 1_234_567, modified: 1.79e9)])
    }
    // Sorted by size, whose name is the longest in some languages, beside its mark.
    _ = browser.click(.order(.size))
    let spin = self == .listing ? 0.1 : nil
    return browser.canvas(size, spin: spin, words: words, measure: measure).canvas
  }

  private func hud(_ words: Words, _ size: PictureSize, _ measure: @escaping TextMeasure) -> Canvas {
    var hud = HUD()
    hud.words = words
    let now = MonotonicTime(nanoseconds: 2_000_000_000)
    var facts = HUD.Facts()
    (facts.file, facts.presented, facts.dropped, facts.late) = ("clip.mp4", 123_456, 12, 3)
    (facts.decoder, facts.upload, facts.device) = (words[.threads(2, of: "h264")], "staged", "llvmpipe")
    (facts.gap, facts.camera, facts.rate) = (
      ClipGap(
        from: MonotonicTime(nanoseconds: 0), to: MonotonicTime(nanoseconds: 16_700_000),
        period: MediaTime(seconds: 1 / 60)), Camera(pan: 30), 0.5
    )
    facts.frameTimes = (0..<100).map { $0 % 9 == 8 ? 33.3 : 16.7 }
    switch self {
    case .notice: hud.say(words[.movedToStart], at: now)
    case .waiting: _ = hud.wait(HUD.Wait(text: words[.reconnecting(cause: "connection refused")], spin: 0.1))
    default:
      if self == .network { facts.network = NetworkPageTests.facts(isLive: true) }
      hud.turnPage(hasNetwork: self == .network)
      if self == .network { hud.turnPage(hasNetwork: true) }
      _ = hud.advance(to: now, facts)
    }
    return hud.canvas(HUDRoom(size), measure: measure)
  }
}
