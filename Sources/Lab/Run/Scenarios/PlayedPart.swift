import Frames
import Playback
import Render
import Session

/// A clip that is open, before a display shows it; with `fill` it decodes ahead. One thread.
final class PreparedPart {
  let session: RenderSession
  fileprivate let feed: FrameFeed

  /// - Parameter loops: it is played again and again, up to where it is to end.
  init(_ session: RenderSession, _ trial: Trial, loops: Bool = false) {
    self.session = session
    session.renderer.tellsInstants = true
    feed = FrameFeed(
      reader: session.reader, interruption: session.interruption,
      loadControl: LoadControl(frames: trial.request.settings.pacing.lookAhead), loops: loops)
  }

  deinit { feed.stop() }

  func fill() { feed.fill() }
}

/// A clip of several that are shown one after the other, on one display link or each on its own. One thread.
final class PlayedPart {
  let play: PlaySession
  private let prepared: PreparedPart
  private let trial: Trial
  private var check: RenderCheck
  private let camera: (MediaTime) -> Camera
  /// Views that were logged before it was left.
  private var viewsBefore = 0
  /// On a link of its own, to its end.
  private var hasRun = false

  /// - Parameter end: it plays no further; nil: to its own end.
  init(
    _ prepared: PreparedPart, _ trial: Trial, _ link: any DisplayLink, _ screen: PlaySession.Screen?, end: MediaTime?
  ) {
    (self.prepared, self.trial) = (prepared, trial)
    let session = prepared.session
    var options = trial.request.settings.playOptions()
    (options.start, options.end, options.screen) = (.atOnce, end, screen)
    camera = options.camera
    play = PlaySession(renderer: session.renderer, source: prepared.feed, link: link, options: options)
    check = RenderCheck(session, trial, tracesInOrder: false)
  }

  /// Plays to its end, on a link of its own.
  func run(onTick: (PlayTick) -> Void) throws(Failure) {
    hasRun = true
    try play.run(onFrame: { trial.take($0) }) { tick in
      trial.add(tick, &check, camera)
      onTick(tick)
    }
  }

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
    if !hasRun { try play.finish() }
    let log = play.log
    trial.count(.presented, log.presented)
    trial.count(.dropped, log.dropped)
    trial.count(.skipped, log.skipped)
    trial.count(.late, log.late)
    try check.finish()
  }
}
