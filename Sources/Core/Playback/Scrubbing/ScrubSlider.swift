import Frames

/// A slider that stands for a clip, or for the window of a live stream: its pixels are places in time.
public struct ScrubSlider: Sendable, Hashable {
  /// The place of its first pixel.
  public let start: MediaTime
  /// What its whole width means.
  public let duration: MediaTime
  /// Pixels, two at least.
  public let width: Int

  public init(start: MediaTime = .zero, duration: MediaTime, width: Int) {
    self.start = start
    self.duration = max(duration, .zero)
    self.width = max(width, 2)
  }

  /// The place of its last pixel.
  public var end: MediaTime { start + duration }

  /// Half a pixel, the precision of a pointer: 0.5 × duration ⁄ width, as HTY360Player has it.
  public var halfPixel: MediaTime {
    MediaTime(nanoseconds: (Double(duration.nanoseconds) / Double(width) / 2).roundedNanoseconds)
  }

  /// The place that a pixel stands for: the first one is the start, the last one the end; beside the slider there is none.
  public func time(atPixel pixel: Int) -> MediaTime {
    let place = min(max(pixel, 0), width - 1)
    return start
      + MediaTime(nanoseconds: (Double(duration.nanoseconds) * Double(place) / Double(width - 1)).roundedNanoseconds)
  }
}

extension Double {
  fileprivate var roundedNanoseconds: Int64 { MediaTime(seconds: self / 1e9).nanoseconds }
}
