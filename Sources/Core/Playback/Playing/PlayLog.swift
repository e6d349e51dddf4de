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

/// Writes a play log while it is played: told of events, refreshes and presents, it decides which views were seen, and when.
///
/// The display shows the newest view that is ready when it refreshes. A view that another one overtook before any refresh
/// was never seen: its frame, if no other view shows it, counts as dropped. A display that tells when pictures were seen
/// shows each of them, and is believed.
package struct PlayRecorder: Sendable {
  package private(set) var log = PlayLog()
  /// About so many views stay in the log, and their frames; those before are only counted. Nil: all stay.
  private let keeps: Int?
  /// Fates whose refresh is not yet known: they are told while a tick is decided.
  private var undue = 0
  /// Playing stood still since the last new frame.
  private var hasStood = false
  /// Views on their way to a display that will tell when they were seen.
  private var awaited: [(number: UInt64, view: Int)] = []

  package init(keeps: Int? = nil) { self.keeps = keeps }

  package mutating func note(_ event: PlaybackEvent) {
    switch event {
    case .fate(let frame, let fate):
      log.fates.append(PlayLog.Fated(frame: frame, fate: fate, due: MonotonicTime(nanoseconds: 0)))
      undue += 1
    case .stalled(let time):
      log.stalls.append(time)
      hasStood = true
    case .state(.paused): hasStood = true
    // Its first picture was shown before it was asked to play.
    case .state(.playing): hasStood = hasStood || log.views.count == 1
    case .state(.seeking):
      hasStood = true
      log.noteSeek()
    default: break
    }
  }

  /// The tick that told of the last fates is decided.
  package mutating func decided(_ tick: DisplayTick, position: MediaTime, rate: Double) {
    log.period = tick.period
    for index in log.fates.indices.suffix(undue) {
      log.fates[index].due = tick.refresh(due: log.fates[index].frame.time, position: position, rate: rate)
    }
    undue = 0
    if let keeps, log.views.count > 2 * keeps || log.fates.count > 4 * keeps { forget(keeping: keeps) }
  }

  /// Counts the entries before the last views, then drops them.
  private mutating func forget(keeping count: Int) {
    let gone = max(0, log.views.count - count)
    // A frame whose view is kept is kept too, and so is every one whose refresh may still be told.
    let first = log.views.dropFirst(gone).first?.frame ?? .max
    let passed = min(log.fates.prefix { $0.frame.index < first }.count, log.fates.count - undue)
    log.forget(views: gone, fates: passed, keepingSeeks: count)
    awaited = awaited.compactMap { $0.view < gone ? nil : ($0.number, $0.view - gone) }
  }

  /// A view of the frame whose fate was told last, or of the same as before.
  ///
  /// - Parameter present: its number on its way to a display that tells when it was seen; nil: the display does not tell.
  package mutating func add(
    _ frame: PacedFrame, moment: MediaTime, ready: MonotonicTime, in tick: DisplayTick, isNew: Bool,
    present: UInt64? = nil
  ) {
    let due = isNew ? log.fates.last?.due : nil
    var view = SeenView(
      frame: frame.index, time: frame.time, moment: moment, due: due ?? tick.target, ready: ready,
      seen: tick.refresh(showing: ready), isNew: isNew, followsStall: isNew && hasStood)
    if isNew { hasStood = false }
    if let present {
      awaited.append((present, log.views.count))
    } else if let last = log.views.last, log.refreshes(from: last.seen, to: view.seen) == 0 {
      overtake(last, by: &view)
    }
    log.views.append(view)
  }

  /// The last view was never seen.
  private mutating func overtake(_ last: SeenView, by view: inout SeenView) {
    log.views.removeLast()
    view.followsStall = view.followsStall || last.followsStall
    guard last.isNew else { return }
    if last.frame == view.frame { (view.isNew, view.due) = (true, last.due) } else { log.drop(last.frame) }
  }

  /// Sets the time at which the display showed a view. A view without such a time has the refresh that it was made for, moved where needed to
  /// keep the views in order.
  package mutating func seen(_ present: SeenPresent) {
    for entry in awaited where entry.number == present.number {
      log.views[entry.view].seen = present.time
      for index in log.views.indices[entry.view...].dropFirst() where log.views[index].seen < present.time {
        log.views[index].seen = present.time
      }
      for index in log.views.indices[..<entry.view].reversed() {
        guard log.views[index].seen > present.time else { break }
        log.views[index].seen = present.time
      }
    }
    awaited.removeAll { $0.number <= present.number }
  }
}

extension DisplayTick {
  /// The first refresh that shows a picture made in this call and ready at `ready`: never before the target.
  public func refresh(showing ready: MonotonicTime) -> MonotonicTime {
    let late = ready.nanoseconds - target.nanoseconds
    let step = max(1, period.nanoseconds)
    return late <= 0 ? target : MonotonicTime(nanoseconds: target.nanoseconds + (late + step - 1) / step * step)
  }

  /// The refresh that was the first to lie at a place of the timeline or behind it, by the pacer's rule.
  ///
  /// - Parameters:
  ///   - place: not behind what the target shows.
  ///   - position: what the target shows.
  ///   - rate: media seconds per second.
  public func refresh(due place: MediaTime, position: MediaTime, rate: Double) -> MonotonicTime {
    let step = max(1, rate == 1 ? period.nanoseconds : MediaTime(seconds: period.seconds * rate).nanoseconds)
    let late = max(0, (position - place).nanoseconds.addingSaturated(step / 16) / step)
    return MonotonicTime(
      nanoseconds: target.nanoseconds.addingSaturated((-late).multipliedSaturated(by: period.nanoseconds)))
  }
}
