import Adaptation
import Frames
import Media

/// One coding of a stream's video.
public struct StreamRung: Sendable, Hashable {
  public var id: String
  /// Average where the manifest tells, else peak, bit/s; 1 where it tells neither.
  public var bitrate: Double
  /// Peak where the manifest tells, else average, bit/s.
  public var peakBitrate: Double
  /// As RFC 6381 writes it; nil where the manifest does not tell.
  public var codec: String?
  public var width: Int?
  public var height: Int?
  /// Pictures per second.
  public var frameRate: Double?

  init(_ rendition: Rendition, bitrate: Double) {
    (id, self.bitrate) = (rendition.id, bitrate)
    peakBitrate = rendition.bandwidth.peak > 0 ? Double(rendition.bandwidth.peak) : bitrate
    codec = rendition.codecs.first { StreamTrack.family($0) != nil }
    (width, height) = (rendition.video.width, rendition.video.height)
    frameRate = rendition.video.frameRate?.value
  }
}

/// The video of a presentation as rungs: in each period the renditions of one codec, ordered by bit rate. Or a track of its sound, which has
/// one rung.
///
/// The timelines of a rung are known once its playlist or index was loaded. A value.
struct StreamTrack {
  fileprivate struct Stretch {
    var start: MediaTime
    var end: MediaTime?
    /// As many as the track has rungs, or fewer: the last stands for those above it.
    var rungs: [RungSources]

    /// Of a rung, else of the lowest one that is known.
    func known(rung: Int) -> SegmentTimeline? {
      rungs[min(rung, rungs.count - 1)].timeline ?? rungs.lazy.compactMap(\.timeline).first
    }
  }

  let rungs: [StreamRung]
  /// HLS leaves time stamps to the media.
  private let isTimedByMedia: Bool
  fileprivate var stretches: [Stretch]

  /// A segment and where it lies.
  struct Place {
    var segment: Segment
    var start: MediaTime
    var end: MediaTime
    /// The period.
    var stretch: Int
    var clock: SegmentClock
    /// Nil: it is not encrypted by samples.
    var protection: Protection?
  }

  /// One of the places from which a rung can be loaded.
  struct Candidate: Hashable {
    var rung: Int
    /// Counted from 0; as many as the period has the most of.
    var source: Int
  }

  /// What is needed to find a place.
  enum Lookup {
    case found(Place)
    /// The rung's playlist or index must be loaded before: `learn` takes it.
    case needs(SegmentSource, stretch: Int)
    case ended
  }

  /// Throws for a presentation without video that this FFmpeg might decode.
  init(_ presentation: Presentation, _ name: String) throws(Failure) {
    let attempt = "cannot play '\(name)'"
    let periods = presentation.periods.map { (period: $0, rungs: Self.rungs(of: $0)) }
    guard let first = periods.first else { throw Failure(.media, attempt, cause: "it has no periods") }
    guard !first.rungs.isEmpty else {
      throw Failure(
        .media, attempt, cause: presentation.notes.first ?? "it has no video", remedy: "name a stream with video")
    }
    isTimedByMedia = presentation.format == .hls
    rungs = first.rungs.compactMap(\.first).map { StreamRung($0, bitrate: Self.bitrate($0)) }
    stretches = periods.compactMap { period, rungs in
      rungs.isEmpty
        ? nil
        : Stretch(
          start: period.start, end: period.duration.map { period.start + $0 }, rungs: rungs.compactMap(RungSources.init)
        )
    }
  }

  /// A track of sound: of each period the rendition that is played; none where it has no sound.
  init(sound renditions: [(period: Period, rendition: Rendition)], _ format: Presentation.Format) {
    isTimedByMedia = format == .hls
    rungs = renditions.first.map { [StreamRung($0.rendition, bitrate: Self.bitrate($0.rendition))] } ?? []
    stretches = renditions.compactMap { period, rendition in
      RungSources([rendition]).map {
        Stretch(start: period.start, end: period.duration.map { period.start + $0 }, rungs: [$0])
      }
    }
  }

  /// The renditions that the rungs of a presentation are made of, in its first period.
  static func videos(of presentation: Presentation) -> [Rendition] {
    presentation.periods.first.map { rungs(of: $0).compactMap(\.first) } ?? []
  }

  // MARK: - Rungs

