import Frames

/// How the cues of a WebVTT segment lie on the stream's axis. Pure.
package struct TextClock: Sendable, Hashable {
  /// What `X-TIMESTAMP-MAP` says (RFC 8216 §3.5): from the cues' time to that of the media; nil: it is not there.
  private let map: MediaTime?
  private let firstCue: MediaTime?

  /// The clock of MPEG-2 time stamps goes round.
  private static let round = MediaTime(nanoseconds: Int64((Double(1 << 33) / 90_000 * 1e9).rounded()))

  /// - Parameter text: of the segment.
  package init(_ text: [UInt8]) {
    var (map, firstCue): (MediaTime?, MediaTime?)
    for line in text.split(omittingEmptySubsequences: true, whereSeparator: { $0 == 0x0A || $0 == 0x0D }).prefix(64) {
      let line = String(decoding: line.prefix(1024), as: UTF8.self)
      if map == nil, line.hasPrefix("X-TIMESTAMP-MAP") { map = Self.map(line) }
      if line.contains("-->") {
        firstCue = line.firstRange(of: "-->").flatMap { Self.time(line[..<$0.lowerBound]) }
        break
      }
    }
    (self.map, self.firstCue) = (map, firstCue)
  }

  /// What is added to a cue's time to get its place on the axis.
  ///
  /// - Parameters:
  ///   - start: of the segment, on the axis.
  ///   - end: of the segment, on the axis.
  ///   - offset: by which the media's time stamps are ahead of the axis.
  package func shift(start: MediaTime, end: MediaTime, offset: MediaTime) -> MediaTime {
    let shift = (map ?? .zero) - offset
    guard let firstCue else { return shift }
    let length = max(end - start, MediaTime(nanoseconds: 10_000_000_000))
    func isNear(_ shift: MediaTime) -> Bool {
      let place = firstCue + shift
      return place >= start - length && place <= end + length
    }
    guard map == nil else { return shift + rounds(from: firstCue + shift, to: start) }
    // Without a map the cues tell the media's time; packagers write the presentation's, or the segment's own.
    return [shift, .zero, start].first(where: isNear) ?? shift
  }

  /// Whole rounds of the clock that bring a place near another one.
  private func rounds(from place: MediaTime, to other: MediaTime) -> MediaTime {
    let count = ((other - place).seconds / Self.round.seconds).rounded()
    guard count.isFinite, abs(count) < 1000 else { return .zero }
    return MediaTime(nanoseconds: Self.round.nanoseconds.multipliedSaturated(by: Int64(count)))
  }

  /// `X-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000`, in either order.
  private static func map(_ line: String) -> MediaTime? {
    var (media, local): (MediaTime?, MediaTime?)
    let list = line.dropFirst("X-TIMESTAMP-MAP".count).drop { $0 == "=" }
    for part in list.split(separator: ",") {
      let part = part.drop { $0 == " " }
      if part.hasPrefix("MPEGTS:"), let ticks = Int64(part.dropFirst(7).filter { $0 != " " }), ticks >= 0 {
        media = MediaTime(ticks: ticks, timeBase: Ratio(1, 90_000))
      } else if part.hasPrefix("LOCAL:") {
        local = time(part.dropFirst(6))
      }
    }
    return media.flatMap { media in local.map { media - $0 } }
  }

  /// `MM:SS.mmm`, with hours or without.
  private static func time(_ text: some StringProtocol) -> MediaTime? {
    let parts = String(text).filter { $0 != " " && $0 != "\t" }.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let seconds = Double(parts[parts.count - 1]), (0..<60).contains(seconds),
      let minutes = Int64(parts[parts.count - 2]), (0..<60).contains(minutes)
    else { return nil }
    var hours: Int64 = 0
    if parts.count == 3 {
      guard let read = Int64(parts[0]), (0..<1_000_000).contains(read) else { return nil }
      hours = read
    }
    return MediaTime(seconds: seconds) + MediaTime(nanoseconds: (hours * 60 + minutes) * 60 * 1_000_000_000)
  }
}
