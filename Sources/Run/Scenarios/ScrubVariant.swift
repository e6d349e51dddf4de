import Frames
import Playback

/// One way in which scenario `scrub` is run: a pattern, how far landings may lie from what was asked for, and on which clip.
package struct ScrubVariant: Sendable, Hashable {
  /// How far on both sides.
  package enum Tolerance: String, Sendable, CaseIterable {
    case exact
    /// Of the slider that the clip is shown with.
    case halfPixel = "half-pixel"
    case tenth = "0.1s"
    case second = "1s"
    case infinite
    /// What the scrubber chooses by the hand's speed.
    case adaptive

    /// Nil where the scrubber chooses.
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
  /// On ten minutes, which a short clip becomes by being repeated: half a pixel of a short one is less than a frame.
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

  /// Every one that can be asked for. A step has no tolerance: it is the next frame, or another one.
  package static let all: [ScrubVariant] = [false, true].flatMap { isLong in
    ScrubPattern.allCases.flatMap { pattern in
      tolerances(of: pattern).map { ScrubVariant(pattern, $0, isLong: isLong) }
    }
  }

  private static func tolerances(of pattern: ScrubPattern) -> [Tolerance] {
    switch pattern.kind {
    case .steps: [.exact]
    // A jump has no speed.
    case .jumps: Tolerance.allCases.filter { $0 != .adaptive }
    case .drag: Tolerance.allCases
    }
  }

  /// Those that are run when none is named: what exactness costs, what half a pixel saves, and whether a drag keeps up.
  package static let usual: [ScrubVariant] = [
    ScrubVariant(.random, .exact), ScrubVariant(.random, .infinite), ScrubVariant(.dragForward, .adaptive),
    ScrubVariant(.stepBack, .exact), ScrubVariant(.random, .halfPixel, isLong: true),
    ScrubVariant(.dragForward, .halfPixel, isLong: true), ScrubVariant(.dragBack, .halfPixel, isLong: true),
  ]

  /// How often a clip is shown one time after the other to be a long one; nil where it is long as it is, or has no known
  /// length.
  package static func repetitions(ofSeconds seconds: Double?) -> Int? {
    guard let seconds, seconds > 0, seconds < leastLongSeconds else { return nil }
    return Int((longSeconds / seconds).rounded(.up))
  }

  /// Clips of this length are long.
  package static let leastLongSeconds = 120.0
  static let longSeconds = 600.0
}
