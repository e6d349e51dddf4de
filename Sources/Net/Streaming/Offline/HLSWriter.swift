import Frames

/// Writes the playlists of a stream that was taken along: only what is there, by relative names.
struct HLSWriter {
  let presentation: Presentation
  let plan: OfflinePlan
  /// Bytes of each file.
  let sizes: [String: Int64]

  /// The multivariant playlist first.
  func files() -> [(name: String, text: String)] {
    let media = plan.tracks.enumerated().filter { !$1.stretches.isEmpty }.map { number, track in
      (name: track.folder + ".m3u8", text: playlist(track, number))
    }
    return [(name: "index.m3u8", text: index)] + media
  }

  // MARK: - The multivariant playlist

  private var index: String {
    var lines = ["#EXTM3U", "#EXT-X-VERSION:7"]
    if presentation.hasIndependentSegments { lines.append("#EXT-X-INDEPENDENT-SEGMENTS") }
    if let source = presentation.source {
      lines.append("#EXT-X-SESSION-DATA:DATA-ID=\"bench360.synthetic\",VALUE=\(quoted(source))")
    }
    for track in plan.tracks where track.kind != .video { lines.append(media(track)) }
    for track in plan.tracks where track.kind == .video { lines += [variant(track), track.folder + ".m3u8"] }
    return lines.joined(separator: "\n") + "\n"
  }

  private func media(_ track: OfflineTrack) -> String {
    let set = track.set
    let isSound = track.kind == .audio
    var fields = [
      "TYPE=\(isSound ? "AUDIO" : "SUBTITLES")", "GROUP-ID=\"\(isSound ? "audio" : "subtitles")\"",
      "NAME=\(quoted(set.name ?? set.language ?? track.folder))",
    ]
    if let language = set.language { fields.append("LANGUAGE=\(quoted(language))") }
    fields.append("DEFAULT=\(set.isDefault ? "YES" : "NO")")
    fields.append("AUTOSELECT=\(set.isAutomatic || set.isDefault ? "YES" : "NO")")
    if set.isForced { fields.append("FORCED=YES") }
    if !set.roles.isEmpty { fields.append("CHARACTERISTICS=\(quoted(set.roles.joined(separator: ",")))") }
    let rendition = track.stretches.first?.rendition ?? set.renditions.first
    if isSound, let channels = rendition?.audio.channels {
      let layout = rendition?.audio.layout.map { "/" + $0 } ?? ""
      fields.append("CHANNELS=\(quoted("\(channels)\(layout)"))")
    }
    if !track.stretches.isEmpty { fields.append("URI=\"\(track.folder).m3u8\"") }
    return "#EXT-X-MEDIA:" + fields.joined(separator: ",")
  }

  private func variant(_ track: OfflineTrack) -> String {
    let rates = bitrates
    var fields = ["BANDWIDTH=\(rates.peak)", "AVERAGE-BANDWIDTH=\(rates.average)"]
    if let rendition = track.stretches.first?.rendition {
      let codecs = rendition.codecs
      if !codecs.isEmpty { fields.append("CODECS=\(quoted(codecs.joined(separator: ",")))") }
      if let width = rendition.video.width, let height = rendition.video.height {
        fields.append("RESOLUTION=\(width)x\(height)")
      }
      if let rate = rendition.video.frameRate?.value { fields.append("FRAME-RATE=\(decimals(rate, 3))") }
      if let range = rendition.video.range { fields.append("VIDEO-RANGE=\(range.rawValue.uppercased())") }
    }
    if plan.tracks.contains(where: { $0.kind == .audio }) { fields.append("AUDIO=\"audio\"") }
    if plan.tracks.contains(where: { $0.kind == .subtitles }) { fields.append("SUBTITLES=\"subtitles\"") }
    return "#EXT-X-STREAM-INF:" + fields.joined(separator: ",")
  }

