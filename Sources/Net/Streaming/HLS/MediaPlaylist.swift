import Frames

/// The segments of one rendition and the rules of its reloads, by RFC 8216 and draft-pantos-hls-rfc8216bis.
public struct MediaPlaylist: Sendable {
  /// The address it was loaded from, after redirects.
  public var address: StreamAddress
  /// In nanoseconds from the start of the first playlist that was loaded: a reload keeps each segment's start.
  public var timeline: SegmentTimeline
  /// The number of the first segment.
  public var mediaSequence: Int64 = 0
  public var discontinuitySequence: Int64 = 0
  /// The greatest duration of a segment; without the tag, the longest segment's.
  public var targetDuration: MediaTime = .zero
  public var kind = Liveness.Kind.window
  /// No segment is added any more.
  public var isEnded = false
  public var startPoint: StartPoint?
  public var hasIndependentSegments = false
  /// Each segment is one sync sample, to be shown on its own.
  public var isIFramesOnly = false
  public var server = ServerControl()
  public var edge = LowLatencyEdge()
  public var dateRanges: [DateRange] = []
  /// Breaks by tags of cues.
  var cues: [CueBreak] = []

  init(address: StreamAddress) {
    self.address = address
    timeline = SegmentTimeline(listed: [], timescale: TickArithmetic.nanosecondsPerSecond)
  }

  public var liveness: Liveness {
    let target = edge.partTarget.flatMap { server.canBlockReload ? $0 : nil } ?? targetDuration
    let three = MediaTime(nanoseconds: targetDuration.nanoseconds.multipliedSaturated(by: 3))
    return Liveness(
      kind: kind, isEnded: isEnded, updateInterval: isEnded ? nil : target,
      holdBack: isEnded ? nil : (edge.partTarget == nil ? nil : server.partHoldBack) ?? server.holdBack ?? three)
  }

  /// Compares this playlist with the one loaded before it.
  public func progress(since previous: MediaPlaylist) -> PlaylistProgress {
    let (now, before) = (end, previous.end)
    if now == before { return isEnded && !previous.isEnded ? .advanced : .unchanged }
    return now > before ? .advanced : .older
  }

  /// The number of the segment behind the last, and how many of its parts are listed.
  private var end: (number: Int64, parts: Int) {
    (mediaSequence.addingSaturated(Int64(timeline.count ?? 0)), edge.parts.count)
  }
}

/// The result of a reload.
public enum PlaylistProgress: Sendable {
  case advanced
  case unchanged
  /// An older state, from a cache that lags: keep the previous playlist.
  case older
}

/// Capabilities of the server (`EXT-X-SERVER-CONTROL`).
public struct ServerControl: Sendable, Hashable {
  /// Delta updates may leave out segments older than this, counted from the end.
  public var canSkipUntil: MediaTime?
  /// Delta updates may also leave out date ranges.
  public var canSkipDateRanges = false
  public var holdBack: MediaTime?
  public var partHoldBack: MediaTime?
  /// A request may name the segment and part that it waits for.
  public var canBlockReload = false
}

/// The end of a low-latency playlist.
public struct LowLatencyEdge: Sendable, Hashable {
  /// The greatest duration of a part.
  public var partTarget: MediaTime?
  /// Parts of the segment that is not complete yet.
  public var parts: [PartialSegment] = []
  /// Of these parts, as segments have it.
  public var discontinuity: Int64 = 0
  public var hints: [PreloadHint] = []
  public var reports: [RenditionReport] = []
}

/// A resource that will soon exist (`EXT-X-PRELOAD-HINT`): a request for it waits at the server.
public struct PreloadHint: Sendable, Hashable {
  public enum Kind: Sendable {
    case part, map
  }

  public var kind: Kind
  public var address: StreamAddress
  public var offset: Int64 = 0
  /// Nil: to the end of the resource.
  public var length: Int64?
}

/// The last segment and part of another rendition's playlist (`EXT-X-RENDITION-REPORT`).
public struct RenditionReport: Sendable, Hashable {
  public var address: StreamAddress
  public var lastNumber: Int64?
  public var lastPart: Int64?
}

/// A named span of the calendar (`EXT-X-DATERANGE`): advertisements, programmes.
public struct DateRange: Sendable, Hashable {
  public var id: String
  public var start: WallTime?
  public var end: WallTime?
  public var duration: MediaTime?
  public var plannedDuration: MediaTime?
  public var rangeClass: String?
  public var endsOnNext = false
  /// `X-…` and `SCTE35-…`, as they are written.
  public var attributes: [String: String] = [:]
}
