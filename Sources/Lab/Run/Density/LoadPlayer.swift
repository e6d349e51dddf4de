import Frames
import Host
import Playback
import Render
import Session
import Verdict

/// One of several players of a clip at once: it decodes and draws at the pace of a display of its own. One thread.
final class LoadPlayer {
  private let trial: Trial
  private let session: RenderSession
  private let feed: FrameFeed
  private let link: TimerDisplayLink
  private let play: PlaySession
  private let camera: (MediaTime) -> Camera

  /// When a player begins, and how much may go wrong.
  struct Order: Sendable, Codable {
    var start: MonotonicTime
    /// It ends as soon as more than so many frames were not seen in time; nil: it plays to its end.
    var allowance: Int?
  }

  /// Opens the clip, decodes ahead, and draws the first picture.
  ///
  /// - Parameter device: may be other players' as well.
  init(_ trial: Trial, _ options: RenderSession.Options, on device: DeviceOpening) throws(Failure) {
    let clip = try OpenedClip(trial.request.input, options, on: device, interruption: trial.interruption)
    session = try RenderSession(clip, options: options, on: device)
    self.trial = trial
    trial.add(session)
    session.renderer.tellsInstants = true
    let settings = trial.request.settings
    feed = FrameFeed(
      reader: session.reader, interruption: trial.interruption,
      loadControl: LoadControl(frames: settings.pacing.lookAhead), loops: true)
    feed.fill()
    link = TimerDisplayLink(rate: settings.pacing.refresh)
    let options = settings.playOptions()
    camera = options.camera
    play = PlaySession(renderer: session.renderer, source: feed, link: link, options: options)
    try play.begin { trial.take($0) }
  }

  deinit { feed.stop() }

  /// - Parameter isOver: asked at each refresh: whether all players are to end.
  func play(_ order: Order, isOver: () -> Bool) throws(Failure) {
    trial.facts.reasons[.scheduling] = RealTimeScheduling.request().reason
    link.begin(at: order.start)
    var check = RenderCheck(session, trial, tracesInOrder: false)
    var ticks = 0
    do throws(Failure) {
      try play.run(onFrame: { trial.take($0) }) { tick in
        trial.add(tick, &check, camera)
        ticks += 1
        // About once a second: it counts all frames.
        let hasFailed = ticks % 64 == 0 && order.allowance.map { stream(play.log).faults > $0 } ?? false
        if hasFailed || isOver() || trial.shouldStop { link.stop() }
      }
    } catch {
      // The user's stop cut the read short: keep the measurements so far.
      guard error.kind == .cancelled, trial.shouldStop else { throw error }
    }
    trial.add(play.log, framesLeftOut: feed.framesLeftOut)
    trial.density.own = stream(play.log)
    try check.finish()
  }

  private func stream(_ log: PlayLog) -> Density.Stream {
    Density.Stream(
      presented: log.presented, dropped: log.dropped, late: log.late, leftOut: feed.framesLeftOut,
      stalls: log.stalls.count, decodeLatencyMs: Density.Spread(trial.samples[.decodeLatency] ?? []),
      frameOverrunMs: Density.Spread(DisplayMeasures.overruns(log.views)))
  }
}
