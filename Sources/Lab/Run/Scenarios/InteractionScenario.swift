import Decode
import Frames
import GPU
import Host
import Playback
import Render
import Session
import Verdict

/// Input latency: from a user's input to the picture that shows it.
struct InteractionScenario: MeasuredScenario {
  let variants: [String?] = LookPattern.allCases.map(\.rawValue) + [Self.recorded]
  let usualVariants: [String?] = LookPattern.allCases.map(\.rawValue)

  /// The contents of a file of input events.
  static let recorded = "recorded"

  func run(_ trial: Trial) throws(Failure) {
    trial.stage("open")
    let session = try RenderSession(
      path: trial.request.input, options: trial.request.settings.sessionOptions(), interruption: trial.interruption)
    trial.add(session)
    session.renderer.tellsInstants = true
    let geometry = session.renderer.geometry
    guard geometry.projection.usesCamera else {
      throw Failure(
        .unsupported, "cannot look around in '\(trial.request.input)'", cause: "it is shown flat",
        remedy: "if it is a sphere, add --projection equirectangular")
    }
    let eye = geometry.regions(in: session.renderer.targetSize).first.size
    let replay = LookReplay(
      try recording(trial, eye), on: LookAround(home: trial.request.settings.viewing.startingCamera), size: eye)
    let feed = FrameFeed(reader: session.reader, interruption: trial.interruption, loops: true)
    defer { feed.stop() }
    trial.stage("look ahead")
    feed.fill()
    let isPaused = trial.request.variant.flatMap(LookPattern.init(rawValue:))?.isPaused ?? false
    // What stands is not heard.
    let sound = isPaused ? nil : TrialSound(of: session, trial, turns: true)
    let measure = InteractionMeasure(trial, session, replay, sound, isPaused: isPaused)
    do throws(Failure) {
      try measure.run(feed)
    } catch {
      // The user's stop cut the read short: keep the measurements so far.
      guard error.kind == .cancelled, trial.shouldStop else { throw error }
    }
    try measure.finish()
  }

  private func recording(_ trial: Trial, _ eye: PictureSize) throws(Failure) -> LookRecording {
    let settings = trial.request.settings
    if let pattern = trial.request.variant.flatMap(LookPattern.init(rawValue:)) {
      return pattern.recording(seconds: settings.repetition.duration, size: eye, seed: settings.repetition.seed)
    }
    guard trial.request.variant == Self.recorded, let recording = settings.viewing.inputEvents else {
      throw Failure(
        .usage, "cannot run scenario 'interaction/\(trial.request.variant ?? "")'", cause: "there are no input events",
        remedy: "give --input-events a file that 'view --record-input' wrote")
    }
    return recording
  }
}

extension Scenarios {
  /// Input events must be given for the variant that replays them, and for no other.
  ///
  /// Throws `.usage`.
  public static func check(_ jobs: [Job], haveInput: Bool) throws(Failure) {
    let needsInput = jobs.contains {
      $0.scenario == .interaction && $0.variant == InteractionScenario.recorded
    }
    guard needsInput != haveInput else { return }
    throw haveInput
      ? Failure(
        .usage, "cannot use --input-events", cause: "no scenario plays them back",
        remedy: "add --scenario interaction/recorded")
      : Failure(
        .usage, "cannot run scenario 'interaction/recorded'", cause: "there are no input events",
        remedy: "give --input-events a file that 'view --record-input' wrote")
  }
}

/// One trial's offscreen window: a replay of input, and the session that follows it. Main thread only.
private final class InteractionMeasure {
  private let trial: Trial
  private let session: RenderSession
  private var replay: LookReplay
  private let sound: TrialSound?
  private let isPaused: Bool
  private var check: RenderCheck
  private var isStale = false
  private var hasPicture = false
  private var begun: MonotonicTime?
  /// Refreshes whose view shows an input.
  private var answers = 0
  private var captured: [Captured] = []

  /// A view that was read back, with its frame and camera.
  private struct Captured {
    var pixels: [UInt8]
    var frame: VideoFrame
    var camera: Camera
  }

  init(_ trial: Trial, _ session: RenderSession, _ replay: LookReplay, _ sound: TrialSound?, isPaused: Bool) {
    self.trial = trial
    self.session = session
    self.replay = replay
    self.sound = sound
    self.isPaused = isPaused
    check = RenderCheck(session, trial, tracesInOrder: false)
  }

