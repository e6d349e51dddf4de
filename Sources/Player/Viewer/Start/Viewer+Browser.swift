import Bench360Player
import Frames
import Overlay
import Window

// The file browser.
extension Viewer {
  /// Waits until the user chooses a file, or goes to the first screen, or quits.
  func browse() throws(Failure) {
    window.setTitle("\(words[.open]) — bench360")
    files.clear()
    let thumbnails = BrowserThumbnails(
      check: options.checkInput, network: options.session.decoder.network)
    defer { thumbnails.stop() }
    var browser = FileBrowser(start.folder ?? options.files.folder)
    var listing = list(browser.folder)
    var coming: String?
    isStale = true
    while next == nil {
      if browser.isLoading, let result = listing.work.take() {
        switch result {
        case .success(let entries): browser.show(entries, selecting: coming)
        case .failure(let failure): browser.fail(failure.description)
        }
        isStale = true
      }
      if thumbnails.advance(browser.visibleFiles) { isStale = true }
      let waiting = Waiting(since: listing.began)
      if isStale || browser.isLoading && waiting.isShown(at: .now) {
        try draw(&browser, thumbnails, spin: browser.isLoading ? waiting.spin(at: .now) : nil)
      }
      for event in window.wait(timeout: browser.isLoading ? Waiting.step : 0.25) {
        isStale = true
        switch choice(&browser, event) {
        case .open(let path):
          start.folder = browser.folder
          return play([path])
        case .list(let folder):
          coming = browser.name
          browser = FileBrowser(folder, like: browser)
          listing = list(folder)
        case .back: return
        case nil: break
        }
        if files.queue.current != nil { return }
      }
      attend()
    }
  }

  private func list(_ folder: String) -> (work: BackgroundWork<[FolderEntry]>, began: MonotonicTime) {
    let work = BackgroundWork(onDone: { WindowSystem.wake() }) { [list = options.files.list] () throws(Failure) in
      try list(folder)
    }
    return (work, .now)
  }

  /// The effect of an event on the browser.
  private func choice(_ browser: inout FileBrowser, _ event: WindowEvent) -> FileBrowser.Choice? {
    if isScreenEvent(event) { return nil }
    switch event {
    case .key(let key, let action, let modifiers) where action != .released: return browser.press(key, modifiers)
    case .character(let scalar): browser.type(scalar)
    case .scroll(_, let up): browser.scroll(up > 0 ? -1 : 1)
    case .pointerMoved(let place):
      if case .row(let row) = start.browserLayout.part(at: place.x, place.y) { browser.point(at: row) }
    case .button(.left, isPressed: true, _):
      let place = hands.pointer.place
      return start.browserLayout.part(at: place.x, place.y).flatMap { browser.click($0) }
    default: break
    }
    return nil
  }

  private func draw(
    _ browser: inout FileBrowser, _ thumbnails: BrowserThumbnails, spin: Double?
  ) throws(Failure) {
    isStale = false
    try drawing.checkDevice()
    guard let size = window.size, let painter = painter() else { return }
    // The number of rows that fit is known after the first drawing.
    for _ in 0..<2 {
      let (canvas, layout) = browser.canvas(
        size, scale: window.contentScale * options.settings.textSize, spin: spin, words: words,
        measure: { painter.measure($0, $1) }, thumbnail: { thumbnails.picture(for: $0) })
      start.browserLayout = layout
      if browser.isLoading || browser.visibleCount == layout.rowCount {
        return try drawing.show(painter.paint(canvas), size: size)
      }
      browser.fit(layout.rowCount)
    }
  }
}

/// An indicator for work that takes longer than a moment. Pure.
package struct Waiting: Sendable, Hashable {
  package let since: MonotonicTime

  package init(since: MonotonicTime) { self.since = since }

  /// Milliseconds: shorter work shows no indicator, because the user could not read it.
  static let patience = 200.0
  /// Seconds between two pictures of the indicator.
  package static let step = 0.05

  package func isShown(at now: MonotonicTime) -> Bool { now.milliseconds(since: since) >= Self.patience }

  /// Turns of the indicator.
  package func spin(at now: MonotonicTime) -> Double { now.seconds(since: since) }
}
