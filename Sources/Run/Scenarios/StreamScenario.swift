import Frames
import GPU
import Host
import Media
import Playback
import Session
import Streaming
import Verdict

/// A stream played over a network at a display's pace: what is loaded when, of which rung, and what a person sees of it.
struct StreamScenario: MeasuredScenario {
  func prepare(_ request: TrialRequest) throws(Failure) -> TrialPreparation {
    var preparation = TrialPreparation()
    let input = try StreamInput(request.input, request.settings.streaming)
    (preparation.input, preparation.origin) = try input.open(isShaped: true)
    preparation.quality = input.quality
    if input.quality == nil {
      preparation.reasons[.pictureQuality] = "unknown: the quality of segments is measured by 'generate --ladder' alone"
    }
    return preparation
  }

  func run(_ trial: Trial) throws(Failure) {
    try trial.withPlayWindow { window throws(Failure) in try play(trial, in: window) }
  }

  private func play(_ trial: Trial, in window: PlayWindow?) throws(Failure) {
    let settings = trial.request.settings
    var startup = StreamStartup(trial)
    trial.stage("open")
    var sessionOptions = settings.sessionOptions()
    sessionOptions.surface = try window?.surface()
    let stream = try LoadedStream(
      trial.request.input, name: trial.request.inputName,
      try settings.streaming.options(seed: settings.repetition.seed, network: settings.decoder.network),
      interruption: trial.interruption)
    defer { stream.stop() }
    startup.opened(stream)
    let session = try RenderSession(
      stream, options: sessionOptions, interruption: trial.interruption, onPhase: { startup.passed($0) })
    trial.add(session)
    session.renderer.tellsInstants = true
    let feed = FrameFeed(
      reader: session.reader, interruption: trial.interruption,
      loadControl: LoadControl(frames: settings.pacing.lookAhead))
    defer { feed.stop() }
    let (screen, link) = try trial.display(in: window, on: session.device)
    var options = settings.playOptions()
    options.screen = screen
    options.start = .whenAsked
    options.limits.stallsAfter = MediaTime(seconds: StreamWatch.threshold)
    let sound = ClipSound(of: session, trial)
    if let sound { options.clock = sound.player.clock }
    let play = PlaySession(renderer: session.renderer, source: feed, link: link, options: options)
    trial.facts.reasons[.scheduling] = RealTimeScheduling.request().reason
    trial.stage("play")
    // A stream of one rung that was taken from a ladder says which.
    let only = session.reader.info.synthetic?.rung
    var check = RenderCheck(session, trial, tracesInOrder: false) {
      only ?? stream.segment(at: $0.presentationTime)?.rung
    }
    var watch = StreamWatch(stream)
    var live = LiveWatch(stream, session.reader.info.synthetic)
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
          trial.take(queued)
          // Each picture is looked at; for a trace that is done where it is shown.
          if trial.trace == nil {
            live.decoded(queued.frame.presentationTime, number: check.number(of: queued.frame))
          }
        }
      ) { tick in
        startup.shows(tick)
        stream.played(to: play.clipPosition)
        if let frame = tick.frame { live.shown(frame.presentationTime, rate: play.player.rate) }
        watch.note(tick, stalls: play.log.stalls, isWaiting: feed.queuedFrames == 0)
        trial.add(tick, &check, options.camera)
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
    trial.add(play.log, framesLeftOut: feed.framesLeftOut)
    trial.add(
      watch.session(
        controller: settings.streaming.controller, hasFailed: failure != nil,
        live: live.levels.isEmpty ? nil : live.levels))
    window?.finish()
    try check.finish()
    if let failure { trial.fail(failure) }
  }
}

/// The phases from the process's start to the first picture.
private struct StreamStartup {
  private let trial: Trial
  private let spawned: MonotonicTime
  private var last: MonotonicTime
  private var stream: LoadedStream?
  private var opened = MonotonicTime.now
  private(set) var hasShown = false

  init(_ trial: Trial) {
    self.trial = trial
    spawned = trial.request.spawned ?? .now
    last = spawned
    end(.spawn, at: .now)
  }

  private mutating func end(_ phase: Phase, at instant: MonotonicTime) {
    let instant = max(instant, last)
    trial.phase(phase, instant.milliseconds(since: last))
    trial.trace?.phase(phase.name, TimeSpan(last, instant))
    last = instant
  }

  /// The manifest is there.
  mutating func opened(_ stream: LoadedStream) {
    self.stream = stream
    end(.manifest, at: .now)
    opened = MonotonicTime.now.advanced(byMilliseconds: -stream.now * 1000)
    trial.trace?.streamOpened = opened
  }

  mutating func passed(_ phase: OpeningPhase) {
    if phase == .open {
      let requests = stream?.history.requests ?? []
      let headers = requests.filter { $0.rung != nil && $0.kind != .segment }.map(\.times.ended).max()
      if let headers { end(.initSegment, at: min(.now, opened.advanced(byMilliseconds: headers * 1000))) }
      // It may be read before it is whole.
      end(.firstSegment, at: .now)
    } else {
      end(Phase(phase), at: .now)
    }
  }

  /// A refresh is over.
  mutating func shows(_ tick: PlayTick) {
    guard !hasShown, let frame = tick.frame, let view = tick.view else { return }
    hasShown = true
    if let received = frame.timing.received { end(.firstDecode, at: min(received, .now)) }
    end(.firstRender, at: min(view.completed, .now))
    end(.firstPresent, at: .now)
    trial.add(.timeToFirstFrame, last.milliseconds(since: spawned))
  }
}

extension Trial {
  fileprivate func add(_ session: StreamSession) {
    stream = session
    let measures = StreamMeasures(session)
    for (metric, samples) in measures.samples { for sample in samples { add(metric, sample) } }
    for (counter, count) in measures.counters { self.count(counter, count) }
  }
}
