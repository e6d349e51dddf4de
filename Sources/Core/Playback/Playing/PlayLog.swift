import Frames

/// The fate of every frame played and every view seen, in order, and the metrics derived from them. A `PlayRecorder`
/// writes it.
public struct PlayLog: Sendable {
  /// A frame, its fate, and the refresh that was the first one it was meant for.
  public struct Fated: Sendable, Hashable {
    public var frame: PacedFrame
    public var fate: FrameFate
    public var due: MonotonicTime
  }

  /// In output order.
  public internal(set) var fates: [Fated] = []
  /// At different refreshes, ascending.
  public internal(set) var views: [SeenView] = []
  /// The length of each stall that ended.
  public internal(set) var stalls: [MediaTime] = []
  /// From one refresh to the next.
  public internal(set) var period = MediaTime(seconds: 1.0 / 60)
  /// How much of each list was there when a seek began.
  private var seeks: [(fates: Int, views: Int, stalls: Int)] = []
  /// Frames that are no longer in the lists.
  private var forgotten = Forgotten()
  /// As the frames before the first one here left it.
  private var pipeline = PipelineDelay()

  private struct Forgotten: Sendable {
    var (presented, dropped, skipped, late) = (0, 0, 0, 0)
  }

  public init() {}

  /// A segment ends here.
  mutating func noteSeek() { seeks.append((fates.count, views.count, stalls.count)) }

  /// The frame was not seen after all.
  mutating func drop(_ number: Int) {
    guard let index = fates.lastIndex(where: { $0.frame.index == number }) else { return }
    fates[index].fate = .dropped
  }

  /// Counts the first of each list, then drops them and all but the last seeks.
  mutating func forget(views gone: Int, fates passed: Int, keepingSeeks: Int) {
    var part = PlayLog()
    (part.period, part.pipeline) = (period, pipeline)
    (part.fates, part.views) = (Array(fates.prefix(passed)), Array(views.prefix(gone)))
    forgotten.presented += part.presented
    forgotten.dropped += part.dropped
    forgotten.skipped += part.skipped
    forgotten.late += part.countLate(&pipeline)
    views.removeFirst(gone)
    fates.removeFirst(passed)
    seeks = seeks.map { (max(0, $0.fates - passed), max(0, $0.views - gone), $0.stalls) }
    if seeks.count > keepingSeeks { seeks.removeFirst(seeks.count - keepingSeeks) }
  }

  /// How many refreshes lie between two of them; they may be a few nanoseconds off.
  func refreshes(from start: MonotonicTime, to end: MonotonicTime) -> Int {
    Int((Double(end.nanoseconds - start.nanoseconds) / Double(max(1, period.nanoseconds))).rounded())
  }
}

extension PlayLog {
  /// The same, from each seek to the next; itself where nothing was sought.
  public var segments: [PlayLog] {
    let starts = [(0, 0, 0)] + seeks
    let ends = seeks + [(fates.count, views.count, stalls.count)]
    var pipeline = pipeline
    return zip(starts, ends).map { start, end in
      var part = PlayLog()
      (part.period, part.pipeline) = (period, pipeline)
      defer { _ = part.countLate(&pipeline) }
      part.fates = Array(fates[Range(from: start.0, to: end.0)])
      // A view of the moment of the seek may have been overtaken.
      part.views = Array(views[Range(from: min(start.1, views.count), to: min(end.1, views.count))])
      part.stalls = Array(stalls[Range(from: start.2, to: end.2)])
      return part
    }
  }
}

// The metrics.
extension PlayLog {
  /// When the last picture seen had lasted as long as its frame; nil before the first.
  public var lastPictureEnd: MonotonicTime? {
    guard let view = views.last(where: \.isNew),
      let duration = fates.last(where: { $0.frame.index == view.frame })?.frame.duration
    else { return nil }
    return MonotonicTime(nanoseconds: view.seen.nanoseconds + duration.nanoseconds)
  }

  public var presented: Int { forgotten.presented + fates.count { $0.fate == .presented } }
  public var dropped: Int { forgotten.dropped + fates.count { $0.fate == .dropped } }
  public var skipped: Int { forgotten.skipped + fates.count { $0.fate == .skipped } }
  /// Frames that were first seen one or more refreshes after their deadline: the refresh that they were meant for, and the
  /// constant delay of the display's pipeline.
  public var late: Int {
    var pipeline = pipeline
    return forgotten.late + countLate(&pipeline)
  }

  private func countLate(_ pipeline: inout PipelineDelay) -> Int {
    views.reduce(0) { count, view in
      view.isNew && pipeline.isLate(refreshes(from: view.due, to: view.seen)) ? count + 1 : count
    }
  }

  /// How long each of the last frames but the newest was seen, in milliseconds, the oldest first; those before a pause, a stall
  /// or a seek are left out.
  public func frameTimes(_ count: Int) -> [Double] {
    // Few frames have more views than these.
    let recent = views.suffix(count * 8).filter(\.isNew).suffix(count + 1)
    return zip(recent, recent.dropFirst()).compactMap { one, next in
      next.followsStall ? nil : next.seen.milliseconds(since: one.seen)
    }
  }

  /// Refreshes that repeated a frame though a new one was due, for any reason. During a stall none was due.
  public var repeated: Int {
    var count = 0
    var position = 0
    var last: SeenView?
    for view in views where view.isNew {
      var due = view.due
      while position < fates.count, fates[position].frame.index < view.frame {
        let passed = fates[position]
        position += 1
        if passed.fate == .dropped, passed.frame.index > last?.frame ?? .max { due = min(due, passed.due) }
      }
      if let last, !view.followsStall {
        let free = MonotonicTime(nanoseconds: last.seen.nanoseconds + period.nanoseconds)
        count += max(0, refreshes(from: max(due, free), to: view.seen))
      }
      last = view
    }
    return count
  }
}
