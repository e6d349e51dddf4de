import Frames

/// Tags of the whole playlist, and of its live edge.
extension MediaPlaylistParser {
  mutating func readOfPlaylist(
    _ tag: PlaylistTag, _ value: ArraySlice<UInt8>, line: Int
  ) throws(ManifestFlaw) {
    switch tag {
    case .targetDuration:
      guard let seconds = Decimal64.seconds(value) else {
        throw ManifestFlaw("#EXT-X-TARGETDURATION is not a number of seconds", line: line)
      }
      try Self.setOnce(&target, seconds, tag, line: line)
    case .mediaSequence:
      guard let number = Decimal64.integer(value) else {
        throw ManifestFlaw("#EXT-X-MEDIA-SEQUENCE is not a number", line: line)
      }
      guard segments.isEmpty, !isPlaced else {
        throw ManifestFlaw("#EXT-X-MEDIA-SEQUENCE stands behind a segment", line: line)
      }
      try Self.setOnce(&sequence, number, tag, line: line)
    case .discontinuitySequence:
      guard let number = Decimal64.integer(value) else {
        throw ManifestFlaw("#EXT-X-DISCONTINUITY-SEQUENCE is not a number", line: line)
      }
      guard segments.isEmpty, !isPlaced else {
        throw ManifestFlaw("#EXT-X-DISCONTINUITY-SEQUENCE stands behind a segment", line: line)
      }
      playlist.discontinuitySequence = number
      position.discontinuity = number
    case .endList: playlist.isEnded = true
    case .playlistType:
      if value.elementsEqual("VOD".utf8) { playlist.kind = .onDemand }
      if value.elementsEqual("EVENT".utf8) { playlist.kind = .event }
    case .iFramesOnly: playlist.isIFramesOnly = true
    case .independentSegments: playlist.hasIndependentSegments = true
    case .start: playlist.startPoint = try StartPoint(AttributeList(value, tag: tag, line: line))
    case .define: try scope.define(AttributeList(value, tag: tag, line: line), imported: imported)
    default: try readOfEdge(tag, value, line: line)
    }
  }

  private mutating func readOfEdge(
    _ tag: PlaylistTag, _ value: ArraySlice<UInt8>, line: Int
  ) throws(ManifestFlaw) {
    switch tag {
    case .partInformation:
      let list = try AttributeList(value, tag: tag, line: line)
      guard let target = try list.seconds("PART-TARGET"), target > .zero else {
        throw list.flaw("PART-TARGET is missing or zero")
      }
      playlist.edge.partTarget = target
    case .serverControl: playlist.server = try ServerControl(AttributeList(value, tag: tag, line: line))
    case .skip: try skip(AttributeList(value, tag: tag, line: line))
    case .preloadHint: try readHint(AttributeList(value, tag: tag, line: line))
    case .renditionReport: try readReport(AttributeList(value, tag: tag, line: line))
    case .dateRange: try readDateRange(AttributeList(value, tag: tag, line: line))
    default: break
    }
  }

  private static func setOnce(
    _ value: inout Int64?, _ new: Int64, _ tag: PlaylistTag, line: Int
  ) throws(ManifestFlaw) {
    if let value, value != new {
      throw ManifestFlaw("#\(tag.rawValue) stands twice, with different values", line: line)
    }
    value = new
  }

  /// Takes the segments that a delta update leaves out from the previous playlist, and with the last of them the key,
  /// the initialisation section and the bit rate in force.
  private mutating func skip(_ list: AttributeList) throws(ManifestFlaw) {
    guard let count = try list.integer("SKIPPED-SEGMENTS") else { throw list.flaw("SKIPPED-SEGMENTS is missing") }
    guard segments.isEmpty, !isPlaced else { throw list.flaw("it stands behind a segment") }
    guard count <= ManifestLimits.segmentCount else {
      throw list.flaw("it skips more than \(ManifestLimits.segmentCount) segments")
    }
    if let removed = try list.text("RECENTLY-REMOVED-DATERANGES", scope) {
      removedDates = Set(removed.split(separator: "\t").map(String.init))
    } else if list.raw("RECENTLY-REMOVED-DATERANGES") != nil {
      removedDates = []
    }
    guard count > 0 else { return }
    let first = sequence ?? 0
    guard let previous, let held = previous.timeline.listed, let index = previous.timeline.index(ofNumber: first),
      held.count - index >= count
    else {
      lacksSkipped = true
      return
    }
    segments = held[Range(from: index, to: index + Int(count))].map { segment in
      var segment = segment
      segment.parts = []
      return segment
    }
    guard let last = segments.last else { return }
    isPlaced = true
    position = Position(
      ticks: last.start.addingSaturated(last.duration),
      wallTime: last.wallTime.map { $0 + MediaTime(nanoseconds: last.duration) }, discontinuity: last.discontinuity)
    inForce.key = last.key
    inForce.initialization = last.initialization
    inForce.bitrate = last.bitrate
  }

