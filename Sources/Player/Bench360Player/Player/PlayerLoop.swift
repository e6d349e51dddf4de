import Adaptation
import Ads
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
  /// The clips before and behind the one that is shown.
  let clips = ClipQueue<Player.Item>()
  /// Something that is drawn has changed.
  var isStale = false
  let session: RenderSession.Options
  private var recovery = Recovery()
  /// Of the clip before, in case it is opened again.
  private var breaks: AdBreaks?
  /// Once: without a device no clip has sound.
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
    self.session = session
    subtitles = Subtitles(wish: options.subtitles, locale: options.language)
    look = LookAround(home: options.view ?? Camera())
    drawing = SurfaceDrawing(session)
  }

  func run() {
    desk.enter()
    defer { desk.leave() }
    while let task = desk.nextTask() { show(task) }
    clips.stopAll()
    drawing.close()
    desk.publish { $0.status = .idle }
  }

  /// Shows a clip until another one is wanted, or none, or it fails. A lost device is opened again.
  private func show(_ task: PlayerDesk.Task) {
    var task = task
    var place = Recovery.Place(path: task.path, time: task.start, camera: look.camera, isPlaying: task.plays)
    var isAgain = false
    while true {
      do throws(Failure) {
        try open(task, at: place, isAgain: isAgain)
        break
      } catch {
        place = Recovery.Place(path: task.path, time: seeks.left ?? place.time, camera: look.camera, isPlaying: plays)
        guard error.kind == .deviceLost, recovery.lose(task.path, at: .now), let again = desk.renew() else {
          fail(error)
          break
        }
        clips.stopAll()
        drawing.reopen(session)
        (task, isAgain) = (again, true)
        desk.listeners.tell(.resumed(after: error))
      }
    }
    desk.keep(task, at: seeks.left ?? task.start, plays: plays)
  }

  private var plays: Bool { desk.state.isPlaying }

  /// A clip that cannot be played is left out where another one follows; a device that fails does so for that, too.
  private func fail(_ failure: Failure) {
    guard failure.kind != .device, failure.kind != .deviceLost, let next = desk.upNext.first,
      desk.follow(next, from: options.start, plays: plays, clips.interruption(of: next))
    else { return desk.fail(failure) }
    desk.listeners.note { $0.fail(failure.kind) }
    desk.listeners.tell(.trouble(failure))
  }

  private func open(_ task: PlayerDesk.Task, at place: Recovery.Place, isAgain: Bool) throws(Failure) {
    let (metadata, rate) = (desk.metadata, desk.wishes.rate)
    desk.publish { state in
      state = Player.State()
      (state.status, state.position, state.isPlaying) = (.loading, place.time, place.isPlaying)
      (state.rate, state.metadata) = (rate, metadata)
      if state.metadata.title == nil { state.metadata.title = ShownClip(task.path).name }
    }
    desk.listeners.note { $0.load() }
    defer { desk.listeners.note { $0.unload() } }
    try checkSize()
    seeks.begin(at: place.time)
    let (clip, plan) = try clip(of: task, at: place)
    let ads = ads(of: clip, plan, from: place.time, isAgain)
    if !isAgain { look = LookAround(home: options.view ?? clip.session.reader.info.firstView ?? Camera()) }
    let playing = PlayingClip(self, clip, place, ads, queued: task.isQueued ? task.item : nil)
    defer {
      seeks.leave(at: clip.place)
      breaks = ads?.breaks
      subtitles.close()
      leave(clip, playing.turn.move)
    }
    try playing.run()
  }

  /// A clip on the surface; its first frames are decoded from now on.
  func make(_ opened: OpenedClip, _ path: String, plays: Bool) throws(Failure) -> PlayedClip {
    let size = size
    var session = session
    session.targetSize = size
    let swapchain = try surface.isShown ? drawing.swapchain(size: size) : nil
    return try PlayedClip(
      opened, path, session, on: drawing.device, ClipDisplay(swapchain, refresh: surface.rate),
      playing(opened, plays: plays))
  }

  func streaming(_ start: MediaTime) -> StreamLoading? {
    guard let controller = ControllerChoice("dynamic") else { return nil }
    var stream = StreamOptions(controller: controller)
    stream.startTime = start.seconds
    (stream.live.latency, stream.keys) = (options.liveLatency, options.keys)
    return StreamLoading(stream)
  }

  /// Nil where the clip has none.
  private func ads(
    of clip: PlayedClip, _ plan: Result<AdPlan?, Failure>, from start: MediaTime, _ isAgain: Bool
  ) -> ClipAds? {
    let tell: (Failure) -> Void = { [desk] in desk.listeners.tell(.trouble($0)) }
    do throws(Failure) {
      guard let plan = try plan.get() else { return nil }
      let open = {
        @Sendable [session, streaming = streaming(.zero), device = drawing.device] (ad: PlayableAd, stop: Interruption)
          throws(Failure) in
        try OpenedClip(played: ad.file.url, session.opening(ad), streaming: streaming, on: device, interruption: stop)
      }
      return ClipAds(
        clip, plan, isAgain ? breaks : nil, from: start,
        ClipAds.Events(
          open: open,
          make: { [unowned self] (opened, ad) throws(Failure) in try make(ad, opened, on: clip.display) },
          onChange: { [unowned self] _ in isStale = true }, onFailure: tell,
          onTurn: { [desk] turn in desk.listeners.note { $0.note(turn) } }))
    } catch {
      tell(error)
      return nil
    }
  }

  private func make(_ ad: PlayableAd, _ opened: OpenedClip, on display: ClipDisplay) throws(Failure) -> PlayedClip {
    var (session, playing) = (session, playing(opened, plays: true))
    session.targetSize = size
    (playing.loops, playing.canSeek, playing.onFailure) = (false, false, nil)
    return try PlayedClip(opened, ad.file.url, session, on: drawing.device, display, playing)
  }

  private func playing(_ opened: OpenedClip, plays: Bool) -> PlayedClip.Options {
    var playing = PlayedClip.Options()
    (playing.plays, playing.loops) = (plays, desk.wishes.loops)
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
    do throws(Failure) {
      return try ClipSound.open(
        of: clip, options.sound, locale: options.language, on: options.output, keepsAll: false,
        onSilence: { tellOfSound($0) })
    } catch {
      tellOfSound(error)
      return nil
    }
  }

  private func tellOfSound(_ failure: Failure) {
    if !hasToldOfSound { desk.listeners.tell(.trouble(failure)) }
    hasToldOfSound = true
  }

  /// That of the views: what the surface was before it was hidden.
  private var size: PictureSize { desk.wishes.size ?? surface.size }

  private func checkSize() throws(Failure) {
    guard size.width < 1 || size.height < 1 else { return }
    throw Failure(
      .usage, "cannot show a clip", cause: "the surface has \(size) pixels", remedy: "attach one with a size")
  }

  /// As callers wish it now.
  func resize(_ clip: PlayedClip) {
    guard !desk.wishes.isHidden else { return drawing.resize(width: 0, height: 0) }
    drawing.resize(width: size.width, height: size.height)
    clip.session.renderer.targetSize = size
    isStale = true
  }

  private func takeStale() -> Bool {
    defer { isStale = false }
    return desk.takeRedraws() || isStale
  }

  /// Nothing lies over the view that was drawn last.
  private(set) var isBare = true
  /// Set by the clip that plays: what lies over the picture.
  var canvas: () -> Canvas = { Canvas() }

  private func layer() -> QuadLayer? {
    let canvas = canvas()
    isBare = canvas.items.isEmpty
    guard !isBare, let painter = drawing.painter(onFailure: { [desk] in desk.listeners.tell(.trouble($0)) })
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
