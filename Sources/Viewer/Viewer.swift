import Decode
import Frames
import GPU
import Glibc
import Overlay
import Playback
import Render
import Session
import Window

/// A window with a person in front of it: the engine of the benchmark, and hands. The main thread's alone.
public final class Viewer {
  public struct Options {
    public var session = RenderSession.Options()
    /// For tests of what follows a loss; nil: only what the driver reports is lost.
    package var losses: (any SurfaceLosses)?
    /// Where the view begins; nil: where the file says, else straight ahead.
    public var camera: Camera?
    public var keys = KeyBindings()
    public var loops = false
    public var isFullscreen = false
    public var hasInertia = true
    /// Which subtitles are shown at first.
    public var subtitles = SubtitleWish.auto
    /// The user's language; nil: unknown.
    public var locale: Language?
    /// Nil: the display's.
    public var refresh: Ratio?
    /// Clips that were shown before, and who remembers those that are shown now.
    public var recent = RecentFiles()
    public var remember: (RecentFiles) -> Void = { _ in }
    /// What `~` stands for in a path that is typed, and what a folder holds, folders with a `/` behind.
    public var home = ""
    public var names: @Sendable (_ folder: String) -> [String] = { _ in [] }
    /// Gives the path of the built-in clip, and makes it where it is not there: on a thread of its own, which tells how far it
    /// has come and stops when it is told false. Nil: there is none.
    public var makeBuiltInClip: (@Sendable (_ progress: (Double) -> Bool) throws(Failure) -> String)?
    /// Asked before a clip is opened, on the thread that opens it: throws where it must not be, as for playlists that keep a
    /// demuxer busy without end. Nil: all are opened.
    public var checkInput: (@Sendable (_ path: String, _ shouldStop: () -> Bool) throws(Failure) -> Void)?
    /// Asked when a clip is shown for who is to be told of it.
    public var watch: ((_ session: RenderSession, _ path: String, _ pace: Pace) -> Watcher)?
    /// Whose poses turn the view; nil: nobody's.
    public var headTracker: HeadTracker?
    /// What hands do to the view is kept in `recording`.
    public var recordsInput = false
    /// Asked at each refresh: whether somebody wants it to end.
    public var shouldQuit: () -> Bool = { false }
    /// Told what a person should know, in a sentence.
    public var onMessage: (String) -> Void = { _ in }

    public init() {}
  }

  let window: Window
  var options: Options
  var playlist: Playlist
  var look = LookAround(home: Camera())
  var showing: Showing?
  var hand = PointerHand()
  var head = HeadHand()
  var gamepadHand = GamepadHand()
  var recorder: LookRecorder?
  /// Something of the view changed since it was drawn last.
  var isStale = false
  /// What playing goes back to when the window comes back.
  var playsWhenRestored = false
  var wantsScreenshot = false
  /// When the refresh began that saw a hand move the view; nil once a view shows it. How long the last one took.
  var moved: MonotonicTime?
  private var inputMilliseconds: Double?
  /// What a small window was before: its size in pixels, and where it stood.
  var frameBefore: (size: PictureSize, place: PointerPlace)?
  var hud = HUD()
  var controls: ControlBar
  var hasToldOfSound = false
  let subtitles: Subtitles
  /// Made when something is drawn over the view for the first time: looking for fonts takes a while.
  private var painter: CanvasPainter?
  private var lacksPainter = false
  private var swapchain: Swapchain?
  /// Opened at once, beside everything else; nil once the window is closed.
  private var opened: DeviceOpening?
  var backdrop: Backdrop?
  /// What went wrong, for the screen that is seen where no clip is.
  var complaint: String?
  /// What was typed there: whoever mistyped goes on from it.
  var typed = PathField()
  /// Where on that screen things are.
  var layout = StartScreen.Layout()
  /// The file after the one that is shown.
  var ahead: Opening?
  /// Openings whose threads may still hold the device.
  var abandoned: [Opening] = []
  /// Where the clip was that was shown last.
  private var left: Place?
  /// Where to go on once the device is back.
  private var lost: Place?
  /// When the device was lost.
  private var losses: [MonotonicTime] = []
  private var hasShownAny = false
  /// A frame of the file that was shown last was on screen.
  private var wasShown = false
  /// What is to happen once this refresh is over.
  var next: Next?

  /// Where it goes from the file that is shown.
  enum Next: Equatable {
    case quit
    case file
  }

  /// At what pace pictures are shown.
  public struct Pace {
    /// Refreshes per second.
    public var refresh: Ratio
    /// The display tells when pictures were seen.
    public var isTold: Bool
  }

  /// Somebody who is told all that becomes of a clip while it is shown.
  public struct Watcher {
    public var onFrame: (FedFrame) -> Void
    public var onTick: (PlayTick) -> Void
    public var onEnd: (_ log: PlayLog, _ framesLeftOut: Int) -> Void

    public init(
      onFrame: @escaping (FedFrame) -> Void, onTick: @escaping (PlayTick) -> Void,
      onEnd: @escaping (_ log: PlayLog, _ framesLeftOut: Int) -> Void
    ) {
      (self.onFrame, self.onTick, self.onEnd) = (onFrame, onTick, onEnd)
    }
  }

