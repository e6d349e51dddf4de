import Frames

/// The playlists and the manifest of a packaged clip.
struct PackageTexts {
  static let playlist = "main.m3u8"
  static let manifest = "manifest.mpd"

  let video: PackagedTrack
  let sound: [PackagedTrack]
  /// The clip's, which names a synthetic one.
  let comment: String?

  /// Names below the package's folder, and texts.
  var all: [(name: String, text: String)] {
    [(Self.playlist, multivariant), (Self.manifest, dash)]
      + ([video] + sound).map { ("\($0.name).m3u8", media($0)) }
  }

  // MARK: HLS, RFC 8216

  private static let version = 6

  private var multivariant: String {
    var lines = ["#EXTM3U", "#EXT-X-VERSION:\(Self.version)"]
    if let tag = comment.flatMap({ SyntheticTag(comment: $0) }) { lines.append(HLSPlaylists.synthetic(tag.comment)) }
    for (number, track) in sound.enumerated() {
      let language = track.language.map { "LANGUAGE=\"\($0)\"," } ?? ""
      lines.append(
        "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"audio\",\(language)NAME=\"\(number + 1)\","
          + "DEFAULT=\(number == 0 ? "YES" : "NO"),AUTOSELECT=YES,URI=\"\(track.name).m3u8\"")
    }
    let rates = video.rendition
    let peak = rates.peakBitRate + (sound.map(\.rendition.peakBitRate).max() ?? 0)
    let average = rates.averageBitRate + (sound.map(\.rendition.averageBitRate).max() ?? 0)
    var variant = "#EXT-X-STREAM-INF:BANDWIDTH=\(peak),AVERAGE-BANDWIDTH=\(average)"
    if let codecs { variant += ",CODECS=\"\(codecs)\"" }
    variant += ",RESOLUTION=\(video.size.width)x\(video.size.height)"
    if let rate = video.rate?.value { variant += ",FRAME-RATE=\(HLSPlaylists.thousandths(rate))" }
    if !sound.isEmpty { variant += ",AUDIO=\"audio\"" }
    return (lines + [variant, "\(video.name).m3u8"]).joined(separator: "\n") + "\n"
  }

  /// Each once; nil unless all are known.
  private var codecs: String? {
    let all = ([video] + sound).map(\.codecs)
    guard !all.contains(nil) else { return nil }
    let names = all.compactMap { $0 }
    return names.enumerated().filter { !names[..<$0.offset].contains($0.element) }.map(\.element).joined(separator: ",")
  }

  private func media(_ track: PackagedTrack) -> String {
    var lines = HLSPlaylists.head(track.rendition.targetDuration, version: Self.version)
    if let file = track.rendition.initialization { lines.append("#EXT-X-MAP:URI=\"\(file.file)\"") }
    for segment in track.rendition.segments { lines += [HLSPlaylists.information(segment.duration), segment.file] }
    return lines.joined(separator: "\n") + "\n#EXT-X-ENDLIST\n"
  }

  // MARK: DASH, ISO/IEC 23009-1

  private var dash: String {
    let segments = ([video] + sound).flatMap(\.rendition.segments)
    let end = segments.map { $0.start + $0.duration }.max() ?? 0
    let duration = "PT\(DASHManifest.seconds(end))S"
    let longest = segments.map(\.duration).max() ?? 0
    let sets = ([video] + sound).enumerated().flatMap { adaptationSet($1, number: $0 + 1) }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-live:2011" type="static" \
      mediaPresentationDuration="\(duration)" minBufferTime="PT\(DASHManifest.seconds(longest))S">
        <Period id="0" start="PT0S" duration="\(duration)">
      \(sets.joined(separator: "\n"))
        </Period>
      </MPD>

      """
  }

  private func adaptationSet(_ track: PackagedTrack, number: Int) -> [String] {
    let kind = track.name == video.name ? "video" : "audio"
    let language = track.language.map { " lang=\"\($0)\"" } ?? ""
    let codecs = track.codecs.map { " codecs=\"\($0)\"" } ?? ""
    let shape =
      kind == "video"
      ? " width=\"\(track.size.width)\" height=\"\(track.size.height)\"" : " audioSamplingRate=\"\(track.sampleRate)\""
    return [
      "    <AdaptationSet id=\"\(number)\" contentType=\"\(kind)\" mimeType=\"\(kind)/mp4\"\(language)"
        + " segmentAlignment=\"true\" startWithSAP=\"1\">"
    ] + DASHManifest.template(track.timescale, track.timeline, base: "$RepresentationID$") + [
      "      <Representation id=\"\(track.name)\"\(codecs) bandwidth=\"\(track.rendition.peakBitRate)\"\(shape)/>",
      "    </AdaptationSet>",
    ]
  }
}
