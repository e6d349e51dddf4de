import Frames
import GPU
import Overlay
import Playback
import Render
import Window

/// A window with a person in front of it: the engine of the benchmark, and hands. The main thread's alone.
public final class Viewer {
  public struct Options {
    public var session = RenderSession.Options()
    /// Where the view begins; nil: where the file says, else straight ahead.
    public var camera: Camera?
    public var keys = KeyBindings()
    public var loops = false
    public var isFullscreen = false
    public var hasInertia = true
    /// Nil: the display's.
    public var refresh: Ratio?
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
  /// Something of the view changed since it was drawn last.
  var isStale = false
  /// What playing goes back to when the window comes back.
  var playsWhenRestored = false
  var wantsScreenshot = false
  var hud = HUD()
  /// Made when something is written for the first time: looking for fonts takes a while.
  private var texts: TextCache?
  private var painter: (canvas: CanvasPainter, renderer: ViewRenderer)?
  private var swapchain: Swapchain?
  /// What is to happen once this refresh is over.
  var next: Next?

  /// Where it goes from the file that is shown.
  enum Next: Equatable {
    case quit
    case file
  }

  /// Opens the window at once; files are opened when it runs.
  public init(files: [String], options: Options) throws(Failure) {
    self.options = options
    playlist = Playlist(files)
    look.hasInertia = options.hasInertia
    window = try Window(title: "bench360", size: options.session.targetSize)
    self.options.session.surface = try window.surface()
    if options.isFullscreen { window.setFullscreen(true) }
  }

  /// Shows the files until the window is closed, or the last one fails.
  ///
  /// Throws what the last file failed with where none could be shown.
  public func run() throws(Failure) {
    defer { close() }
    while next != .quit, let path = playlist.current {
      next = nil
      do throws(Failure) {
        try show(path)
      } catch {
        guard error.kind != .device else { throw error }
        playlist.refuseCurrent()
        guard playlist.move(1) || playlist.move(-1) else { throw error }
        options.onMessage(error.description)
      }
    }
  }

  /// Shows one file until something else is to happen.
  private func show(_ path: String) throws(Failure) {
    var session = options.session
    session.targetSize = window.size ?? session.targetSize
    let before = showing
    before?.end()
    let showing = try Showing(
      path, session, before: before, swapchain: { device throws(Failure) in try self.swapchain(on: device) },
      refresh: options.refresh ?? window.monitor?.refreshRate ?? Ratio(60, 1), loops: options.loops,
      camera: { [unowned self] in look.camera }, layer: { [unowned self] in layer() },
      redraws: { [unowned self] in takeStale() })
    self.showing = showing
    look = lookAround(from: options.camera ?? showing.session.reader.info.firstView ?? Camera())
    window.setTitle("\(path.split(separator: "/").last ?? "") — bench360")
    try showing.play.run(
      beforeTick: { [unowned self] tick in
        for event in window.poll() { handle(event, at: tick.timestamp) }
        if look.advance(to: tick.target) { isStale = true }
        if hud.advance(to: tick.timestamp, { facts(showing) }) { isStale = true }
        if options.shouldQuit() { next = .quit }
        if next != nil { showing.link.stop() }
      },
      onTick: { [unowned self] tick in if wantsScreenshot, let view = tick.view { keep(view, tick) } })
    if next == nil { next = .quit }
  }

  private func lookAround(from home: Camera) -> LookAround {
    var look = LookAround(home: home)
    look.hasInertia = self.look.hasInertia
    return look
  }

  private func swapchain(on device: GPUDevice) throws(Failure) -> Swapchain {
    if let swapchain { return swapchain }
    let made = try Swapchain(device: device, size: window.size ?? options.session.targetSize)
    swapchain = made
    return made
  }

  /// Tells a person something, for a moment.
  func say(_ text: String) {
    hud.say(text, at: .now)
    isStale = true
  }

  private func facts(_ showing: Showing) -> HUD.Facts {
    var facts = HUD.Facts()
    let (play, session) = (showing.play, showing.session)
    facts.file = String(showing.path.split(separator: "/").last ?? "")
    (facts.presented, facts.dropped, facts.late) = (play.log.presented, play.log.dropped, play.log.late)
    facts.queueDepth = play.player.queue.count
    facts.renderMilliseconds = play.renderMilliseconds
    facts.device = session.device.info.name
    facts.decoder = "\(session.reader.decoder.name), \(session.reader.decoder.threads) threads"
    facts.upload = session.upload.rawValue
    facts.rate = play.player.rate
    facts.camera = session.renderer.geometry.projection.usesCamera ? look.camera : nil
    return facts
  }

  /// What is written over the view. Without fonts nothing is: the view matters more.
  private func layer() -> QuadLayer? {
    guard !hud.isEmpty, let renderer = showing?.session.renderer else { return nil }
    do throws(Failure) {
      let texts = if let texts { texts } else { TextCache(renderer: try TextRenderer()) }
      self.texts = texts
      let painter: CanvasPainter
      if let made = self.painter, made.renderer === renderer {
        painter = made.canvas
      } else {
        painter = try CanvasPainter(device: renderer.device, texts: texts)
        self.painter = (painter, renderer)
      }
      return painter.paint(hud.canvas(renderer.targetSize) { texts.measure($0, $1) })
    } catch {
      options.onMessage(error.description)
      hud = HUD()
      return nil
    }
  }

  private func takeStale() -> Bool {
    defer { isStale = false }
    return isStale
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
    showing?.end()
    painter = nil
    showing = nil
    swapchain = nil
    window.close()
  }
}
