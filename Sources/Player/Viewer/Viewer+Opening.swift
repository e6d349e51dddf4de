import Bench360Player
import Frames
import Origin
import Playlists
import Window

// Opening a clip while the window stays responsive.
extension Viewer {
  /// Waits until a clip is open; nil if another action comes first.
  func open(_ item: PlaylistItem) throws(Failure) -> Showing? {
    let path = item.source
    if let ready = openings.clips.takePrepared(item) { return Showing(ready.clip, item, .loaded(ready.ads)) }
    openings.clips.passed.end()
    let opening = openings.clips.take(item) { begin(item) }
    defer { openings.clips.abandon(opening) }
    let waiting = Waiting(since: .now)
    var screen = startScreen
    screen.work = .init(.opening(ShownClip(path).text))
    while next == nil {
      if let opened = try opening.take() { return Showing(try make(opened, item), item, .loaded(opened.ads)) }
      if waiting.since.advanced(byMilliseconds: Self.limit * 1000) < .now { throw overdue(path) }
      for event in window.wait(timeout: Waiting.step) {
        if case .cancel = choice(&screen, event) { return giveUp() }
      }
      attend()
      screen.work?.detail = Phrase(opening.waitsFor)
      screen.work?.spin = waiting.spin(at: .now)
      if waiting.isShown(at: .now) { try draw(screen) }
    }
    return nil
  }

  func begin(_ item: PlaylistItem) -> ClipOpening<PlaylistItem> {
    var plan = OpeningPlan(item.source, sessionOptions(for: item))
    plan.streaming = options.files.streaming.map { StreamLoading($0, serve: serve) }
    (plan.ads, plan.check) = (options.files.ads, options.checkInput)
    plan.onDone = { WindowSystem.wake() }
    return ClipOpening(item, plan, on: drawing.device)
  }

  /// Seconds: libavformat's own limit is shorter.
  private static let limit = 75.0

  private func overdue(_ path: String) -> Failure {
    Failure(
      .timeout, "cannot open '\(path)'", cause: "opening did not end within \(Int(Self.limit)) s",
      remedy: "the file or playlist is damaged, or its server does not answer")
  }

  private func giveUp() -> Showing? {
    files.clear()
    return nil
  }
}

// Moving to another file of the playlist.
extension Viewer {
  /// Goes to the next or previous file once that is open. Meanwhile, and if none can be opened, the current clip stays.
  func leave(_ aim: ViewerFiles.Aim) {
    guard files.entry(aim) != nil else { return }
    openings.leaving = Openings.Leaving(aim: aim, since: .now)
  }

  /// Called at each refresh. An opening that takes longer than a moment gets the screen that says what the viewer waits for.
  func leaveWhenOpen(at now: MonotonicTime) {
    guard let leaving = openings.leaving, next == nil else { return }
    guard let entry = files.entry(leaving.aim) else { return openings.leaving = nil }
    if openings.clips.prepared?.item == entry.item { return go(leaving.aim) }
    switch openings.clips.expect(entry.item, begin: { begin(entry.item) }).outcome {
    case .failure(let failure) where !failure.isOfDevice:
      openings.clips.refuseAhead()
      openings.leaving?.since = now
      files.refuse(entry)
      tell(failure.description)
    case nil where !Waiting(since: leaving.since).isShown(at: now): break
    default: go(leaving.aim)
    }
  }

  private func go(_ aim: ViewerFiles.Aim) { if files.move(aim) { next = .file } }
}

extension Failure {
  /// Whether the device is to blame, and not the file.
  fileprivate var isOfDevice: Bool { kind == .device || kind == .deviceLost }
}

/// What the viewer opens, and where it goes from a clip. Main thread only.
struct Openings {
  /// A move to another file that waits for its opening.
  struct Leaving {
    var aim: ViewerFiles.Aim
    /// When the opening was first waited for.
    var since: MonotonicTime
  }

  let clips = ClipQueue<PlaylistItem>()
  /// The user, or the end of the clip, asks for another file.
  var leaving: Leaving?
  /// Which breaks of a clip were played, where it may be shown again because the device was lost.
  var breaks: (path: String, breaks: AdBreaks)?
  /// Why a clip has no sound: told with its first picture. Where none comes, that is what there is to tell.
  var complaint: String?
}

/// By an origin of the viewer's own.
private func serve(_ folder: String) throws(Failure) -> (url: String, server: any AnyObject & Sendable) {
  let origin = try Origin.start(folder)
  return (origin.url, origin)
}
