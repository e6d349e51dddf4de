/// A view on the display: which frame it shows, and when it was due, ready and seen.
///
/// Plain numbers only, so that a list of them is one block of memory.
public struct SeenView: Hashable, Sendable {
  /// The frame's position in output order, from 0.
  public var frame: Int
  /// The frame's place on the timeline.
  public var time: MediaTime
  /// The moment of the timeline for which the camera was evaluated.
  public var moment: MediaTime
  /// The refresh that should have been the first to show it.
  public var due: MonotonicTime
  /// When its GPU work was complete.
  public var ready: MonotonicTime
  /// The refresh that was the first to show it.
  public var seen: MonotonicTime
  /// The view before it showed another frame, or there was none.
  public var isNew: Bool
  /// Playback stalled between the previous view and this one.
  public var followsStall: Bool

  public init(
    frame: Int, time: MediaTime, moment: MediaTime, due: MonotonicTime, ready: MonotonicTime, seen: MonotonicTime,
    isNew: Bool = true, followsStall: Bool = false
  ) {
    self.frame = frame
    self.time = time
    self.moment = moment
    self.due = due
    self.ready = ready
    self.seen = seen
    self.isNew = isNew
    self.followsStall = followsStall
  }
}
