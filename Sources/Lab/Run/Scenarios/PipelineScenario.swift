import Frames
import Playback
import Render
import Session
import Verdict

/// All stages at once, unpaced: the machine's maximum rate.
struct PipelineScenario: MeasuredScenario {
  let suites = Suite.each([nil])

  func run(_ trial: Trial) throws(Failure) {
    trial.stage("open")
    let session = try RenderSession(
      path: trial.request.input, options: trial.request.settings.sessionOptions(), interruption: trial.interruption)
    trial.add(session)
    try trial.measurePipeline(session)
  }
}

extension Trial {
  /// Upper limit of decoded frames that wait for the GPU.
  private static let framesAhead = 4

  /// Decodes on a thread of its own, uploads and renders on this one, unpaced.
  func measurePipeline(_ session: RenderSession) throws(Failure) {
    let rate = session.reader.info.video.frameRate.value ?? 25
    let target = frameTarget(rate: rate)
    let feed = FrameFeed(
      reader: session.reader, interruption: interruption, loadControl: LoadControl(frames: Self.framesAhead),
      loops: true, start: .inOrder)
    defer { feed.stop() }
    stage("decode, upload and render")
    var check = RenderCheck(session, self)
    var first: MonotonicTime?
    var frames = 0
    while !shouldStop, !hasEnough(frames, of: target, seconds: MonotonicTime.now.seconds(since: first ?? .now)) {
      guard let frame = try next(feed.next) else { break }
      if first == nil { first = frame.timing.packetSent }
      let depth = feed.queuedFrames
      add(.queueDepth, Double(depth))
      trace?.decoded(frame)
      trace?.taken(frame, leaving: depth)
      add(frame.timing)
      facts.add(conversionOf: frame)
      frames += 1
      try check.render(frame, camera: camera(atFrame: frame.index, rate: rate), isLast: frames == target)
      progress(Double(frames) / Double(target))
    }
    try check.finish()
    count(.presented, frames)
    if let first, let last = check.lastCompletion, last > first {
      add(.pipelineFPS, Double(frames) / last.seconds(since: first))
    }
  }
}
