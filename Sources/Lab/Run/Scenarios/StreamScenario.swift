import Frames
import GPU
import Host
import Media
import Playback
import Render
import Session
import Streaming
import Verdict

/// A stream played over a network at a display's pace: what is loaded when, of which rung, and what a person sees of it.
struct StreamScenario: MeasuredScenario {
  let tellsEvents = true

  func prepare(_ request: TrialRequest) throws(Failure) -> TrialPreparation {
    var preparation = TrialPreparation()
    let input = try StreamInput(request.input, request.settings.streaming)
    (preparation.input, preparation.origin, preparation.served) = try input.open(isShaped: true)
    preparation.quality = input.quality
    if input.quality == nil {
      preparation.reasons[.pictureQuality] = "unknown: the quality of segments is measured by 'generate --ladder' alone"
    }
    return preparation
  }

  func run(_ trial: Trial) throws(Failure) {
    guard trial.request.settings.streaming.clients.count > 1 else { return try playOne(trial) }
    try ClientGroup(trial).run { client throws(Failure) in try playOne(client) }
  }

  private func playOne(_ trial: Trial) throws(Failure) {
    try TrialEvents.tell(of: trial) { events throws(Failure) in
      try trial.withPlayWindow { window throws(Failure) in try play(trial, in: window, events) }
    }
  }

  private func play(_ trial: Trial, in window: PlayWindow?, _ events: TrialEvents) throws(Failure) {
    let settings = trial.request.settings
    var startup = StreamStartup(trial)
    trial.stage("open")
    var loading = try settings.streaming.options(seed: settings.repetition.seed, network: settings.decoder.network)
    loading.served = trial.request.served
    let stream = try LoadedStream(
      trial.request.input, name: trial.request.inputName, loading, interruption: trial.interruption)
    defer { stream.stop() }
    try settings.streaming.check(fit: stream.rungs)
    startup.opened(stream)
    let pictures = try StreamPictures(of: stream, trial, in: window) { startup.passed($0) }
    let feed = FrameFeed(
      reader: pictures.reader, interruption: trial.interruption,
      loadControl: LoadControl(frames: settings.pacing.lookAhead))
    defer { feed.stop() }
    let (screen, link) = try pictures.display(trial, in: window)
    var options = settings.playOptions()
    options.screen = screen
    options.start = .whenAsked
    options.limits.stallsAfter = MediaTime(seconds: StreamWatch.threshold)
    let sound = pictures.session.flatMap { TrialSound(of: $0, trial) }
    if let sound { options.clock = sound.player.clock }
    let play = PlaySession(renderer: pictures.drawer, source: feed, link: link, options: options)
    // Threads before all others would hold up the loading threads of other clients.
    if settings.streaming.clients.count == 1, pictures.session != nil {
      trial.facts.reasons[.scheduling] = RealTimeScheduling.request().reason
    }
    trial.stage("play")
    var check = pictures.check(trial, stream)
    var watch = StreamWatch(stream)
    var live = LiveWatch(stream, pictures.session?.reader.info.synthetic)
    var hasBegun = false
    var failure: Failure?
    do throws(Failure) {
      try play.run(
        beforeTick: { _ in
          // The first picture is shown at once; playing begins with enough media.
          if let place = stream.takeJump() { play.seek(SeekRequest(target: place)) }
          guard hasBegun else {
            guard stream.canPlay else { return }
            hasBegun = true
            return play.play()
          }
          play.setRate(stream.catchUpRate(at: play.clipPosition))
        },
        onFrame: { queued in
          sound?.follow(queued)
          guard check != nil else { return }
          trial.take(queued)
          // Each picture is looked at; for a trace that is done where it is shown.
          if trial.trace == nil {
            live.decoded(queued.frame.presentationTime, number: check?.number(of: queued.frame))
          }
        }
      ) { tick in
        startup.shows(tick)
        // Before the first picture its place is not the stream's beginning: a live one begins elsewhere.
        if play.shownFrame != nil { stream.played(to: play.clipPosition) }
        if let frame = tick.frame { live.shown(frame.presentationTime, rate: play.player.rate) }
        watch.note(tick, stalls: play.log.stalls, isWaiting: feed.queuedFrames == 0)
        trial.add(tick, &check, options.camera)
        // A lost network is waited for as long as the retries last: the trial does not hang meanwhile.
        if stream.trouble != nil { trial.noteOutage() }
        events.look(play, tick) { sample in
          sample.cause = stream.isStarving ? .network : .decode
          sample.note(stream, picture: play.shownFrame?.presentationTime ?? play.clipPosition, follows: true)
        }
        if let screen { window?.poll(screen.swapchain) }
        if let view = tick.view { window?.note(view) }
        if trial.shouldStop { link.stop() }
      }
    } catch {
      // Measurements before the stream broke off, or before the user's stop, are kept.
      if !(error.kind == .cancelled && trial.shouldStop) {
        guard startup.hasShown, error.kind != .deviceLost else { throw error }
        failure = error
      }
    }
    sound?.finish(trial, play.log)
    if check != nil { trial.add(play.log, framesLeftOut: feed.framesLeftOut) }
    trial.add(
      watch.session(
        controller: settings.streaming.controller, hasFailed: failure != nil,
        live: live.levels.isEmpty ? nil : live.levels))
    window?.finish()
    try check?.finish()
    trial.addClipped(stream.history)
    if let failure { trial.fail(failure) }
  }
}

extension Trial {
  fileprivate func add(_ session: StreamSession) {
    stream.session = session
    let measures = StreamMeasures(session)
    for (metric, samples) in measures.samples { for sample in samples { add(metric, sample) } }
    for (counter, count) in measures.counters { self.count(counter, count) }
  }

  /// A manifest that names one byte too many is to be mended by its publisher.
  fileprivate func addClipped(_ history: StreamHistory) {
    guard let request = history.requests.first(where: \.isClipped) else { return }
    let name = request.url.split(separator: "/").last ?? ""
    facts.warnings.append(
      .init(
        code: .endsEarly, text: "'\(name)' ends one byte before the range that the stream names, which was shortened",
        remedy: "correct the last range in the manifest or playlist"))
  }

  /// A virtual player has no pictures to check, and no times of frames.
  fileprivate func add(_ tick: PlayTick, _ check: inout RenderCheck?, _ camera: (MediaTime) -> Camera) {
    guard var pictures = check else { return noteProgress(tick) }
    // Held once: a copy would be made anew at each refresh.
    check = nil
    add(tick, &pictures, camera)
    check = pictures
  }
}
