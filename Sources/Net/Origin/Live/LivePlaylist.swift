import Frames

/// The media playlist of a live rendition at one moment (RFC 8216 and draft-pantos-hls-rfc8216bis). A value.
struct LivePlaylist {
  let track: LiveTrack
  let site: LiveLadder
  /// Since the first picture.
  let now: Int64
  /// Whether old segments may be left out: the client has them.
  let skips: Bool

  /// A segment that is not listed any more when as many as this follow it, in target durations.
  private static let skipTargets = 6
  /// Parts are listed for so many target durations.
  private static let partTargets = 3

  var text: String {
    let next = track.number(at: now)
    let first = site.firstNumber(track, at: now)
    var lines = head(first)
    let firstKept = skips ? firstKept(first, next) : first
    if firstKept > first { lines.append("#EXT-X-SKIP:SKIPPED-SEGMENTS=\(firstKept - first)") }
    for number in Range(from: firstKept, to: max(firstKept, next)) {
      lines += opening(number, isFirst: number == firstKept)
      if track.end(number) > now - Int64(track.target * Self.partTargets) * 1_000_000_000 { lines += parts(number) }
      lines.append("#EXTINF:" + Self.seconds(track.durations[track.index(number)]) + ",")
      if !track.syncBytes.isEmpty { lines.append("#EXT-X-BYTERANGE:\(track.syncBytes[track.index(number)])@0") }
      lines.append(local(track.file(number)))
    }
    guard !site.hasEnded(at: now) else { return (lines + ["#EXT-X-ENDLIST", ""]).joined(separator: "\n") }
    lines += edge(next, isFirst: next == firstKept)
    return (lines + [""]).joined(separator: "\n")
  }

  private func head(_ first: Int64) -> [String] {
    var lines = [
      "#EXTM3U", "#EXT-X-VERSION:9", "#EXT-X-TARGETDURATION:\(track.target)", "#EXT-X-MEDIA-SEQUENCE:\(first)",
      "#EXT-X-DISCONTINUITY-SEQUENCE:\(track.seams(before: first))", "#EXT-X-INDEPENDENT-SEGMENTS",
    ]
    if !track.syncBytes.isEmpty { lines.append("#EXT-X-I-FRAMES-ONLY") }
    if site.options.keepsAll { lines.append("#EXT-X-PLAYLIST-TYPE:EVENT") }
    var control = "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=\(track.target * Self.skipTargets)"
    control += ",HOLD-BACK=\(track.target * 3)"
    if site.hasParts(track) {
      control += ",PART-HOLD-BACK=" + Self.seconds(track.longestPart * 3)
      lines.append("#EXT-X-PART-INF:PART-TARGET=" + Self.seconds(track.longestPart))
    }
    lines.append(control)
    if let file = track.initialization { lines.append("#EXT-X-MAP:URI=\"\(local(file))\"") }
    return lines
  }

  /// The first segment that a delta update lists.
  private func firstKept(_ first: Int64, _ next: Int64) -> Int64 {
    let boundary = track.start(next) - Int64(track.target * Self.skipTargets) * 1_000_000_000
    guard boundary > track.start(first) else { return first }
    let kept = max(first, track.number(at: boundary))
    // The tag takes a line too.
    return kept - first > 1 ? kept : first
  }

  private func opening(_ number: Int64, isFirst: Bool) -> [String] {
    var lines = track.isSeam(number) ? ["#EXT-X-DISCONTINUITY"] : []
    if isFirst || track.isSeam(number), site.options.tellsDates {
      lines.append("#EXT-X-PROGRAM-DATE-TIME:" + LiveDate.text(site.zero + track.start(number)))
    }
    return lines
  }

  private func parts(_ number: Int64, _ count: Int? = nil) -> [String] {
    track.parts[track.index(number)].prefix(count ?? .max).enumerated().map { place, part in
      "#EXT-X-PART:DURATION=" + Self.seconds(part.duration) + ",URI=\"\(local(track.file(number, part: place)))\""
        + (part.isIndependent ? ",INDEPENDENT=YES" : "")
    }
  }

  /// The segment that is being made.
  private func edge(_ next: Int64, isFirst: Bool) -> [String] {
    guard site.hasParts(track) else { return [] }
    let count = track.partCount(next, at: now)
    var lines = opening(next, isFirst: isFirst) + parts(next, count)
    lines.append("#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"\(local(track.file(next, part: count)))\"")
    for other in site.tracks where other.base == track.base && other.name != track.name && site.hasParts(other) {
      let number = other.number(at: now)
      let parts = other.partCount(number, at: now)
      let last =
        parts > 0
        ? (number, parts - 1) : (max(0, number - 1), max(0, other.parts[other.index(max(0, number - 1))].count - 1))
      lines.append(
        "#EXT-X-RENDITION-REPORT:URI=\"\(local(other.playlist))\",LAST-MSN=\(last.0),LAST-PART=\(last.1)")
    }
    return lines
  }

  /// Relative to the playlist's folder.
  private func local(_ file: String) -> String { String(file.dropFirst(track.base.count)) }

  /// Microseconds.
  static func seconds(_ nanoseconds: Int64) -> String {
    let microseconds = (nanoseconds + 500) / 1000
    return "\(microseconds / 1_000_000)." + LiveDate.padded(Int(microseconds % 1_000_000), 6)
  }
}
