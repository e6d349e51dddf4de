import Frames

/// Reads a media playlist line by line. Each tag changes what the next segment will be; a URI makes the segment.
struct MediaPlaylistParser {
  /// The tags since the last URI.
  struct NextSegment {
    var duration: Int64?
    var range: (length: Int64, offset: Int64?)?
    var wallTime: WallTime?
    var isDiscontinuous = false
    var isGap = false
    var cues: [CueTag] = []
    var parts: [PartialSegment] = []
    /// The sum of the parts' durations.
    var partTicks: Int64 = 0
  }

  /// Applies to all segments until a tag changes it.
  struct InForce {
    var key: SegmentKey?
    /// The reason to refuse segments that have no supported key.
    var refusal: ManifestFlaw?
    var initialization: InitializationSection?
    var bitrate: Int64?
  }

  /// Where the next segment begins.
  struct Position {
    var ticks: Int64 = 0
    var wallTime: WallTime?
    var discontinuity: Int64 = 0
    /// Breaks of the previous playlist may go on here.
    var carriesCues = true
  }

  var scope: PlaylistScope
  let imported: PlaylistVariables?
  let previous: MediaPlaylist?
  var playlist: MediaPlaylist
  var segments: [Segment] = []
  var next = NextSegment()
  var inForce = InForce()
  var position = Position()
  /// Whether `position` lies where the first segment begins.
  var isPlaced = false
  /// Values of tags that may appear once.
  var target: Int64?
  var sequence: Int64?
  /// Where each identifier lies in the playlist's date ranges.
  var dateRangePlaces: [String: Int] = [:]
  /// The previous playlist lacks the skipped segments.
  var lacksSkipped = false
  /// Identifiers that a delta update removes; it keeps the previous date ranges otherwise. Nil: this playlist lists all
  /// of them.
  var removedDates: Set<String>?
  /// Whether a tag or segment of a media playlist was there.
  var isMedia = false

  init(address: StreamAddress, previous: MediaPlaylist?, imported: PlaylistVariables?) {
    scope = PlaylistScope(address)
    self.previous = previous
    self.imported = imported
    playlist = MediaPlaylist(address: address)
  }

  /// Nil for a delta update whose skipped segments the previous playlist lacks.
  mutating func parse(_ bytes: [UInt8]) throws(ManifestFlaw) -> MediaPlaylist? {
    var lines = PlaylistLines(bytes)
    try PlaylistHeader.check(&lines)
    while let (number, text) = lines.next() {
      if text.first != UInt8(ascii: "#") {
        try addSegment(text, line: number)
      } else if let (tag, value) = PlaylistTag.read(text) {
        isMedia = isMedia || tag.isOfMedia == true
        guard tag.isOfMedia != false else {
          throw ManifestFlaw("#\(tag.rawValue) stands among tags of a media playlist", line: number)
        }
        if try !readOfSegment(tag, value, line: number) { try readOfPlaylist(tag, value, line: number) }
      }
      if lacksSkipped { return nil }
    }
    guard isMedia else { throw ManifestFlaw("it names neither segments nor variants") }
    return try finished()
  }

  private mutating func finished() throws(ManifestFlaw) -> MediaPlaylist {
    if let sequence { playlist.mediaSequence = sequence }
    placeOlderSegments()
    fillWallTimes()
    (playlist.edge.parts, playlist.edge.discontinuity) = (next.parts, position.discontinuity)
    if let target {
      playlist.targetDuration = MediaTime(nanoseconds: target)
    } else {
      let longest = segments.map(\.duration).max() ?? 0
      let second = TickArithmetic.nanosecondsPerSecond
      playlist.targetDuration = MediaTime(nanoseconds: (longest + second - 1) / second * second)
    }
    if let removedDates, let previous {
      let listed = Set(playlist.dateRanges.map(\.id))
      let kept = previous.dateRanges.filter { !removedDates.contains($0.id) && !listed.contains($0.id) }
      // A server that never says which of them went would fill the memory in days.
      playlist.dateRanges = kept.suffix(ManifestLimits.keptDateCount) + playlist.dateRanges
    }
    if playlist.isEnded && playlist.kind == .window { playlist.kind = .onDemand }
    if playlist.kind == .onDemand { playlist.isEnded = true }
    playlist.timeline = SegmentTimeline(listed: segments, timescale: TickArithmetic.nanosecondsPerSecond)
    return playlist
  }

