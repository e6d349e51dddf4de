import Frames

/// Turns a template's duration or timeline into runs on the period's axis.
struct TimelineRuns {
  /// Ticks of the media at the period's start.
  var mediaOffset: Int64
  /// In ticks; nil where the period has no known end.
  var period: Int64?
  var firstNumber: Int64
  /// Nil: no segment is the last by its number.
  var lastNumber: Int64?
  /// New segments may follow.
  var isDynamic: Bool

  private(set) var runs: [SegmentRun] = []
  private(set) var isEndless = false
  private var number: Int64
  private var index = 0
  /// Segments that are listed, those outside the period included.
  private var listed: Int64 = 0

  init(mediaOffset: Int64, period: Int64?, firstNumber: Int64, lastNumber: Int64?, isDynamic: Bool) {
    self.mediaOffset = mediaOffset
    self.period = period
    self.firstNumber = firstNumber
    self.lastNumber = lastNumber
    self.isDynamic = isDynamic
    number = firstNumber
  }

  /// Segments of `duration` ticks from the period's start to its end. The last ends with the period.
  mutating func fill(duration: Int64, _ element: MPDElement) throws(ManifestFlaw) {
    guard duration > 0 else { throw element.flaw("@duration is zero") }
    let byNumber = lastNumber.map { max(0, $0 - firstNumber + 1) }
    guard let period else {
      if let byNumber {
        try append(start: 0, duration: duration, count: byNumber, element)
      } else {
        guard isDynamic else { throw element.flaw("neither the period nor the template has an end") }
        try append(start: 0, duration: duration, count: 1, element)
        isEndless = true
      }
      return
    }
    let (whole, rest) = period.quotientAndRemainder(dividingBy: duration)
    let count = min(rest > 0 ? whole + 1 : whole, byNumber ?? .max)
    // A dynamic manifest without an end of its own lists nothing: its segments are made when they are asked for.
    guard isDynamic || count <= Int64(ManifestLimits.segmentCount) else { throw Self.tooMany(element) }
    if count > whole {
      try append(start: 0, duration: duration, count: whole, element)
      try append(start: whole * duration, duration: rest, count: 1, element)
    } else {
      try append(start: 0, duration: duration, count: count, element)
    }
  }

  /// The entries of a `SegmentTimeline`.
  mutating func follow(_ entries: [TimelineEntry], _ element: MPDElement) throws(ManifestFlaw) {
    var time: Int64 = 0
    var lastStart = Int64.min
    for (place, entry) in entries.enumerated() {
      let media = entry.time ?? time
      guard let start = media.subtracting(mediaOffset), start > lastStart || entry.time == nil else {
        throw element.flaw("entry \(place + 1) goes back in time")
      }
      guard let count = try self.count(of: entry, from: start, next: entries.dropFirst(place + 1).first, element) else {
        try append(start: start, duration: entry.duration, count: 1, element)
        isEndless = true
        return
      }
      listed = listed.addingSaturated(count)
      guard listed <= Int64(ManifestLimits.segmentCount) else { throw Self.tooMany(element) }
      guard let length = entry.duration.multiplied(by: count), let end = start.adding(length),
        let endOfMedia = media.adding(length)
      else { throw element.flaw("entry \(place + 1) ends later than can be counted") }
      if count > 0 { lastStart = end - entry.duration }
      try append(start: start, duration: entry.duration, count: count, element)
      time = endOfMedia
    }
  }

  /// Nil for an entry without an end.
  private func count(
    of entry: TimelineEntry, from start: Int64, next: TimelineEntry?, _ element: MPDElement
  ) throws(ManifestFlaw) -> Int64? {
    if entry.repeats >= 0 { return entry.repeats + 1 }
    let end: Int64
    if let next {
      guard let time = next.time?.subtracting(mediaOffset) else {
        throw element.flaw("an entry repeats until the next, which has no @t")
      }
      end = time
    } else if let period {
      end = period
    } else {
      guard isDynamic else { throw element.flaw("its last entry repeats for ever, and the period has no end") }
      return nil
    }
    guard let span = end.subtracting(start) else { throw element.flaw("its times are too great") }
    guard span > 0 else { return 0 }
    return (span - 1) / entry.duration + 1
  }

  /// Adds a run, without those of its segments that lie outside the period or beyond the last number.
  private mutating func append(
    start: Int64, duration: Int64, count: Int64, _ element: MPDElement
  ) throws(ManifestFlaw) {
    guard count > 0 else { return }
    let own = number
    guard let next = number.adding(count), next <= ManifestLimits.number, let length = duration.multiplied(by: count),
      let end = start.adding(length), end.adding(mediaOffset) != nil
    else { throw element.flaw("its segments end later than can be counted") }
    number = next
    // Segments that end before the period begins.
    let before = start < 0 ? min(count, Int64(clamping: start.magnitude / UInt64(duration))) : 0
    var kept = count - before
    if let period, end > period {
      let behind = start + before * duration
      kept = behind >= period ? 0 : min(kept, ((period.subtracting(behind) ?? .max) - 1) / duration + 1)
    }
    if let lastNumber { kept = min(kept, lastNumber - (own + before) + 1) }
    guard kept > 0, let size = Int(exactly: kept) else { return }
    let run = SegmentRun(
      start: start + before * duration, duration: duration, count: size, number: own + before, index: index)
    index += size
    if let last = runs.last, last.duration == duration, last.number + Int64(last.count) == run.number,
      last.start + Int64(last.count) * duration == run.start
    {
      runs[runs.count - 1].count += size
    } else {
      runs.append(run)
    }
  }

  private static func tooMany(_ element: MPDElement) -> ManifestFlaw {
    element.flaw("it has more than \(ManifestLimits.segmentCount) segments")
  }
}
