import Frames
import Streaming

/// How fast a stream is played: as the user wants, or as the live edge does. Pure.
package struct LivePace: Sendable {
  /// The user's speed.
  package private(set) var speed = 1.0
  /// Whether the picture stays at the live edge, with a rate that catches up: not after the user went back.
  package private(set) var follows = true
  /// Go live once the stream has told where that is, after this moment in seconds since it was opened; nil: do not.
  private var goesLiveAfter: Double?

  /// So little behind, in seconds, a picture counts as live: pieces come in seconds, and the rate catches up.
  package static let edgeSeconds = 3.0

  package init() {}

  package mutating func choose(speed: Double) { self.speed = speed }

  /// The user goes to a place of a live stream.
  package mutating func go(to place: MediaTime, live: MediaTime) {
    goesLiveAfter = nil
    follows = (live - place).seconds <= Self.edgeSeconds
    if follows { speed = min(speed, 1) }
  }

  /// The machine has slept: a picture that was live is to be live again, as soon as the stream tells where.
  package mutating func woke(at now: Double) {
    if follows { goesLiveAfter = now }
  }

  /// Whether to go live now; true once.
  package mutating func goesLive(_ edge: LiveEdge) -> Bool {
    guard let after = goesLiveAfter, edge.learnt > after else { return false }
    goesLiveAfter = nil
    return true
  }

  /// A faster picture has come to the live edge; true once. From then on it is as fast as the edge.
  package mutating func arrives(behind seconds: Double) -> Bool {
    guard speed > 1, seconds <= 0 else { return false }
    (speed, follows) = (1, true)
    return true
  }

  /// The rate to play at.
  ///
  /// - Parameter catchUp: that brings the latency to its target.
  package func rate(catchUp: Double) -> Double { speed == 1 && follows ? catchUp : speed }
}
