import Frames
import Playback

/// How a user looks for a place in a clip. Pure: a seed decides the details; the same seed gives the same places.
package enum ScrubPattern: String, Sendable, CaseIterable {
  /// Random places, each sought once the last one is on screen.
  case random
  /// Drags the slider from one end to the other, slower at the start and the end.
  case dragForward = "drag-forward"
  case dragBack = "drag-back"
  /// Forward, back and forward again.
  case pingPong = "ping-pong"
  /// At a finger's speed, then slower and slower, then at rest.
  case fling
  /// Frame by frame from a few places, forward or back.
  case stepForward = "step-forward"
  case stepBack = "step-back"

  package enum Kind: Sendable { case jumps, drag, steps }

  package var kind: Kind {
    switch self {
    case .random: .jumps
    case .dragForward, .dragBack, .pingPong, .fling: .drag
    case .stepForward, .stepBack: .steps
    }
  }

  /// Duration of the drag at full length, in seconds.
  package var seconds: Double {
    switch self {
    case .fling: 1.5
    case .pingPong: 5
    default: 2
    }
  }

  /// That many places, spread evenly over a clip.
  ///
  /// - Parameter last: the last frame's time; no place lies after it.
  package static func places(_ count: Int, last: MediaTime, seed: UInt64) -> [MediaTime] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in MediaTime(seconds: last.seconds * Double.random(in: 0...1, using: &random)) }
      .map { min($0, last) }
  }

  /// The pointer's pixels at that many equally spaced instants. Empty for patterns without a drag.
  package func pixels(_ count: Int, width: Int, seed: UInt64) -> [Int] {
    guard kind == .drag, count > 0 else { return [] }
    var random = SplitMix64(seed: seed)
    let start = Double.random(in: 0.02...0.08, using: &random)
    let end = Double.random(in: 0.92...0.98, using: &random)
    return (0..<count).map { index in
      let share = way(count == 1 ? 1 : Double(index) / Double(count - 1))
      return Int(((start + (end - start) * share) * Double(width - 1)).rounded())
    }
  }

  /// The pointer's position between start and end, at a moment from 0 to 1.
  private func way(_ moment: Double) -> Double {
    switch self {
    case .dragForward: smooth(moment)
    case .dragBack: 1 - smooth(moment)
    case .pingPong:
      // Three passes of equal duration.
      moment < 1 / 3.0 ? smooth(3 * moment) : moment < 2 / 3.0 ? 1 - smooth(3 * moment - 1) : smooth(3 * moment - 2)
    case .fling:
      // The speed decays, and is 0 for the last quarter.
      fling(min(moment / 0.75, 1)) / fling(1)
    case .random, .stepForward, .stepBack: 0
    }
  }

  /// Slow at both ends: 3t² − 2t³.
  private func smooth(_ t: Double) -> Double { t * t * (3 - 2 * t) }

  /// 1 − (1 − t)⁶, by squaring.
  private func fling(_ t: Double) -> Double {
    let left = (1 - t) * (1 - t) * (1 - t)
    return 1 - left * left
  }
}
