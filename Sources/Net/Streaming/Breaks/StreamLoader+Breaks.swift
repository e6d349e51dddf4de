import Frames
import Media

// Breaks that segments of DASH tell of.
extension StreamLoader {
  /// A segment is there: its events are read before the player sees it.
  func complete(_ segment: MediaSegment, turn: Int) {
    if let video, video.live.wantsSignals, case .behind(let offset) = segment.clock {
      let events = segment.bytes.withMedia { EventMessage.all(in: $0) }
      let signals = events.flatMap { $0.breakSignals(start: segment.start, offset: offset) }
      if !signals.isEmpty { video.live.tell(signals: signals) }
    }
    store.complete(segment, turn: turn)
  }
}
