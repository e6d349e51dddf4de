import Frames

extension FrameReader {
  /// The frame before the last delivered one; nil at the start of the clip. What comes next is the frame after it.
  ///
  /// The plain way: seeks to what lies a nanosecond before, each time.
  public func previous() throws(Failure) -> VideoFrame? {
    guard var shown = lastTime else { return nil }
    let nanosecond = MediaTime(nanoseconds: 1)
    // A seek has read one more than it delivered: what it delivered lies before that one.
    if let ahead = pushedBack {
      guard let again = try seek(SeekRequest(target: ahead.presentationTime - nanosecond)) else { return nil }
      shown = again.presentationTime
    }
    guard let frame = try seek(SeekRequest(target: shown - nanosecond)), frame.presentationTime < shown else {
      return nil
    }
    return frame
  }
}
