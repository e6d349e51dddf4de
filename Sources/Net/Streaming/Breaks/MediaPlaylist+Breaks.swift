import Frames

/// A break between tags that stand before segments (`EXT-X-CUE-OUT`, `EXT-X-CUE-IN`), as many servers write them. In nanoseconds on the
/// playlist's axis.
struct CueBreak: Sendable, Hashable {
  var start: Int64
  /// As the first tag announces it.
  var duration: Int64?
  /// Where the last tag stands.
  var end: Int64?

  /// Nil: not known yet.
  var until: Int64? { end ?? duration.map { start.addingSaturated($0) } }

  mutating func move(by shift: Int64) { (start, end) = (start.addingSaturated(shift), end?.addingSaturated(shift)) }
}

/// A tag of a break, before its segment's place is known.
enum CueTag: Sendable, Hashable {
  case out(duration: Int64?)
  /// Repeated within the break.
  case continued(elapsed: Int64?, duration: Int64?)
  case back

  /// `30`, `DURATION=30`; `8.3/30`, `ElapsedTime=8.3,Duration=30`. What is no such text tells nothing.
  init(_ tag: PlaylistTag, _ value: ArraySlice<UInt8>) {
    var (plain, named): ([Int64], [String: Int64]) = ([], [:])
    for field in value.prefix(1_024).split(whereSeparator: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "/") }) {
      let parts = field.split(separator: UInt8(ascii: "="), maxSplits: 1)
      guard let seconds = parts.last.flatMap({ Decimal64.seconds($0.filter { $0 > 0x22 }) }) else { continue }
      if parts.count == 2 {
        named[String(decoding: parts[0], as: UTF8.self).filter { $0 > " " }.lowercased()] = seconds
      } else {
        plain.append(seconds)
      }
    }
    switch tag {
    case .cueIn: self = .back
    case .cueOutContinued:
      self = .continued(
        elapsed: named["elapsedtime"] ?? (plain.count > 1 ? plain[0] : nil),
        duration: named["duration"] ?? plain.dropFirst().first)
    default: self = .out(duration: named["duration"] ?? plain.first)
    }
  }
}

extension MediaPlaylistParser {
  /// The tags before a segment, whose place is known now. Breaks of the previous playlist that last go on.
  mutating func placeCues() {
    if position.carriesCues {
      position.carriesCues = false
      let begin = segments.first?.start ?? position.ticks
      playlist.cues =
        previous?.cues.filter { $0.start <= position.ticks && $0.until.map { $0 > begin } ?? true } ?? []
    }
    for tag in next.cues {
      let open = playlist.cues.lastIndex { $0.end == nil && $0.start < position.ticks }
      switch tag {
      case .out(let duration):
        guard playlist.cues.last?.start != position.ticks else { continue }
        add(CueBreak(start: position.ticks, duration: duration))
      case .continued(let elapsed, let duration):
        if let open {
          playlist.cues[open].duration = playlist.cues[open].duration ?? duration
        } else if let elapsed {
          add(CueBreak(start: position.ticks.addingSaturated(-elapsed), duration: duration))
        }
      case .back:
        if let open { playlist.cues[open].end = position.ticks }
      }
    }
  }

  private mutating func add(_ cue: CueBreak) {
    playlist.cues.append(cue)
    if playlist.cues.count > ManifestLimits.breakCount { playlist.cues.removeFirst() }
  }
}

extension MediaPlaylist {
  /// What the playlist marks as breaks, on its own axis, by their starts: date ranges with messages of SCTE 35 or of Apple's
  /// interstitials, and tags of cues. A date range is placed by the segments' dates; without those it is left out.
  public var breaks: [StreamBreak] {
    let cued = cues.map { cue in
      StreamBreak(
        id: "cue@\(cue.start / 1_000_000)", start: MediaTime(nanoseconds: cue.start),
        end: cue.until.map { MediaTime(nanoseconds: $0) })
    }
    return (cued + datedBreaks).merged()
  }

