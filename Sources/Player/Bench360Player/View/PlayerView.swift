import Frames
import Playback
import Render
import Window

/// A player's window, with the gestures of a viewer: drag to look around, the wheel to zoom, keys to play.
///
/// Main thread only, as window systems require; the player draws on a thread of its own meanwhile. A program with several windows runs
/// them together: `PlayerView.run([one, two])`.
public final class PlayerView {
  public let player: Player
  /// What a person's hands do in the window.
  public var gestures = Gestures.all
  /// Called with each event before the window's own gestures; true: it is dealt with.
  public var onEvent: (WindowEvent) -> Bool = { _ in false }
  /// Called when the window fills the display, or no longer does.
  public var onFullscreen: (Bool) -> Void = { _ in }
  /// Called when the window becomes a small one above others, or is as before again.
  public var onMini: (Bool) -> Void = { _ in }
  private let window: Window
  private var pointer = PointerHand()
  private var playsWhenRestored = false
  private var title: String?

  /// What hands do in a window.
  public struct Gestures: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A drag turns the view of a sphere, the wheel zooms, a double click looks at a place.
    public static let look = Gestures(rawValue: 1)
    /// Space: play or pause. Left, right: ten seconds. Up, down: volume. M: mute. `.` and `,`: a picture on or back.
    public static let keys = Gestures(rawValue: 2)
    /// F: full screen; Escape leaves it. I: a small window above others.
    public static let modes = Gestures(rawValue: 4)
    /// Files that are dropped on the window are played.
    public static let drop = Gestures(rawValue: 8)
    public static let all: Gestures = [.look, .keys, .modes, .drop]
  }

  /// Opens a window that shows the player's clip.
  ///
  /// Throws `.device` where there is no display; what the device fails with is told by the player's `Status.failed`.
  ///
  /// - Parameters:
  ///   - title: nil: that of the clip.
  ///   - size: in pixels.
  public init(
    _ player: Player, title: String? = nil, size: PictureSize = PictureSize(width: 1280, height: 720)
  ) throws(Failure) {
    (self.player, self.title) = (player, title)
    window = try Window(title: title ?? player.state.metadata.title ?? "", size: size)
    let refresh = window.monitor?.refreshRate
    try player.attach(
      to: .vulkan(
        try window.surface(), size: window.size ?? size, refresh: refresh?.value ?? 60))
  }

  deinit { close() }

  /// Leaves the player, and closes the window.
  public func close() {
    guard window.isOpen else { return }
    player.detach()
    window.close()
  }

  public var isOpen: Bool { window.isOpen }

  /// In pixels; nil while it is minimised.
  public var size: PictureSize? { window.size }

  public var isFullscreen: Bool { window.isFullscreen }

  public func setFullscreen(_ isWanted: Bool) {
    guard isWanted != window.isFullscreen else { return }
    window.setFullscreen(isWanted)
    onFullscreen(isWanted)
  }

  public var isMini: Bool { window.isMini }

  /// A small window in a corner of the display, above others.
  public func setMini(_ isWanted: Bool) {
    guard isWanted != window.isMini else { return }
    window.setMini(isWanted, width: Int((480 * window.contentScale).rounded()))
    onMini(isWanted)
  }

  // MARK: - Events

  /// Handles events until the window is closed, or until `ends`, which is asked after each event and four times a second; `WindowSystem.wake`
  /// lets it be asked at once.
  public func run(until ends: () -> Bool = { false }) { Self.run([self], until: ends) }

  /// The same for several windows: until all of them are closed. Views that are closed before are passed over.
  public static func run(_ views: [PlayerView], until ends: () -> Bool = { false }) {
    while !ends() {
      guard let first = views.first(where: \.isOpen) else { return }
      first.handleEvents(waiting: 0.25)
      for view in views where view !== first && view.isOpen { view.handleEvents() }
    }
  }

  /// Handles the events of a window that belongs to a loop of the caller's.
  ///
  /// - Parameter seconds: how long to wait for one; 0: not at all.
  public func handleEvents(waiting seconds: Double = 0) {
    guard window.isOpen else { return }
    followTitle()
    for event in seconds > 0 ? window.wait(timeout: seconds) : window.poll() {
      if !onEvent(event) { handle(event) }
      guard window.isOpen else { return }
    }
  }

  private func followTitle() {
    guard title == nil, let name = player.state.metadata.title else { return }
    title = name
    window.setTitle(name)
  }

  private func handle(_ event: WindowEvent) {
    switch event {
    case .closeRequested: close()
    case .resized(let width, let height): player.resize(width: width, height: height)
    case .minimised(let isMinimised): minimised(isMinimised)
    case .drop(let paths): if gestures.contains(.drop), let first = paths.first { drop(first) }
    case .key(let key, let action, _) where action != .released: press(key, isRepeated: action == .repeated)
    case .pointerMoved, .button, .scroll: if gestures.contains(.look) { look(event) }
    default: break
    }
  }

  private func drop(_ path: String) {
    title = nil
    player.load(path, plays: true)
  }

  /// A picture that no one sees is not drawn for: it pauses, as players do.
  private func minimised(_ isMinimised: Bool) {
    if isMinimised {
      playsWhenRestored = player.state.isPlaying
      player.pause()
    } else if playsWhenRestored {
      playsWhenRestored = false
      player.play()
    }
  }

  private func press(_ key: Key, isRepeated: Bool) {
    if gestures.contains(.modes), !isRepeated {
      switch key {
      case .f: return setFullscreen(!isFullscreen)
      case .i: return setMini(!isMini)
      case .escape: return setFullscreen(false)
      default: break
      }
    }
    guard gestures.contains(.keys) else { return }
    let state = player.state
    switch key {
    case .space where !isRepeated: state.isPlaying ? player.pause() : player.play()
    case .left: player.seek(to: state.position - MediaTime(seconds: 10))
    case .right: player.seek(to: state.position + MediaTime(seconds: 10))
    case .up: player.volume += 0.05
    case .down: player.volume -= 0.05
    case .m where !isRepeated: player.isMuted.toggle()
    case .period: player.step(1)
    case .comma: player.step(-1)
    default: break
    }
  }

  private func look(_ event: WindowEvent) {
    switch event {
    case .pointerMoved(let place): send(pointer.moved(to: place))
    case .button(.left, let isPressed, _): send(pointer.button(isPressed, at: .now))
    case .scroll(_, let up): send(.zoom(steps: up, x: pointer.place.x, y: pointer.place.y))
    default: break
    }
  }

  private func send(_ gesture: PointerHand.Gesture?) {
    switch gesture {
    case .grab(let place): send(.grab(x: place.x, y: place.y))
    case .drag(let place): send(.drag(x: place.x, y: place.y))
    case .doubleClick(let place): send(.recentre(x: place.x, y: place.y))
    case .letGo: send(.letGo)
    case nil: break
    }
  }

  private func send(_ event: LookEvent) { player.desk.put(.look(event, in: window.size)) }
}
