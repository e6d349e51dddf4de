import Frames

/// The manifest of a live ladder at one moment (ISO/IEC 23009-1, profile `isoff-live`): each round is a period, whose time stamps begin
/// anew. A value.
struct ServedManifest {
  let site: LiveLadder
  /// Since the first picture.
  let now: Int64

  var text: String {
    let videos = site.tracks.filter { $0.isVideo && $0.suffix == "m4s" }
    guard let leader = videos.first else { return "" }
    let first = site.firstNumber(leader, at: now)
    // What is sent while it is made is announced before it is complete.
    let last = max(first, leader.number(at: now + site.lead) - 1)
    let rounds = ClosedRange(from: first / leader.count, through: last / leader.count)
    let periods = rounds.map { round in period(round, leader: leader) }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" xmlns:omaf="urn:mpeg:mpegI:omaf:2017" \
      profiles="urn:mpeg:dash:profile:isoff-live:2011" \(timing(leader))>
        <ProgramInformation>
          <Title>bench360 live ladder</Title>
          <Source>\(site.synthetic)</Source>
        </ProgramInformation>
        <UTCTiming schemeIdUri="urn:mpeg:dash:utc:http-iso:2014" value="\(LiveLadder.timePath)"/>
      \(periods.joined(separator: "\n"))
      </MPD>

      """
  }

  private func timing(_ leader: LiveTrack) -> String {
    let start = "availabilityStartTime=\"\(LiveDate.text(site.zero))\" minBufferTime=\"PT\(leader.target)S\""
    if site.hasEnded(at: now) {
      let length = leader.start(leader.number(at: site.end ?? now))
      return "type=\"static\" mediaPresentationDuration=\"PT" + LivePlaylist.seconds(length) + "S\" " + start
    }
    let step = site.lead > 0 ? leader.longestPart : leader.durations.min() ?? 1_000_000_000
    var text = "type=\"dynamic\" \(start) publishTime=\"\(LiveDate.text(site.zero + now))\""
    text += " minimumUpdatePeriod=\"PT" + LivePlaylist.seconds(max(step, 500_000_000)) + "S\""
    if !site.options.keepsAll {
      text += " timeShiftBufferDepth=\"PT" + LivePlaylist.seconds(Int64(site.options.windowSeconds * 1e9)) + "S\""
    }
    let delay = site.lead > 0 ? leader.longestPart * 3 : Int64(leader.target * 3) * 1_000_000_000
    return text + " suggestedPresentationDelay=\"PT" + LivePlaylist.seconds(delay) + "S\""
  }

  private func period(_ round: Int64, leader: LiveTrack) -> String {
    let start = LivePlaylist.seconds(round * leader.round)
    let isPast = leader.start((round + 1) * leader.count) <= now
    let length = isPast ? " duration=\"PT" + LivePlaylist.seconds(leader.round) + "S\"" : ""
    let sets =
      [video(round)] + site.audio.indices.map { audio($0, round) }
      + site.index.subtitles.indices.compactMap { subtitles($0, round) } + [thumbnails(round)].compactMap { $0 }
    return "  <Period id=\"\(round)\" start=\"PT\(start)S\"\(length)>\n" + sets.joined(separator: "\n")
      + "\n  </Period>"
  }

  private func video(_ round: Int64) -> String {
    let rate = site.index.rate
    var lines = [
      "    <AdaptationSet id=\"1\" contentType=\"video\" mimeType=\"video/mp4\" segmentAlignment=\"true\" startWithSAP=\"1\""
        + " frameRate=\"\(rate)\">"
    ]
    if site.isSphere {
      lines.append(
        "      <SupplementalProperty schemeIdUri=\"urn:mpeg:mpegI:omaf:2017:pf\" omaf:projection_type=\"0\"/>")
    }
    if let packing = site.packing {
      lines.append(
        "      <FramePacking schemeIdUri=\"urn:mpeg:mpegB:cicp:VideoFramePackingType\" value=\"\(packing)\"/>")
    }
    let tracks = site.tracks.filter { $0.isVideo && $0.suffix == "m4s" }
    guard let leader = tracks.first else { return "" }
    lines += template(leader, round, timescale: Int64(rate.numerator))
    for rung in site.index.rungs {
      guard let rendition = rung.renditions.first(where: { $0.packaging == .fmp4 }) else { continue }
      lines.append(
        "      <Representation id=\"video-\(rung.rung)\" codecs=\"\(rung.codecs)\" bandwidth=\"\(rendition.peakBitRate)\""
          + " width=\"\(rung.width)\" height=\"\(rung.height)\" sar=\"1:1\"/>")
    }
    return (lines + ["    </AdaptationSet>"]).joined(separator: "\n")
  }

  private func audio(_ number: Int, _ round: Int64) -> String {
    let sound = site.index.audio[number]
    guard let track = site.audio[number], let rendition = sound.renditions.first(where: { $0.packaging == .fmp4 })
    else { return "" }
    let lines =
      [
        "    <AdaptationSet id=\"\(10 + number)\" contentType=\"audio\" mimeType=\"audio/mp4\" lang=\"\(sound.language)\""
          + " segmentAlignment=\"true\" startWithSAP=\"1\">"
      ] + template(track, round, timescale: Int64(sound.sampleRate)) + [
        "      <Representation id=\"audio-\(sound.language)\" codecs=\"\(sound.codecs)\""
          + " bandwidth=\"\(rendition.peakBitRate)\" audioSamplingRate=\"\(sound.sampleRate)\"/>",
        "    </AdaptationSet>",
      ]
    return lines.joined(separator: "\n")
  }

  /// Nil where its segments lie in no fragmented MP4's folder.
  private func subtitles(_ number: Int, _ round: Int64) -> String? {
    let subtitles = site.index.subtitles[number]
    guard let video = site.tracks.first(where: { $0.isVideo && $0.suffix == "m4s" }),
      let track = site.tracks.first(where: {
        $0.suffix == "vtt" && $0.base == video.base && subtitles.playlists.contains($0.playlist)
      })
    else { return nil }
    let lines =
      [
        "    <AdaptationSet id=\"\(30 + number)\" contentType=\"text\" mimeType=\"text/vtt\" lang=\"\(subtitles.language)\">"
      ] + template(track, round, timescale: 1000) + [
        "      <Representation id=\"subtitles-\(subtitles.language)\" bandwidth=\"1000\"/>", "    </AdaptationSet>",
      ]
    return lines.joined(separator: "\n")
  }

  /// Tiles (DASH-IF IOP, section 6.2.6). Nil where the ladder has none.
  private func thumbnails(_ round: Int64) -> String? {
    guard let thumbnails = site.index.thumbnails, !thumbnails.images.isEmpty,
      case let milliseconds = Int64(exactly: (thumbnails.imageSeconds * 1000).rounded()) ?? 0, milliseconds > 0
    else { return nil }
    return [
      "    <AdaptationSet id=\"50\" contentType=\"image\" mimeType=\"image/jpeg\">",
      "      <SegmentTemplate media=\"thumbnails/$Number%05d$.jpg\" timescale=\"1000\" duration=\"\(milliseconds)\""
        + " startNumber=\"\(round * Int64(thumbnails.images.count))\"/>",
      "      <Representation id=\"thumbnails\" bandwidth=\"10000\" width=\"\(thumbnails.width * thumbnails.columns)\""
        + " height=\"\(thumbnails.height * thumbnails.rows)\">",
      "        <EssentialProperty schemeIdUri=\"http://dashif.org/guidelines/thumbnail_tile\""
        + " value=\"\(thumbnails.columns)x\(thumbnails.rows)\"/>",
      "      </Representation>", "    </AdaptationSet>",
    ].joined(separator: "\n")
  }

  private func template(_ track: LiveTrack, _ round: Int64, timescale: Int64) -> [String] {
    let (begin, end) = (round * track.count, (round + 1) * track.count)
    let first = min(max(site.firstNumber(track, at: now), begin), end)
    // Text is not sent while it is made.
    let lead = track.parts.contains { !$0.isEmpty } ? site.lead : 0
    let limit = site.hasEnded(at: now) ? site.end ?? now : now + lead
    let last = max(first, min(track.number(at: limit), end))
    func ticks(_ time: Int64) -> Int64 { Int64((Double(time) * Double(timescale) / 1e9).rounded()) }
    let entries = Range(from: first, to: last).map { number -> String in
      let start = track.starts[track.index(number)]
      let (from, to) = (ticks(start), ticks(start + track.durations[track.index(number)]))
      return "          <S t=\"\(from)\" d=\"\(to - from)\"/>"
    }
    let base = "\(track.base)$RepresentationID$"
    let early =
      lead > 0
      ? " availabilityTimeOffset=\"" + LivePlaylist.seconds(site.lead) + "\" availabilityTimeComplete=\"false\"" : ""
    return [
      "      <SegmentTemplate timescale=\"\(timescale)\" startNumber=\"\(first)\""
        + (track.initialization == nil ? "" : " initialization=\"\(base)/init.mp4\"")
        + " media=\"\(base)/$Number%05d$.\(track.suffix)\"\(early)>",
      "        <SegmentTimeline>",
    ] + entries + ["        </SegmentTimeline>", "      </SegmentTemplate>"]
  }
}
