import Bench360Player
import Decode
import Frames
import GPU
import Playback
import Render
import Session
import Window

/// A window for a user: the engine of the benchmark, with input. Main thread only.
public final class Viewer {
  let window: Window
  var options: Options
  var files: ViewerFiles
  let drawing: SurfaceDrawing
  var openings = Openings()
  var recovery = Recovery()
  var showing: Showing?
  var hands: ViewHands
  var hud = HUD()
  var controls: ControlBar
  let subtitles: Subtitles
  var start = StartMemory()
  var desktop: DesktopLink
  /// Some part of the view changed since it was last drawn.
  var isStale = false
  /// What to do once this refresh is over.
  var next: Next?

  /// Where to go from the current file.
  enum Next: Equatable {
    case quit
    case file
    /// The file browser.
    case browse
  }

  /// Opens the window at once; files are opened by `run`. Without files the user chooses one in the window.
  public init(files: [String], options: Options) throws(Failure) {
    self.options = options
    self.files = ViewerFiles(files, options.files)
    controls = ControlBar(keys: options.keys)
    subtitles = Subtitles(wish: options.subtitles, locale: options.locale)
    hands = ViewHands(options.hands, hasInertia: options.settings.hasInertia)
    desktop = DesktopLink(bus: nil)
    window = try Window(title: "bench360", size: options.session.targetSize)
    var surface = try window.surface()
    surface.losses = options.losses
    self.options.session.surface = surface
    drawing = SurfaceDrawing(self.options.session)
    applySubtitleSettings()
    if options.window.isFullscreen { window.setFullscreen(true) }
    // Requests wake the window system, which has started now.
    desktop = DesktopLink(bus: options.sessionBus)
  }

  /// Shows clips until the window is closed. Returns false if it was given files and could show none: then it ends at once.
  ///
  /// Throws failures of the device.
  public func run() throws(Failure) -> Bool {
    defer { close() }
    var hasFailed = false
    while next != .quit {
      let browses = next == .browse
      next = nil
      files.begin()
      if browses {
        try browse()
        continue
      }
      guard let path = files.playlist.current else {
        try chooseClip()
        continue
      }
      do throws(Failure) {
        if let clip = try open(path) { try show(clip, path) }
      } catch {
        guard error.kind != .device else { throw error }
        if error.kind == .deviceLost {
          try recover(from: error)
          continue
        }
        hasFailed = true
        refuse(path, error)
      }
    }
    return files.hasShownAny || !hasFailed
  }

  /// A file cannot be shown, or no longer: moves to another one, or back to the start screen.
  private func refuse(_ path: String, _ failure: Failure) {
    options.onMessage(failure.description)
    files.refuse(path)
    if files.playlist.move(1) || files.playlist.move(-1) {
      say(failure.description)
      recovery.goBack(to: files.playlist.current)
    } else if files.areGiven, !files.hasShownAny {
      next = .quit
    } else {
      files.playlist.clear()
      start.complaint = failure.description
    }
  }

  /// Opens the device again, and the clip at its position. Throws the failure if that has not helped before.
  private func recover(from failure: Failure) throws(Failure) {
    options.onMessage(failure.description)
    guard recovery.lose(files.playlist.current, at: .now) else { throw failure }
    openings.stopAll()
    drawing.reopen(options.session)
    say("\(failure.cause): opened again")
  }

  /// Frees all drawing objects before the window.
  private func close() {
    desktop.close()
    subtitles.close()
    openings.stopAll()
    drawing.close()
    window.close()
  }
}

