import Frames

/// Writes the manifest of a stream of DASH that was taken along: only what is there, by relative names.
struct MPDWriter {
  let presentation: Presentation
  let plan: OfflinePlan
  /// The file of its ClearKey licence; nil: the manifest names the server's, where there is one.
  let licence: String?

  func files() -> [(name: String, text: String)] { [(name: "manifest.mpd", text: manifest)] }

  private var manifest: String {
    let duration = presentation.duration ?? .zero
    var lines = [
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>",
      "<MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" xmlns:cenc=\"urn:mpeg:cenc:2013\""
        + " xmlns:dashif=\"https://dashif.org/CPS\" xmlns:omaf=\"urn:mpeg:mpegI:omaf:2017\""
        + " profiles=\"urn:mpeg:dash:profile:full:2011\" type=\"static\" minBufferTime=\"PT2S\""
        + " mediaPresentationDuration=\"\(seconds(duration))\">",
    ]
    if let source = presentation.source {
      lines.append("  <ProgramInformation><Source>\(escaped(source))</Source></ProgramInformation>")
    }
    for (number, period) in presentation.periods.enumerated() { lines += self.period(period, number) }
    return (lines + ["</MPD>"]).joined(separator: "\n") + "\n"
  }

  private func period(_ period: Period, _ number: Int) -> [String] {
    let sets = plan.tracks.enumerated().flatMap { place, track in
      track.stretches.filter { $0.period == number }.flatMap { adaptationSet(track, place, $0) }
    }
    guard !sets.isEmpty else { return [] }
    let duration = period.duration.map { " duration=\"\(seconds($0))\"" } ?? ""
    return ["  <Period id=\"\(number + 1)\" start=\"\(seconds(period.start))\"\(duration)>"] + sets + ["  </Period>"]
  }

  private func adaptationSet(_ track: OfflineTrack, _ place: Int, _ stretch: OfflineStretch) -> [String] {
    let type =
      switch track.kind {
      case .video: "video"
      case .audio: "audio"
      case .subtitles: "text"
      }
    let language = track.set.language.map { " lang=\"\(escaped($0))\"" } ?? ""
    var lines = ["    <AdaptationSet id=\"\(place + 1)\" contentType=\"\(type)\"\(language)>"]
    if let name = track.set.name { lines.append("      <Label>\(escaped(name))</Label>") }
    lines += track.set.roles.map(role)
    lines += properties(stretch.rendition).map { "      " + $0 }
    lines += protection(stretch.rendition.protection).map { "      " + $0 }
    return lines + representation(track, place, stretch) + ["    </AdaptationSet>"]
  }

  /// As `MPDDescriptors` reads it.
  private func role(_ role: String) -> String {
    if role.hasPrefix("accessibility:") {
      let value = role.dropFirst("accessibility:".count)
      return
        "      <Accessibility schemeIdUri=\"urn:tva:metadata:cs:AudioPurposeCS:2007\" value=\"\(escaped(value))\"/>"
    }
    return "      <Role schemeIdUri=\"urn:mpeg:dash:role:2011\" value=\"\(escaped(role))\"/>"
  }

  /// What the samples are, beyond attributes.
  private func properties(_ rendition: Rendition) -> [String] {
    var lines: [String] = []
    func add(_ element: String, _ scheme: String, _ value: String) {
      lines.append("<\(element) schemeIdUri=\"\(scheme)\" value=\"\(value)\"/>")
    }
    switch rendition.video.projection {
    case .equirectangular: add("SupplementalProperty", "urn:mpeg:mpegI:omaf:2017:pf", "0")
    case .cubemap: add("SupplementalProperty", "urn:mpeg:mpegI:omaf:2017:pf", "1")
    default: break
    }
    switch rendition.video.stereo {
    case .packed(.sideBySide):
      add("FramePacking", "urn:mpeg:dash:14496:10:frame_packing_arrangement_type:2011", "3")
    case .packed(.topBottom):
      add("FramePacking", "urn:mpeg:dash:14496:10:frame_packing_arrangement_type:2011", "4")
    default: break
    }
    switch rendition.video.range {
    case .pq: add("SupplementalProperty", "urn:mpeg:mpegB:cicp:TransferCharacteristics", "16")
    case .hlg: add("SupplementalProperty", "urn:mpeg:mpegB:cicp:TransferCharacteristics", "18")
    default: break
    }
    if let channels = rendition.audio.channels {
      add("AudioChannelConfiguration", "urn:mpeg:dash:23003:3:audio_channel_configuration:2011", "\(channels)")
    }
    return lines
  }

