import Bench360Player
import Frames
import Glibc

/// The slider's track: maps its pixels to times in the clip. Pure.
package struct SliderTrack: Sendable, Hashable {
  /// The column of the first pixel.
  package let left: Int
  package let slider: ScrubSlider

  package init(left: Int, width: Int, start: MediaTime = .zero, duration: MediaTime) {
    self.left = left
    slider = ScrubSlider(start: start, duration: duration, width: width)
  }

  /// The pixel of the track under a column of the target, or the nearest one.
  package func pixel(at x: Double) -> Int {
    guard x.isFinite else { return 0 }
    return Int(min(max(floor(x) - Double(left), 0), Double(slider.width - 1)))
  }

  package func time(at x: Double) -> MediaTime { slider.time(atPixel: pixel(at: x)) }

  /// The pixel for a time: the inverse of `ScrubSlider.time(atPixel:)`.
  package func pixel(of place: MediaTime) -> Int {
    guard slider.duration > .zero else { return 0 }
    let part = Double((place - slider.start).nanoseconds) / Double(slider.duration.nanoseconds)
    return Int((min(max(part, 0), 1) * Double(slider.width - 1)).rounded())
  }

  /// The centre of a pixel, as a column of the target.
  func middle(_ pixel: Int) -> Double { Double(left + pixel) + 0.5 }
}
