import Frames
import Playback

/// One variant of scenario `scrub`: a pattern, the seek tolerance, and the clip's length.
package struct ScrubVariant: Sendable, Hashable {
  /// Tolerance on either side.
  package enum Tolerance: String, Sendable, CaseIterable {
    case exact
    /// Of the clip's slider.
    case halfPixel = "half-pixel"
    case tenth = "0.1s"
    case second = "1s"
    case infinite
    /// The scrubber's choice, by the pointer's speed.
    case adaptive

    /// Nil if the scrubber chooses.
    package func time(on slider: ScrubSlider) -> MediaTime? {
      switch self {
      case .exact: .zero
      case .halfPixel: slider.halfPixel
      case .tenth: MediaTime(seconds: 0.1)
      case .second: MediaTime(seconds: 1)
      case .infinite: MediaTime(nanoseconds: .max)
      case .adaptive: nil
      }
    }
  }

  package var pattern: ScrubPattern
  package var tolerance: Tolerance
  /// On ten minutes, by repeating a short clip: half a pixel of a short one is less than a frame.
  package var isLong: Bool

  package init(_ pattern: ScrubPattern, _ tolerance: Tolerance, isLong: Bool = false) {
    self.pattern = pattern
    self.tolerance = tolerance
    self.isLong = isLong
  }

  /// `random/exact`, `drag-back/half-pixel/long`; nil for anything else.
  package init?(name: String) {
    guard let variant = ScrubVariant.all.first(where: { $0.name == name }) else { return nil }
    self = variant
  }

  package var name: String { "\(pattern.rawValue)/\(tolerance.rawValue)" + (isLong ? "/long" : "") }

  /// All variants that a user can name. Steps have no tolerance: they hit the next frame or another one.
  package static let all: [ScrubVariant] = [false, true].flatMap { isLong in
    ScrubPattern.allCases.flatMap { pattern in
      tolerances(of: pattern).map { ScrubVariant(pattern, $0, isLong: isLong) }
    }
  }

  private static func tolerances(of pattern: ScrubPattern) -> [Tolerance] {
    switch pattern.kind {
    case .steps: [.exact]
    // Jumps have no speed.
    case .jumps: Tolerance.allCases.filter { $0 != .adaptive }
    case .drag: Tolerance.allCases
    }
  }

  /// The variants that run by default: the cost of exactness, the gain of half a pixel, and whether a drag keeps up.
  package static let usual: [ScrubVariant] = [
    ScrubVariant(.random, .exact), ScrubVariant(.random, .infinite), ScrubVariant(.dragForward, .adaptive),
    ScrubVariant(.stepBack, .exact), ScrubVariant(.random, .halfPixel, isLong: true),
    ScrubVariant(.dragForward, .halfPixel, isLong: true), ScrubVariant(.dragBack, .halfPixel, isLong: true),
  ]

  /// How often to repeat a clip to make it long; nil if it is long enough, or its length is unknown.
  package static func repetitions(ofSeconds seconds: Double?) -> Int? {
    guard let seconds, seconds > 0, seconds < leastLongSeconds else { return nil }
    return Int((longSeconds / seconds).rounded(.up))
  }

  /// From this length on, a clip is long.
  package static let leastLongSeconds = 120.0
  static let longSeconds = 600.0
}
