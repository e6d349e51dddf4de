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

/// The video of a presentation as rungs: in each period the renditions of one codec, ordered by bit rate.
///
/// The timelines of a rung are known once its playlist or index was loaded. A value.
struct StreamTrack {
  private struct Stretch {
    var start: MediaTime
    var end: MediaTime?
    /// As many as the track has rungs, or fewer: the last stands for those above it.
    var renditions: [Rendition]
    var timelines: [Int: SegmentTimeline] = [:]

    /// Of a rung, else of the lowest one that is known.
    func known(rung: Int) -> SegmentTimeline? {
      timelines[min(rung, renditions.count - 1)] ?? timelines.min { $0.key < $1.key }?.value
    }
  }

  let rungs: [StreamRung]
  /// HLS leaves time stamps to the media.
  private let isTimedByMedia: Bool
  private var stretches: [Stretch]

  /// A segment and where it lies.
  struct Place {
    var segment: Segment
    var start: MediaTime
    var end: MediaTime
    /// The period.
    var stretch: Int
    var clock: SegmentClock
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
    guard let first = presentation.periods.first else { throw Failure(.media, attempt, cause: "it has no periods") }
    let renditions = Self.renditions(of: first)
    guard !renditions.isEmpty else {
      throw Failure(
        .media, attempt, cause: presentation.notes.first ?? "it has no video", remedy: "name a stream with video")
    }
    isTimedByMedia = presentation.format == .hls
    rungs = renditions.map { StreamRung($0, bitrate: Self.bitrate($0)) }
    stretches = presentation.periods.compactMap { period in
      let renditions = Self.renditions(of: period)
      return renditions.isEmpty
        ? nil : Stretch(start: period.start, end: period.duration.map { period.start + $0 }, renditions: renditions)
    }
    for (number, stretch) in stretches.enumerated() {
      for (rung, rendition) in stretch.renditions.enumerated() where rendition.timeline != nil {
        stretches[number].timelines[rung] = rendition.timeline
      }
    }
  }

  // MARK: - Rungs

  /// The renditions of the codec that most of the video's have, ascending, each bit rate once.
  private static func renditions(of period: Period) -> [Rendition] {
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
    return chosen.sorted { bitrate($0) < bitrate($1) }.reduce(into: []) { kept, rendition in
      if kept.last.map({ bitrate($0) < bitrate(rendition) }) ?? true { kept.append(rendition) }
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

  /// The segment of a rung from which playing goes on at `position`.
  func place(rung: Int, at position: MediaTime) -> Lookup {
    var number = stretches.lastIndex { $0.start <= position } ?? 0
    while number < stretches.count {
      let stretch = stretches[number]
      let own = min(rung, stretch.renditions.count - 1)
      guard let timeline = stretch.timelines[own] else {
        return .needs(stretch.renditions[own].source, stretch: number)
      }
      if let place = place(in: timeline, at: position, stretch: number) { return .found(place) }
      number += 1
    }
    return .ended
  }

  /// Neighbours whose edges are rounded differently still follow on each other.
  static let slack = MediaTime(nanoseconds: 50_000_000)

  private func place(in timeline: SegmentTimeline, at position: MediaTime, stretch: Int) -> Place? {
    guard let index = timeline.index(at: max(position, stretches[stretch].start) + Self.slack) else { return nil }
    var candidate = index
    while let segment = timeline[candidate] {
      let (start, end) = (timeline.start(of: segment), timeline.end(of: segment))
      if end > position + Self.slack {
        let offset = TickArithmetic.time(timeline.mediaOffset, timescale: timeline.timescale) - timeline.origin
        return Place(
          segment: segment, start: start, end: end, stretch: stretch,
          clock: isTimedByMedia ? .run(segment.discontinuity) : .behind(offset))
      }
      candidate += 1
    }
    return nil
  }

  mutating func learn(_ timeline: SegmentTimeline, rung: Int, stretch: Int) {
    stretches[stretch].timelines[min(rung, stretches[stretch].renditions.count - 1)] = timeline
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

  /// Where the last segment ends that is known of.
  var end: MediaTime? {
    guard let last = stretches.last else { return nil }
    return last.timelines.values.compactMap(\.end).max() ?? last.end
  }
}

extension Rendition {
  /// Sound alone is a rendition of HLS too.
  fileprivate var hasVideo: Bool {
    if codecs.isEmpty || video.width != nil { return mimeType?.hasPrefix("audio/") != true }
    return !codecs.allSatisfy { codec in
      ["mp4a", "ac-3", "ec-3", "ac-4", "opus", "flac", "alac"].contains(String(codec.prefix { $0 != "." }).lowercased())
    }
  }
}
