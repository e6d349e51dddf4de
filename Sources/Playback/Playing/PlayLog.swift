import Frames

/// What became of every frame that was played, and every view that was seen, in order.
///
/// The display shows the newest view that is ready when it refreshes. A view that another one overtook before any refresh
/// was never seen: its frame, if no other view shows it, counts as dropped. A display that tells when pictures were seen
/// shows each of them, and is believed.
public struct PlayLog: Sendable {
  /// A frame, its fate, and the refresh that was the first one it was meant for.
  public struct Fated: Sendable, Hashable {
    public var frame: PacedFrame
    public var fate: FrameFate
    public var due: MonotonicTime
  }

  /// About so many views are kept, and their frames; those before are only counted. Nil: all are kept.
  public package(set) var keeps: Int?
  /// What was only counted.
  private var forgotten = Forgotten()

  private struct Forgotten: Sendable {
    var (presented, dropped, skipped, late) = (0, 0, 0, 0)
  }

  /// In output order.
  public private(set) var fates: [Fated] = []
  /// At different refreshes, ascending.
  public private(set) var views: [SeenView] = []
  /// For how long playing stood still each time, as far as it went on.
  public private(set) var stalls: [MediaTime] = []
  /// From one refresh to the next.
  public private(set) var period = MediaTime(seconds: 1.0 / 60)
  /// Fates whose refresh is not yet known: they are told while a tick is decided.
  private var undue = 0
  private var hasStood = false
  /// How much of each list was there when a seek began.
  private var seeks: [(fates: Int, views: Int, stalls: Int)] = []
  /// Views on their way to a display that will tell when they were seen.
  private var awaited: [(number: UInt64, view: Int)] = []

  public init() {}

  package mutating func note(_ event: PlaybackEvent) {
    switch event {
    case .fate(let frame, let fate):
      fates.append(Fated(frame: frame, fate: fate, due: MonotonicTime(nanoseconds: 0)))
      undue += 1
    case .stalled(let time):
      stalls.append(time)
      hasStood = true
    case .state(.paused): hasStood = true
    case .state(.seeking):
      hasStood = true
      seeks.append((fates.count, views.count, stalls.count))
    default: break
    }
  }

  /// The tick that told of the last fates is decided.
  package mutating func decided(_ tick: DisplayTick, position: MediaTime, rate: Double) {
    period = tick.period
    for index in fates.indices.suffix(undue) {
      fates[index].due = tick.refresh(due: fates[index].frame.time, position: position, rate: rate)
    }
    undue = 0
    if let keeps, views.count > 2 * keeps || fates.count > 4 * keeps { forget(keeping: keeps) }
  }

  /// Counts what lies before the last views, and lets go of it.
  private mutating func forget(keeping count: Int) {
    let gone = max(0, views.count - count)
    // A frame whose view is kept is kept too, and so is every one whose refresh may still be told.
    let first = views.dropFirst(gone).first?.frame ?? .max
    let passed = min(fates.prefix { $0.frame.index < first }.count, fates.count - undue)
    var part = PlayLog()
    part.period = period
    (part.fates, part.views) = (Array(fates.prefix(passed)), Array(views.prefix(gone)))
    forgotten.presented += part.presented
    forgotten.dropped += part.dropped
    forgotten.skipped += part.skipped
    forgotten.late += part.late
    views.removeFirst(gone)
    fates.removeFirst(passed)
    awaited = awaited.compactMap { $0.view < gone ? nil : ($0.number, $0.view - gone) }
    seeks = seeks.map { (max(0, $0.fates - passed), max(0, $0.views - gone), $0.stalls) }
    if seeks.count > count { seeks.removeFirst(seeks.count - count) }
  }

  /// A view of the frame whose fate was told last, or of the same as before.
  ///
  /// - Parameter present: its number on its way to a display that tells when it was seen; nil: nobody will.
  package mutating func add(
    _ frame: PacedFrame, moment: MediaTime, ready: MonotonicTime, in tick: DisplayTick, isNew: Bool,
    present: UInt64? = nil
  ) {
    var view = SeenView(
      frame: frame.index, time: frame.time, moment: moment, due: isNew ? fates.last?.due ?? tick.target : tick.target,
      ready: ready, seen: tick.refresh(showing: ready), isNew: isNew, followsStall: isNew && hasStood)
    if isNew { hasStood = false }
    if let present {
      awaited.append((present, views.count))
    } else if let last = views.last, refreshes(from: last.seen, to: view.seen) == 0 {
      views.removeLast()
      view.followsStall = view.followsStall || last.followsStall
      if last.frame != view.frame {
        if last.isNew { drop(last.frame) }
      } else if last.isNew {
        (view.isNew, view.due) = (true, last.due)
      }
    }
    views.append(view)
  }

  /// The display told when a view was seen; until then the refresh that it was made for is taken for it.
  package mutating func seen(_ present: SeenPresent) {
    for entry in awaited where entry.number == present.number { views[entry.view].seen = present.time }
    awaited.removeAll { $0.number <= present.number }
  }

  private mutating func drop(_ number: Int) {
    guard let index = fates.lastIndex(where: { $0.frame.index == number }) else { return }
    fates[index].fate = .dropped
  }

  /// How many refreshes lie between two of them; they may be a few nanoseconds off.
  private func refreshes(from start: MonotonicTime, to end: MonotonicTime) -> Int {
    Int((Double(end.nanoseconds - start.nanoseconds) / Double(max(1, period.nanoseconds))).rounded())
  }
}

extension PlayLog {
  /// The same, from each seek to the next; itself where nothing was sought.
  public var segments: [PlayLog] {
    let starts = [(0, 0, 0)] + seeks
    let ends = seeks + [(fates.count, views.count, stalls.count)]
    return zip(starts, ends).map { start, end in
      var part = PlayLog()
      part.period = period
      part.fates = Array(fates[start.0..<end.0])
      // A view of the moment of the seek may have been overtaken.
      part.views = Array(views[min(start.1, views.count)..<min(end.1, views.count)])
      part.stalls = Array(stalls[start.2..<end.2])
      return part
    }
  }
}

// What it comes to, in the words of the metrics.
extension PlayLog {
  public var presented: Int { forgotten.presented + fates.count { $0.fate == .presented } }
  public var dropped: Int { forgotten.dropped + fates.count { $0.fate == .dropped } }
  public var skipped: Int { forgotten.skipped + fates.count { $0.fate == .skipped } }
  /// Frames that were first seen one or more refreshes after the one they were meant for.
  public var late: Int { forgotten.late + views.count { $0.isNew && refreshes(from: $0.due, to: $0.seen) > 0 } }

  /// How long each of the last frames but the newest was seen, in milliseconds, the oldest first; those before a pause, a stall
  /// or a seek are left out.
  public func frameTimes(_ count: Int) -> [Double] {
    // Few frames have more views than these.
    let recent = views.suffix(count * 8).filter(\.isNew).suffix(count + 1)
    return zip(recent, recent.dropFirst()).compactMap { one, next in
      next.followsStall ? nil : next.seen.milliseconds(since: one.seen)
    }
  }

  /// Refreshes that showed the frame before though a new one was due, whatever kept that one. While playing stood still
  /// none was due.
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
