import Frames
import Playback

/// The time between two clips: from the end of the last picture of the first to the first picture of the second.
public struct ClipGap: Sendable, Hashable {
  public var milliseconds: Double
  /// Of the display.
  public var refreshes: Double

  /// - Parameters:
  ///   - end: when the last picture was over, were another to follow it.
  ///   - seen: when the first picture of the next clip was seen.
  ///   - period: from one refresh to the next.
  package init(from end: MonotonicTime, to seen: MonotonicTime, period: MediaTime) {
    milliseconds = seen.milliseconds(since: end)
    refreshes = milliseconds / 1000 / period.seconds
  }
}

/// The clip before the current one: what takes time at its end waits for the next one's first picture. One thread.
package struct PassedClip {
  private var work: (() -> Void)?
  /// When its last picture was over; nil: it did not play to its end.
  private var pictureEnd: MonotonicTime?

  /// A clip was played; ends the one before.
  package mutating func leave(_ pictureEnd: MonotonicTime?, _ work: @escaping () -> Void) {
    end()
    (self.pictureEnd, self.work) = (pictureEnd, work)
  }

  /// Behind it, once the first picture of the clip that plays was seen; once.
  package mutating func takeGap(to clip: PlayedClip) -> ClipGap? {
    guard let first = clip.play.log.views.first, let end = pictureEnd else { return nil }
    pictureEnd = nil
    return ClipGap(from: end, to: first.seen, period: clip.play.log.period)
  }

  package mutating func end() {
    let work = work
    self.work = nil
    work?()
  }
}
