import Decode
import Frames
import GPU
import Host
import Playback
import Render
import Session
import Verdict

/// A hand on the view: how long from what it does to the picture that shows it.
struct InteractionScenario: MeasuredScenario {
  let variants: [String?] = LookPattern.allCases.map(\.rawValue) + [Self.recorded]
  let usualVariants: [String?] = LookPattern.allCases.map(\.rawValue)

  /// What a file of input events holds.
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
      try recording(trial, eye), on: LookAround(home: trial.request.settings.startingCamera), size: eye)
    let feed = FrameFeed(reader: session.reader, interruption: trial.interruption, loops: true)
    defer { feed.stop() }
    trial.stage("look ahead")
    feed.fill()
    let isPaused = trial.request.variant.flatMap(LookPattern.init(rawValue:))?.isPaused ?? false
    let measure = InteractionMeasure(trial, session, replay, isPaused: isPaused)
    do throws(Failure) {
      try measure.run(feed)
    } catch {
      // Reading was cut short because the user wants to stop: what was measured stays.
      guard error.kind == .cancelled, trial.shouldStop else { throw error }
    }
    try measure.finish()
  }

  private func recording(_ trial: Trial, _ eye: PictureSize) throws(Failure) -> LookRecording {
    let settings = trial.request.settings
    if let pattern = trial.request.variant.flatMap(LookPattern.init(rawValue:)) {
      return pattern.recording(seconds: settings.duration, size: eye, seed: settings.seed)
    }
    guard trial.request.variant == Self.recorded, let recording = settings.input else {
      throw Failure(
        .usage, "cannot run scenario 'interaction/\(trial.request.variant ?? "")'", cause: "there are no input events",
        remedy: "give --input-events a file that 'view --record-input' wrote")
    }
    return recording
  }
}

extension Scenarios {
  /// What a hand did must be told where it is played back, and nowhere else.
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

/// One trial's window without a screen: a replay for a hand, and the session that follows it. The main thread's.
private final class InteractionMeasure {
  private let trial: Trial
  private let session: RenderSession
  private var replay: LookReplay
  private let isPaused: Bool
  private var check: RenderCheck
  private var isStale = false
  private var hasPicture = false
  private var begun: MonotonicTime?
  /// Refreshes whose view shows what a hand did.
  private var answers = 0
  private var captured: [Captured] = []

  /// A view that was read back, and where it must look.
  private struct Captured {
    var pixels: [UInt8]
    var frame: VideoFrame
    var camera: Camera
  }

  init(_ trial: Trial, _ session: RenderSession, _ replay: LookReplay, isPaused: Bool) {
    self.trial = trial
    self.session = session
    self.replay = replay
    self.isPaused = isPaused
    check = RenderCheck(session, trial, tracesInOrder: false)
  }

  func run(_ feed: FrameFeed) throws(Failure) {
    let link = TimerDisplayLink(rate: trial.request.settings.refresh)
    var options = PlaySession.Options()
    options.camera = { [unowned self] _ in replay.look.camera }
    options.redraws = { [unowned self] in takeStale() }
    options.readsGPUClock = true
    options.prerolls = true
    options.outlivesEnd = true
    let play = PlaySession(renderer: session.renderer, source: feed, link: link, options: options)
    // After all other threads were started, for those inherit it.
    trial.facts.reasons[.scheduling] = RealTimeScheduling.request().reason
    trial.stage("look around")
    try play.run(
      beforeTick: { begin($0, play, now: link.now) },
      onFrame: {
        trial.facts.add(conversionOf: $0.frame)
        trial.trace?.decoded($0.frame)
      },
      onTick: { tick in
        end(tick)
        if trial.shouldStop || isOver(at: tick.tick.target) { link.stop() }
      })
    trial.count(.presented, play.log.presented)
    trial.count(.dropped, play.log.dropped)
    trial.count(.late, play.log.late)
    trial.trace?.seen(play.log.views, period: play.log.period)
    trial.trace?.fates(play.log.fates)
  }

  /// What a window's loop does before a refresh is decided. The hand begins once there is a picture.
  private func begin(_ tick: DisplayTick, _ play: PlaySession, now: MonotonicTime) {
    guard hasPicture else { return }
    if begun == nil {
      begun = tick.timestamp
      if isPaused { play.pause() }
    }
    guard replay.begin(tick, at: now) else { return }
    isStale = true
    if answers.isMultiple(of: RenderCheck.readbackInterval) { play.captures = true }
    answers += 1
  }

  private func end(_ tick: PlayTick) {
    trial.add(.tickJitter, tick.called.milliseconds(since: tick.tick.timestamp))
    if let begun { trial.progress(tick.tick.target.seconds(since: begun) / trial.request.settings.duration) }
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

  /// Of what was read back, the first and the last view are compared when all is over.
  private func keep(_ view: FrameRing.Finished, _ camera: Camera) {
    guard let pixels = view.pixels else { return }
    if captured.count > 1 { captured.removeLast() }
    captured.append(Captured(pixels: pixels, frame: view.frame, camera: camera))
  }

  private func isOver(at now: MonotonicTime) -> Bool {
    guard let begun else { return false }
    return replay.isOver || now.seconds(since: begun) >= trial.request.settings.duration
  }

  private func takeStale() -> Bool {
    defer { isStale = false }
    return isStale
  }

  func finish() throws(Failure) {
    try check.finish()
    // Known to be none, where none occurred.
    trial.count(.overOneRefresh, 0)
    trial.addProcessCosts()
    trial.stage("compare")
    for view in captured where !trial.shouldStop {
      trial.addError(of: view.pixels, frame: view.frame, camera: view.camera, session.renderer)
    }
  }
}