  /// The renditions of the codec that most of the video's have, ascending by bit rate: of each the first one, and the others
  /// that hold the same elsewhere.
  static func rungs(of period: Period) -> [[Rendition]] {
    let videos = period.adaptationSets.filter { $0.kind == .video }
    let set = videos.first { $0.isDefault } ?? videos.first { !$0.renditions.isEmpty }
    guard let set else { return [] }
    var families: [String] = []
    var members: [String: [Rendition]] = [:]
    for rendition in set.renditions {
      guard rendition.hasVideo else { continue }
      let family = rendition.codecs.compactMap(Self.family).first ?? ""
      if members[family] == nil { families.append(family) }
      members[family, default: []].append(rendition)
    }
    let most = families.map { members[$0]?.count ?? 0 }.max()
    let chosen = families.first { members[$0]?.count == most }.flatMap { members[$0] } ?? []
    return chosen.sorted { bitrate($0) < bitrate($1) }.reduce(into: []) { rungs, rendition in
      guard let first = rungs.last?.first, bitrate(first) >= bitrate(rendition) else {
        return rungs.append([rendition])
      }
      if first.isRedundant(with: rendition) { rungs[rungs.count - 1].append(rendition) }
    }
  }

  private static func bitrate(_ rendition: Rendition) -> Double {
    Double(max(1, rendition.bandwidth.average ?? rendition.bandwidth.peak))
  }

  /// Of a codec as RFC 6381 writes it; nil for one that is no video's.
  fileprivate static func family(_ codec: String) -> String? {
    let families = [
      "avc1": "h264", "avc3": "h264", "hvc1": "hevc", "hev1": "hevc", "av01": "av1", "vp09": "vp9", "vp9": "vp9",
      "vp08": "vp8", "vp8": "vp8", "mp4v": "mpeg4",
    ]
    return families[String(codec.prefix { $0 != "." }).lowercased()]
  }

  // MARK: - Segments

  /// The segment of a rung that holds `position`, or the first one behind it.
  func place(rung: Int, at position: MediaTime) -> Lookup {
    var number = stretches.lastIndex { $0.start <= position } ?? 0
    while number < stretches.count {
      let stretch = stretches[number]
      let sources = stretch.rungs[min(rung, stretch.rungs.count - 1)]
      guard let timeline = sources.timeline else { return .needs(sources.source, stretch: number) }
      if let place = place(in: timeline, sources, at: position, stretch: number) { return .found(place) }
      number += 1
    }
    return .ended
  }

  /// A segment that begins so little behind the end of another follows on it: edges are rounded. Shorter than a picture, so that
  /// none is passed over.
  static let slack = MediaTime(nanoseconds: 5_000_000)

  private func place(
    in timeline: SegmentTimeline, _ sources: RungSources, at position: MediaTime, stretch: Int
  ) -> Place? {
    guard var candidate = timeline.index(at: max(position, stretches[stretch].start)) else { return nil }
    while let segment = timeline[candidate] {
      let (start, end) = (timeline.start(of: segment), timeline.end(of: segment))
      if end > position {
        let offset = TickArithmetic.time(timeline.mediaOffset, timescale: timeline.timescale) - timeline.origin
        return Place(
          segment: segment, start: start, end: end, stretch: stretch,
          clock: isTimedByMedia ? .run(segment.discontinuity) : .behind(offset), protection: sources.protection)
      }
      candidate += 1
    }
    return nil
  }

  mutating func learn(_ timeline: SegmentTimeline, rung: Int, stretch: Int) {
    stretches[stretch].rungs[min(rung, stretches[stretch].rungs.count - 1)].learn(timeline)
  }

  // MARK: - Substitutes

  /// Where a rung can be loaded from, the present place first, and after that the other rungs: the next lower ones, then the higher
  /// ones.
  func candidates(for rung: Int) -> [Candidate] {
    let order = [rung] + (0..<rung).reversed() + rungs.indices.filter { $0 > rung }
    return order.flatMap { rung in
      let sources = stretches.map { $0.rungs[min(rung, $0.rungs.count - 1)] }
      let (count, present) = (sources.map(\.count).max() ?? 0, sources.map(\.present).max() ?? 0)
      return (0..<count).map { Candidate(rung: rung, source: (present + $0) % count) }
    }
  }

  /// Loads a rung from there, from now on.
  mutating func use(_ candidate: Candidate) {
    for number in stretches.indices {
      let rung = min(candidate.rung, stretches[number].rungs.count - 1)
      stretches[number].rungs[rung].use(candidate.source)
    }
  }

  /// Where the segments of a rung lie, as far as they are known: a later period counts as one.
  func spans(rung: Int) -> [(start: MediaTime, end: MediaTime)] {
    stretches.flatMap { stretch -> [(start: MediaTime, end: MediaTime)] in
      guard let timeline = stretch.known(rung: rung), let count = timeline.count else {
        return stretch.end.map { [(stretch.start, $0)] } ?? []
      }
      return (0..<min(count, ManifestLimits.segmentCount)).compactMap { timeline[$0] }.map {
        (timeline.start(of: $0), timeline.end(of: $0))
      }
    }
  }

