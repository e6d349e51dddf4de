import Frames
import Overlay
import Playback
import Window

// The start screen.
extension Viewer {
  /// Waits until the user chooses a clip, or quits.
  func chooseClip() throws(Failure) {
    window.setTitle("bench360")
    var screen = startScreen
    screen.complaint = start.complaint
    screen.field = start.typed
    if !start.typed.text.isEmpty { screen.selected = .field }
    defer { start.typed = screen.field }
    start.complaint = nil
    isStale = true
    while next == nil, files.playlist.current == nil {
      if isStale { try draw(screen) }
      for event in window.wait(timeout: 0.25) {
        let before = screen
        let choice = choice(&screen, event)
        if screen.isDrawn(unlike: before) { isStale = true }
        switch choice {
        case .open(let path): files.playlist.replace(with: [path])
        case .builtIn:
          try makeBuiltIn(screen)
          screen.complaint = start.complaint ?? screen.complaint
          start.complaint = nil
          isStale = true
        case .cancel, nil: break
        }
      }
      if options.shouldQuit() { next = .quit }
    }
  }

  var startScreen: StartScreen {
    StartScreen(
      recent: files.recent, home: options.files.home, hasBuiltIn: options.files.makeBuiltInClip != nil,
      names: options.files.names)
  }

  /// The effect of an event on the screen.
  func choice(_ screen: inout StartScreen, _ event: WindowEvent) -> StartScreen.Choice? {
    switch event {
    case .key(let key, .pressed, let modifiers), .key(let key, .repeated, let modifiers):
      // The field takes letters.
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
      _ = hands.pointer.moved(to: place)
      if let entry = start.layout.entry(at: place.x, place.y) { screen.selected = entry }
    case .button(.left, isPressed: true, _):
      return start.layout.entry(at: hands.pointer.place.x, hands.pointer.place.y).flatMap { screen.choose($0) }
    case .drop(let dropped): files.playlist.replace(with: dropped)
    case .resized(let width, let height): resize(width: width, height: height)
    case .closeRequested: next = .quit
    default: break
    }
    return nil
  }

  /// Makes the built-in clip, which takes a while the first time, and shows it.
  private func makeBuiltIn(_ screen: StartScreen) throws(Failure) {
    guard let make = options.files.makeBuiltInClip else { return }
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
        case .success(let path): files.playlist.replace(with: [path])
        case .failure(let failure): start.complaint = failure.description
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
    guard let size = window.size, let painter = try painter(on: drawing.device.device()) else { return }
    let (canvas, layout) = screen.canvas(size, scale: window.contentScale) { painter.measure($0, $1) }
    start.layout = layout
    try drawing.show(painter.paint(canvas), size: size)
  }
}

/// The state of the start screen that lasts between its appearances.
struct StartMemory {
  /// The error to show on the start screen.
  var complaint: String?
  /// The typed text, so that the user can correct a typo.
  var typed = PathField()
  /// The layout of the screen.
  var layout = StartScreen.Layout()
}
