import Frames

/// Time stamps of files → a timeline on which every frame lies at or after the one before it.
///
/// Stamps go back where a clip loops, where a file was cut together, and where it is broken; they jump ahead where a stream
/// was interrupted. There the timeline goes on right behind the last frame.
public struct Timeline: Sendable, Hashable {
  /// What is added to a file's stamps.
  private var offset: MediaTime?
  private var last: (stamp: MediaTime, end: MediaTime)?
  /// Where stamps went back or jumped ahead.
  public private(set) var discontinuities = 0

  /// A gap longer than this between the end of a frame and the next is no picture to be held, but an interruption.
  public static let longestGap = MediaTime(seconds: 10)

  public init() {}

  /// The place of the next frame. The first one is at zero whatever its stamp.
  ///
  /// - Parameters:
  ///   - isRestart: the clip began anew: not a discontinuity, but its stamps mean another place.
  ///   - isLeap: frames before it were left out: a gap ahead is theirs, however long.
  public mutating func place(
    of stamp: MediaTime, duration: MediaTime, isRestart: Bool = false, isLeap: Bool = false
  ) -> MediaTime {
    let place = continued(stamp, isRestart, isLeap)
    let end = place + max(duration, .zero)
    last = (stamp, end)
    return place
  }

  /// The file's stamp that means a place: of the clip's present turn.
  public func stamp(at place: MediaTime) -> MediaTime { place - (offset ?? .zero) }

  /// Where the last frame ends.
  public var end: MediaTime { last?.end ?? .zero }

  private mutating func continued(_ stamp: MediaTime, _ isRestart: Bool, _ isLeap: Bool) -> MediaTime {
    guard let offset, let last else {
      self.offset = MediaTime.zero - stamp
      return .zero
    }
    let place = stamp + offset
    if !isRestart, stamp >= last.stamp, isLeap || place - last.end <= Timeline.longestGap { return place }
    if !isRestart { discontinuities += 1 }
    self.offset = last.end - stamp
    return last.end
  }

  public static func == (a: Timeline, b: Timeline) -> Bool {
    a.offset == b.offset && a.last?.stamp == b.last?.stamp && a.last?.end == b.last?.end
      && a.discontinuities == b.discontinuities
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(offset)
    hasher.combine(last?.stamp)
    hasher.combine(last?.end)
  }
}