  func run(_ feed: FrameFeed) throws(Failure) {
    let link = TimerDisplayLink(rate: trial.request.settings.pacing.refresh)
    var options = PlaySession.Options()
    options.camera = { [unowned self] _ in replay.look.camera }
    options.redraws = { [unowned self] in takeStale() }
    options.readsGPUClock = true
    options.start = .prerolled
    options.outlivesEnd = true
    if let sound { options.clock = sound.player.clock }
    let play = PlaySession(renderer: session.renderer, source: feed, link: link, options: options)
    // After all other threads started, because they inherit it.
    trial.facts.reasons[.scheduling] = RealTimeScheduling.request().reason
    trial.stage("look around")
    try play.run(
      beforeTick: { begin($0, play, now: link.now) },
      onFrame: {
        sound?.follow($0)
        trial.facts.add(conversionOf: $0.frame)
        trial.trace?.decoded($0.frame)
      },
      onTick: { tick in
        end(tick)
        if trial.shouldStop || isOver(at: tick.tick.target) { link.stop() }
      })
    sound?.finish(trial, play.log)
    trial.count(.presented, play.log.presented)
    trial.count(.dropped, play.log.dropped)
    trial.count(.late, play.log.late)
    trial.trace?.seen(play.log.views, period: play.log.period)
    trial.trace?.fates(play.log.fates)
  }

  /// What a window's loop does before it decides a refresh. Input begins once there is a picture.
  private func begin(_ tick: DisplayTick, _ play: PlaySession, now: MonotonicTime) {
    guard hasPicture else { return }
    if begun == nil {
      begun = tick.timestamp
      if isPaused { play.pause() }
    }
    let (camera, waiting) = (replay.look.camera, replay.waiting.count)
    guard replay.begin(tick, at: now) else { return }
    let turned = replay.look.camera
    if (camera.pan, camera.tilt, camera.roll) != (turned.pan, turned.tilt, turned.roll) {
      sound?.turn(to: turned, after: replay.waiting.dropFirst(waiting), trial)
    }
    isStale = true
    if answers.isMultiple(of: RenderCheck.readbackInterval) { play.captures = true }
    answers += 1
  }

  private func end(_ tick: PlayTick) {
    trial.add(.tickJitter, tick.called.milliseconds(since: tick.tick.timestamp))
    if let begun { trial.progress(tick.tick.target.seconds(since: begun) / trial.request.settings.repetition.duration) }
    guard let view = tick.view, let ready = tick.ready else { return }
    (hasPicture, isStale) = (true, false)
    trial.count(.views)
    for shown in replay.drew(in: tick.tick, ready: ready) {
      trial.add(.inputLatency, shown.milliseconds)
      if shown.isLate { trial.count(.overOneRefresh) }
    }
    let camera = replay.look.camera
    check.add(view, camera: camera)
    keep(view, camera)
    guard let frame = tick.frame, let place = tick.place else { return }
    trial.trace?.presented(place.index, view, taken: tick.taken ?? tick.called, leaving: tick.queueDepth)
    trial.trace?.shows(check.number(of: frame), at: place.index)
  }

  /// After the trial, compares the first and the last view that were read back.
  private func keep(_ view: FrameRing.Finished, _ camera: Camera) {
    guard let pixels = view.pixels else { return }
    if captured.count > 1 { captured.removeLast() }
    captured.append(Captured(pixels: pixels, frame: view.frame, camera: camera))
  }

  private func isOver(at now: MonotonicTime) -> Bool {
    guard let begun else { return false }
    return replay.isOver || now.seconds(since: begun) >= trial.request.settings.repetition.duration
  }

  private func takeStale() -> Bool {
    defer { isStale = false }
    return isStale
  }

  func finish() throws(Failure) {
    try check.finish()
    // Zero, not unknown, if none occurred.
    trial.count(.overOneRefresh, 0)
    trial.addProcessCosts()
    trial.stage("compare")
    for view in captured where !trial.shouldStop {
      trial.addError(of: view.pixels, frame: view.frame, camera: view.camera, session.renderer)
    }
  }
}
