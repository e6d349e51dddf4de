/// The constant delay of a display's pipeline: refreshes from the one that a frame was meant for to the one that shows it. Pure.
///
/// Where drawing takes longer than a refresh, or pictures queue on their way to the display, each frame is shown as many refreshes
/// later, and playback is as smooth as without. Players absorb that, as Chromium and mpv do: a frame's deadline is its own refresh and
/// this delay, the median of the frames before it.
struct PipelineDelay: Sendable {
  /// Frames that the median is taken of.
  private static let window = 31
  /// Fewer frames do not tell a constant delay from a few late frames.
  private static let leastFrames = 8
  /// Refreshes. What is later has not waited in a pipeline, but for the decoder.
  private static let longest = 4

  private var recent: [Int] = []
  /// Of `recent`, the oldest.
  private var oldest = 0
  /// How often each delay is among `recent`.
  private var counts = [Int](repeating: 0, count: longest + 2)

  /// In refreshes; 0 until enough frames were seen.
  var refreshes: Int {
    guard recent.count >= Self.leastFrames else { return 0 }
    var rank = (recent.count - 1) / 2
    for (delay, count) in counts.enumerated() {
      if rank < count { return min(delay, Self.longest) }
      rank -= count
    }
    return Self.longest
  }

  /// Whether the next frame, shown so many refreshes after its own, was late.
  mutating func isLate(_ delay: Int) -> Bool {
    defer { note(min(max(delay, 0), Self.longest + 1)) }
    return delay > refreshes
  }

  private mutating func note(_ delay: Int) {
    counts[delay] += 1
    guard recent.count == Self.window else { return recent.append(delay) }
    counts[recent[oldest]] -= 1
    recent[oldest] = delay
    oldest = (oldest + 1) % Self.window
  }
}
