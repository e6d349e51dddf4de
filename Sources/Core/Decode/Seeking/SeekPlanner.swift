import Frames
import Media

/// The decoder's state when a seek begins.
public struct DecodedFrames: Sendable, Hashable {
  /// When a frame is shown: from its presentation time up to its end.
  public struct Interval: Sendable, Hashable {
    public var start: MediaTime
    public var end: MediaTime

    public init(start: MediaTime, end: MediaTime) {
      self.start = start
      self.end = end
    }
  }

  /// Cached frames, in any order.
  public var held: [Interval]
  /// Where the next frame out of the decoder lies; nil at the end, and where nothing is being decoded.
  public var next: MediaTime?
  /// From one frame to the next; used to estimate costs only.
  public var spacing: MediaTime
  /// Work lost when the decoder is flushed, in frames: the frames in the decoder.
  public var delay: Int

  public init(
    held: [Interval] = [], next: MediaTime? = nil, spacing: MediaTime = MediaTime(nanoseconds: 40_000_000),
    delay: Int = 0
  ) {
    (self.held, self.next, self.spacing, self.delay) = (held, next, spacing, delay)
  }
}

/// The plan with the least decoding that can meet a request: pure, from the seek rule in `Docs/Bench360.docc/Metrics.md`.
public enum SeekPlanner {
  /// How to land.
  public enum Plan: Sendable, Hashable {
    /// Show the cached frame at this time.
    case show(MediaTime)
    /// Decode on from here to the first frame the request allows.
    case decodeOn
    /// Show the sync sample at this time.
    case syncSample(MediaTime)
    /// Decode from the sync sample at or before this time to the first frame the request allows.
    case decodeForward(from: MediaTime)
    /// The sync samples around the target are unknown: look for them, then plan again.
    case search
  }

  /// How far decoding goes on rather than looking for sync samples that no index tells: a usual group's length.
  public static let assumedGroup = 30

  /// The rule's steps in turn; each costs less than the one after it.
  ///
  /// A frame at hand is shown where no sync sample in the window lies nearer to the target. Else, with wide tolerances, the
  /// frame on the screen would always do, and the picture would never follow the hand.
  public static func plan(
    _ request: SeekRequest, index: SyncSampleIndex, decoded: DecodedFrames = DecodedFrames()
  ) -> Plan {
    let held = nearestHeld(request, decoded)
    if let held, distance(held, request) == .zero { return .show(held.start) }
    guard index.knowsSyncSamples(around: request) else {
      // In a window a sync sample would be cheaper still.
      guard request.isExact, let cost = costOfGoingOn(request, decoded), cost <= assumedGroup else { return .search }
      return .decodeOn
    }
    let nearest = index.nearest(to: request)
    if let held, nearest.map({ distance(held, request) <= $0.distance(to: request.target) }) ?? true {
      return .show(held.start)
    }
    if let nearest { return .syncSample(nearest) }
    guard let start = index.last(atOrBefore: request.target) else {
      return costOfGoingOn(request, decoded) == nil ? .decodeForward(from: request.target) : .decodeOn
    }
    let restart = frames(from: start, to: min(request.earliest, request.target), decoded.spacing)
    if let cost = costOfGoingOn(request, decoded), cost <= restart + decoded.delay { return .decodeOn }
    return .decodeForward(from: start)
  }

  /// - Parameter syncSamples: all there are, in ascending order; empty when the demuxer must find them.
  public static func plan(_ request: SeekRequest, syncSamples: [MediaTime]) -> Plan {
    plan(request, index: SyncSampleIndex(whole: syncSamples))
  }

  private static func nearestHeld(_ request: SeekRequest, _ decoded: DecodedFrames) -> DecodedFrames.Interval? {
    decoded.held.filter { $0.start <= request.latest && $0.end > request.earliest }.min { a, b in
      let (x, y) = (distance(a, request), distance(b, request))
      return x == y ? a.start < b.start : x < y
    }
  }

  /// Zero where the frame is shown at the target.
  private static func distance(_ frame: DecodedFrames.Interval, _ request: SeekRequest) -> MediaTime {
    frame.start <= request.target && request.target < frame.end ? .zero : frame.start.distance(to: request.target)
  }

  /// Frames to decode from here to the landing; nil where it lies behind.
  private static func costOfGoingOn(_ request: SeekRequest, _ decoded: DecodedFrames) -> Int? {
    guard let next = decoded.next else { return nil }
    if next > request.target { return request.isExact || next > request.latest ? nil : 1 }
    return frames(from: next, to: max(next, request.earliest), decoded.spacing)
  }

  /// How many frames there are from one at `start` to the one shown at `end`, both included.
  private static func frames(from start: MediaTime, to end: MediaTime, _ spacing: MediaTime) -> Int {
    let span = max(0, (end - start).nanoseconds)
    return min(Int(span / max(1, spacing.nanoseconds)), 1 << 40) + 1
  }
}
