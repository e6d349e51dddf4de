import Frames

/// Which frame a refresh shows: a pure function of the frames that wait, the clock, and the refresh.
public enum Pacer {
  /// The decision for a refresh.
  public enum Decision: Sendable, Hashable {
    /// The frame at this place in the queue, so many refreshes after the first one that should have shown it. Those
    /// before it have had their time.
    case show(place: Int, refreshesLate: Int)
    /// The frame shown is still due, or no frame is due yet.
    case hold
    /// A new frame is due, but not decoded.
    case wait
  }

  /// Asked several times a refresh, it takes the queue itself: through a protocol each look at a frame costs an allocation.
  ///
  /// - Parameters:
  ///   - frames: waiting, oldest first, none of them shown; their times never go back.
  ///   - shownUntil: where the frame that is shown ends; nil when none is.
  ///   - clock: of the timeline; it runs.
  ///   - target: when the refresh is.
  ///   - period: from one refresh to the next.
  public static func decide<Picture>(
    _ frames: FrameQueue<Picture>, shownUntil: MediaTime?, clock: any MediaClock,
    target: MonotonicTime, period: MediaTime
  ) -> Decision {
    let moment = moment(clock, target, period)
    guard !frames.isEmpty else { return shownUntil.map { moment >= $0 } ?? true ? .wait : .hold }
    guard frames[0].time <= moment else { return .hold }
    var due = 0
    while due + 1 < frames.count, frames[due + 1].time <= moment { due += 1 }
    let step = max(1, clock.distance(in: period).nanoseconds)
    let late = (moment - frames[due].time).nanoseconds / step
    return .show(place: due, refreshesLate: Int(late))
  }

  /// Why a frame is passed over for one that follows: whether one of the refreshes up to the target falls into its time.
  ///
  /// - Parameter next: the frame after it.
  public static func fate(
    of frame: PacedFrame, next: PacedFrame, clock: any MediaClock, target: MonotonicTime, period: MediaTime
  ) -> FrameFate {
    let moment = moment(clock, target, period)
    let step = max(1, clock.distance(in: period).nanoseconds)
    /// Refreshes up to the target that lie at or after a time.
    func refreshes(since time: MediaTime) -> Int64 {
      let ahead = (moment - time).nanoseconds
      return ahead < 0 ? 0 : (ahead / step).addingSaturated(1)
    }
    return refreshes(since: frame.time) > refreshes(since: next.time) ? .dropped : .skipped
  }

  /// The moment of the timeline that a refresh shows. A sixteenth of a refresh early, so that frames which lie exactly on
  /// refreshes, as 30 a second on 60 Hz do, stay on them however their time stamps are rounded.
  private static func moment(_ clock: any MediaClock, _ target: MonotonicTime, _ period: MediaTime) -> MediaTime {
    clock.position(at: target) + MediaTime(nanoseconds: clock.distance(in: period).nanoseconds / 16)
  }
}
