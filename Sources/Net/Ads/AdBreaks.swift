import Frames

/// Which breaks of a clip are due. Pure: places in, breaks out.
///
/// Each is played once. Of several that playing or a seek passes at once, the last is played and the others are not.
public struct AdBreaks: Sendable {
  private struct Entry {
    var pause: AdBreak
    /// Nil: at the end, wherever that is.
    var place: MediaTime?
    var isOver = false
  }

  private var entries: [Entry] = []
  /// Breaks that are left out, for the user.
  public private(set) var notes: [String]

  /// - Parameter duration: of the clip; nil where it is not known.
  public init(_ schedule: AdSchedule, duration: MediaTime?) {
    notes = schedule.notes
    for pause in schedule.breaks {
      switch pause.place {
      case .start: entries.append(Entry(pause: pause, place: .zero))
      case .end: entries.append(Entry(pause: pause, place: nil))
      case .place(let place):
        if let time = place.time(in: duration), duration.map({ time < $0 }) ?? true {
          entries.append(Entry(pause: pause, place: time))
        } else if duration != nil, case .share(1) = place {
          entries.append(Entry(pause: pause, place: nil))
        } else {
          notes.append("a break behind the clip's end is left out")
        }
      }
    }
    // The order of the schedule decides among those of one place.
    let sorted = entries.enumerated().sorted {
      ($0.element.place ?? Self.end, $0.offset) < ($1.element.place ?? Self.end, $1.offset)
    }
    entries = sorted.map(\.element)
  }

  private static let end = MediaTime(nanoseconds: .max)

  /// In a clip, for marks on its slider; of breaks that are over, too.
  public var places: [MediaTime] { entries.compactMap(\.place) }

  /// The break that is to be played before the picture of a place is; nil: none. It is over from now on, and so are those before it.
  ///
  /// Of several at one place each call gives one, in their order.
  public mutating func due(at place: MediaTime) -> AdBreak? {
    guard let last = entries.last(where: { !$0.isOver && $0.place.map { $0 <= place } ?? false })?.place,
      let index = entries.firstIndex(where: { !$0.isOver && $0.place == last })
    else { return nil }
    for index in Range(from: 0, to: index + 1) { entries[index].isOver = true }
    return entries[index].pause
  }

  /// The same for the clip's end.
  public mutating func dueAtEnd() -> AdBreak? {
    guard let index = entries.firstIndex(where: { !$0.isOver && $0.place == nil }) else { return nil }
    entries[index].isOver = true
    return entries[index].pause
  }

  /// What will be due next, and where, to be loaded ahead; nil for the place of one at the end.
  public func next(after place: MediaTime) -> (pause: AdBreak, place: MediaTime?)? {
    entries.first { !$0.isOver && $0.place.map { $0 >= place } ?? true }.map { ($0.pause, $0.place) }
  }
}
