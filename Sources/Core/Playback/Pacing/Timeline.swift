import Frames

/// Time stamps of files → a timeline on which every frame lies at or after the one before it.
///
/// Stamps go back where a clip loops, where a file was cut together, and where it is broken; they jump ahead where a stream
/// was interrupted. There the timeline goes on right behind the last frame.
public struct Timeline: Sendable, Hashable {
  /// What is added to a file's stamps.
  private var offset: MediaTime?
  private var last: (stamp: MediaTime, end: MediaTime)?
  /// The file's stamp that lies at zero.
  private var origin: MediaTime?
  /// Where the present turn of the clip began; nil where it was entered in the middle.
  private var turn: MediaTime?
  /// Where stamps went back or jumped ahead.
  public private(set) var discontinuities = 0

  /// A gap longer than this between the end of a frame and the next is no picture to be held, but an interruption.
  public static let longestGap = MediaTime(seconds: 10)

  /// A turn of a clip that loops takes this at least, one frame at 25 a second: where all stamps are the same, a second would take as many
  /// turns as there are ticks in it.
  public static let shortestTurn = MediaTime(seconds: 0.04)

  /// How a frame comes after the one before it.
  public enum Passage: Sendable, Hashable {
    case onward
    /// The clip began anew: no discontinuity, but its stamps mean another place.
    case restart
    /// Frames before it were left out: a gap ahead is theirs, however long.
    case leap
    /// The seek target: its stamp is its place, counted from the first frame's.
    case jump
  }

  public init() {}

  /// The place of the next frame. The first frame is at zero for any stamp, unless it was sought: then the clip's
  /// stamps begin at zero.
  public mutating func place(of stamp: MediaTime, duration: MediaTime, _ passage: Passage = .onward) -> MediaTime {
    let place = continued(stamp, passage)
    let end = place + max(duration, .zero)
    last = (stamp, end)
    return place
  }

  /// The file's stamp that means a place: of the clip's present turn.
  public func stamp(at place: MediaTime) -> MediaTime { place - (offset ?? .zero) }

  /// Where the last frame ends.
  public var end: MediaTime { last?.end ?? .zero }

  private mutating func continued(_ stamp: MediaTime, _ passage: Passage) -> MediaTime {
    if passage == .jump {
      origin = origin ?? .zero
      offset = MediaTime.zero - (origin ?? .zero)
      turn = nil
      return stamp - (origin ?? .zero)
    }
    guard let offset, let last else {
      origin = stamp
      self.offset = MediaTime.zero - stamp
      turn = .zero
      return .zero
    }
    if passage == .restart {
      let place = max(last.end, turn.map { $0 + Timeline.shortestTurn } ?? .zero)
      (turn, self.offset) = (place, place - stamp)
      return place
    }
    let place = stamp + offset
    if stamp >= last.stamp, passage == .leap || place - last.end <= Timeline.longestGap {
      return place
    }
    discontinuities += 1
    self.offset = last.end - stamp
    return last.end
  }

  public static func == (a: Timeline, b: Timeline) -> Bool {
    a.offset == b.offset && a.origin == b.origin && a.turn == b.turn && a.last?.stamp == b.last?.stamp
      && a.last?.end == b.last?.end && a.discontinuities == b.discontinuities
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(offset)
    hasher.combine(origin)
    hasher.combine(turn)
    hasher.combine(last?.stamp)
    hasher.combine(last?.end)
  }
}
