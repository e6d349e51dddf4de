import Frames
import Media

/// A track of a stream that is taken along: in each period one rendition of it, with all its segments.
struct OfflineTrack {
  enum Kind {
    case video, audio, subtitles
  }

  let kind: Kind
  /// The folder of its files, which is the name of its playlist too.
  let folder: String
  /// What the manifest tells of it.
  let set: AdaptationSet
  /// Empty where its samples lie in the video's segments.
  let stretches: [OfflineStretch]

  var seconds: Double { stretches.reduce(0) { $0 + $1.seconds } }
}

/// One period of a track.
struct OfflineStretch {
  /// Counted from 0.
  let period: Int
  let rendition: Rendition
  let timeline: SegmentTimeline
  let segments: [Segment]

  init(_ period: Int, _ rendition: Rendition, _ timeline: SegmentTimeline) {
    (self.period, self.rendition, self.timeline) = (period, rendition, timeline)
    segments = (0..<(timeline.count ?? 0)).compactMap { timeline[$0] }
  }

  func seconds(of segment: Segment) -> Double { Double(segment.duration) / Double(timeline.timescale) }

  fileprivate var seconds: Double { segments.reduce(0) { $0 + seconds(of: $1) } }
}

/// A rendition of a track in one period, whose segments are not known yet.
struct OfflineChoice {
  let kind: OfflineTrack.Kind
  let set: AdaptationSet
  let renditions: [(period: Int, rendition: Rendition)]
}

extension Presentation {
  /// The tracks that are wanted, the video first. Throws `.usage` for what the stream does not have.
  func choices(_ wish: OfflineWish, _ attempt: String) throws(Failure) -> [OfflineChoice] {
    let ladder = StreamTrack.videos(of: self)
    guard !ladder.isEmpty else {
      throw Failure(
        .media, attempt, cause: notes.first ?? "it has no video", remedy: "name a stream with video")
    }
    let rung = try wish.rung(of: ladder, attempt)
    let video = OfflineChoice(
      kind: .video, set: videoSet,
      renditions: periods.indices.compactMap { number in
        let rungs = StreamTrack.rungs(of: periods[number]).compactMap(\.first)
        return rungs.isEmpty ? nil : (number, rungs[min(rung, rungs.count - 1)])
      })
    return [video] + (try audio(wish, with: ladder[rung], attempt)) + (try subtitles(wish, with: ladder[rung], attempt))
  }

  /// What it was made of, with the rung that alone is left of a synthetic ladder.
  func source(of wish: OfflineWish, _ attempt: String) throws(Failure) -> String? {
    guard let source, let tag = SyntheticTag(comment: source), tag.rung == nil else { return source }
    return source + " rung=\(try wish.rung(of: StreamTrack.videos(of: self), attempt))"
  }

  private var videoSet: AdaptationSet {
    let sets = periods.first?.adaptationSets.filter { $0.kind == .video } ?? []
    return sets.first { $0.isDefault } ?? sets.first ?? AdaptationSet(id: "", kind: .video)
  }

  private func audio(_ wish: OfflineWish, with video: Rendition, _ attempt: String) throws(Failure) -> [OfflineChoice] {
    let tracks = SoundRenditions(self, videos: [video]).tracks
    let usual = tracks.firstIndex { $0.audio.isDefault } ?? (tracks.isEmpty ? nil : 0)
    // What lies in the video's segments comes with them.
    let inside = tracks.indices.filter { tracks[$0].renditions.isEmpty }
    let wanted = try wish.audio.places(
      tracks.map(\.audio.language), usual: usual.map { [$0] } ?? [], "sound", attempt)
    return Set(wanted + inside).sorted().map { place in
      OfflineChoice(
        kind: .audio, set: tracks[place].set,
        renditions: tracks[place].renditions.compactMap { period, rendition in
          periods.firstIndex { $0.start == period.start && $0.id == period.id }.map { ($0, rendition) }
        })
    }
  }

  private func subtitles(
    _ wish: OfflineWish, with video: Rendition, _ attempt: String
  ) throws(Failure) -> [OfflineChoice] {
    let sets = Self.subtitles(of: periods[0], format, video)
    let wanted = try wish.subtitles.places(
      sets.map { $0.language.flatMap { Language($0) } }, usual: Array(sets.indices), "subtitles", attempt)
    return wanted.map { place in
      let set = sets[place]
      return OfflineChoice(
        kind: .subtitles, set: set,
        renditions: periods.indices.compactMap { number in
          let same = Self.subtitles(of: periods[number], format, video).first {
            ($0.language, $0.name, $0.roles) == (set.language, set.name, set.roles)
          }
          return same?.renditions.first.map { (number, $0) }
        })
    }
  }

  /// Of HLS the members of the video's group, each as one rendition.
  private static func subtitles(
    of period: Period, _ format: Format, _ video: Rendition
  ) -> [AdaptationSet] {
    period.adaptationSets.compactMap { set in
      guard set.kind == .subtitles else { return nil }
      var set = set
      if format == .hls { set.renditions.removeAll { $0.groups.own != video.groups.subtitles } }
      return set.renditions.isEmpty ? nil : set
    }
  }
}
