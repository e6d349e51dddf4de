import Frames

/// Where a seek may land: by the seek rule in `Docs/Bench360.docc/Metrics.md`.
public struct SeekRequest: Sendable, Hashable {
  public var target: MediaTime
  /// How far before and after the target a frame may lie; `.max` nanoseconds is any distance.
  public var toleranceBefore: MediaTime
  public var toleranceAfter: MediaTime
  /// What lies behind the landing will be sought next: decoding goes on there at once, so that it need not begin again at
  /// the sync sample that was landed on.
  public var isOnTheWay = false

  public init(target: MediaTime, toleranceBefore: MediaTime = .zero, toleranceAfter: MediaTime = .zero) {
    self.target = target
    self.toleranceBefore = toleranceBefore
    self.toleranceAfter = toleranceAfter
  }

  public var earliest: MediaTime { target - toleranceBefore }
  public var latest: MediaTime { target + toleranceAfter }
  /// Only the frame whose interval holds the target is allowed.
  public var isExact: Bool { toleranceBefore <= .zero && toleranceAfter <= .zero }

  /// The same request as far as it lies in a clip: nothing is shown before its start, though edit lists hide sync samples there.
  package var fromStart: SeekRequest {
    let inside = max(target, .zero)
    var request = self
    request.target = inside
    (request.toleranceBefore, request.toleranceAfter) = (min(toleranceBefore, inside), max(.zero, latest - inside))
    return request
  }

  /// Whether a landing on this frame is within tolerance: its interval meets the window.
  public func accepts(_ frame: VideoFrame) -> Bool {
    frame.presentationTime <= latest && (frame.presentationTime + frame.duration > earliest)
  }
}

extension MediaTime {
  /// How far apart two times are; saturates.
  package func distance(to other: MediaTime) -> MediaTime { self < other ? other - self : self - other }
}
