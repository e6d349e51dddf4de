import Frames

/// Frames that follow on each other and were decoded, and which of them was delivered last. The decoder goes on behind the
/// last one.
///
/// Holds at most so many bytes of pictures, beside the frame that was delivered last and the frames that come next. One thread
/// at a time.
final class FrameCache {
  let byteLimit: Int
  private(set) var frames: [VideoFrame] = []
  /// Of the frame that was delivered last; -1 before the first.
  private(set) var position = -1
  private var bytes = 0
  /// Frames that were played since the last seek or step back.
  private var played = 0

  init(byteLimit: Int) {
    self.byteLimit = max(0, byteLimit)
  }

  var current: VideoFrame? { frames.indices.contains(position) ? frames[position] : nil }
  /// Frames that come before the decoder's next one.
  var ahead: ArraySlice<VideoFrame> { frames[(position + 1)...] }

  func removeAll() {
    frames.removeAll(keepingCapacity: true)
    (position, bytes, played) = (-1, 0, 0)
  }

  /// The frame after the last one delivered.
  func stepForward() -> VideoFrame? {
    guard position + 1 < frames.count else { return nil }
    position += 1
    return frames[position]
  }

  func stepBack() -> VideoFrame? {
    guard position > 0 else { return nil }
    position -= 1
    played = 0
    return frames[position]
  }

  /// Goes to the frame at a time; the one after it comes next.
  func go(to time: MediaTime) -> VideoFrame? {
    guard let found = frames.firstIndex(where: { $0.presentationTime == time }) else { return nil }
    position = found
    played = 0
    return frames[found]
  }

  /// A frame before the seek target: held as far as there is room.
  func keep(_ frame: VideoFrame) {
    push(frame)
    trim()
  }

  /// The seek target; it is delivered.
  func land(_ frame: VideoFrame) {
    keep(frame)
    position = frames.count - 1
    played = 0
  }

  /// A frame after the seek target; it comes next.
  func push(_ frame: VideoFrame) {
    if let last = frames.indices.last { frames[last].lasts(until: frame.presentationTime) }
    frames.append(frame)
    bytes += frame.byteCount
  }

  /// A frame of continued playing. Once as many were played as are held, no step back is expected: releases all.
  func play(_ frame: VideoFrame) {
    guard !frames.isEmpty else { return }
    keep(frame)
    position = frames.count - 1
    played += 1
    if played >= frames.count { removeAll() }
  }

  /// Makes the frame at an index come next; returns how many it skips.
  func skip(to index: Int) -> Int {
    defer { position = index - 1 }
    return index - 1 - position
  }

  /// Releases the frames to come; returns their number.
  func dropAhead() -> Int {
    let count = frames.count - position - 1
    removeAll()
    return count
  }

  /// When each frame is shown: until the next one.
  var intervals: [DecodedFrames.Interval] {
    frames.indices.map { index in
      let frame = frames[index]
      let end = index + 1 < frames.count ? frames[index + 1].presentationTime : frame.presentationTime + frame.duration
      return DecodedFrames.Interval(start: frame.presentationTime, end: end)
    }
  }

  private func trim() {
    while bytes > byteLimit, frames.count > 1 {
      bytes -= frames.removeFirst().byteCount
      position = max(-1, position - 1)
    }
  }
}

extension VideoFrame {
  /// Containers with coarse clocks round durations down: a frame is shown until the next one.
  mutating func lasts(until following: MediaTime) {
    duration = max(duration, following - presentationTime)
  }

  /// Memory of its samples.
  package var byteCount: Int {
    guard isInHostMemory else {
      return format.planes.reduce(0) { $0 + $1.size(of: size).width * $1.size(of: size).height * $1.bytesPerTexel }
    }
    return picture.planes.reduce(0) { $0 + abs($1.bytesPerRow) * $1.rows }
  }
}