  /// How many spans a rung has.
  func count(rung: Int) -> Int {
    stretches.reduce(0) { sum, stretch in
      sum
        + (stretch.known(rung: rung)?.count.map { min($0, ManifestLimits.segmentCount) }
          ?? (stretch.end == nil ? 0 : 1))
    }
  }

  /// How long the segments are that the manifest gives one length for; nil where it does not.
  func nominalDuration(rung: Int, at place: MediaTime) -> MediaTime? {
    stretches.last { $0.start <= place }.flatMap { $0.known(rung: rung)?.nominalDuration }
  }

  /// Where the last segment ends that is known of.
  var end: MediaTime? {
    guard let last = stretches.last else { return nil }
    return last.rungs.compactMap { $0.timeline?.end }.max() ?? last.end
  }
}

extension StreamTrack {
  /// The next state of a live manifest, loaded from the same places as far as they are there. Nil where it has other rungs.
  func renewed(_ next: StreamTrack) -> StreamTrack? {
    guard next.rungs.count == rungs.count else { return nil }
    var next = next
    for rung in rungs.indices {
      let present = stretches.map { $0.rungs[min(rung, $0.rungs.count - 1)].present }.max() ?? 0
      if present > 0 { next.use(Candidate(rung: rung, source: present)) }
    }
    return next
  }

  /// What of a rung is there: from the start of the first known segment to the end of the last one that can be loaded. Nil before
  /// any is known.
  ///
  /// - Parameters:
  ///   - wall: the server's clock.
  ///   - longest: of its segments.
  func extent(rung: Int, at wall: WallTime) -> (start: MediaTime, end: MediaTime, longest: MediaTime)? {
    var found: (start: MediaTime, end: MediaTime, longest: MediaTime)?
    for stretch in stretches {
      guard let timeline = stretch.known(rung: rung), let first = timeline[0] else { continue }
      let count = timeline.availableCount(at: wall)
      guard count > 0, count < .max, let last = timeline[count - 1] else { continue }
      var end = timeline.end(of: last)
      // What is being made is there up to now.
      if let availability = timeline.availability {
        end = min(end, max(timeline.start(of: last), wall - availability.zero + timeline.origin))
      }
      let length = max(
        timeline.end(of: last) - timeline.start(of: last), timeline.end(of: first) - timeline.start(of: first))
      found = (
        found?.start ?? timeline.start(of: first), max(found?.end ?? end, end), max(found?.longest ?? length, length)
      )
    }
    return found
  }

  /// Where the segments of a rung are listed now; nil: in the manifest.
  func playlist(rung: Int, stretch: Int = 0) -> StreamAddress? {
    guard stretches.indices.contains(stretch) else { return nil }
    let sources = stretches[stretch].rungs
    guard case .playlist(let address, _) = sources[min(rung, sources.count - 1)].source else { return nil }
    return address
  }

  /// The playlist, where the user named it itself.
  var loadedPlaylist: MediaPlaylist? {
    guard case .playlist(_, let loaded)? = stretches.first?.rungs.first?.source else { return nil }
    return loaded
  }

  /// In seconds, of the segments that are known first and last.
  var longestSegment: Double? {
    stretches.compactMap { stretch -> Double? in
      guard let timeline = stretch.rungs.lazy.compactMap(\.timeline).first, let first = timeline[0] else { return nil }
      let last = timeline.count.flatMap { timeline[$0 - 1] } ?? first
      return [first, last].map { (timeline.end(of: $0) - timeline.start(of: $0)).seconds }.max()
    }.max()
  }

  /// When a segment can be loaded whole, and from when on while it is made, by the server's clock; nil: at any time.
  func availability(of place: Place, rung: Int) -> (whole: WallTime, begun: WallTime)? {
    let sources = stretches[place.stretch].rungs
    guard let timeline = sources[min(rung, sources.count - 1)].timeline,
      let begun = timeline.availableTime(of: place.segment)
    else { return nil }
    let isComplete = timeline.availability?.isComplete ?? true
    return (isComplete ? begun : begun + (timeline.availability?.lead ?? .zero), begun)
  }
}

extension Rendition {
  /// Holds the same on another server (RFC 8216 §6.2.4, redundant variants).
  fileprivate func isRedundant(with other: Rendition) -> Bool {
    (video.width, video.height, bandwidth) == (other.video.width, other.video.height, other.bandwidth)
      && codecs == other.codecs && protection == other.protection
  }

  /// Sound alone is a rendition of HLS too.
  fileprivate var hasVideo: Bool {
    if codecs.isEmpty || video.width != nil { return mimeType?.hasPrefix("audio/") != true }
    return !codecs.allSatisfy { codec in
      ["mp4a", "ac-3", "ec-3", "ac-4", "opus", "flac", "alac"].contains(String(codec.prefix { $0 != "." }).lowercased())
    }
  }
}
