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
  public init(from end: MonotonicTime, to seen: MonotonicTime, period: MediaTime) {
    milliseconds = seen.milliseconds(since: end)
    refreshes = milliseconds / 1000 / period.seconds
  }

  /// `gap between clips 16.7 ms, 1.0 refreshes`.
  func text(_ words: Words) -> String {
    words[.gap(words.tenths(milliseconds) + " ms", refreshes: words.tenths(refreshes))]
  }
}

/// The clip before the current one: what takes time at its end waits for the next one's first picture.
struct PassedClip {
  private var work: (() -> Void)?
  /// When its last picture was over; nil: it did not play to its end.
  private(set) var pictureEnd: MonotonicTime?

  /// A clip was played; ends the one before.
  mutating func leave(_ pictureEnd: MonotonicTime?, _ work: @escaping () -> Void) {
    end()
    (self.pictureEnd, self.work) = (pictureEnd, work)
  }

  /// The gap was measured.
  mutating func takePictureEnd() -> MonotonicTime? {
    defer { pictureEnd = nil }
    return pictureEnd
  }

  mutating func end() {
    let work = work
    self.work = nil
    work?()
  }
}
