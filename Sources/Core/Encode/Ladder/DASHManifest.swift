import Frames
import TestPicture

/// The static manifest of a ladder (ISO/IEC 23009-1, profile `isoff-live`), whose segments are those of HLS with
/// fragmented MP4.
struct DASHManifest {
  let specification: LadderSpecification
  let index: LadderIndex
  let encryption: LadderEncryption?
  /// Of the video's clock.
  let timescale: Int

  var text: String {
    let duration = "PT\(Self.seconds(specification.duration))S"
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" xmlns:cenc="urn:mpeg:cenc:2013" xmlns:dashif="https://dashif.org/CPS" \
      xmlns:omaf="urn:mpeg:mpegI:omaf:2017" profiles="urn:mpeg:dash:profile:isoff-live:2011" type="static" \
      mediaPresentationDuration="\(duration)" minBufferTime="PT\(Self.seconds(specification.segmentSeconds))S">
        <ProgramInformation>
          <Title>bench360 ladder</Title>
          <Source>\(index.synthetic)</Source>
        </ProgramInformation>
        <Period id="0" start="PT0S" duration="\(duration)">
      \(([video] + index.audio.map(audio) + index.subtitles.map(subtitles) + [thumbnails]).joined(separator: "\n"))
        </Period>
      </MPD>

      """
  }

  private var video: String {
    let largest = specification.rungs.map(\.size)
    let rate = specification.clip.rate
    let frameRate = rate.denominator == 1 ? "\(rate.numerator)" : "\(rate)"
    let ticks = timescale * Int(rate.denominator) / Int(rate.numerator)
    var lines = [
      "    <AdaptationSet id=\"1\" contentType=\"video\" mimeType=\"video/mp4\" segmentAlignment=\"true\" startWithSAP=\"1\""
        + " frameRate=\"\(frameRate)\" maxWidth=\"\(largest.map(\.width).max() ?? 0)\""
        + " maxHeight=\"\(largest.map(\.height).max() ?? 0)\">"
    ]
    if let packing { lines.append(packing) }
    lines += protection
    if specification.clip.projection == .equirectangular {
      lines.append(
        "      <SupplementalProperty schemeIdUri=\"urn:mpeg:mpegI:omaf:2017:pf\" omaf:projection_type=\"0\"/>")
    }
    let segments = specification.segments.map { ($0.lowerBound * ticks, $0.count * ticks) }
    lines += Self.template(timescale, segments)
    for rung in index.rungs {
      lines.append(
        "      <Representation id=\"video-\(rung.rung)\" codecs=\"\(rung.codecs)\""
          + " bandwidth=\"\(peak(rung.renditions))\" width=\"\(rung.width)\" height=\"\(rung.height)\" sar=\"1:1\"/>")
    }
    return (lines + ["    </AdaptationSet>"]).joined(separator: "\n")
  }

  private func audio(_ sound: LadderIndex.Sound) -> String {
    let rate = Double(sound.sampleRate)
    let segments = sound.renditions.first { $0.packaging == .fmp4 }?.segments ?? []
    let lines =
      [
        "    <AdaptationSet id=\"\(10 + sound.track)\" contentType=\"audio\" mimeType=\"audio/mp4\" lang=\"\(sound.language)\""
          + " segmentAlignment=\"true\" startWithSAP=\"1\">"
      ] + protection + [role(sound.track)]
      + Self.template(
        sound.sampleRate, segments.map { (Int(($0.start * rate).rounded()), Int(($0.duration * rate).rounded())) })
      + [
        "      <Representation id=\"audio-\(sound.language)\" codecs=\"\(sound.codecs)\""
          + " bandwidth=\"\(peak(sound.renditions))\" audioSamplingRate=\"\(sound.sampleRate)\">",
        "        <AudioChannelConfiguration"
          + " schemeIdUri=\"urn:mpeg:dash:23003:3:audio_channel_configuration:2011\" value=\"1\"/>",
        "      </Representation>", "    </AdaptationSet>",
      ]
    return lines.joined(separator: "\n")
  }

  private func subtitles(_ subtitles: LadderIndex.Subtitles) -> String {
    let number = specification.languages.firstIndex(of: subtitles.language) ?? 0
    return """
          <AdaptationSet id="\(30 + number)" contentType="text" mimeType="text/vtt" lang="\(subtitles.language)">
            <Role schemeIdUri="urn:mpeg:dash:role:2011" value="subtitle"/>
            <Representation id="subtitles-\(subtitles.language)" bandwidth="1000">
              <BaseURL>\(subtitles.file)</BaseURL>
            </Representation>
          </AdaptationSet>
      """
  }

  /// The thumbnail tiles of DASH-IF IOP, section 6.2.6.
  private var thumbnails: String {
    guard let thumbnails = index.thumbnails else { return "" }
    let grid = "\(thumbnails.columns)x\(thumbnails.rows)"
    let milliseconds = Int((thumbnails.interval * Double(thumbnails.columns * thumbnails.rows) * 1000).rounded())
    return """
          <AdaptationSet id="50" contentType="image" mimeType="image/jpeg">
            <SegmentTemplate media="\(LadderThumbnails.folder)/$Number%05d$.jpg" timescale="1000" \
      duration="\(milliseconds)" startNumber="0"/>
            <Representation id="thumbnails" bandwidth="10000" width="\(thumbnails.width * thumbnails.columns)" \
      height="\(thumbnails.height * thumbnails.rows)">
              <EssentialProperty schemeIdUri="http://dashif.org/guidelines/thumbnail_tile" value="\(grid)"/>
            </Representation>
          </AdaptationSet>
      """
  }

  /// Stereo arrangement, as ISO/IEC 23091-2 numbers it.
  private var packing: String? {
    let value: Int? =
      switch specification.clip.stereo {
      case .mono: nil
      case .sideBySide: 3
      case .topBottom: 4
      }
    return value.map {
      "      <FramePacking schemeIdUri=\"urn:mpeg:mpegB:cicp:VideoFramePackingType\" value=\"\($0)\"/>"
    }
  }

  private var protection: [String] {
    guard let encryption, let scheme = encryption.commonScheme else { return [] }
    let digits = Array(hexadecimal(encryption.keyIdentifier))
    let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
    return [
      "      <ContentProtection schemeIdUri=\"urn:mpeg:dash:mp4protection:2011\" value=\"\(scheme.rawValue)\""
        + " cenc:default_KID=\"\(parts.joined(separator: "-"))\"/>",
      "      <ContentProtection schemeIdUri=\"urn:uuid:e2719d58-a985-b3c9-781a-b030af78d30e\" value=\"ClearKey1.0\">",
      "        <dashif:Laurl licenseType=\"EME-1.0\">\(LadderEncryption.licence)</dashif:Laurl>",
      "      </ContentProtection>",
    ]
  }

  private func role(_ number: Int) -> String {
    "      <Role schemeIdUri=\"urn:mpeg:dash:role:2011\" value=\"\(number == 0 ? "main" : "alternate")\"/>"
  }

  /// Segments by start and duration in ticks; equal durations in a row are one entry.
  ///
  /// - Parameter base: the folder of the segments, which may name `$RepresentationID$`.
  static func template(
    _ timescale: Int, _ segments: [(start: Int, duration: Int)],
    base: String = "\(LadderWriter.fragmentFolder)/$RepresentationID$"
  ) -> [String] {
    var entries: [(start: Int, duration: Int, repeats: Int)] = []
    for segment in segments {
      if let last = entries.last, last.duration == segment.duration {
        entries[entries.count - 1].repeats += 1
      } else {
        entries.append((segment.start, segment.duration, 0))
      }
    }
    let lines = entries.map { entry in
      "          <S t=\"\(entry.start)\" d=\"\(entry.duration)\"" + (entry.repeats > 0 ? " r=\"\(entry.repeats)\"" : "")
        + "/>"
    }
    return [
      "      <SegmentTemplate timescale=\"\(timescale)\" startNumber=\"0\" initialization=\"\(base)/init.mp4\""
        + " media=\"\(base)/$Number%05d$.m4s\">",
      "        <SegmentTimeline>",
    ] + lines + ["        </SegmentTimeline>", "      </SegmentTemplate>"]
  }

  private func peak(_ renditions: [LadderIndex.Rendition]) -> Int {
    renditions.first { $0.packaging == .fmp4 }?.peakBitRate ?? 0
  }

  /// Microseconds, rounded up: no segment begins behind the end.
  static func seconds(_ value: Double) -> String {
    let microseconds = Int((value * 1_000_000).rounded(.up))
    let fraction = String(microseconds % 1_000_000 + 1_000_000).dropFirst()
    return "\(microseconds / 1_000_000).\(fraction)"
  }
}
