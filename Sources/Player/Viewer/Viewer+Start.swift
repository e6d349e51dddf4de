import Bench360Player
import Frames
import Overlay
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
    while next == nil, files.queue.current == nil {
      if isStale { try draw(screen) }
      for event in window.wait(timeout: 0.25) {
        let before = screen
        let choice = choice(&screen, event)
        if screen.isDrawn(unlike: before) { isStale = true }
        switch choice {
        case .open(let path): play([path])
        case .browse: next = .browse
        case .builtIn:
          try makeBuiltIn(screen)
          isStale = true
        case .cancel, nil: break
        }
        if let complaint = start.complaint {
          (screen.complaint, start.complaint, isStale) = (complaint, nil, true)
        }
      }
      attend()
    }
  }

  var startScreen: StartScreen {
    StartScreen(
      recent: files.recent, home: options.files.home, hasBuiltIn: options.files.makeBuiltInClip != nil,
      names: options.files.names)
  }

  /// The effect of an event on the screen.
  func choice(_ screen: inout StartScreen, _ event: WindowEvent) -> StartScreen.Choice? {
    if isScreenEvent(event) { return nil }
    switch event {
    case .key(let key, let action, let modifiers) where action != .released:
      return screen.press(key, modifiers) { window.clipboard }
    case .character(let scalar): screen.type(scalar)
    case .pointerMoved(let place):
      if let entry = start.layout.entry(at: place.x, place.y) { screen.selected = entry }
    case .button(.left, isPressed: true, _):
      return start.layout.entry(at: hands.pointer.place.x, hands.pointer.place.y).flatMap { screen.choose($0) }
    default: break
    }
    return nil
  }

  /// Handles an event that means the same on all screens without a clip; returns whether it did.
  func isScreenEvent(_ event: WindowEvent) -> Bool {
    switch event {
    case .key(let key, let action, let modifiers) where action != .released:
      // The other keys are typed text.
      let isCommand = modifiers.contains(.control) || (Key.f1.rawValue...Key.f12.rawValue).contains(key.rawValue)
      guard isCommand, case .once(let action) = options.keys.effect(of: key, .pressed, modifiers),
        [.quit, .fullscreen, .open, .textSize(1), .textSize(-1)].contains(action)
      else { return false }
      perform(action)
    case .pointerMoved(let place):
      _ = hands.pointer.moved(to: place)
      return false
    case .drop(let dropped): play(dropped)
    case .resized(let width, let height): resize(width: width, height: height)
    case .closeRequested: next = .quit
    default: return false
    }
    isStale = true
    return true
  }

  /// Makes the built-in clip, which takes a while the first time, and shows it.
  private func makeBuiltIn(_ screen: StartScreen) throws(Failure) {
    guard let make = options.files.makeBuiltInClip else { return }
    let progress = Progress()
    let work = BackgroundWork(onDone: { WindowSystem.wake() }) { () throws(Failure) in
      try make { share, secondsLeft in
        progress.set(share, secondsLeft: secondsLeft)
        return !progress.isCancelled
      }
    }
    defer {
      progress.cancel()
      work.wait()
    }
    var screen = screen
    let waiting = Waiting(since: .now)
    while next == nil {
      if let result = work.take() {
        switch result {
        case .success(let path): play([path])
        case .failure(let failure): start.complaint = failure.description
        }
        return
      }
      screen.work = .init(
        .word(.makingBuiltIn), detail: progress.secondsLeft.map { .timeLeft(seconds: $0) }, share: progress.share,
        spin: waiting.spin(at: .now))
      try draw(screen)
      for event in window.wait(timeout: 0.1) {
        if case .cancel = choice(&screen, event) { return }
      }
      attend()
    }
  }

  func draw(_ screen: StartScreen) throws(Failure) {
    isStale = false
    try drawing.checkDevice()
    guard let size = window.size, let painter = painter() else { return }
    let (canvas, layout) = screen.canvas(size, scale: window.contentScale * options.settings.textSize, words: words) {
      painter.measure($0, $1)
    }
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
  /// The layouts of the screens.
  var layout = StartScreen.Layout()
  var browserLayout = FileBrowser.Layout()
  /// The folder of the last file that was opened by the browser.
  var folder: String?
}
