import Frames

/// A span of a stream that its maker marked as a break: advertisements that a server stitched in, or a place for them. A value.
public struct StreamBreak: Sendable, Hashable, Identifiable {
  /// The same for as long as the stream lists it.
  public var id: String
  /// On the stream's axis.
  public var start: MediaTime
  /// Nil: it is not known yet. As `start`: the break takes no time of the stream.
  public var end: MediaTime?
  /// While it plays, other places may be sought.
  public var allowsSkipping: Bool
  /// A seek may lead over it before it was watched.
  public var allowsJumping: Bool

  public init(
    id: String, start: MediaTime, end: MediaTime?, allowsSkipping: Bool = true, allowsJumping: Bool = false
  ) {
    (self.id, self.start, self.end) = (id, start, end)
    (self.allowsSkipping, self.allowsJumping) = (allowsSkipping, allowsJumping)
  }

  /// As `end`; the end of time where that is not known.
  fileprivate var until: MediaTime { end ?? MediaTime(nanoseconds: .max) }

  func moved(by shift: MediaTime) -> StreamBreak {
    StreamBreak(
      id: id, start: start + shift, end: end.map { $0 + shift }, allowsSkipping: allowsSkipping,
      allowsJumping: allowsJumping)
  }
}

/// What a seek of the user's over a break does.
public enum BreakRule: String, Sendable, CaseIterable {
  /// It leads to the break, once, and behind that to the place that was sought; a break that forbids skipping is not left.
  case watch
  /// It leads where the user wants.
  case free
}

extension [StreamBreak] {
  /// Messages that tell the same by several ways are so near, and advertisements that follow one another are one break.
  private static let nearness = MediaTime(nanoseconds: 500_000_000)

  /// By their starts, the last ones where there are too many: breaks that tell the same, lie in another, or follow one another
  /// at once are one.
  func merged() -> [StreamBreak] {
    let sorted = filter { $0.until >= $0.start }.sorted { ($0.start, $1.until) < ($1.start, $0.until) }
    var merged: [StreamBreak] = []
    for next in sorted {
      guard let last = merged.last, let joined = Self.joined(last, next) else {
        merged.append(next)
        continue
      }
      merged[merged.count - 1] = joined
    }
    return merged.suffix(ManifestLimits.breakCount)
  }

  /// Nil where they are two.
  private static func joined(_ first: StreamBreak, _ next: StreamBreak) -> StreamBreak? {
    var joined = first
    joined.allowsSkipping = first.allowsSkipping && next.allowsSkipping
    joined.allowsJumping = first.allowsJumping && next.allowsJumping
    guard let end = first.end, let nextEnd = next.end else {
      // One of the two messages does not tell the end.
      guard next.start - first.start <= nearness else { return nil }
      joined.end = first.end ?? next.end
      return joined
    }
    guard end > first.start, nextEnd > next.start else { return first == next ? first : nil }
    let isInside = nextEnd <= end + nearness
    let isAlike = (first.allowsSkipping, first.allowsJumping) == (next.allowsSkipping, next.allowsJumping)
    guard next.start <= end + nearness, isInside || isAlike else { return nil }
    joined.end = Swift.max(end, nextEnd)
    return joined
  }
}

/// A message that a break begins or ends at a place. A value.
struct BreakSignal: Sendable, Hashable {
  var place: MediaTime
  var event: UInt32
  /// Of the segmentation that begins; 0 where there is none.
  var type: UInt8 = 0
  var isStart: Bool
  /// Of the break that begins.
  var duration: MediaTime?

  /// A message that is repeated has the same event; its place may be rounded otherwise.
  func isSame(as other: BreakSignal) -> Bool {
    (event, type, isStart) == (other.event, other.type, other.isStart)
      && abs((place - other.place).seconds) < Self.rounding
  }

  /// In seconds.
  private static let rounding = 0.05

  /// The breaks that messages tell of, in the order of their places.
  static func breaks(_ signals: [BreakSignal]) -> [StreamBreak] {
    var breaks: [StreamBreak] = []
    /// Where the last break of an event lies.
    var last: [UInt64: Int] = [:]
    for signal in signals.sorted(by: { $0.place < $1.place }) {
      let key = UInt64(signal.event) << 8 | UInt64(signal.type)
      if signal.isStart {
        last[key] = breaks.count
        breaks.append(
          StreamBreak(
            id: "\(signal.event)@\(signal.place.nanoseconds / 1_000_000)", start: signal.place,
            end: signal.duration.map { signal.place + $0 }))
      } else if let index = last.removeValue(forKey: key), signal.place > breaks[index].start {
        breaks[index].end = signal.place
      }
    }
    return breaks
  }
}

extension SpliceSection {
  /// What the message tells of breaks, at its place.
  ///
  /// - Parameter duration: of the event that holds it, for a break whose length it does not tell; nil: not known.
  func signals(at place: MediaTime, duration: MediaTime? = nil) -> [BreakSignal] {
    var signals: [BreakSignal] = []
    if case .insert(let insert) = command, !insert.isCancelled {
      signals.append(
        BreakSignal(place: place, event: insert.event, isStart: insert.isOut, duration: insert.duration ?? duration))
    }
    for segmentation in segmentations where !segmentation.isCancelled {
      guard segmentation.beginsBreak || segmentation.endsBreak else { continue }
      let isStart = segmentation.beginsBreak
      signals.append(
        BreakSignal(
          place: place, event: segmentation.event, type: segmentation.type - (isStart ? 0 : 1), isStart: isStart,
          duration: segmentation.duration ?? duration))
    }
    return signals
  }
}