  /// Of all tracks together, in bit/s, as their files have it: at least 1.
  private var bitrates: (peak: Int64, average: Int64) {
    var (peak, average) = (0.0, 0.0)
    for (number, track) in plan.tracks.enumerated() where track.seconds > 0 {
      let media = plan.files.filter { $0.track == number && $0.seconds > 0 }
      let rates = media.map { Double(sizes[$0.name] ?? 0) * 8 / $0.seconds }
      peak += rates.max() ?? 0
      average += Double(media.reduce(0) { $0 + (sizes[$1.name] ?? 0) }) * 8 / track.seconds
    }
    return (max(1, Int64(saturating: peak.rounded(.up))), max(1, Int64(saturating: average.rounded())))
  }

  // MARK: - A media playlist

  private func playlist(_ track: OfflineTrack, _ number: Int) -> String {
    let longest = track.stretches.flatMap { stretch in stretch.segments.map { stretch.seconds(of: $0) } }.max() ?? 1
    let first = track.stretches.first?.segments.first
    var lines = [
      "#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:\(max(1, Int(longest.rounded())))",
      "#EXT-X-MEDIA-SEQUENCE:\(first?.number ?? 0)", "#EXT-X-PLAYLIST-TYPE:VOD",
    ]
    var state = State(discontinuity: first?.discontinuity ?? 0)
    if state.discontinuity > 0 { lines.append("#EXT-X-DISCONTINUITY-SEQUENCE:\(state.discontinuity)") }
    for stretch in track.stretches {
      for (index, segment) in stretch.segments.enumerated() {
        lines += changes(segment, number, &state)
        lines.append("#EXTINF:\(decimals(stretch.seconds(of: segment), 6)),")
        lines.append(plan.name(of: segment, at: index, in: stretch, track) ?? "gap")
      }
    }
    return (lines + ["#EXT-X-ENDLIST"]).joined(separator: "\n") + "\n"
  }

  /// What is in force behind the lines so far.
  private struct State {
    var discontinuity: Int64
    var key: SegmentKey?
    var section: InitializationSection?
    var wasDated = false
  }

  /// The lines before a segment's own.
  private func changes(_ segment: Segment, _ number: Int, _ state: inout State) -> [String] {
    var lines: [String] = []
    if segment.discontinuity != state.discontinuity {
      lines.append("#EXT-X-DISCONTINUITY")
      (state.discontinuity, state.wasDated) = (segment.discontinuity, false)
    }
    if segment.isGap { return lines + ["#EXT-X-GAP"] }
    if let section = segment.initialization, section != state.section {
      lines += keys(section.key, &state)
      lines += plan.name(of: section, track: number).map { ["#EXT-X-MAP:URI=\"\($0)\""] } ?? []
      state.section = section
    }
    lines += keys(segment.key, &state)
    if !state.wasDated, let date = segment.wallTime {
      lines.append("#EXT-X-PROGRAM-DATE-TIME:\(date.text)")
      state.wasDated = true
    }
    return lines
  }

  private func keys(_ key: SegmentKey?, _ state: inout State) -> [String] {
    guard key != state.key else { return [] }
    state.key = key
    guard let key, let name = plan.name(of: key) else { return ["#EXT-X-KEY:METHOD=NONE"] }
    let vector = key.explicitVector.map { vector in
      ",IV=0x" + vector.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    return ["#EXT-X-KEY:METHOD=AES-128,URI=\"\(name)\"" + (vector ?? "")]
  }

  /// Quotation marks and line breaks cannot stand in a quoted text.
  private func quoted(_ text: String) -> String {
    "\"" + text.filter { $0 != "\"" && !$0.isNewline } + "\""
  }
}

/// A number with so many decimals, rounded.
func decimals(_ value: Double, _ count: Int) -> String {
  var scale: Int64 = 1
  for _ in 0..<count { scale *= 10 }
  let units = Int64(saturating: (value * Double(scale)).rounded())
  let fraction = String(abs(units % scale))
  return "\(units / scale)." + String(repeating: "0", count: count - fraction.count) + fraction
}
