import Frames

/// How far decoding runs ahead of the frame shown: up to the first of its limits, but at least two frames. Pure.
public struct LoadControl: Sendable, Hashable {
  public var frames: Int
  public var bytes: Int
  /// How long the frames are shown; nil: not limited.
  public var time: MediaTime?

  /// What is decoded and not yet released.
  public struct Load: Sendable, Hashable {
    public var frames = 0
    public var bytes = 0
    public var time = MediaTime.zero
    /// Of the newest frame: the next one is expected to take as many.
    public var lastBytes = 0

    public init(frames: Int = 0, bytes: Int = 0, time: MediaTime = .zero, lastBytes: Int = 0) {
      self.frames = frames
      self.bytes = bytes
      self.time = time
      self.lastBytes = lastBytes
    }
  }

  /// A player goes on after a stall with so many.
  static let fewestFrames = 2

  public init(frames: Int = 8, bytes: Int = 512 << 20, time: MediaTime? = nil) {
    self.frames = frames
    self.bytes = bytes
    self.time = time
  }

  /// Whether one more frame may be decoded.
  public func allowsOneMore(over load: Load) -> Bool {
    if load.frames < Self.fewestFrames { return true }
    if let time, load.time >= time { return false }
    return load.frames < frames && load.bytes + load.lastBytes <= bytes
  }
}

/// The frames that count as load, oldest first. Allocates nothing once it has held as many.
struct Backlog: Sendable {
  private var frames: [(bytes: Int, time: MediaTime)] = []
  private(set) var load = LoadControl.Load()

  mutating func append(_ frame: VideoFrame) {
    frames.append((frame.byteCount, max(frame.duration, .zero)))
    load.frames += 1
    load.bytes += frame.byteCount
    load.time = load.time + max(frame.duration, .zero)
    load.lastBytes = frame.byteCount
  }

  /// The oldest was released; without one, nothing changes.
  mutating func removeFirst() {
    guard !frames.isEmpty else { return }
    remove(frames.removeFirst())
  }

  /// The newest is not wanted any more.
  mutating func removeLast() {
    guard let last = frames.popLast() else { return }
    remove(last)
  }

  private mutating func remove(_ frame: (bytes: Int, time: MediaTime)) {
    load.frames -= 1
    load.bytes -= frame.bytes
    load.time = load.time - frame.time
    load.lastBytes = frames.last?.bytes ?? 0
  }
}