  /// Extrapolates dates backwards to the last discontinuity.
  private mutating func fillWallTimes() {
    for index in segments.indices.dropFirst().reversed()
    where segments[index - 1].wallTime == nil && segments[index - 1].discontinuity == segments[index].discontinuity {
      segments[index - 1].wallTime = segments[index].wallTime.map {
        $0 - MediaTime(nanoseconds: segments[index - 1].duration)
      }
    }
  }

  private mutating func addSegment(_ uri: ArraySlice<UInt8>, line: Int) throws(ManifestFlaw) {
    guard let duration = next.duration else { throw ManifestFlaw("a segment has no #EXTINF before it", line: line) }
    guard segments.count < ManifestLimits.segmentCount else {
      throw ManifestFlaw("it has more than \(ManifestLimits.segmentCount) segments", line: line)
    }
    if inForce.key == nil, let refusal = inForce.refusal { throw refusal }
    place()
    placeCues()
    let address = try scope.resolve(uri, line: line)
    var segment = Segment(
      number: (sequence ?? 0) + Int64(segments.count), address: address, range: try range(of: address, line: line),
      start: position.ticks, duration: duration, discontinuity: position.discontinuity)
    segment.wallTime = position.wallTime
    segment.isGap = next.isGap
    segment.key = inForce.key
    segment.initialization = inForce.initialization
    segment.bitrate = segment.range == nil ? inForce.bitrate : nil
    segment.parts = next.parts
    segments.append(segment)
    next = NextSegment()
    try advance(by: duration, line: line)
  }

  private mutating func advance(by duration: Int64, line: Int) throws(ManifestFlaw) {
    guard let end = position.ticks.adding(duration) else {
      throw ManifestFlaw("its durations are longer together than can be counted", line: line)
    }
    position.ticks = end
    position.wallTime = position.wallTime.map { $0 + MediaTime(nanoseconds: duration) }
  }

  /// Applies the discontinuity and the date of the next segment or part, and places the first.
  mutating func place() {
    if next.isDiscontinuous {
      position.discontinuity = position.discontinuity.addingSaturated(1)
      position.wallTime = nil
      next.isDiscontinuous = false
    }
    if let date = next.wallTime {
      position.wallTime = date
      next.wallTime = nil
    }
    guard !isPlaced else { return }
    isPlaced = true
    placeFirst()
  }

  /// Places the first segment on the previous playlist's axis: by its number, else by its date, else at the previous
  /// end.
  private mutating func placeFirst() {
    guard let previous, let last = previous.timeline.listed?.last else { return }
    if let index = previous.timeline.index(ofNumber: sequence ?? 0), let same = previous.timeline[index] {
      position.ticks = same.start
      if position.wallTime == nil, same.discontinuity == position.discontinuity { position.wallTime = same.wallTime }
      return
    }
    let end = last.start.addingSaturated(last.duration)
    if let date = position.wallTime, let before = last.wallTime, date > before {
      position.ticks = last.start.addingSaturated((date - before).nanoseconds)
    } else {
      position.ticks = end
    }
  }

  /// A playlist may list older segments than the previous one did, as that of a stream which ended may list all. The segments that both
  /// list keep their places.
  private mutating func placeOlderSegments() {
    guard let same = previous?.timeline.listed?.first, let first = segments.first, first.number < same.number,
      same.number - first.number < segments.count
    else { return }
    let shift = same.start - segments[Int(same.number - first.number)].start
    for index in segments.indices {
      segments[index].start += shift
      for part in segments[index].parts.indices { segments[index].parts[part].start += shift }
    }
    for part in next.parts.indices { next.parts[part].start += shift }
    for cue in playlist.cues.indices { playlist.cues[cue].move(by: shift) }
  }

  private mutating func range(of address: StreamAddress, line: Int) throws(ManifestFlaw) -> ByteRange? {
    guard let (length, offset) = next.range else { return nil }
    var start = offset
    if start == nil, let last = segments.last, last.address == address { start = last.range?.end }
    guard let start else {
      throw ManifestFlaw("#EXT-X-BYTERANGE names no offset, and no range of the same file comes before it", line: line)
    }
    guard let range = ByteRange(offset: start, length: length) else {
      throw ManifestFlaw("#EXT-X-BYTERANGE is empty or too long", line: line)
    }
    return range
  }
}

/// The line with which a playlist begins.
enum PlaylistHeader {
  static func check(_ lines: inout PlaylistLines) throws(ManifestFlaw) {
    guard let (number, text) = lines.next(), text.starts(with: "#EXTM3U".utf8) else {
      throw ManifestFlaw("it does not begin with #EXTM3U")
    }
    guard text.count == 7 || text[text.startIndex + 7] <= 0x20 else {
      throw ManifestFlaw("it does not begin with #EXTM3U", line: number)
    }
  }
}
