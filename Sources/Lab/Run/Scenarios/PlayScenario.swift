import Frames
import GPU
import Host
import Playback
import Render
import Session
import Verdict

/// Playback at a display's pace: which frames are shown, when, and which are dropped.
struct PlayScenario: MeasuredScenario {
  let suites: [Suite: [String?]] = [.full: [nil]]
  let tellsEvents = true

  func run(_ trial: Trial) throws(Failure) {
    try TrialEvents.tell(of: trial) { events throws(Failure) in
      try trial.withPlayWindow { window throws(Failure) in try play(trial, in: window, events) }
    }
  }

  private func play(_ trial: Trial, in window: PlayWindow?, _ events: TrialEvents) throws(Failure) {
    trial.stage("open")
    let settings = trial.request.settings
    var sessionOptions = settings.sessionOptions()
    sessionOptions.surface = try window?.surface()
    let session = try RenderSession(
      path: trial.request.input, options: sessionOptions, interruption: trial.interruption)
    trial.add(session)
    session.renderer.tellsInstants = true
    let feed = FrameFeed(
      reader: session.reader, interruption: trial.interruption,
      loadControl: LoadControl(frames: settings.pacing.lookAhead),
      loops: true)
    defer { feed.stop() }
    trial.stage("look ahead")
    feed.fill()
    let sound = TrialSound(of: session, trial)
    let (screen, link) = try trial.display(in: window, on: session.device)
    var options = settings.playOptions()
    options.screen = screen
    if let sound { options.clock = sound.player.clock }
    let play = PlaySession(renderer: session.renderer, source: feed, link: link, options: options)
    // After all other threads started, because they inherit it.
    trial.facts.reasons[.scheduling] = RealTimeScheduling.request().reason
    trial.stage("play")
    var check = RenderCheck(session, trial, tracesInOrder: false)
    do throws(Failure) {
      try play.run(onFrame: {
        sound?.follow($0)
        trial.take($0)
      }) { tick in
        trial.add(tick, &check, options.camera)
        events.look(play, tick) { $0.cause = session.reader.info.isRemote ? .network : .decode }
        if let screen { window?.poll(screen.swapchain) }
        if let view = tick.view { window?.note(view) }
        if trial.shouldStop { link.stop() }
      }
    } catch {
      // The user's stop cut the read short: keep the measurements so far.
      guard error.kind == .cancelled, trial.shouldStop else { throw error }
    }
    sound?.finish(trial, play.log)
    trial.add(play.log, framesLeftOut: feed.framesLeftOut)
    window?.finish()
    try check.finish()
  }
}

extension RunSettings {
  func playOptions() -> PlaySession.Options {
    var options = PlaySession.Options()
    options.camera = { viewing.motion.camera(from: viewing.startingCamera, at: $0) }
    options.cameraMoves = viewing.motion != .still
    options.end = MediaTime(seconds: repetition.duration)
    options.readbackInterval = RenderCheck.readbackInterval
    options.readsGPUClock = true
    options.start = .prerolled
    return options
  }
}

extension RealTimeScheduling {
  /// For the record.
  var reason: String {
    switch self {
    case .granted: "the thread that draws runs in real time, before all others"
    case .refused(let reason): "the thread that draws runs like any other: \(reason)"
    }
  }
}

extension Trial {
  func take(_ queued: QueuedFrame) {
    add(queued.frame.timing)
    facts.add(conversionOf: queued.frame)
    trace?.decoded(queued.frame)
  }

  func add(_ tick: PlayTick, _ check: inout RenderCheck, _ camera: (MediaTime) -> Camera) {
    add(.tickJitter, tick.called.milliseconds(since: tick.tick.timestamp))
    add(.queueDepth, Double(tick.queueDepth))
    noteProgress(tick)
    guard let view = tick.view else { return }
    check.add(view, camera: camera(tick.position))
    guard let frame = tick.frame, let place = tick.place else { return }
    trace?.presented(place.index, view, taken: tick.taken ?? tick.called, leaving: tick.queueDepth)
    trace?.shows(check.number(of: frame), at: place.index)
  }

  /// A hanging decoder makes none.
  func noteProgress(_ tick: PlayTick) {
    guard tick.framesReceived > 0 || tick.state == .playing else { return }
    progress(tick.position.seconds / request.settings.repetition.duration)
  }

  func add(_ log: PlayLog, framesLeftOut: Int) {
    count(.presented, log.presented)
    count(.dropped, log.dropped)
    count(.skipped, log.skipped + framesLeftOut)
    count(.repeated, log.repeated)
    count(.late, log.late)
    count(.stalls, log.stalls.count)
    for stall in log.stalls { add(.stall, stall.milliseconds) }
    for overrun in DisplayMeasures.overruns(log.views) { add(.frameOverrun, overrun) }
    let intervals = DisplayMeasures.intervals(log.views)
    for interval in intervals { add(.displayInterval, interval) }
    add(.lowOnePercent, DisplayMeasures.low(0.01, of: intervals))
    add(.lowTenthPercent, DisplayMeasures.low(0.001, of: intervals))
    if request.settings.viewing.motion != .still {
      for error in DisplayMeasures.animationErrors(log.views) { add(.animationError, error) }
    }
    let roughness = Roughness(log.views)
    add(.roughness, roughness?.milliseconds)
    add(.freezing, roughness?.freezingMilliseconds)
    add(
      .roughnessIdeal,
      Roughness.ideal(times: log.fates.map(\.frame.time), refresh: request.settings.pacing.refresh)?.milliseconds)
    let seen = log.fates.filter { $0.fate != .skipped }
    histograms[.dropRuns] = DisplayMeasures.dropRuns(seen.map { $0.fate == .dropped })
    trace?.seen(log.views, period: log.period)
    trace?.fates(log.fates)
  }
}