  private var datedBreaks: [StreamBreak] {
    let kinds = dateRanges.map { BreakKind($0) }
    guard kinds.contains(where: { $0 != nil }), let dates = SegmentDates(timeline) else { return [] }
    let successors = self.successors
    return zip(dateRanges, kinds).compactMap { range, kind in
      guard let kind, let date = range.start, let start = dates.place(of: date) else { return nil }
      let next = range.endsOnNext ? range.rangeClass.flatMap { successors.start(after: date, of: $0) } : nil
      let span =
        range.duration ?? range.end.map { $0 - date } ?? next.map { $0 - date } ?? range.plannedDuration
        ?? kind.duration
      var made = StreamBreak(id: range.id, start: start, end: span.map { start + $0 })
      guard case .interstitial(let resumes) = kind else { return made }
      // Where playing goes on behind it: nothing of the stream is replaced at 0.
      if let resumes { made.end = start + resumes }
      let restrictions = Set(
        (range.attributes["X-RESTRICT"] ?? "").split(separator: ",").map { MPDText.trimmed(String($0)) })
      (made.allowsSkipping, made.allowsJumping) = (!restrictions.contains("SKIP"), !restrictions.contains("JUMP"))
      return made
    }
  }

  /// The starts of date ranges that `END-ON-NEXT` refers to.
  private var successors: RangeStarts {
    guard dateRanges.contains(where: { $0.endsOnNext }) else { return RangeStarts([]) }
    return RangeStarts(dateRanges)
  }
}

/// Why a date range is a break.
private enum BreakKind: Equatable {
  case splice(duration: MediaTime?)
  /// With the offset at which the stream goes on, where it is told.
  case interstitial(resumes: MediaTime?)

  var duration: MediaTime? {
    guard case .splice(let duration) = self else { return nil }
    return duration
  }

  /// Nil for other date ranges, as those of programmes.
  init?(_ range: DateRange) {
    if range.rangeClass == "com.apple.hls.interstitial" {
      let offset = range.attributes["X-RESUME-OFFSET"].flatMap { Decimal64.seconds($0.utf8) }
      self = .interstitial(resumes: offset.map { MediaTime(nanoseconds: $0) })
    } else if let message = range.attributes["SCTE35-OUT"] {
      self = .splice(duration: SpliceSection(text: message)?.signals(at: .zero).first { $0.isStart }?.duration)
    } else if let message = range.attributes["SCTE35-CMD"],
      let signal = SpliceSection(text: message)?.signals(at: .zero).first(where: { $0.isStart })
    {
      self = .splice(duration: signal.duration)
    } else {
      return nil
    }
  }
}

/// Where dates lie on a playlist's axis: one row for each run of segments whose dates go on without a jump.
private struct SegmentDates {
  private let rows: [(date: WallTime, place: MediaTime)]

  /// Nil where no segment has a date.
  init?(_ timeline: SegmentTimeline) {
    var rows: [(date: WallTime, place: MediaTime)] = []
    for segment in timeline.listed ?? [] {
      guard let date = segment.wallTime else { continue }
      let place = timeline.start(of: segment)
      if let last = rows.last, (date - last.date) == (place - last.place) { continue }
      rows.append((date, place))
    }
    guard !rows.isEmpty else { return nil }
    self.rows = rows.sorted { $0.date < $1.date }
  }

  func place(of date: WallTime) -> MediaTime? {
    let behind = rows.partitionPoint { $0.date > date }
    let row = rows[max(0, behind - 1)]
    return row.place + (date - row.date)
  }
}

/// The starts of date ranges, by their class.
private struct RangeStarts {
  private var starts: [String: [WallTime]] = [:]

  init(_ ranges: [DateRange]) {
    for range in ranges {
      if let rangeClass = range.rangeClass, let start = range.start { starts[rangeClass, default: []].append(start) }
    }
    for rangeClass in starts.keys { starts[rangeClass]?.sort() }
  }

  func start(after date: WallTime, of rangeClass: String) -> WallTime? {
    guard let starts = starts[rangeClass] else { return nil }
    let index = starts.partitionPoint { $0 > date }
    return index < starts.count ? starts[index] : nil
  }
}