  private mutating func readHint(_ list: AttributeList) throws(ManifestFlaw) {
    guard let address = try scope.resolve(list, "URI") else { throw list.flaw("URI is missing") }
    let kind: PreloadHint.Kind
    switch list.word("TYPE") {
    case "PART": kind = .part
    case "MAP": kind = .map
    default: return
    }
    guard playlist.edge.hints.count < ManifestLimits.minorCount else { throw list.flaw("there are too many") }
    playlist.edge.hints.append(
      PreloadHint(
        kind: kind, address: address, offset: try list.integer("BYTERANGE-START") ?? 0,
        length: try list.integer("BYTERANGE-LENGTH")))
  }

  private mutating func readReport(_ list: AttributeList) throws(ManifestFlaw) {
    guard let address = try scope.resolve(list, "URI") else { throw list.flaw("URI is missing") }
    guard playlist.edge.reports.count < ManifestLimits.renditionCount else { throw list.flaw("there are too many") }
    playlist.edge.reports.append(
      RenditionReport(
        address: address, lastNumber: try list.integer("LAST-MSN"), lastPart: try list.integer("LAST-PART")))
  }

  /// Tags with the same identifier are merged.
  private mutating func readDateRange(_ list: AttributeList) throws(ManifestFlaw) {
    let id = try list.required("ID", scope)
    let place = dateRangePlaces[id]
    var range = place.map { playlist.dateRanges[$0] } ?? DateRange(id: id)
    range.start = try date(list, "START-DATE") ?? range.start
    range.end = try date(list, "END-DATE") ?? range.end
    range.duration = try list.seconds("DURATION") ?? range.duration
    range.plannedDuration = try list.seconds("PLANNED-DURATION") ?? range.plannedDuration
    range.rangeClass = try list.text("CLASS", scope) ?? range.rangeClass
    range.endsOnNext = range.endsOnNext || list.isYes("END-ON-NEXT")
    for (name, value) in list.all(withPrefix: "X-") + list.all(withPrefix: "SCTE35-") {
      range.attributes[name] = value
    }
    guard range.attributes.count <= ManifestLimits.attributeCount else {
      throw list.flaw("'\(id)' has too many attributes")
    }
    if let place {
      playlist.dateRanges[place] = range
    } else {
      guard playlist.dateRanges.count < ManifestLimits.minorCount else { throw list.flaw("there are too many") }
      dateRangePlaces[id] = playlist.dateRanges.count
      playlist.dateRanges.append(range)
    }
  }

  private func date(_ list: AttributeList, _ name: StaticString) throws(ManifestFlaw) -> WallTime? {
    guard let raw = list.raw(name) else { return nil }
    guard let date = WallTime(raw) else { throw list.flaw("\(name) is no date with a time") }
    return date
  }
}

extension ServerControl {
  init(_ list: AttributeList) throws(ManifestFlaw) {
    canSkipUntil = try list.seconds("CAN-SKIP-UNTIL")
    canSkipDateRanges = list.isYes("CAN-SKIP-DATERANGES")
    holdBack = try list.seconds("HOLD-BACK")
    partHoldBack = try list.seconds("PART-HOLD-BACK")
    canBlockReload = list.isYes("CAN-BLOCK-RELOAD")
  }
}

extension StartPoint {
  init(_ list: AttributeList) throws(ManifestFlaw) {
    guard let offset = try list.signedSeconds("TIME-OFFSET") else { throw list.flaw("TIME-OFFSET is missing") }
    self.init(offset: offset, isPrecise: list.isYes("PRECISE"))
  }
}
