import Frames
import Overlay
import Playback
import Window

// What is seen where no clip is.
extension Viewer {
  /// Waits until somebody chooses a clip, or leaves.
  func chooseClip() throws(Failure) {
    window.setTitle("bench360")
    var screen = startScreen
    screen.complaint = complaint
    screen.field = typed
    if !typed.text.isEmpty { screen.selected = .field }
    defer { typed = screen.field }
    complaint = nil
    isStale = true
    while next == nil, playlist.current == nil {
      if isStale { try draw(screen) }
      for event in window.wait(timeout: 0.25) {
        let before = screen
        let choice = choice(&screen, event)
        if screen.isDrawn(unlike: before) { isStale = true }
        switch choice {
        case .open(let path): playlist.replace(with: [path])
        case .builtIn:
          try makeBuiltIn(screen)
          screen.complaint = complaint ?? screen.complaint
          complaint = nil
          isStale = true
        case .cancel, nil: break
        }
      }
      if options.shouldQuit() { next = .quit }
    }
  }

  var startScreen: StartScreen {
    StartScreen(
      recent: options.recent, home: options.home, hasBuiltIn: options.makeBuiltInClip != nil, names: options.names)
  }

  /// What an event on the screen comes to.
  func choice(_ screen: inout StartScreen, _ event: WindowEvent) -> StartScreen.Choice? {
    switch event {
    case .key(let key, .pressed, let modifiers), .key(let key, .repeated, let modifiers):
      // Letters are typed here.
      let isCommand = modifiers.contains(.control) || (Key.f1.rawValue...Key.f12.rawValue).contains(key.rawValue)
      if isCommand, case .once(let action) = options.keys.effect(of: key, .pressed, modifiers) {
        switch action {
        case .quit, .fullscreen:
          perform(action)
          return nil
        default: break
        }
      }
      return screen.press(key, modifiers) { window.clipboard }
    case .character(let scalar): screen.type(scalar)
    case .pointerMoved(let place):
      _ = hand.moved(to: place)
      if let entry = layout.entry(at: place.x, place.y) { screen.selected = entry }
    case .button(.left, isPressed: true, _):
      return layout.entry(at: hand.place.x, hand.place.y).flatMap { screen.choose($0) }
    case .drop(let files): playlist.replace(with: files)
    case .resized(let width, let height): resize(width: width, height: height)
    case .closeRequested: next = .quit
    default: break
    }
    return nil
  }

  /// Makes the built-in clip, which takes a while the first time, and shows it.
  private func makeBuiltIn(_ screen: StartScreen) throws(Failure) {
    guard let make = options.makeBuiltInClip else { return }
    let progress = Progress()
    let work = BackgroundWork(onDone: { WindowSystem.wake() }) { () throws(Failure) in
      try make { share in
        progress.set(share)
        return !progress.isCancelled
      }
    }
    defer {
      progress.cancel()
      work.wait()
    }
    var screen = screen
    while next == nil {
      if let result = work.take() {
        switch result {
        case .success(let path): playlist.replace(with: [path])
        case .failure(let failure): complaint = failure.description
        }
        return
      }
      screen.work = ("Making the built-in clip", progress.share)
      try draw(screen)
      for event in window.wait(timeout: 0.1) {
        if case .cancel = choice(&screen, event) { return }
      }
      if options.shouldQuit() { next = .quit }
    }
  }

  func draw(_ screen: StartScreen) throws(Failure) {
    isStale = false
    guard let size = window.size, let painter = try painter(on: device.device()) else { return }
    let made: Backdrop
    if let backdrop {
      made = backdrop
    } else {
      made = try Backdrop(device.pipelines().0, targetSize: size)
      backdrop = made
    }
    made.renderer.targetSize = size
    let (canvas, layout) = screen.canvas(size, scale: window.contentScale) { painter.measure($0, $1) }
    self.layout = layout
    try made.draw(painter.paint(canvas), on: swapchain(on: device.device()))
  }
}
