import Frames

/// Tags of the next segment, and of all segments that follow.
extension MediaPlaylistParser {
  /// False for other tags.
  mutating func readOfSegment(
    _ tag: PlaylistTag, _ value: ArraySlice<UInt8>, line: Int
  ) throws(ManifestFlaw) -> Bool {
    switch tag {
    case .segmentDuration: next.duration = try duration(value, line: line)
    case .byteRange:
      guard let range = PlaylistScope.byteRange(value) else {
        throw ManifestFlaw("#EXT-X-BYTERANGE is not LENGTH@OFFSET", line: line)
      }
      next.range = range
    case .discontinuity: next.isDiscontinuous = true
    case .gap: next.isGap = true
    case .programDateTime:
      guard let date = WallTime(value) else {
        throw ManifestFlaw("#EXT-X-PROGRAM-DATE-TIME is no date with a time", line: line)
      }
      next.wallTime = date
    case .bitrate:
      guard let rate = Decimal64.integer(value), let bits = rate.multiplied(by: 1_000) else {
        throw ManifestFlaw("#EXT-X-BITRATE is not a number", line: line)
      }
      inForce.bitrate = bits
    case .key: try readKey(AttributeList(value, tag: tag, line: line))
    case .map: try readMap(AttributeList(value, tag: tag, line: line))
    case .cueOut, .cueOutContinued, .cueIn:
      if next.cues.count < ManifestLimits.attributeCount { next.cues.append(CueTag(tag, value)) }
    case .part: try readPart(AttributeList(value, tag: tag, line: line))
    default: return false
    }
    return true
  }

  /// `9.97667,title`
  private func duration(_ value: ArraySlice<UInt8>, line: Int) throws(ManifestFlaw) -> Int64 {
    var number = value.prefix { $0 != UInt8(ascii: ",") }
    while let first = number.first, first == 0x20 || first == 0x09 { number.removeFirst() }
    while let last = number.last, last == 0x20 || last == 0x09 { number.removeLast() }
    guard let duration = Decimal64.seconds(number) else {
      throw ManifestFlaw("#EXTINF is not a number of seconds", line: line)
    }
    return duration
  }

  private mutating func readKey(_ list: AttributeList) throws(ManifestFlaw) {
    guard let key = try PlaylistKey(list, &scope) else {
      inForce.key = nil
      inForce.refusal = nil
      return
    }
    switch key {
    case .aes(let key): inForce.key = key
    case .refused(let refusal, let isIdentity):
      inForce.refusal = refusal
      if isIdentity { inForce.key = nil }
    }
  }

  private mutating func readMap(_ list: AttributeList) throws(ManifestFlaw) {
    guard let address = try scope.resolve(list, "URI") else { throw list.flaw("URI is missing") }
    var section = InitializationSection(address: address)
    if let (length, offset) = try list.byteRange("BYTERANGE") {
      guard let range = ByteRange(offset: offset ?? 0, length: length) else {
        throw list.flaw("BYTERANGE is empty or too long")
      }
      section.range = range
    }
    if inForce.key == nil, let refusal = inForce.refusal { throw refusal }
    // The number of a segment is no vector for a section of several segments, so that a key without a vector does not
    // apply to it.
    section.key = inForce.key?.explicitVector == nil ? nil : inForce.key
    inForce.initialization = section
  }

  private mutating func readPart(_ list: AttributeList) throws(ManifestFlaw) {
    guard let duration = try list.seconds("DURATION") else { throw list.flaw("DURATION is missing") }
    guard next.parts.count < ManifestLimits.minorCount else { throw list.flaw("a segment has too many parts") }
    if inForce.key == nil, let refusal = inForce.refusal { throw refusal }
    place()
    guard let address = try scope.resolve(list, "URI") else { throw list.flaw("URI is missing") }
    guard let start = position.ticks.adding(next.partTicks), let ticks = next.partTicks.adding(duration.nanoseconds),
      start.adding(duration.nanoseconds) != nil
    else { throw list.flaw("its durations are longer together than can be counted") }
    var part = PartialSegment(
      address: address, start: start, duration: duration.nanoseconds, isIndependent: list.isYes("INDEPENDENT"),
      isGap: list.isYes("GAP"))
    if let (length, offset) = try list.byteRange("BYTERANGE") {
      let before = next.parts.last ?? segments.last?.parts.last
      guard let offset = offset ?? (before?.address == address ? before?.range?.end : nil),
        let range = ByteRange(offset: offset, length: length)
      else { throw list.flaw("BYTERANGE is empty, too long, or follows no part of the same file") }
      part.range = range
    }
    next.parts.append(part)
    next.partTicks = ticks
  }
}

/// The key of an `EXT-X-KEY` or `EXT-X-SESSION-KEY`.
enum PlaylistKey {
  case aes(SegmentKey)
  /// `isIdentity`: it ends the key in force.
  case refused(ManifestFlaw, isIdentity: Bool)

  /// Nil for no encryption.
  init?(_ list: AttributeList, _ scope: inout PlaylistScope) throws(ManifestFlaw) {
    guard let method = list.word("METHOD") else { throw list.flaw("METHOD is missing") }
    if method == "NONE" { return nil }
    let format = try list.text("KEYFORMAT", scope) ?? "identity"
    let isIdentity = format == "identity"
    guard isIdentity else {
      let system = ProtectionSystem.name(of: format)
      self = .refused(
        .encrypted("the segments are protected by \(system), which is not played", line: list.line), isIdentity: false)
      return
    }
    guard method == "AES-128" else {
      let cause = "the segments are encrypted by \(method.prefix(40)), which is not played"
      self = .refused(
        method.hasPrefix("SAMPLE-AES")
          ? .encrypted(cause, line: list.line) : .unsupported(cause, line: list.line), isIdentity: true)
      return
    }
    guard let address = try scope.resolve(list, "URI") else { throw list.flaw("URI is missing") }
    self = .aes(SegmentKey(address: address, explicitVector: try list.vector("IV")))
  }
}
