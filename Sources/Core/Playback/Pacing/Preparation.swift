import Frames
import Render

/// A view that is made before its refresh, so that decoding, uploading and drawing go on while the picture before it is shown.
/// Which view is made, and whether it still fits its refresh: pure functions.
public struct Preparation: Sendable, Hashable {
  /// The frame that it shows, by its number.
  public var frame: Int
  /// The moment of the timeline that it was made for.
  public var moment: MediaTime
  public var camera: Camera

  public init(frame: Int, moment: MediaTime, camera: Camera) {
    self.frame = frame
    self.moment = moment
    self.camera = camera
  }

  /// What the next refreshes will show, if nothing happens before.
  public struct Upcoming: Sendable, Hashable {
    public enum Picture: Sendable, Hashable {
      /// The frame at this place in the queue, for the first time.
      case queued(place: Int)
      /// The frame that is shown, as seen from elsewhere.
      case shown
    }

    public var picture: Picture
    /// The refresh, and the moment of the timeline that it shows.
    public var target: MonotonicTime
    public var moment: MediaTime

    public init(_ picture: Picture, target: MonotonicTime, moment: MediaTime) {
      self.picture = picture
      self.target = target
      self.moment = moment
    }
  }

  /// Where the camera of a session looks.
  public enum View: Sendable, Hashable {
    /// Where the moment says, at each refresh anew: it is known before.
    case followsTime
    /// Where a hand leaves it: the camera of the refresh says whether it is still there.
    case followsHand(Camera)
  }

  /// What to do with it at a refresh.
  public enum Verdict: Sendable, Hashable {
    case show
    /// The refresh shows another frame, or looks elsewhere: it is drawn anew, as if nothing had been made.
    case discard
  }

  /// - Parameters:
  ///   - frame: the number of the frame that the refresh shows.
  ///   - moment: that it shows.
  ///   - step: from one refresh to the next, on the timeline. A display's refreshes lie where they were expected but for a part
  ///     of it: up to a sixteenth, as for the pacer, is the same refresh.
  public func verdict(frame: Int, moment: MediaTime, step: MediaTime, view: View) -> Verdict {
    guard frame == self.frame else { return .discard }
    switch view {
    case .followsTime:
      let difference = abs((moment - self.moment).nanoseconds)
      return difference <= step.nanoseconds / 16 ? .show : .discard
    case .followsHand(let camera): return camera == self.camera ? .show : .discard
    }
  }
}

extension Pacer {
  /// How many refreshes ahead a frame is made: more would only keep its memory.
  static let refreshesAhead = 4

  /// The view to prepare next; nil where the next frame is unknown or not decoded, and where the next call is due already: that
  /// call knows its refresh, and a view for a missed refresh would only delay it.
  ///
  /// `frames`, `shownUntil` and `clock` are those of `decide`, after the decision for `tick`.
  ///
  /// - Parameters:
  ///   - now: when the work for `tick` is done.
  ///   - redraws: every refresh shows a view of its own, also of the frame before; else only new frames are drawn.
  public static func upcoming<Picture>(
    _ frames: FrameQueue<Picture>, shownUntil: MediaTime?, clock: any MediaClock,
    after tick: DisplayTick, now: MonotonicTime, redraws: Bool
  ) -> Preparation.Upcoming? {
    guard now < tick.target else { return nil }
    for number in Range(from: 1, to: refreshesAhead + 1) {
      let target = MonotonicTime(
        nanoseconds: tick.target.nanoseconds.addingSaturated(
          Int64(number).multipliedSaturated(by: tick.period.nanoseconds)))
      let moment = clock.position(at: target)
      switch decide(frames, shownUntil: shownUntil, clock: clock, target: target, period: tick.period) {
      case .show(let place, _): return Preparation.Upcoming(.queued(place: place), target: target, moment: moment)
      case .hold where redraws: return Preparation.Upcoming(.shown, target: target, moment: moment)
      case .hold: continue
      case .wait: return nil
      }
    }
    return nil
  }
}

extension PlayMachine {
  /// What to make before its refresh, now that `tick` is decided; nil while it does not play.
  ///
  /// - Parameters:
  ///   - now: when the work for `tick` is done.
  ///   - redraws: as of `Pacer.upcoming`.
  public func upcoming(after tick: DisplayTick, now: MonotonicTime, redraws: Bool) -> Preparation.Upcoming? {
    guard state == .playing, let clock = runningClock else { return nil }
    return Pacer.upcoming(queue, shownUntil: shownUntil, clock: clock, after: tick, now: now, redraws: redraws)
  }
}
