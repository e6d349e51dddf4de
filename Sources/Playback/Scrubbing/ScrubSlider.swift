import Frames

/// A slider that stands for a clip: its pixels are places in time.
public struct ScrubSlider: Sendable, Hashable {
  /// What its whole width means.
  public let duration: MediaTime
  /// Pixels, two at least.
  public let width: Int

  public init(duration: MediaTime, width: Int) {
    self.duration = max(duration, .zero)
    self.width = max(width, 2)
  }

  /// Half a pixel, the precision of a pointer: 0.5 × duration ⁄ width, as HTY360Player has it.
  public var halfPixel: MediaTime {
    MediaTime(nanoseconds: (Double(duration.nanoseconds) / Double(width) / 2).roundedNanoseconds)
  }

  /// The place that a pixel stands for: the first one is the start, the last one the end; beside the slider there is none.
  public func time(atPixel pixel: Int) -> MediaTime {
    let place = min(max(pixel, 0), width - 1)
    return MediaTime(
      nanoseconds: (Double(duration.nanoseconds) * Double(place) / Double(width - 1)).roundedNanoseconds)
  }
}

extension Double {
  fileprivate var roundedNanoseconds: Int64 { MediaTime(seconds: self / 1e9).nanoseconds }
}
