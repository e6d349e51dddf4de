import Frames

/// Places on the timeline → the clip's own times, as the frames tell them: the two differ where a clip loops, and where stamps jump.
package struct PlaceMap: Sendable {
  /// The timeline's place less the clip's time, from a place on; ascending.
  private var stretches: [(from: MediaTime, offset: MediaTime)] = []
  /// Older stretches are forgotten: a player that goes back there gets frames which tell them again.
  private static let limit = 64

  package init() {}

  /// A frame lies there. Frames behind a place that was sought replace the stretches known from there on.
  package mutating func note(place: MediaTime, time: MediaTime) {
    let offset = place - time
    stretches.removeAll { $0.from >= place }
    guard stretches.last?.offset != offset else { return }
    stretches.append((place, offset))
    if stretches.count > Self.limit { stretches.removeFirst() }
  }

  /// The clip's time at a place. Without a frame before it the timeline is taken to begin with the clip.
  package func time(at place: MediaTime) -> MediaTime { place - offset(at: place) }

  package func offset(at place: MediaTime) -> MediaTime {
    (stretches.last { $0.from <= place } ?? stretches.first)?.offset ?? .zero
  }
}
