import Ads
import Bench360Player
import Decode
import Frames
import Media
import Origin
import Playback
import Playlists
import Session
import Window

// Opening a clip while the window stays responsive.
extension Viewer {
  /// A clip being opened on a thread of its own.
  final class Opening {
    struct Opened {
      let clip: OpenedClip
      /// Nil: it has none.
      let ads: Result<AdPlan?, Failure>
    }

    let item: PlaylistItem
    private let stage = OpeningStage()
    private let interruption = Interruption()
    private let work: BackgroundWork<Opened>
    /// The result until it is taken.
    private var result: Result<Opened, Failure>?
    private var isTaken = false

    init(
      _ item: PlaylistItem, _ session: RenderSession.Options, _ options: Viewer.Options, on device: DeviceOpening
    ) {
      self.item = item
      let path = item.source
      var session = session
      (session.decoder.showsFirstSoon, session.decoder.acceptsSound) = (true, true)
      work = BackgroundWork(onDone: { WindowSystem.wake() }) {
        [
          interruption, session, stage, check = options.checkInput,
          streaming = options.files.streaming.map { StreamLoading($0, serve: serve) }, schedule = options.files.ads
        ] ()
          throws(Failure) in
        let ads = AdLoading(schedule, interruption)
        let clip = try OpenedClip(
          played: path, session, streaming: streaming, on: device, interruption: interruption,
          check: { () throws(Failure) in
            try check?(path) { interruption.isRequested }
            stage.note(.reading)
          }, onPhase: { stage.note(ended: $0) })
        return Opened(clip: clip, ads: Result { () throws(Failure) in try ads.wait() })
      }
    }

    /// What it waits for, in words.
    var waitsFor: Phrase { Phrase(stage.wait(for: item.source)) }

    /// Asks the thread to stop; it may take as long as a name lookup, which cannot be interrupted.
    deinit {
      if !isTaken { interruption.request() }
    }

    /// Stops it and waits, at most `seconds`, until the thread has freed everything; false if it still runs.
    func stop(withinSeconds seconds: Double) -> Bool {
      guard !isTaken else { return true }
      interruption.request()
      return work.wait(seconds: seconds)
    }

    /// Nil while the clip is being opened; a result is returned once.
    func take() throws(Failure) -> Opened? {
      guard let result = outcome else { return nil }
      (self.result, isTaken) = (nil, true)
      return try result.get()
    }

    /// The result that `take` will return; nil while the clip is being opened, and after it was taken.
    var outcome: Result<Opened, Failure>? {
      if result == nil { result = work.take() }
      return result
    }
  }

  /// Waits until a clip is open; nil if another action comes first.
  func open(_ item: PlaylistItem) throws(Failure) -> Showing? {
    let path = item.source
    if let prepared = openings.takePrepared(item) { return prepared }
    openings.passed.end()
    let opening = openings.take(item) { begin(item) }
    defer { openings.abandon(opening) }
    let waiting = Waiting(since: .now)
    var screen = startScreen
    screen.work = .init(.opening(ShownClip(path).text))
    while next == nil {
      if let clip = try opening.take() { return try make(clip, item) }
      if waiting.since.advanced(byMilliseconds: Self.limit * 1000) < .now { throw overdue(path) }
      for event in window.wait(timeout: Waiting.step) {
        if case .cancel = choice(&screen, event) { return giveUp() }
      }
      attend()
      screen.work?.detail = opening.waitsFor
      screen.work?.spin = waiting.spin(at: .now)
      if waiting.isShown(at: .now) { try draw(screen) }
    }
    return nil
  }

  func begin(_ item: PlaylistItem) -> Opening {
    Opening(item, sessionOptions(for: item), options, on: drawing.device)
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
    openings.leaving = .init(aim: aim, since: .now)
  }

  /// Called at each refresh. An opening that takes longer than a moment gets the screen that says what the viewer waits for.
  func leaveWhenOpen(at now: MonotonicTime) {
    guard let leaving = openings.leaving, next == nil else { return }
    guard let entry = files.entry(leaving.aim) else { return openings.leaving = nil }
    if openings.prepared?.item == entry.item { return go(leaving.aim) }
    switch openings.expect(entry.item, begin: { begin(entry.item) }).outcome {
    case .failure(let failure) where !failure.isOfDevice:
      openings.ahead = nil
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

/// Clips being opened. Main thread only.
struct Openings {
  /// A move to another file that waits for its opening.
  struct Leaving {
    var aim: ViewerFiles.Aim
    /// When the opening was first waited for.
    var since: MonotonicTime
  }

  /// The clip that is likely to be shown next.
  var ahead: Viewer.Opening?
  /// The user, or the end of the clip, asks for another file.
  var leaving: Leaving?
  /// The next clip, once it was opened and its first frames are being decoded.
  var prepared: Showing?
  /// The clip before, until the next one's first picture.
  var passed = PassedClip()
  /// Which breaks of a clip were played, where it may be shown again because the device was lost.
  var breaks: (path: String, breaks: AdBreaks)?
  /// Openings whose threads may still hold the device.
  private var abandoned: [Viewer.Opening] = []

  /// The opening of a requested file: the prefetched one, else a new one.
  mutating func take(_ item: PlaylistItem, begin: () -> Viewer.Opening) -> Viewer.Opening {
    defer { ahead = nil }
    return expect(item, begin: begin)
  }

  /// The clip that was prepared, where it is this one.
  mutating func takePrepared(_ item: PlaylistItem) -> Showing? {
    guard let showing = prepared else { return nil }
    prepared = nil
    if showing.item == item { return showing }
    showing.clip.end()
    return nil
  }

  /// The same; it stays the prefetched one.
  mutating func expect(_ item: PlaylistItem, begin: () -> Viewer.Opening) -> Viewer.Opening {
    if let ahead, ahead.item == item { return ahead }
    if let ahead { abandon(ahead) }
    let opening = begin()
    ahead = opening
    return opening
  }

  /// Cancels the opening: the viewer waits for its thread when the device must close.
  mutating func abandon(_ opening: Viewer.Opening) {
    abandoned.append(opening)
    abandoned.removeAll { $0.stop(withinSeconds: 0) }
  }

  /// Nothing follows the clip that was shown.
  mutating func forget() {
    prepared?.clip.end()
    prepared = nil
    passed.end()
  }

  /// Cancels all openings, and waits for a moment until no thread holds the device.
  mutating func stopAll() {
    forget()
    if let ahead { abandoned.append(ahead) }
    ahead = nil
    for opening in abandoned { _ = opening.stop(withinSeconds: 0.5) }
    abandoned = []
  }
}

/// By an origin of the viewer's own.
private func serve(_ folder: String) throws(Failure) -> (url: String, server: any AnyObject & Sendable) {
  let origin = try Origin.start(folder)
  return (origin.url, origin)
}
