import Frames
import Media

/// The tracks of subtitles that a presentation offers, in its order. A value.
struct TextRenditions {
  /// What the manifest tells of them, and of each the rendition of each period.
  private(set) var tracks: [(track: SubtitleTrack, renditions: [(period: Period, rendition: Rendition)])] = []

  /// - Parameter videos: the video's renditions in the first period, the lowest first.
  init(_ presentation: Presentation, videos: [Rendition]) {
    guard let first = presentation.periods.first else { return }
    let groups = Set(videos.compactMap(\.groups.subtitles))
    for (place, set) in Self.sets(of: first, groups).enumerated() {
      guard let rendition = set.renditions.first else { continue }
      let renditions = presentation.periods.compactMap { period -> (period: Period, rendition: Rendition)? in
        let sets = Self.sets(of: period, groups)
        let same = sets.first { $0.language == set.language && $0.roles == set.roles && $0.name == set.name }
        let other = same ?? (sets.indices.contains(place) ? sets[place] : nil)
        return other?.renditions.first.map { (period, $0) }
      }
      tracks.append((Self.describe(set, rendition), renditions))
    }
  }

  /// Of HLS, those of the groups that variants name, where they name any.
  private static func sets(of period: Period, _ groups: Set<String>) -> [AdaptationSet] {
    let sets = period.adaptationSets.filter { $0.kind == .subtitles }
    let named = sets.filter { $0.renditions.contains { $0.groups.own.map(groups.contains) ?? false } }
    return named.isEmpty ? sets : named
  }

  private static func describe(_ set: AdaptationSet, _ rendition: Rendition) -> SubtitleTrack {
    let language = set.language.flatMap { Language($0) }
    let title = set.name.flatMap { $0.isEmpty || $0 == set.language || $0 == language?.name ? nil : $0 }
    return SubtitleTrack(
      codec: "webvtt", language: language, title: title.map { String($0.prefix(200)) }, isDefault: set.isDefault,
      isForced: set.isForced, refusal: refusal(rendition))
  }

  /// Nil: text of WebVTT, or HLS does not tell.
  private static func refusal(_ rendition: Rendition) -> String? {
    let type = rendition.mimeType?.lowercased() ?? ""
    let codec = rendition.codecs.first.map { String($0.prefix { $0 != "." }) } ?? ""
    if type.isEmpty || type == "text/vtt", codec.isEmpty || codec == "wvtt" || codec == "vtt" { return nil }
    return "subtitles of type '\((codec.isEmpty ? type : codec).prefix(40))' are not read, only WebVTT"
  }
}
