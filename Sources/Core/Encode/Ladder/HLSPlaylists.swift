import Frames
import TestPicture

/// The playlists of a ladder in one packaging, as RFC 8216 has them. Paths in them are relative to their folder.
struct HLSPlaylists {
  static let main = "main.m3u8"

  let specification: LadderSpecification
  let index: LadderIndex
  let encryption: LadderEncryption?
  let packaging: LadderIndex.Packaging
  /// Of all playlists, below the ladder's.
  let folder: String

  /// Names below the ladder's folder, and texts.
  var all: [(name: String, text: String)] {
    var all = [("\(folder)/\(Self.main)", multivariant)]
    let tracks = index.rungs.map { rendition($0.renditions) } + index.audio.map { rendition($0.renditions) }
    for track in tracks.compactMap({ $0 }) {
      if let name = track.playlist { all.append((name, media(track))) }
      if let name = track.iFramePlaylist { all.append((name, iFrames(track))) }
    }
    for subtitles in index.subtitles {
      if let name = subtitles.playlists.first(where: { $0.hasPrefix("\(folder)/") }) {
        all.append((name, text(subtitles.language)))
      }
    }
    return all
  }

  private func rendition(_ renditions: [LadderIndex.Rendition]) -> LadderIndex.Rendition? {
    renditions.first { $0.packaging == packaging }
  }

  /// The lowest rung first.
  private var multivariant: String {
    var lines = [
      "#EXTM3U", "#EXT-X-VERSION:\(version)", "#EXT-X-INDEPENDENT-SEGMENTS",
      // What the pictures show; MPEG-TS itself has no place for it.
      Self.synthetic(index.synthetic),
      "#EXT-X-SESSION-DATA:DATA-ID=\"bench360.thumbnails\",VALUE=\"../\(LadderThumbnails.track)\"",
    ]
    for (number, audio) in index.audio.enumerated() {
      guard let name = rendition(audio.renditions)?.playlist else { continue }
      lines.append(
        "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"audio\",LANGUAGE=\"\(audio.language)\",NAME=\"\(audio.language)\","
          + "DEFAULT=\(number == 0 ? "YES" : "NO"),AUTOSELECT=YES,CHANNELS=\"1\",URI=\"\(local(name))\"")
    }
    for language in specification.languages {
      lines.append(
        "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"subtitles\",LANGUAGE=\"\(language)\",NAME=\"\(language)\","
          + "DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI=\"subtitles-\(language).m3u8\"")
    }
    lines += index.rungs.flatMap(variant)
    lines += index.rungs.compactMap(iFrameVariant)
    return lines.joined(separator: "\n") + "\n"
  }

  private func variant(_ rung: LadderIndex.Rung) -> [String] {
    guard let track = rendition(rung.renditions), let name = track.playlist else { return [] }
    // A player fetches one of the audio tracks beside the pictures.
    let audio = index.audio.compactMap { rendition($0.renditions) }
    let peak = track.peakBitRate + (audio.map(\.peakBitRate).max() ?? 0)
    let average = track.averageBitRate + (audio.map(\.averageBitRate).max() ?? 0)
    return [
      "#EXT-X-STREAM-INF:BANDWIDTH=\(peak),AVERAGE-BANDWIDTH=\(average),"
        + "CODECS=\"\(rung.codecs),\(LadderSound.codecs)\",RESOLUTION=\(rung.width)x\(rung.height),"
        + "FRAME-RATE=\(Self.thousandths(index.rate.value ?? 0)),AUDIO=\"audio\",SUBTITLES=\"subtitles\"",
      local(name),
    ]
  }

  private func iFrameVariant(_ rung: LadderIndex.Rung) -> String? {
    guard let track = rendition(rung.renditions), let name = track.iFramePlaylist else { return nil }
    let rates = track.segments.map { Double(($0.syncBytes ?? 0) * 8) / $0.duration }
    let peak = Int((rates.max() ?? 0).rounded(.up))
    return "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=\(peak),CODECS=\"\(rung.codecs)\","
      + "RESOLUTION=\(rung.width)x\(rung.height),URI=\"\(local(name))\""
  }

  private func media(_ track: LadderIndex.Rendition) -> String {
    var lines = head(track.targetDuration)
    // Before the first key: initialization segments are clear.
    if let initialization = track.initialization { lines.append("#EXT-X-MAP:URI=\"\(local(initialization.file))\"") }
    for (number, segment) in track.segments.enumerated() {
      if let tag = encryption?.keyTag(beforeSegment: number) { lines.append(tag) }
      lines += [Self.information(segment.duration), local(segment.file)]
    }
    return lines.joined(separator: "\n") + "\n#EXT-X-ENDLIST\n"
  }

  private func iFrames(_ track: LadderIndex.Rendition) -> String {
    var lines = head(track.targetDuration) + ["#EXT-X-I-FRAMES-ONLY"]
    if let initialization = track.initialization { lines.append("#EXT-X-MAP:URI=\"\(local(initialization.file))\"") }
    for segment in track.segments {
      lines += [
        Self.information(segment.duration), "#EXT-X-BYTERANGE:\(segment.syncBytes ?? 0)@0", local(segment.file),
      ]
    }
    return lines.joined(separator: "\n") + "\n#EXT-X-ENDLIST\n"
  }

  private func text(_ language: String) -> String {
    let durations = specification.segments.map { specification.seconds($0.count) }
    var lines = head(max(1, Int((durations.max() ?? 1).rounded())))
    for (number, duration) in durations.enumerated() {
      lines += [Self.information(duration), "subtitles-\(language)/\(numbered(number)).vtt"]
    }
    return lines.joined(separator: "\n") + "\n#EXT-X-ENDLIST\n"
  }

  private func head(_ target: Int) -> [String] { Self.head(target, version: version) }

  /// The first lines of a media playlist whose segments are all there.
  static func head(_ target: Int, version: Int) -> [String] {
    [
      "#EXTM3U", "#EXT-X-VERSION:\(version)", "#EXT-X-TARGETDURATION:\(target)", "#EXT-X-MEDIA-SEQUENCE:0",
      "#EXT-X-PLAYLIST-TYPE:VOD",
    ]
  }

  /// Initialization segments of media playlists need version 6, I-frame playlists 4.
  private var version: Int { packaging == .fmp4 ? 6 : 4 }

  /// The tag for what the pictures of a synthetic clip show: a `SyntheticTag` as text.
  static func synthetic(_ comment: String) -> String {
    "#EXT-X-SESSION-DATA:DATA-ID=\"bench360.synthetic\",VALUE=\"\(comment)\""
  }

  /// With three digits behind the point.
  static func thousandths(_ value: Double) -> String {
    let count = Int((value * 1000).rounded())
    return "\(count / 1000).\(String(count % 1000 + 1000).dropFirst())"
  }

  /// Microseconds.
  static func information(_ duration: Double) -> String {
    let microseconds = Int((duration * 1_000_000).rounded())
    let fraction = String(microseconds % 1_000_000 + 1_000_000).dropFirst()
    return "#EXTINF:\(microseconds / 1_000_000).\(fraction),"
  }

  /// Without this folder.
  private func local(_ name: String) -> String { String(name.dropFirst(folder.count + 1)) }
}
