import FoundationEssentials
import Frames
import GPU
import Playback
import Verdict
import Window

/// The window that a trial plays in. Main thread only.
final class PlayWindow {
  private let window: Window
  private let trial: Trial
  /// A window has one.
  private var swapchain: Swapchain?
  private var unshown = 0
  private var views = 0

  /// As many pixels as the view; this size stays unless the window system changes it.
  init(_ trial: Trial) throws(Failure) {
    let name = URL(filePath: trial.request.input).lastPathComponent
    var options = Window.Options()
    options.isResizable = false
    window = try Window(title: "bench360 — \(name)", size: trial.request.settings.viewing.size, options: options)
    self.trial = trial
  }

  /// Free all objects that draw into the window first.
  func close() {
    swapchain = nil
    window.close()
  }

  func surface() throws(Failure) -> SurfaceSource { try window.surface() }

  /// The screen, and the display link: the driver's own where it reports display times, else a timer's.
  func open(on device: GPUDevice) throws(Failure) -> (screen: PlaySession.Screen, link: any DisplayLink) {
    let wanted = trial.request.settings.viewing.size
    let swapchain = if let swapchain { swapchain } else { try Swapchain(device: device, size: window.size ?? wanted) }
    self.swapchain = swapchain
    if let size = swapchain.size, size != wanted {
      trial.facts.reasons[.present] = "the window has \(size) pixels: views of \(wanted) are scaled to it"
    }
    let pace = WindowPace(swapchain, rate: trial.request.settings.pacing.refresh)
    trial.facts.presentSource = pace.isTold ? .presentWait : .submitComplete
    if !pace.isTold {
      trial.facts.reasons[.presentSource] = "the driver does not tell when the window showed a picture: a timer paces"
    }
    return (pace.screen, pace.link)
  }

  /// Polls the window's events: a closed window ends the trial as Ctrl-C does.
  func poll(_ swapchain: Swapchain) {
    for event in window.poll() {
      switch event {
      case .closeRequested: trial.stop()
      case .resized(let width, let height): swapchain.resize(width: width, height: height)
      default: break
      }
    }
  }

  func note(_ view: FrameRing.Finished) {
    views += 1
    if view.present == nil { unshown += 1 }
  }

  /// Warns of views in a hidden window: they cost less.
  func finish() {
    guard unshown > 0 else { return }
    trial.facts.warnings.append(
      .init(
        code: .notShown, text: "\(unshown) of \(views) views were not shown: the window was minimised or covered",
        remedy: "leave the window where it can be seen"))
  }
}

extension Trial {
  /// Calls `body` with an open window where pictures are to be shown in one, else with nil.
  ///
  /// All objects that draw into the window must be freed when `body` returns.
  func withPlayWindow(_ body: (PlayWindow?) throws(Failure) -> Void) throws(Failure) {
    guard request.settings.pacing.present == .window else { return try body(nil) }
    stage("open window")
    let window = try PlayWindow(self)
    defer { window.close() }
    try body(window)
  }

  /// The window's screen and display link; without a window no screen, and a timer at the display's pace.
  func display(
    in window: PlayWindow?, on device: GPUDevice
  ) throws(Failure) -> (screen: PlaySession.Screen?, link: any DisplayLink) {
    guard let window else { return (nil, TimerDisplayLink(rate: request.settings.pacing.refresh)) }
    return try window.open(on: device)
  }
}
