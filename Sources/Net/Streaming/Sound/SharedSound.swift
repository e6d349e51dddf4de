import Frames
import Media
import Synchronization

/// The segments of the video, for sound that lies in them: what is loaded once is read twice. One thread reads; `isStarving` is for any.
final class SharedSound: SoundSupply {
  let path: String
  private let video: SegmentStore
  private let state: Mutex<State>

  private struct State {
    /// Where the next segment must reach.
    var cursor: MediaTime
    var arriving = ArrivingSound()
    var isStarving = false
  }

  init(_ video: SegmentStore) {
    (self.video, path) = (video, video.path)
    state = Mutex(State(cursor: video.playhead))
  }

  var isStarving: Bool { state.withLock { $0.isStarving } }

  func next() -> SuppliedSound {
    state.withLock { state in
      state.isStarving = false
      while true {
        switch video.shared(from: state.cursor + StreamTrack.slack) {
        case .segment(let segment, let end):
          state.cursor = end
          if let piece = state.arriving.take(segment, isWhole: true) { return .segment(piece) }
        case .arriving(let segment):
          if let piece = state.arriving.take(segment, isWhole: false) { return .segment(piece) }
          state.isStarving = true
          return .notYet
        case .notYet:
          state.isStarving = true
          return .notYet
        case .ended: return .ended
        }
      }
    }
  }

  func seek(to time: MediaTime, preroll: MediaTime) {
    let early = video.holdsShared(time - preroll) && video.holdsShared(time)
    // The slack is for the ends of segments, not for a sought place.
    state.withLock { $0 = State(cursor: (early ? time - preroll : time) - StreamTrack.slack) }
  }

  func readiness(at time: MediaTime) -> SoundReadiness {
    switch video.shared(from: time) {
    case .segment, .ended: .ready
    case .arriving: time < video.loadedEnd ? .ready : .notYet
    case .notYet: .notYet
    }
  }

  /// They are the same segments.
  func isVideo(ofAnotherRunThan run: Int64, at place: MediaTime) -> Bool { false }
}
