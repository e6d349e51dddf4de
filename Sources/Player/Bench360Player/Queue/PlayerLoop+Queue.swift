import Ads
import Frames
import Media
import Playback
import Session
import Sound

// One clip after the other: the next one is opened, and its first frames are decoded, while the one before it plays.
extension PlayerLoop {
  /// How a clip is left for the next one of the queue.
  enum Move {
    /// It has played to its end.
    case atEnd
    case asked
  }

  /// The clip that was prepared for a task, else one that is opened now; and its ads.
  func clip(
    of task: PlayerDesk.Task, at place: Recovery.Place
  ) throws(Failure) -> (PlayedClip, Result<AdPlan?, Failure>) {
    if let ready = clips.takePrepared(task.item) {
      if ready.interruption === task.interruption { return (ready.clip, ready.ads) }
      ready.clip.end()
    }
    clips.passed.end()
    if clips.ahead?.interruption !== task.interruption { clips.abandonAhead() }
    let opening = clips.take(task.item) { begin(task.item, from: place.time, task.interruption) }
    let opened = try opening.wait()
    return (try make(opened.clip, task.path, plays: place.isPlaying || desk.takePlay()), opened.ads)
  }

  private func begin(
    _ item: Player.Item, from start: MediaTime, _ interruption: Interruption = Interruption()
  ) -> ClipOpening<Player.Item> {
    var plan = OpeningPlan(item.path, session)
    (plan.streaming, plan.ads) = (streaming(start), options.ads)
    return ClipOpening(item, plan, on: drawing.device, interruption: interruption)
  }

  /// At each refresh while a clip plays, or is at its end.
  ///
  /// - Parameter seconds: for which it is shown.
  func lookAhead(to next: Player.Item, from clip: PlayedClip, shownFor seconds: Double) {
    if let prepared = clips.prepared, prepared.item != next { clips.forgetPrepared() }
    guard clips.prepared == nil else { return }
    if ClipQueue<Player.Item>.opensAhead(after: seconds, of: clip.duration) {
      clips.expect(next) { begin(next, from: options.start) }
    }
    guard sharesSound, clips.ahead?.item == next, ClipQueue<Player.Item>.prepares(at: clip.place, of: clip.duration)
    else { return }
    clips.prepare { (opened, item) throws(Failure) in try make(opened.clip, item.path, plays: true) }
  }

  /// Nothing follows the clip that is shown.
  func lookNoFurther() {
    clips.forgetPrepared()
    clips.abandonAhead()
  }

  /// Whether a second clip may open the sound output while the first one plays.
  private var sharesSound: Bool { if case .file = options.output { false } else { true } }

  /// What takes time at a clip's end waits for the first picture of the next one, where one follows.
  func leave(_ clip: PlayedClip, _ move: Move?) {
    guard let move else {
      clips.passed.end()
      lookNoFurther()
      return clip.end()
    }
    clip.sound?.stop()
    clips.passed.leave(move == .atEnd ? clip.play.log.lastPictureEnd : nil) { clip.end() }
  }
}
