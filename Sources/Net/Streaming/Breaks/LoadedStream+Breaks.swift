import Frames

// Breaks of a stream. Any thread.
extension LoadedStream {
  /// What the stream marks as breaks, by their starts; of a live stream, the ones in its window, and announced ones. Empty before
  /// the first playlist of a variant is loaded.
  public var breaks: [StreamBreak] {
    let breaks = store.live.breaks
    guard let edge = liveEdge, edge.slides else { return breaks }
    return breaks.filter { $0.end.map { $0 > edge.start } ?? true }
  }

  /// As the options have it.
  public var breakRule: BreakRule { options.breakRule }
}
