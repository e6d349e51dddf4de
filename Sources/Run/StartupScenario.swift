import Frames
import Playback
import Verdict

/// Time to the first frame in a fresh process, split into the phases of its critical path.
struct StartupScenario: Scenario {
  let name = "startup"
  let summary = "time to first frame in a fresh process, by phases"
  let variants: [String?] = ["warm"]
  let needsDevice = true
  let presentSource: PresentSource? = .submitComplete
  let trialFactor = 3

  func run(_ trial: Trial) throws(Failure) {
    let spawned = trial.request.spawned ?? .now
    var last = spawned
    func phase(_ name: String) {
      let now = MonotonicTime.now
      trial.phase(name, now.milliseconds(since: last))
      trial.trace?.phase(name, TimeSpan(last, now))
      last = now
    }
    phase("spawn")
    trial.stage("open")
    let session = try RenderSession(
      path: trial.request.input, options: trial.request.settings.sessionOptions(), interruption: trial.interruption,
      onPhase: phase)
    trial.phase("device_beside", session.deviceMilliseconds)
    trial.add(session)
    guard let frame = try session.reader.next() else {
      throw Failure(.media, "cannot play '\(trial.request.input)'", cause: "it has no frames")
    }
    phase("first_decode")
    trial.trace?.decoded(frame)
    let camera = trial.request.settings.startingCamera
    var views = try session.renderer.render(frame, camera: camera)
    phase("first_upload")
    views += try session.renderer.drain()
    phase("first_render")
    // Offscreen a view is presented when its completion is noticed.
    phase("first_present")
    trial.add("ttff_ms", last.milliseconds(since: spawned))
    trial.count("presented")
    for view in views { trial.trace?.finished(view) }
    // Whether it was the right picture is asked after the clock has stopped.
    var check = RenderCheck(session, trial)
    try check.render(frame, camera: camera, isLast: true)
    try check.finish()
  }
}
