import Frames
import GPU
import Playback
import Render
import Session
import Verdict

/// Clips one after the other without a gap, as the viewer plays them: the next one is opened on a thread of its own while the current
/// one plays, and its first frames are decoded before it begins. One clip stands for all of them; each plays its beginning.
struct PlaylistScenario: MeasuredScenario {
  let suites: [Suite: [String?]] = [.full: [nil]]

  /// Parts of a trial: three changes.
  static let parts = 4

  func run(_ trial: Trial) throws(Failure) {
    try trial.withPlayWindow { window throws(Failure) in
      trial.stage("open")
      let list = try PlayedList(trial, in: window)
      trial.stage("play")
      try list.play()
      window?.finish()
    }
  }
}

/// The parts of a trial, one after the other. One thread.
private final class PlayedList {
  private let trial: Trial
  private let window: PlayWindow?
  private let options: RenderSession.Options
  private let device: DeviceOpening
  private var part: Part
  private var opening: BackgroundWork<OpenedClip>?
  /// Opened, and decoding ahead.
  private var next: Result<Part, Failure>?

  /// One clip.
  private final class Part {
    let session: RenderSession
    let feed: FrameFeed

    init(_ clip: OpenedClip, _ options: RenderSession.Options, _ device: DeviceOpening, lookAhead: Int)
      throws(Failure)
    {
      session = try RenderSession(clip, options: options, on: device)
      session.renderer.tellsInstants = true
      feed = FrameFeed(
        reader: session.reader, interruption: session.interruption, loadControl: LoadControl(frames: lookAhead))
    }

    deinit { feed.stop() }
  }

  init(_ trial: Trial, in window: PlayWindow?) throws(Failure) {
    var options = trial.request.settings.sessionOptions()
    options.surface = try window?.surface()
    (self.trial, self.window, self.options) = (trial, window, options)
    device = DeviceOpening(options)
    part = try Part(
      OpenedClip(trial.request.input, options, on: device, interruption: trial.interruption), options, device,
      lookAhead: trial.request.settings.pacing.lookAhead)
    trial.add(part.session)
    part.feed.fill()
  }

  func play() throws(Failure) {
    // What takes time at the end of a part waits for the end of the trial: checks read pictures back.
    var checks: [RenderCheck] = []
    var end: MonotonicTime?
    for number in 1...PlaylistScenario.parts where !trial.shouldStop {
      var check = RenderCheck(part.session, trial, tracesInOrder: false)
      let log = try play(&check, isLast: number == PlaylistScenario.parts)
      checks.append(check)
      if let end, let first = log.views.first { trial.add(.clipGap, first.seen.milliseconds(since: end)) }
      end = log.lastPictureEnd
      count(log)
      if number < PlaylistScenario.parts, !trial.shouldStop { part = try following() }
    }
    for index in checks.indices { try checks[index].finish() }
  }

  private func play(_ check: inout RenderCheck, isLast: Bool) throws(Failure) -> PlayLog {
    let settings = trial.request.settings
    let (screen, link) = try trial.display(in: window, on: part.session.device)
    var options = settings.playOptions()
    options.start = .atOnce
    options.end = MediaTime(seconds: settings.repetition.duration / Double(PlaylistScenario.parts))
    options.screen = screen
    let play = PlaySession(renderer: part.session.renderer, source: part.feed, link: link, options: options)
    do throws(Failure) {
      try play.run(onFrame: { trial.take($0) }) { tick in
        trial.add(tick, &check, options.camera)
        if let screen { window?.poll(screen.swapchain) }
        if let view = tick.view { window?.note(view) }
        if !isLast, tick.state == .playing { prepare() }
        if trial.shouldStop { link.stop() }
      }
    } catch {
      // The user's stop cut the read short: keep the measurements so far.
      guard error.kind == .cancelled, trial.shouldStop else { throw error }
    }
    return play.log
  }

  /// At each refresh.
  private func prepare() {
    guard next == nil else { return }
    guard let opening else {
      return opening = BackgroundWork(onDone: {}) { [input = trial.request.input, options, device] () throws(Failure) in
        try OpenedClip(input, options, on: device)
      }
    }
    guard let opened = opening.take() else { return }
    self.opening = nil
    next = Result { () throws(Failure) in
      try Part(try opened.get(), options, device, lookAhead: trial.request.settings.pacing.lookAhead)
    }
  }

  /// The next part; waits for it where the current one was too short.
  private func following() throws(Failure) -> Part {
    if next == nil, opening == nil { prepare() }
    opening?.wait()
    prepare()
    defer { next = nil }
    guard let next else { preconditionFailure("the next clip was opened") }
    return try next.get()
  }

  private func count(_ log: PlayLog) {
    trial.count(.presented, log.presented)
    trial.count(.dropped, log.dropped)
    trial.count(.skipped, log.skipped)
    trial.count(.late, log.late)
  }
}
