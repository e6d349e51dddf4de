import Frames

/// The segments of one rendition in one period, in order of their starts.
///
/// Listed one by one, or as runs of a template that makes a segment when it is asked for. A copy is cheap. Times are
/// ticks of the timeline's own timescale, so that sums are exact over any length; `time(_:)` rounds once.
public struct SegmentTimeline: Sendable {
  /// Ticks per second.
  public let timescale: Int64
  /// Where tick 0 lies on the presentation's axis.
  public private(set) var origin: MediaTime
  /// The media's own time stamp at tick 0, in ticks.
  public let mediaOffset: Int64
  /// When segments become available; nil: at once.
  public var availability: Availability?
  /// Of all segments but the last, where the manifest gives one; that is cut short by its period.
  public var nominalDuration: MediaTime?

  private let content: Content

  private enum Content {
    case listed([Segment])
    case templated(TemplatedSegments)
  }

  init(listed segments: [Segment], timescale: Int64, origin: MediaTime = .zero, mediaOffset: Int64 = 0) {
    self.timescale = timescale
    self.origin = origin
    self.mediaOffset = mediaOffset
    content = .listed(segments)
  }

  init(templated segments: TemplatedSegments, timescale: Int64, origin: MediaTime, mediaOffset: Int64) {
    self.timescale = timescale
    self.origin = origin
    self.mediaOffset = mediaOffset
    content = .templated(segments)
  }

  /// The same, so much later on the axis.
  func moved(by shift: MediaTime) -> SegmentTimeline {
    var moved = self
    moved.origin = origin + shift
    return moved
  }

  /// Nil for a timeline without an end: use `availableCount(at:)`.
  public var count: Int? {
    switch content {
    case .listed(let segments): segments.count
    case .templated(let template): template.isEndless ? nil : template.count
    }
  }

  /// The segment at a place counted from 0; nil outside the timeline.
  public subscript(index: Int) -> Segment? {
    guard index >= 0 else { return nil }
    switch content {
    case .listed(let segments): return index < segments.count ? segments[index] : nil
    case .templated(let template):
      guard var segment = template.segment(at: index, mediaOffset: mediaOffset) else { return nil }
      segment.wallTime = availability.map { $0.zero + time(segment.start) - origin }
      return segment
    }
  }

  /// `ticks` on the presentation's axis, rounded once.
  public func time(_ ticks: Int64) -> MediaTime { origin + TickArithmetic.time(ticks, timescale: timescale) }

  /// Where a segment begins on the presentation's axis.
  public func start(of segment: Segment) -> MediaTime { time(segment.start) }

  /// Where a segment ends: for neighbours without a gap the same as the start of the next.
  public func end(of segment: Segment) -> MediaTime { time(segment.start.addingSaturated(segment.duration)) }

  /// The place of the last segment that begins at `time` or before it; the first where all begin later; nil where there
  /// are none.
  public func index(at time: MediaTime) -> Int? {
    let ticks = TickArithmetic.ticks(notAfter: time - origin, timescale: timescale)
    switch content {
    case .listed(let segments):
      guard !segments.isEmpty else { return nil }
      return max(0, segments.partitionPoint { $0.start > ticks } - 1)
    case .templated(let template): return template.index(at: ticks)
    }
  }

  /// The place of the segment with this number; nil where there is none.
  public func index(ofNumber number: Int64) -> Int? {
    switch content {
    case .listed(let segments):
      let index = segments.partitionPoint { $0.number >= number }
      return index < segments.count && segments[index].number == number ? index : nil
    case .templated(let template): return template.index(ofNumber: number)
    }
  }

  /// Where the last segment ends; nil for a timeline without an end, and for an empty one.
  public var end: MediaTime? {
    guard let count, count > 0, let last = self[count - 1] else { return nil }
    return end(of: last)
  }

  /// How many segments, counted from the first, can be loaded at `now`. All where the manifest
  /// does not limit availability: `Int.max` for an endless timeline.
  public func availableCount(at now: WallTime) -> Int {
    guard let availability else { return count ?? .max }
    let edge = index(at: now - availability.zero + origin + availability.lead) ?? 0
    var (low, high) = (0, count ?? edge.addingSaturated(2))
    // Availability grows with the index.
    while low < high {
      let middle = low + (high - low) / 2
      if let segment = self[middle], let instant = availableTime(of: segment), instant <= now {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  /// When a segment can be loaded; nil: at any time.
  public func availableTime(of segment: Segment) -> WallTime? {
    availability.map { $0.zero + (end(of: segment) - origin) - $0.lead }
  }

  /// The listed segments; nil for a template.
  var listed: [Segment]? {
    if case .listed(let segments) = content { segments } else { nil }
  }
}

/// When the segments of a dynamic manifest can be loaded.
public struct Availability: Sendable, Hashable {
  /// The wall clock of the period's start.
  public var zero: WallTime
  /// How long before its end a segment can be loaded (`@availabilityTimeOffset`).
  public var lead: MediaTime = .zero
  /// False: within `lead` a segment is sent while it is made, in chunks.
  public var isComplete = true
}

extension Array {
  /// The first index for which `belongsAbove` is true, in an array sorted by it; `count` where there is none.
  func partitionPoint(_ belongsAbove: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if belongsAbove(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