  /// Opens the window at once; files are opened when it runs. Without files it lets somebody choose.
  public init(files: [String], options: Options) throws(Failure) {
    self.options = options
    playlist = Playlist(files)
    controls = ControlBar(keys: options.keys)
    subtitles = Subtitles(wish: options.subtitles, locale: options.locale)
    look.hasInertia = options.hasInertia
    recorder = options.recordsInput ? LookRecorder() : nil
    window = try Window(title: "bench360", size: options.session.targetSize)
    var surface = try window.surface()
    surface.losses = options.losses
    self.options.session.surface = surface
    opened = DeviceOpening(self.options.session)
    if options.isFullscreen { window.setFullscreen(true) }
  }

  /// Shows clips until the window is closed. Gives false where it was told of files and could show none.
  ///
  /// Throws what is wrong with the device.
  public func run() throws(Failure) -> Bool {
    defer { close() }
    var hasFailed = false
    while next != .quit {
      (next, wasShown) = (nil, false)
      guard let path = playlist.current else {
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
    return hasShownAny || !hasFailed
  }

  /// A file cannot be shown, or no longer: on with another one, or back to the start screen. What could be shown stays among
  /// the recent files.
  private func refuse(_ path: String, _ failure: Failure) {
    options.onMessage(failure.description)
    if !wasShown {
      options.recent.remove(absolute(path))
      options.remember(options.recent)
    }
    playlist.refuseCurrent()
    if playlist.move(1) || playlist.move(-1) {
      say(failure.description)
    } else {
      playlist.clear()
      complaint = failure.description
    }
  }

  /// Shows one clip until something else is to happen.
  private func show(_ clip: OpenedClip, _ path: String) throws(Failure) {
    var session = options.session
    session.targetSize = window.size ?? session.targetSize
    let refresh = options.refresh ?? window.monitor?.refreshRate ?? Ratio(60, 1)
    let showing = try Showing(
      clip, path, session, on: device, swapchain: swapchain(on: device.device()),
      refresh: refresh, loops: options.loops, logsAll: options.watch != nil,
      camera: { [unowned self] in look.camera }, layer: { [unowned self] in layer() },
      redraws: { [unowned self] in takeStale() }, failed: { [unowned self] in tell($0.description) })
    self.showing = showing
    let watcher = options.watch?(showing.session, path, Pace(refresh: refresh, isTold: showing.isTold))
    defer {
      showing.end()
      watcher?.onEnd(showing.play.log, showing.feed.framesLeftOut)
      left = Place(showing, look.camera)
      wasShown = showing.isKnown
      window.hidesPointer = false
      self.showing = nil
    }
    controls.startOver()
    tellOfSound(showing)
    openSubtitles(of: showing)
    look = lookAround(from: options.camera ?? showing.session.reader.info.firstView ?? Camera())
    window.setTitle("\(ShownClip(path).name) — bench360")
    var place = lost?.path == path ? lost : nil
    lost = nil
    if let place { look.look(place.camera) }
    try showing.play.run(
      beforeTick: { [unowned self] tick in
        for event in window.poll() { handle(event, at: tick.timestamp) }
        if let back = place, showing.play.canSeek {
          back.restore(showing.play)
          place = nil
        }
        readDevices(tick)
        if look.advance(to: tick.target) { isStale = true }
        advanceSubtitles()
        if hud.advance(to: tick.timestamp, { facts(showing) }) { isStale = true }
        advanceControls(to: tick.timestamp, showing)
        if options.shouldQuit() { next = .quit }
        if next != nil { showing.link.stop() }
      },
      onFrame: { watcher?.onFrame($0) },
      onTick: { [unowned self] tick in
        watcher?.onTick(tick)
        noteInput(tick)
        if wantsScreenshot, let view = tick.view { keep(view, tick) }
        note(tick, path)
      })
    if next == nil { next = .quit }
  }

  /// A view that shows what a hand did is ready.
  private func noteInput(_ tick: PlayTick) {
    guard tick.view != nil, let moved else { return }
    inputMilliseconds = MonotonicTime.now.milliseconds(since: moved)
    self.moved = nil
  }

  /// What a refresh came to that is of consequence for what is shown next.
  private func note(_ tick: PlayTick, _ path: String) {
    if tick.frame != nil, !(showing?.isKnown ?? true) {
      showing?.isKnown = true
      hasShownAny = true
      typed.clear()
      options.recent.add(absolute(path))
      options.remember(options.recent)
    }
    guard let showing, tick.state == .playing || tick.state == .ended else { return }
    if tick.tick.timestamp.seconds(since: showing.began) > Self.aheadAfter { openAhead() }
    if tick.state == .ended, !showing.hasEnded, playlist.move(1) { next = .file }
    showing.hasEnded = tick.state == .ended
  }

  /// Seconds: what is skipped at once is not worth opening ahead for.
  private static let aheadAfter = 1.0

  private func lookAround(from home: Camera) -> LookAround {
    var look = LookAround(home: home)
    look.hasInertia = self.look.hasInertia
    return look
  }

  /// What all clips are drawn with.
  var device: DeviceOpening {
    guard let opened else { preconditionFailure("the window is closed") }
    return opened
  }

  func swapchain(on device: GPUDevice) throws(Failure) -> Swapchain {
    if let swapchain { return swapchain }
    let made = try Swapchain(device: device, size: window.size ?? options.session.targetSize)
    swapchain = made
    return made
  }

  /// Tells a person something, for a moment.
  func say(_ text: String) {
    hud.say(printable(redactingSecrets(text)), at: .now)
    isStale = true
  }

  /// Tells a person something on the screen, for a moment, and the caller.
  func tell(_ message: String) {
    say(message)
    options.onMessage(message)
  }

  private func facts(_ showing: Showing) -> HUD.Facts {
    var facts = HUD.Facts()
    let (play, session) = (showing.play, showing.session)
    facts.file = ShownClip(showing.path).name
    (facts.presented, facts.dropped, facts.late) = (play.log.presented, play.log.dropped, play.log.late)
    facts.queueDepth = play.player.queue.count
    facts.renderMilliseconds = play.renderMilliseconds
    facts.readMilliseconds = play.shownFrame?.timing.demuxMilliseconds
    facts.decodeMilliseconds = play.shownFrame?.timing.decodeLatencyMilliseconds
    facts.inputMilliseconds = inputMilliseconds
    facts.frameTimes = play.log.frameTimes(HUD.graphCount)
    facts.device = session.device.info.name
    let decoder = session.reader.decoder
    facts.decoder =
      decoder.choice == .software
      ? "\(decoder.name), \(decoder.threads) threads" : "\(decoder.name) on \(decoder.choice.rawValue)"
    facts.upload = session.upload.rawValue
    facts.rate = play.player.rate
    facts.camera = session.renderer.geometry.projection.usesCamera ? look.camera : nil
    return facts
  }

  /// What is drawn over the view: how it is going, below it subtitles, above it the controls.
  private func layer() -> QuadLayer? {
    guard let renderer = showing?.session.renderer, let painter = painter(on: renderer.device) else { return nil }
    var canvas = Canvas()
    drawSubtitles(on: &canvas)
    for item in hud.canvas(renderer.targetSize, bottom: controls.height, measure: painter.measure).items {
      canvas.add(item)
    }
    controls.picture?.draw(on: &canvas) { painter.measure($0, $1) }
    return canvas.items.isEmpty ? nil : painter.paint(canvas)
  }

  /// Nil without fonts: the view matters more than what is written over it.
  func painter(on device: GPUDevice) -> CanvasPainter? {
    if let painter { return painter }
    guard !lacksPainter else { return nil }
    do throws(Failure) {
      painter = try CanvasPainter(device: device, texts: TextCache(renderer: try TextRenderer()))
    } catch {
      lacksPainter = true
      options.onMessage(error.description)
    }
    return painter
  }

  private func takeStale() -> Bool {
    defer { isStale = false }
    return isStale || subtitlesHaveChanged()
  }

  /// The window has another size.
  func resize(width: Int, height: Int) {
    swapchain?.resize(width: width, height: height)
    guard width > 0, height > 0 else { return }
    showing?.session.renderer.targetSize = PictureSize(width: width, height: height)
    isStale = true
  }

  /// What draws goes before the window does.
  private func close() {
    subtitles.close()
    closeDevice()
    window.close()
  }
}

/// Where in a clip somebody was.
private struct Place {
  let path: String
  let time: MediaTime
  let camera: Camera
  let isPlaying: Bool

  init(_ showing: Showing, _ camera: Camera) {
    (path, time, isPlaying) = (showing.path, showing.place, showing.play.player.wantsToPlay)
    self.camera = camera
  }

  func restore(_ play: PlaySession) {
    if !isPlaying { play.pause() }
    play.seek(SeekRequest(target: time))
  }
}

extension Viewer {
  /// So often in a minute it is tried again.
  private static let lossLimit = 3

  /// Opens the device anew, and the clip where it was. Throws the failure where that has not helped before.
  private func recover(from failure: Failure) throws(Failure) {
    let now = MonotonicTime.now
    losses = losses.filter { now.seconds(since: $0) < 60 } + [now]
    options.onMessage(failure.description)
    guard losses.count <= Self.lossLimit else { throw failure }
    closeDevice()
    opened = DeviceOpening(options.session)
    if left?.path == playlist.current { lost = left }
    say("\(failure.cause): opened again")
  }

  /// What draws goes before what it draws in.
  private func closeDevice() {
    if let ahead { abandoned.append(ahead) }
    ahead = nil
    for opening in abandoned { _ = opening.stop(withinSeconds: 0.5) }
    abandoned = []
    backdrop = nil
    painter = nil
    swapchain = nil
    opened = nil
  }
}

/// The same file from wherever it is named; URLs and what is not there stay as they are.
private func absolute(_ path: String) -> String {
  guard let resolved = realpath(path, nil) else { return path }
  defer { free(resolved) }
  return String(cString: resolved)
}
