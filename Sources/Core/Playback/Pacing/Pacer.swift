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

/// A decoded frame on the timeline, as the pacer sees it.
public struct PacedFrame: Sendable, Hashable {
  /// Position in output order, without gaps.
  public var index: Int
  public var time: MediaTime
  public var duration: MediaTime

  public init(index: Int, time: MediaTime, duration: MediaTime) {
    self.index = index
    self.time = time
    self.duration = duration
  }

  public var end: MediaTime { time + duration }
}

/// The fate of a decoded frame. Each has one.
public enum FrameFate: Sendable, Hashable {
  case presented
  /// A refresh could have shown it, but the frame or the player was late.
  case dropped
  /// No refresh falls into its time, or a seek made it obsolete.
  case skipped
}

/// Decoded frames that wait for their time, oldest first, each with its picture.
public struct FrameQueue<Picture>: RandomAccessCollection {
  private var entries: [(frame: PacedFrame, picture: Picture)] = []
  private var head = 0

  public init() {}

  public var startIndex: Int { 0 }
  public var endIndex: Int { count }
  public var count: Int { entries.count - head }
  public var isEmpty: Bool { count == 0 }

  public subscript(index: Int) -> PacedFrame { entries[head + index].frame }

  /// The picture of the frame at that place.
  public func picture(_ index: Int) -> Picture { entries[head + index].picture }

  /// Adds the newest: its time is no earlier than the last one's.
  public mutating func append(_ frame: PacedFrame, _ picture: Picture) {
    entries.append((frame, picture))
  }

  /// Releases the first `count`.
  public mutating func removeFirst(_ count: Int) {
    head += count
    // Compacts when half of the memory is unused.
    guard head * 2 >= entries.count else { return }
    entries.removeFirst(head)
    head = 0
  }

  /// Releases all pictures; keeps its memory.
  public mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    head = 0
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
