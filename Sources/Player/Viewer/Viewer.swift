import Bench360Player
import Frames
import Playlists
import Window

/// A window for a user: the engine of the benchmark, with input. Main thread only.
package final class Viewer {
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
  package convenience init(files: [String], options: Options) throws(Failure) {
    try self.init(items: files.map { PlaylistItem($0) }, options: options)
  }

  /// The same, with what a playlist says of the clips.
  package init(items: [PlaylistItem], options: Options) throws(Failure) {
    self.options = options
    files = ViewerFiles(items, options.files, options.settings)
    controls = ControlBar(keys: options.keys)
    subtitles = Subtitles(wish: options.subtitles, locale: options.locale)
    hands = ViewHands(options.hands, hasInertia: options.settings.hasInertia)
    desktop = DesktopLink(bus: nil)
    hud.words = options.settings.words
    window = try Window(title: "bench360", size: options.session.targetSize)
    var surface = try window.surface()
    surface.losses = options.machine.losses
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
  package func run() throws(Failure) -> Bool {
    defer { close() }
    var hasFailed = false
    while next != .quit {
      let browses = next == .browse
      next = nil
      files.begin()
      if browses {
        openings.clips.forget()
        try browse()
        continue
      }
      guard let entry = files.queue.current else {
        openings.clips.forget()
        try chooseClip()
        continue
      }
      do throws(Failure) {
        options.files.events?.load()
        if let showing = try open(entry.item) { try show(showing) }
      } catch {
        options.files.events?.fail(error.kind)
        guard error.kind != .device else { throw error }
        if error.kind == .deviceLost {
          try recover(from: error)
          continue
        }
        hasFailed = true
        refuse(entry, error)
      }
    }
    return files.hasShownAny || !hasFailed
  }

  /// A file cannot be shown, or no longer: moves to another one, or back to the start screen.
  private func refuse(_ entry: PlayQueue.Entry, _ failure: Failure) {
    options.onMessage(failure.description)
    if files.refuse(entry) { return say(failure.description) }
    if files.move(.way(1)) || files.move(.way(-1)) {
      say(failure.description)
      recovery.goBack(to: files.queue.current?.item.source)
    } else if files.areGiven, !files.hasShownAny {
      next = .quit
    } else {
      files.clear()
      start.complaint = failure.description
    }
  }

  /// Opens the device again, and the clip at its position. Throws the failure if that has not helped before.
  private func recover(from failure: Failure) throws(Failure) {
    options.onMessage(failure.description)
    guard recovery.lose(files.queue.current?.item.source, at: .now) else { throw failure }
    openings.clips.stopAll()
    drawing.reopen(options.session)
    say(.openedAgain(cause: failure.cause))
  }

  /// Frees all drawing objects before the window.
  private func close() {
    options.files.events?.end()
    desktop.close()
    subtitles.close()
    openings.clips.stopAll()
    drawing.close()
    window.close()
  }
}

// Showing a clip.
extension Viewer {
  /// Shows one clip until the next action.
  private func show(_ showing: Showing) throws(Failure) {
    let (path, title) = (showing.path, showing.title)
    self.showing = showing
    showing.began = .now
    desktop.begin(title: title, url: ShownClip.uri(path))
    takeShape(of: showing)
    // A clip that continues, because the file after it could not be opened, has its record already.
    let watch = recovery.isGoingBack(to: path) ? nil : options.watch
    let watcher = watch?(
      showing.clip.session, path,
      Pace(refresh: refreshRate, isTold: showing.clip.display.isTold, sound: showing.sound?.description))
    defer {
      options.files.events?.unload()
      (openings.leaving, openings.complaint) = (nil, nil)
      showing.sound?.stop()
      // What takes time waits for the first picture of the next clip.
      openings.clips.passed.leave(showing.hasEnded ? showing.clip.log.lastPictureEnd : nil) {
        showing.clip.end()
        watcher?.onEnd(showing.clip.log, showing.clip.framesLeftOut, showing.sound?.player.takeHeard() ?? [])
      }
      // A record of the next clip is not disturbed by writing this one's.
      if watcher != nil { openings.clips.passed.end() }
      recovery.leave(showing.clip.leftAt(hands.look.camera))
      openings.breaks = showing.ads.clip.map { (path, $0.breaks) }
      // Its events refer to the clip.
      showing.ads = .none
      noteLeft(showing)
      window.hidesPointer = false
      _ = hud.wait(nil)
      _ = hud.show(level: nil, at: .now)
      self.showing = nil
    }
    controls.startOver()
    _ = tellOfGeometry(showing)
    openSubtitles(of: showing)
    takeSettings(showing)
    hands.startOver(from: options.camera ?? showing.clip.info.firstView ?? SphereView())
    window.setTitle("\(title) — bench360")
    var place = recovery.takePlace(in: path) ?? firstPlace(of: showing)
    beginAds(of: showing, from: place?.time ?? .zero)
    if let place {
      hands.look.look(place.camera)
      if !place.isPlaying { showing.clip.staysAtStart() }
    }
    try showing.run(
      beforeTick: { [unowned self] tick in
        for event in takeEvents(self.showing ?? showing, at: tick.timestamp) { handle(event, at: tick.timestamp) }
        if let back = place, showing.clip.canSeek {
          showing.clip.restore(back)
          place = nil
        }
        advance(self.showing ?? showing, tick)
        if next != nil { showing.clip.stop() }
      },
      onFrame: {
        showing.sound?.follow($0)
        watcher?.onFrame($0)
      },
      onTick: { [unowned self] tick in
        defer { rest(after: tick, self.showing ?? showing) }
        if self.showing?.ads.isAd == true { return noteAd(tick) }
        watcher?.onTick(tick)
        note(tick, showing)
      })
    if next == nil { next = .quit }
  }

  /// Refreshes per second.
  private var refreshRate: Ratio { options.refresh ?? window.monitor?.refreshRate ?? Ratio(60, 1) }

  /// A clip that is played in the window; its first frames are decoded from now on.
  func make(_ opened: LoadedClip, _ item: PlaylistItem) throws(Failure) -> PlayedClip {
    var session = sessionOptions(for: item)
    session.targetSize = size
    return try PlayedClip(
      opened.clip, item.source, session, on: drawing.device,
      ClipDisplay(drawing.swapchain(size: size), refresh: refreshRate), playing(openSound(of: opened.clip)))
  }

  func playing(_ sound: ClipSound?) -> PlayedClip.Options {
    var playing = PlayedClip.Options()
    playing.loops = loops
    playing.loggedViews = options.watch == nil ? Showing.loggedViews : nil
    playing.sound = sound
    playing.camera = { [unowned self] in hands.look.camera }
    playing.layer = { [unowned self] in layer() }
    playing.redraws = { [unowned self] in takeStale() }
    playing.onFailure = { [unowned self] in
      options.files.events?.fail($0.kind)
      tell($0.description)
    }
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
    let statistics = hud.wantsFacts(at: tick.timestamp) ? facts(showing) : nil
    if hud.advance(to: tick.timestamp, statistics) { isStale = true }
    advanceControls(to: tick.timestamp, showing)
    advancePanel()
    leaveWhenOpen(at: tick.timestamp)
    attend(at: tick.timestamp)
  }

  /// Handles the effects of a refresh on what is shown next.
  private func note(_ tick: PlayTick, _ showing: Showing) {
    options.files.events?.observe(
      showing.clip.sample(tick, subtitles: subtitles.chosen, volume: options.settings.volume, isMuted: isMuted))
    noteView(tick, showing)
    if tick.frame != nil, !files.isShown {
      files.noteShown(showing.path)
      start.typed.clear()
      openings.clips.passed.end()
    }
    noteGap(showing)
    guard tick.state == .playing || tick.state.isAtEnd else { return }
    let seconds = tick.tick.timestamp.seconds(since: showing.began)
    if ClipQueue<PlaylistItem>.opensAhead(after: seconds, of: showing.duration) { openAhead() }
    prepareNext(showing)
    // Ads at the end come before the next clip.
    guard showing.ads.clip?.isBreak != true else { return }
    let endsNow = tick.state.isAtEnd && !showing.hasEnded
    showing.hasEnded = tick.state.isAtEnd
    if endsNow { end(showing) }
  }

  /// The same for an ad.
  private func noteAd(_ tick: PlayTick) {
    if let ad = showing { noteView(tick, ad) }
    if tick.frame != nil { openings.clips.passed.end() }
  }

  private func noteView(_ tick: PlayTick, _ showing: Showing) {
    if tick.view != nil { hands.noteSeen() }
    if showing.clip.geometry.projection.usesCamera { hands.couldLook = true }
    if showing.wantsScreenshot, let view = tick.view { keep(view, tick) }
  }

  /// The window's size in pixels.
  private var size: PictureSize { window.size ?? options.session.targetSize }

  /// The window has another size.
  func resize(width: Int, height: Int) {
    drawing.resize(width: width, height: height)
    guard width > 0, height > 0 else { return }
    openings.clips.prepared?.clip.size = PictureSize(width: width, height: height)
    showing?.resize(to: PictureSize(width: width, height: height))
    isStale = true
  }

  private func takeStale() -> Bool {
    defer { isStale = false }
    return isStale || subtitlesHaveChanged()
  }
}
