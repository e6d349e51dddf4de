import Frames
import Playback
import Render
import Session

/// A clip of several that are shown on one display link, one after the other. One thread.
final class PlayedPart {
  let play: PlaySession
  let feed: FrameFeed
  private let trial: Trial
  private var check: RenderCheck
  private let camera: (MediaTime) -> Camera
  /// Views that were logged before it was left.
  private var viewsBefore = 0

  /// - Parameters:
  ///   - end: it plays no further; nil: to its own end.
  ///   - loops: it is played again and again up to there.
  init(
    _ session: RenderSession, _ trial: Trial, _ link: any DisplayLink, _ screen: PlaySession.Screen?, end: MediaTime?,
    loops: Bool
  ) {
    self.trial = trial
    session.renderer.tellsInstants = true
    feed = FrameFeed(
      reader: session.reader, interruption: session.interruption,
      loadControl: LoadControl(frames: trial.request.settings.pacing.lookAhead), loops: loops)
    var options = trial.request.settings.playOptions()
    (options.start, options.end, options.screen) = (.atOnce, end, screen)
    camera = options.camera
    play = PlaySession(renderer: session.renderer, source: feed, link: link, options: options)
    check = RenderCheck(session, trial, tracesInOrder: false)
  }

  deinit { feed.stop() }

  func refresh(_ tick: DisplayTick) throws(Failure) -> PlayTick {
    let result = try play.refresh(tick, onFrame: { trial.take($0) })
    trial.add(result, &check, camera)
    return result
  }

  /// When the first picture was seen since it was left; nil: none was.
  var firstSeen: MonotonicTime? {
    let views = play.log.views
    return views.count > viewsBefore ? views[viewsBefore].seen : nil
  }

  /// It is left.
  func leave() { viewsBefore = play.log.views.count }

  /// Counts its frames. Throws as the check of its pictures does.
  func finish() throws(Failure) {
    try play.finish()
    let log = play.log
    trial.count(.presented, log.presented)
    trial.count(.dropped, log.dropped)
    trial.count(.skipped, log.skipped)
    trial.count(.late, log.late)
    try check.finish()
  }
}
