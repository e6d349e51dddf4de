import Frames
import Host
import Playback
import Session
import Verdict

/// Time to the first frame in a fresh process, split into the phases of its critical path.
struct StartupScenario: MeasuredScenario {
  let variants: [String?] = [warm, cold, noPipelineCache]
  let suites: [Suite: [String?]] = [
    .smoke: [warm], .standard: [warm], .full: [warm, cold, noPipelineCache],
  ]
  let warmUpVariant: String? = warm

  /// The file is in the page cache, and the last start's compiled shaders are cached.
  static let warm = "warm"
  /// The file is evicted from the page cache.
  static let cold = "cold"
  /// Caches of compiled shaders are empty, as on the first start of all.
  static let noPipelineCache = "no-pipeline-cache"

  func prepare(_ request: TrialRequest) throws(Failure) -> TrialPreparation {
    var preparation = TrialPreparation()
    switch request.variant {
    case Self.cold: preparation.reasons[.startupCold] = PageCache.drop(request.input).reason
    case Self.noPipelineCache:
      preparation.environment["XDG_CACHE_HOME"] = try preparation.makeFolder()
      preparation.reasons[.startupNoPipelineCache] =
        "XDG_CACHE_HOME is an empty folder: nothing of ours is in it, nor of drivers that keep their shaders there"
    default: break
    }
    return preparation
  }

  func run(_ trial: Trial) throws(Failure) {
    let spawned = trial.request.spawned ?? .now
    var last = spawned
    func phase(_ phase: Phase) {
      let now = MonotonicTime.now
      trial.phase(phase, now.milliseconds(since: last))
      trial.trace?.phase(phase.name, TimeSpan(last, now))
      last = now
    }
    phase(.spawn)
    trial.stage("open")
    var options = trial.request.settings.sessionOptions()
    options.decoder.showsFirstSoon = true
    let session = try RenderSession(
      path: trial.request.input, options: options, interruption: trial.interruption, onPhase: { phase(Phase($0)) })
    trial.phase(.deviceBeside, session.deviceMilliseconds)
    trial.add(session)
    guard let frame = try session.reader.first() else {
      throw Failure(.media, "cannot play '\(trial.request.input)'", cause: "it has no frames")
    }
    phase(.firstDecode)
    if session.reader.decodedFirstWhileOpening {
      trial.facts.reasons[.startupFirstPicture] =
        "it was decoded to find out what the clip is, while the device was opened; it is copied to the device"
    }
    trial.trace?.decoded(frame)
    let camera = trial.request.settings.viewing.startingCamera
    var views = try session.renderer.render(frame, camera: camera)
    phase(.firstUpload)
    views += try session.renderer.drain()
    phase(.firstRender)
    // Offscreen, a view counts as presented when its completion is noticed.
    phase(.firstPresent)
    trial.add(.timeToFirstFrame, last.milliseconds(since: spawned))
    trial.count(.presented)
    for view in views { trial.trace?.finished(view) }
    // The picture is checked after the clock has stopped.
    var check = RenderCheck(session, trial)
    try check.render(frame, camera: camera, isLast: true)
    try check.finish()
  }
}

extension Phase {
  init(_ phase: OpeningPhase) {
    self =
      switch phase {
      case .open: .open
      case .probe: .probe
      case .codecInit: .codecInit
      case .deviceInit: .deviceInit
      case .pipelineInit: .pipelineInit
      }
  }
}
