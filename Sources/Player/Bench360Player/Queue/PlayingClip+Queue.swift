import Frames
import Playback

// A clip's turn in the queue.
extension PlayingClip {
  struct Turn {
    let began = MonotonicTime.now
    /// Until its first picture was told of; nil: it was not in the queue.
    var item: Player.Item?
    /// How it is left for the next clip; nil: it is not.
    var move: PlayerLoop.Move?
  }

  /// After each refresh.
  func follow(_ tick: PlayTick) {
    if tick.frame != nil { loop.clips.passed.end() }
    tellOfMove()
    guard tick.state == .playing || tick.state.isAtEnd else { return }
    guard let next = desk.follower else { return loop.lookNoFurther() }
    loop.lookAhead(to: next, from: clip, shownFor: tick.tick.timestamp.seconds(since: turn.began))
    if tick.state.isAtEnd { leave(for: next, .atEnd) }
  }

  private func tellOfMove() {
    guard let item = turn.item, !clip.play.log.views.isEmpty else { return }
    turn.item = nil
    desk.listeners.tell(.moved(to: item, after: loop.clips.passed.takeGap(to: clip)))
  }

  /// The next clip takes this one's place.
  func leave(for next: Player.Item, _ move: PlayerLoop.Move) {
    let plays = move == .atEnd || shown.willPlay
    // A clip that was prepared plays.
    if !plays { loop.clips.forgetPrepared() }
    guard desk.follow(next, from: loop.options.start, plays: plays, loop.clips.interruption(of: next)) else { return }
    turn.move = move
    clip.link.stop()
  }
}
