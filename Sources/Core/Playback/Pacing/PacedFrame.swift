import Frames

/// A decoded frame on the timeline, as the pacer sees it.
public struct PacedFrame: Sendable, Hashable {
  /// Position in output order, without gaps.
  public var index: Int
  public var time: MediaTime
  public var duration: MediaTime

  public init(index: Int, time: MediaTime, duration: MediaTime) {
    self.index = index
    self.time = time
    self.duration = duration
  }

  public var end: MediaTime { time + duration }
}

/// The fate of a decoded frame. Each has one.
public enum FrameFate: Sendable, Hashable {
  case presented
  /// A refresh could have shown it, but the frame or the player was late.
  case dropped
  /// No refresh falls into its time, or a seek made it obsolete.
  case skipped
}

/// Decoded frames that wait for their time, oldest first, each with its picture.
public struct FrameQueue<Picture>: RandomAccessCollection {
  private var entries: [(frame: PacedFrame, picture: Picture)] = []
  private var head = 0

  public init() {}

  public var startIndex: Int { 0 }
  public var endIndex: Int { count }
  public var count: Int { entries.count - head }
  public var isEmpty: Bool { count == 0 }

  public subscript(index: Int) -> PacedFrame { entries[head + index].frame }

  /// The picture of the frame at that place.
  public func picture(_ index: Int) -> Picture { entries[head + index].picture }

  /// Adds the newest: its time is no earlier than the last one's.
  public mutating func append(_ frame: PacedFrame, _ picture: Picture) {
    entries.append((frame, picture))
  }

  /// Releases the first `count`.
  public mutating func removeFirst(_ count: Int) {
    head += count
    // Compacts when half of the memory is unused.
    guard head * 2 >= entries.count else { return }
    entries.removeFirst(head)
    head = 0
  }

  /// Releases all pictures; keeps its memory.
  public mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    head = 0
  }
}
