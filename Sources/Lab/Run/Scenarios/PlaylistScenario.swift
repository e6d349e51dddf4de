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
  let tellsEvents = true

  /// Parts of a trial: three changes.
  static let parts = 4

  func run(_ trial: Trial) throws(Failure) {
    try TrialEvents.tell(of: trial) { events throws(Failure) in
      try trial.withPlayWindow { window throws(Failure) in
        trial.stage("open")
        let list = try PlayedList(trial, in: window)
        trial.stage("play")
        try list.play(events)
        window?.finish()
      }
    }
  }
}

/// The parts of a trial, one after the other. One thread.
private final class PlayedList {
  private let trial: Trial
  private let window: PlayWindow?
  private let options: RenderSession.Options
  private let device: DeviceOpening
  private var part: PreparedPart
  private var opening: BackgroundWork<OpenedClip>?
  /// Opened, and decoding ahead.
  private var next: Result<PreparedPart, Failure>?

  init(_ trial: Trial, in window: PlayWindow?) throws(Failure) {
    var options = trial.request.settings.sessionOptions()
    options.surface = try window?.surface()
    (self.trial, self.window, self.options) = (trial, window, options)
    device = DeviceOpening(options)
    let opened = try OpenedClip(trial.request.input, options, on: device, interruption: trial.interruption)
    part = PreparedPart(try RenderSession(opened, options: options, on: device), trial)
    trial.add(part.session)
    part.fill()
  }

  func play(_ events: TrialEvents) throws(Failure) {
    // What takes time at the end of a part waits for the end of the trial: checks read pictures back.
    var passed: [PlayedPart] = []
    var end: MonotonicTime?
    for number in 1...PlaylistScenario.parts where !trial.shouldStop {
      if number > 1 { events.opens() }
      let played = try play(isLast: number == PlaylistScenario.parts, events)
      passed.append(played)
      if let end, let first = played.firstSeen { trial.add(.clipGap, first.milliseconds(since: end)) }
      end = played.play.log.lastPictureEnd
      if number < PlaylistScenario.parts, !trial.shouldStop { part = try following() }
    }
    for part in passed { try part.finish() }
  }

  private func play(isLast: Bool, _ events: TrialEvents) throws(Failure) -> PlayedPart {
    let (screen, link) = try trial.display(in: window, on: part.session.device)
    let end = MediaTime(seconds: trial.request.settings.repetition.duration / Double(PlaylistScenario.parts))
    let played = PlayedPart(part, trial, link, screen, end: end)
    do throws(Failure) {
      try played.run { tick in
        events.look(played.play, tick)
        if let screen { window?.poll(screen.swapchain) }
        if let view = tick.view { window?.note(view) }
        if !isLast, tick.state == .playing { prepare() }
        if trial.shouldStop { link.stop() }
      }
    } catch {
      // The user's stop cut the read short: keep the measurements so far.
      guard error.kind == .cancelled, trial.shouldStop else { throw error }
    }
    return played
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
      PreparedPart(try RenderSession(try opened.get(), options: options, on: device), trial)
    }
  }

  /// The next part; waits for it where the current one was too short.
  private func following() throws(Failure) -> PreparedPart {
    if next == nil, opening == nil { prepare() }
    opening?.wait()
    prepare()
    defer { next = nil }
    guard let next else { preconditionFailure("the next clip was opened") }
    return try next.get()
  }
}
