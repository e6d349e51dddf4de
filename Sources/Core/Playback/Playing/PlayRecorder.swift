import Frames

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
