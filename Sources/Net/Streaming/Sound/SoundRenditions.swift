import Frames
import Media

/// The tracks of sound that a presentation offers, in its order. A value.
struct SoundRenditions {
  /// One track: what the manifest tells of it, and the rendition of it that is played in each period.
  struct Track {
    var audio: AudioTrack
    /// In the first period.
    var set: AdaptationSet
    /// What finds it in another period.
    var key: SoundTrackKey
    /// Empty where its samples lie in the video's segments.
    var renditions: [(period: Period, rendition: Rendition)] = []
  }

  private(set) var tracks: [Track] = []
  /// Above this a rendition at several bit rates is not taken, bit/s.
  private static let highestBitrate: Int64 = 320_000

  /// - Parameters:
  ///   - videos: the video's renditions in the first period, the lowest first.
  init(_ presentation: Presentation, videos: [Rendition]) {
    guard let first = presentation.periods.first else { return }
    // The groups of the highest rungs have the best sound.
    var groups: [String] = []
    for group in videos.reversed().compactMap(\.groups.audio) where !groups.contains(group) { groups.append(group) }
    let codecs = videos.last?.codecs ?? []
    for (place, set) in Self.sets(of: first, presentation.format, groups).enumerated() {
      guard let best = Self.best(set.renditions, groups) else { continue }
      let key = SoundTrackKey(set, at: place, groups)
      var track = Track(audio: Self.describe(set, best, number: tracks.count, codecs), set: set, key: key)
      if case .insideVideo = best.source {} else { track.renditions = key.renditions(in: presentation) }
      tracks.append(track)
    }
  }

  /// Of HLS, the tracks that belong to the groups; a variant of sound alone is none of them.
  fileprivate static func sets(
    of period: Period, _ format: Presentation.Format, _ groups: [String]
  ) -> [AdaptationSet] {
    period.adaptationSets.filter { set in
      guard set.kind == .audio else { return false }
      return format == .dash || set.renditions.contains { $0.groups.own.map(groups.contains) ?? false }
    }
  }

  /// The rendition that is played of one track.
  fileprivate static func best(_ renditions: [Rendition], _ groups: [String]) -> Rendition? {
    let playable = renditions.filter { refusal($0.codecs) == nil && $0.audio.channels ?? 2 <= 8 }
    let candidates = playable.isEmpty ? renditions : playable
    for group in groups {
      if let rendition = candidates.first(where: { $0.groups.own == group }) { return rendition }
    }
    let ascending = candidates.sorted { bitrate($0) < bitrate($1) }
    return ascending.last { bitrate($0) <= highestBitrate } ?? ascending.first
  }

  private static func bitrate(_ rendition: Rendition) -> Int64 {
    rendition.bandwidth.average ?? rendition.bandwidth.peak
  }

  // MARK: - Facts

  private static let codecNames = [
    "mp4a": "aac", "ac-3": "ac3", "ec-3": "eac3", "opus": "opus", "flac": "flac", "alac": "alac", "vorbis": "vorbis",
    "dtsc": "dts", "dtse": "dts", "ac-4": "ac4", "mha1": "mpegh_3d_audio", "mhm1": "mpegh_3d_audio",
  ]
  /// FFmpeg has no decoder of them.
  private static let refusedCodecs: Set<String> = ["ac-4", "mha1", "mhm1"]

  private static func family(_ codec: String) -> String { String(codec.prefix { $0 != "." }).lowercased() }

  private static func refusal(_ codecs: [String]) -> String? {
    codecs.map(family).first { refusedCodecs.contains($0) }.map { "this FFmpeg has no decoder for '\($0)'" }
  }

  private static func describe(
    _ set: AdaptationSet, _ rendition: Rendition, number: Int, _ variantCodecs: [String]
  ) -> AudioTrack {
    let codecs = rendition.codecs.isEmpty ? variantCodecs : rendition.codecs
    let channels = rendition.audio.channels ?? 0
    let layouts: [Int: SoundLayout] = [1: .mono, 2: .stereo, 6: .surround51, 8: .surround71]
    let language = set.language.flatMap { Language($0) }
    let title = set.name.flatMap { $0.isEmpty || $0 == set.language || $0 == language?.name ? nil : $0 }
    return AudioTrack(
      streamIndex: number, codec: codecs.lazy.compactMap { codecNames[family($0)] }.first ?? "unknown",
      language: language, title: title.map { String($0.prefix(200)) },
      sampleRate: rendition.audio.sampleRate ?? 0, channels: channels, layout: layouts[channels],
      isDefault: set.isDefault, isDescriptive: set.roles.contains(where: describesVideo),
      refusal: refusal(rendition.codecs))
  }

  /// HLS's characteristic, DASH's role, and its scheme of TV-Anytime.
  private static func describesVideo(_ role: String) -> Bool {
    ["public.accessibility.describes-video", "description", "accessibility:description", "accessibility:1"]
      .contains(role)
  }
}

/// What tells a track of sound in each period, and in each later manifest of a live stream. A value.
struct SoundTrackKey {
  private let language: String?
  private let roles: [String]
  private let name: String?
  /// Among the sets of sound of a period.
  private let place: Int
  /// The audio groups that are played, best first.
  private let groups: [String]

  init(_ set: AdaptationSet, at place: Int, _ groups: [String]) {
    (language, roles, name, self.place, self.groups) = (set.language, set.roles, set.name, place, groups)
  }

  /// The rendition that is played of it in each period that has one.
  func renditions(in presentation: Presentation) -> [(period: Period, rendition: Rendition)] {
    presentation.periods.compactMap { period in
      let sets = SoundRenditions.sets(of: period, presentation.format, groups)
      let same = sets.first { $0.language == language && $0.roles == roles && $0.name == name }
      let set = same ?? (sets.indices.contains(place) ? sets[place] : nil)
      return set.flatMap { SoundRenditions.best($0.renditions, groups) }.map { (period, $0) }
    }
  }
}

/// The tracks of a stream, as far as they are known.
struct SoundTracksFound {
  struct Track {
    var audio: AudioTrack
    /// Of a track in the video's segments, its place among the streams of sound there; nil: it has segments of its own.
    var placeInVideo: Int?
    /// Of one with segments of its own.
    var key: SoundTrackKey?
    var renditions: [(period: Period, rendition: Rendition)]
  }

  private(set) var tracks: [Track]
  private let named: SoundRenditions

  init(_ named: SoundRenditions) {
    self.named = named
    tracks = named.tracks.filter { !$0.renditions.isEmpty }.map {
      Track(audio: $0.audio, placeInVideo: nil, key: $0.key, renditions: $0.renditions)
    }
  }

  /// The video's segments hold these.
  mutating func find(_ inVideo: [AudioTrack]) {
    guard !named.tracks.isEmpty else {
      tracks = inVideo.enumerated().map { Track(audio: $1, placeInVideo: $0, renditions: []) }
      return
    }
    tracks = named.tracks.compactMap { track in
      guard track.renditions.isEmpty else {
        return Track(audio: track.audio, placeInVideo: nil, key: track.key, renditions: track.renditions)
      }
      guard var audio = inVideo.first else { return nil }
      (audio.language, audio.title) = (track.audio.language ?? audio.language, track.audio.title ?? audio.title)
      (audio.isDefault, audio.isDescriptive) = (track.audio.isDefault, track.audio.isDescriptive)
      return Track(audio: audio, placeInVideo: 0, renditions: [])
    }
  }
}
