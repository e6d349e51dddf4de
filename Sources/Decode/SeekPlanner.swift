import Frames

/// Where a seek may land, and where to start decoding for it: pure, from the seek rule in `metrics.md`.
public struct SeekRequest: Sendable, Hashable {
  public var target: MediaTime
  /// How far before and after the target a frame may lie; `.max` nanoseconds is any distance.
  public var toleranceBefore: MediaTime
  public var toleranceAfter: MediaTime

  public init(target: MediaTime, toleranceBefore: MediaTime = .zero, toleranceAfter: MediaTime = .zero) {
    self.target = target
    self.toleranceBefore = toleranceBefore
    self.toleranceAfter = toleranceAfter
  }

  public var earliest: MediaTime { target - toleranceBefore }
  public var latest: MediaTime { target + toleranceAfter }

  /// Whether a landing on this frame is within tolerance: its interval meets the window.
  public func accepts(_ frame: VideoFrame) -> Bool {
    frame.presentationTime <= latest && (frame.presentationTime + frame.duration > earliest)
  }
}

public enum SeekPlanner {
  /// The plan with the least decoding that can meet a request.
  public enum Plan: Sendable, Hashable {
    /// Show the sync sample at this time.
    case syncSample(MediaTime)
    /// Decode from the sync sample at or before this time to the first frame the request allows.
    case decodeForward(from: MediaTime)
  }

  /// - Parameter syncSamples: their times in ascending order; empty when unknown.
  public static func plan(_ request: SeekRequest, syncSamples: [MediaTime]) -> Plan {
    let inside = syncSamples.filter { request.earliest <= $0 && $0 <= request.latest }
    let nearest = inside.min { a, b in
      let (x, y) = (distance(a, request.target), distance(b, request.target))
      return x == y ? a < b : x < y
    }
    if let nearest { return .syncSample(nearest) }
    return .decodeForward(from: syncSamples.last { $0 <= request.target } ?? request.target)
  }

  private static func distance(_ a: MediaTime, _ b: MediaTime) -> MediaTime {
    a < b ? b - a : a - b
  }
}