  private func protection(_ protection: Protection?) -> [String] {
    guard let protection else { return [] }
    let scheme = protection.scheme.map { " value=\"\(escaped($0))\"" } ?? ""
    let identifier = protection.defaultKeyIdentifier.map { " cenc:default_KID=\"\(uuid($0))\"" } ?? ""
    var lines = ["<ContentProtection schemeIdUri=\"\(ProtectionSystem.commonEncryption)\"\(scheme)\(identifier)/>"]
    if let place = licence ?? protection.license?.text {
      lines.append(
        "<ContentProtection schemeIdUri=\"urn:uuid:e2719d58-a985-b3c9-781a-b030af78d30e\" value=\"ClearKey1.0\">")
      lines.append("  <dashif:Laurl>\(escaped(place))</dashif:Laurl>")
      lines.append("</ContentProtection>")
    }
    return lines
  }

  private func uuid(_ bytes: [UInt8]) -> String {
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
  }

  // MARK: - Segments

  private func representation(_ track: OfflineTrack, _ place: Int, _ stretch: OfflineStretch) -> [String] {
    let rendition = stretch.rendition
    var fields = ["id=\"\(escaped(rendition.id))\"", "bandwidth=\"\(max(1, rendition.bandwidth.peak))\""]
    func add(_ name: String, _ value: String?) {
      if let value { fields.append("\(name)=\"\(escaped(value))\"") }
    }
    add("mimeType", rendition.mimeType)
    add("codecs", rendition.codecs.isEmpty ? nil : rendition.codecs.joined(separator: ","))
    add("width", rendition.video.width.map(String.init))
    add("height", rendition.video.height.map(String.init))
    add("frameRate", rendition.video.frameRate.map { "\($0.numerator)/\($0.denominator)" })
    add("sar", rendition.video.sampleAspectRatio.map { "\($0.numerator):\($0.denominator)" })
    add("audioSamplingRate", rendition.audio.sampleRate.map(String.init))
    return ["      <Representation \(fields.joined(separator: " "))>"] + list(track, place, stretch)
      + ["      </Representation>"]
  }

  private func list(_ track: OfflineTrack, _ place: Int, _ stretch: OfflineStretch) -> [String] {
    let (timeline, pad) = (stretch.timeline, "        ")
    if let file = wholeFile(track, stretch) { return [pad + "<BaseURL>\(file)</BaseURL>"] }
    var lines = [
      pad + "<SegmentList timescale=\"\(timeline.timescale)\" presentationTimeOffset=\"\(timeline.mediaOffset)\">"
    ]
    if let section = stretch.segments.first?.initialization, let name = plan.name(of: section, track: place) {
      lines.append(pad + "  <Initialization sourceURL=\"\(name)\"/>")
    }
    lines.append(pad + "  <SegmentTimeline>")
    lines += entries(stretch).map { pad + "    " + $0 }
    lines.append(pad + "  </SegmentTimeline>")
    for (index, segment) in stretch.segments.enumerated() {
      guard let name = plan.name(of: segment, at: index, in: stretch, track) else { continue }
      lines.append(pad + "  <SegmentURL media=\"\(name)\"/>")
    }
    return lines + [pad + "</SegmentList>"]
  }

  /// Subtitles of a period in one file, which players look for as such.
  private func wholeFile(_ track: OfflineTrack, _ stretch: OfflineStretch) -> String? {
    guard track.kind == .subtitles, stretch.segments.count == 1, let segment = stretch.segments.first,
      segment.initialization == nil, segment.start == 0, stretch.timeline.mediaOffset == 0
    else { return nil }
    return plan.name(of: segment, at: 0, in: stretch, track)
  }

  /// Segments of one length that follow on one another are one entry.
  private func entries(_ stretch: OfflineStretch) -> [String] {
    var runs: [(start: Int64, duration: Int64, repeats: Int)] = []
    for segment in stretch.segments where !segment.isGap {
      let start = segment.start.addingSaturated(stretch.timeline.mediaOffset)
      if let last = runs.last, last.duration == segment.duration,
        last.start + last.duration * Int64(last.repeats + 1) == start
      {
        runs[runs.count - 1].repeats += 1
      } else {
        runs.append((start, segment.duration, 0))
      }
    }
    return runs.map { run in
      "<S t=\"\(run.start)\" d=\"\(run.duration)\"" + (run.repeats > 0 ? " r=\"\(run.repeats)\"" : "") + "/>"
    }
  }

  private func seconds(_ time: MediaTime) -> String {
    let (whole, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let digits = String(rest)
    return "PT\(whole).\(String(repeating: "0", count: 9 - digits.count))\(digits)S"
  }

  private func escaped(_ text: some StringProtocol) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case _ where character.value < 0x20: break
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }
}
