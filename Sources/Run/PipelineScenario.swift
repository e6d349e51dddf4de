import Frames
import Playback
import Render
import Verdict

/// All stages at once, unpaced: what this machine can do.
struct PipelineScenario: Scenario {
  let name = "pipeline"
  let summary = "decode, upload and render together, unpaced"
  let needsDevice = true
  let presentSource: PresentSource? = .submitComplete

  func run(_ trial: Trial) throws(Failure) {
    trial.stage("open")
    let session = try RenderSession(
      path: trial.request.input, options: trial.request.settings.sessionOptions(), interruption: trial.interruption)
    trial.add(session)
    try trial.measurePipeline(session)
  }
}

extension Trial {
  /// Decodes on a thread of its own, uploads and renders on this one, as fast as that goes.
  func measurePipeline(_ session: RenderSession) throws(Failure) {
    let trial = self
    let rate = session.reader.info.video.frameRate.value ?? 25
    let target = trial.frameTarget(rate: rate)
    let decoder = DecodeThread(reader: session.reader, interruption: trial.interruption, loops: true)
    defer { decoder.stop() }
    trial.stage("decode, upload and render")
    var check = RenderCheck(session, trial)
    var first: MonotonicTime?
    var count = 0
    while !trial.shouldStop, count < target || MonotonicTime.now.seconds(since: first ?? .now) < Trial.leastSeconds {
      guard let frame = try trial.next(decoder.next) else { break }
      if first == nil { first = frame.timing.packetSent }
      let depth = decoder.queuedFrames
      trial.add("queue_depth", Double(depth))
      trial.trace?.decoded(frame)
      trial.trace?.taken(frame, leaving: depth)
      trial.add(frame.timing)
      trial.facts.convertedFrom = frame.convertedFrom
      count += 1
      try check.render(frame, camera: trial.camera(atFrame: frame.index, rate: rate), isLast: count == target)
      trial.progress(Double(count) / Double(target))
    }
    try check.finish()
    trial.count("presented", count)
    if let first, let last = check.lastCompletion, last > first {
      trial.add("pipeline_fps", Double(count) / last.seconds(since: first))
    }
  }
}
