import Adaptation
import Decode
import Frames
import GPU
import Media
import Overlay
import Playback
import Render
import Session
import Sound
import Streaming

/// What the thread of a player does while it has a surface: opens one clip after the other, and plays it. That thread's alone.
final class PlayerLoop {
  let desk: PlayerDesk
  let options: Player.Options
  let surface: Player.Surface
  let drawing: SurfaceDrawing
  let subtitles: Subtitles
  var look: LookAround
  /// Seeks and pictures that callers wait for.
  var seeks = PlayerSeeks()
  /// Something that is drawn has changed.
  var isStale = false
  private let session: RenderSession.Options
  private var size: PictureSize
  private var recovery = Recovery()
  /// Sound that failed once is not asked for again: it would fail for each clip.
  private var hasToldOfSound = false

  init(_ desk: PlayerDesk, _ options: Player.Options, _ surface: Player.Surface) {
    (self.desk, self.options, self.surface) = (desk, options, surface)
    var session = RenderSession.Options()
    session.device = options.device
    session.validates = options.validates
    session.geometry.projection = options.projection
    session.geometry.stereo = options.stereo
    session.geometry.acceptsGuess = true
    (session.decoder.showsFirstSoon, session.decoder.acceptsSound) = (true, true)
    session.decoder.network.keys = options.keys
    session.targetSize = surface.size
    if case .vulkan(let source, _, _) = surface { session.surface = source }
    (self.session, size) = (session, surface.size)
    subtitles = Subtitles(wish: options.subtitles, locale: options.language)
    look = LookAround(home: options.view ?? Camera())
    drawing = SurfaceDrawing(session)
  }

  func run() {
    desk.enter()
    defer { desk.leave() }
    while let task = desk.nextTask() { show(task) }
    drawing.close()
    desk.publish { $0.status = .idle }
  }

  /// Shows a clip until another one is wanted, or none, or it fails. A lost device is opened again.
  private func show(_ task: PlayerDesk.Task) {
    var place = Recovery.Place(path: task.path, time: task.start, camera: look.camera, isPlaying: task.plays)
    var isAgain = false
    while true {
      do throws(Failure) {
        try open(task, at: place, isAgain: isAgain)
        break
      } catch {
        place = Recovery.Place(path: task.path, time: seeks.left ?? place.time, camera: look.camera, isPlaying: plays)
        guard error.kind == .deviceLost, !desk.isOver, recovery.lose(task.path, at: .now) else {
          fail(error)
          break
        }
        drawing.reopen(session)
        isAgain = true
        desk.listeners.tell(.resumed(after: error))
      }
    }
    desk.keep(task, at: seeks.left ?? task.start, plays: plays)
  }

  private var plays: Bool { desk.state.isPlaying }

  private func fail(_ failure: Failure) {
    // Given up by a caller: the next clip says what follows.
    guard !desk.isOver else { return }
    desk.listeners.note { $0.fail(failure.kind) }
    desk.publish {
      ($0.status, $0.isPlaying) = (.failed(failure), false)
    }
    desk.answers.giveUp()
  }

  private func open(_ task: PlayerDesk.Task, at place: Recovery.Place, isAgain: Bool) throws(Failure) {
    let metadata = desk.metadata
    desk.publish { state in
      let before = state
      state = Player.State()
      (state.status, state.position, state.isPlaying) = (.loading, place.time, place.isPlaying)
      (state.loops, state.sound.volume, state.metadata) = (options.loops, before.sound.volume, metadata)
      if state.metadata.title == nil { state.metadata.title = ShownClip(task.path).name }
    }
    desk.listeners.note { $0.load() }
    defer { desk.listeners.note { $0.unload() } }
    seeks.begin(at: place.time)
    let opened = try OpenedClip(
      played: task.path, session, streaming: streaming(place.time), on: drawing.device, interruption: task.interruption)
    var session = session
    session.targetSize = size
    let swapchain = try surface.isShown ? drawing.swapchain(size: size) : nil
    let clip = try PlayedClip(
      opened, task.path, session, on: drawing.device, swapchain: swapchain, refresh: surface.rate,
      playing(opened, plays: place.isPlaying))
    defer {
      seeks.leave(at: clip.place)
      subtitles.close()
      clip.end()
    }
    if !isAgain { look = LookAround(home: options.view ?? clip.session.reader.info.firstView ?? Camera()) }
    try PlayingClip(self, clip, place).run()
  }

  private func streaming(_ start: MediaTime) -> StreamLoading? {
    guard let controller = ControllerChoice("dynamic") else { return nil }
    var stream = StreamOptions(controller: controller)
    stream.startTime = start.seconds
    (stream.live.latency, stream.keys) = (options.liveLatency, options.keys)
    return StreamLoading(stream)
  }

  private func playing(_ opened: OpenedClip, plays: Bool) -> PlayedClip.Options {
    var playing = PlayedClip.Options()
    (playing.plays, playing.loops) = (plays, options.loops)
    playing.loggedViews = 1024
    playing.readsPixels = !surface.isShown
    playing.sound = openSound(of: opened)
    playing.camera = { [unowned self] in look.camera }
    playing.redraws = { [unowned self] in takeStale() }
    playing.layer = { [unowned self] in layer() }
    playing.onFailure = { [desk] in desk.listeners.tell(.trouble($0)) }
    return playing
  }

  private func openSound(of clip: OpenedClip) -> ClipSound? {
    guard options.output != .off, let tracks = clip.sound,
      let chosen = options.sound.choose(tracks.tracks, locale: options.language)
    else { return nil }
    do throws(Failure) {
      let format = SoundFormat(sampleRate: 48_000, layout: tracks.tracks[chosen].layout ?? .stereo)
      guard let output = try options.output.open(format: format) else { return nil }
      let refuge = SoundRefuge(isDevice: options.output.isDevice)
      return try ClipSound(tracks, chosen: chosen, output: output, keepsAll: false) { refuge.output($0) }
    } catch {
      if !hasToldOfSound { desk.listeners.tell(.trouble(error)) }
      hasToldOfSound = true
      return nil
    }
  }

  func resize(width: Int, height: Int, _ clip: PlayedClip) {
    drawing.resize(width: width, height: height)
    guard width > 0, height > 0 else { return }
    size = PictureSize(width: width, height: height)
    clip.session.renderer.targetSize = size
    isStale = true
  }

  private func takeStale() -> Bool {
    defer { isStale = false }
    return desk.takeRedraws() || isStale
  }

  /// Set by the clip that plays: what lies over the picture.
  var canvas: () -> Canvas = { Canvas() }

  private func layer() -> QuadLayer? {
    let canvas = canvas()
    guard !canvas.items.isEmpty, let device = try? drawing.device.device(),
      let painter = drawing.painter(on: device, onFailure: { [desk] in desk.listeners.tell(.trouble($0)) })
    else { return nil }
    return painter.paint(canvas)
  }
}

extension Player.Surface {
  fileprivate var size: PictureSize {
    switch self {
    case .vulkan(_, let size, _), .offscreen(let size, _): size
    }
  }

  fileprivate var isShown: Bool { if case .vulkan = self { true } else { false } }

  /// A rate that a clock can keep.
  fileprivate var rate: Ratio {
    let refresh =
      switch self {
      case .vulkan(_, _, let refresh), .offscreen(_, let refresh): refresh
      }
    return Ratio(Int32((min(max(refresh.isFinite ? refresh : 60, 1), 1000) * 1000).rounded()), 1000)
  }
}
