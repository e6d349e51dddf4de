import Frames
import GPU
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
      camera: { [unowned self] in look.camera }, redraws: { [unowned self] in takeStale() })
    self.showing = showing
    look = lookAround(from: options.camera ?? showing.session.reader.info.firstView ?? Camera())
    window.setTitle("\(path.split(separator: "/").last ?? "") — bench360")
    try showing.play.run(
      beforeTick: { [unowned self] tick in
        for event in window.poll() { handle(event, at: tick.timestamp) }
        if look.advance(to: tick.target) { isStale = true }
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
    showing = nil
    swapchain = nil
    window.close()
  }
}