// Showing a clip.
extension Viewer {
  /// Shows one clip until the next action.
  private func show(_ clip: OpenedClip, _ path: String) throws(Failure) {
    var session = sessionOptions(for: path)
    session.targetSize = size
    let refresh = options.refresh ?? window.monitor?.refreshRate ?? Ratio(60, 1)
    let showing = Showing(
      try PlayedClip(
        clip, path, session, on: drawing.device, swapchain: drawing.swapchain(size: size), refresh: refresh,
        playing(openSound(of: clip))))
    self.showing = showing
    desktop.begin(title: ShownClip(path).name, url: ShownClip.uri(path))
    takeShape(of: showing)
    // A clip that continues, because the file after it could not be opened, has its record already.
    let watch = recovery.isGoingBack(to: path) ? nil : options.watch
    let watcher = watch?(
      showing.session, path, Pace(refresh: refresh, isTold: showing.clip.isTold, sound: showing.sound?.description))
    defer {
      openings.leaving = nil
      showing.clip.end()
      watcher?.onEnd(showing.play.log, showing.clip.feed.framesLeftOut, showing.sound?.player.takeHeard() ?? [])
      recovery.leave(showing.clip.leftAt(hands.look.camera))
      files.noteLeft(path, at: showing.hasEnded ? .zero : showing.place, of: showing.duration)
      window.hidesPointer = false
      _ = hud.wait(nil)
      _ = hud.show(level: nil, at: .now)
      self.showing = nil
    }
    controls.startOver()
    _ = tellOfGeometry(showing)
    openSubtitles(of: showing)
    hands.startOver(from: options.camera ?? showing.session.reader.info.firstView ?? Camera())
    window.setTitle("\(ShownClip(path).name) — bench360")
    var place = recovery.takePlace(in: path) ?? rememberedPlace(of: showing)
    if let place {
      hands.look.look(place.camera)
      if !place.isPlaying { showing.clip.stream.start.stop() }
    }
    try showing.play.run(
      beforeTick: { [unowned self] tick in
        for event in window.poll() { handle(event, at: tick.timestamp) }
        if let back = place, showing.play.canSeek {
          back.restore(showing.play)
          place = nil
        }
        advance(showing, tick)
        if next != nil { showing.clip.link.stop() }
      },
      onFrame: {
        showing.sound?.follow($0)
        watcher?.onFrame($0)
      },
      onTick: { [unowned self] tick in
        watcher?.onTick(tick)
        note(tick, showing)
      })
    if next == nil { next = .quit }
  }

  private func playing(_ sound: ClipSound?) -> PlayedClip.Options {
    var playing = PlayedClip.Options()
    playing.loops = options.settings.loops
    playing.loggedViews = options.watch == nil ? Showing.loggedViews : nil
    playing.sound = sound
    playing.camera = { [unowned self] in hands.look.camera }
    playing.layer = { [unowned self] in layer() }
    playing.redraws = { [unowned self] in takeStale() }
    playing.onFailure = { [unowned self] in tell($0.description) }
    return playing
  }

  /// Called before each refresh is decided.
  private func advance(_ showing: Showing, _ tick: DisplayTick) {
    readDevices(tick)
    if hands.look.advance(to: tick.target) { isStale = true }
    advanceSubtitles()
    followStream(showing, at: tick.timestamp)
    repeatPart(showing)
    followSound(showing, at: tick.timestamp)
    if hud.advance(to: tick.timestamp, { facts(showing) }) { isStale = true }
    advanceControls(to: tick.timestamp, showing)
    leaveWhenOpen(at: tick.timestamp)
    attend(at: tick.timestamp)
  }

  /// Handles the effects of a refresh on what is shown next.
  private func note(_ tick: PlayTick, _ showing: Showing) {
    if tick.view != nil { hands.noteSeen() }
    if showing.session.renderer.geometry.projection.usesCamera { hands.couldLook = true }
    if showing.wantsScreenshot, let view = tick.view { keep(view, tick) }
    if tick.frame != nil, !files.isShown {
      files.noteShown(showing.path)
      start.typed.clear()
    }
    guard tick.state == .playing || tick.state.isAtEnd else { return }
    if tick.tick.timestamp.seconds(since: showing.began) > Self.aheadAfter { openAhead() }
    if tick.state.isAtEnd, !showing.hasEnded { leave(1) }
    showing.hasEnded = tick.state.isAtEnd
  }

  /// Seconds: a clip that the user skips at once is not worth prefetching for.
  private static let aheadAfter = 1.0

  /// The window's size in pixels.
  private var size: PictureSize { window.size ?? options.session.targetSize }

  /// The window has another size.
  func resize(width: Int, height: Int) {
    drawing.resize(width: width, height: height)
    guard width > 0, height > 0 else { return }
    showing?.session.renderer.targetSize = PictureSize(width: width, height: height)
    isStale = true
  }

  private func takeStale() -> Bool {
    defer { isStale = false }
    return isStale || subtitlesHaveChanged()
  }
}
