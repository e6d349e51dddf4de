import Frames

extension FrameReader {
  /// Lands on a frame the request allows, by the seek rule; nil when the clip ends before the target.
  ///
  /// The frame after it is what `next()` gives. A demuxer that lands late is asked again for an earlier place.
  public func seek(_ request: SeekRequest) throws(Failure) -> VideoFrame? {
    loadIndex()
    switch SeekPlanner.plan(request, syncSamples: syncSamples) {
    case .syncSample(let time):
      if seek(toSyncSampleAt: time), let frame = try next(), request.accepts(frame) { return frame }
      return try decodeForward(request, from: time)
    case .decodeForward(let time):
      return try decodeForward(request, from: time)
    }
  }

  private func decodeForward(_ request: SeekRequest, from start: MediaTime) throws(Failure) -> VideoFrame? {
    var attempt = start
    var step = MediaTime(seconds: 1)
    while true {
      if attempt <= .zero || !seek(toSyncSampleAt: attempt) {
        try goToStart()
        return try firstAllowed(request, from: try next())
      }
      let first = try next()
      if let first, first.presentationTime <= max(request.target, .zero) {
        return try firstAllowed(request, from: first)
      }
      attempt = attempt - step
      step = step + step
    }
  }

  /// The first frame at or after the window's start that lies in it, else the one whose interval holds the target.
  private func firstAllowed(_ request: SeekRequest, from first: VideoFrame?) throws(Failure) -> VideoFrame? {
    var last: VideoFrame?
    var frame = first
    while let candidate = frame {
      if candidate.contains(request.target) { return candidate }
      let isInWindow = candidate.presentationTime >= request.earliest && candidate.presentationTime <= request.latest
      if isInWindow, request.toleranceBefore > .zero || request.toleranceAfter > .zero { return candidate }
      if candidate.presentationTime > request.target {
        guard var last else { return candidate }
        pushedBack = candidate
        // Containers with coarse clocks round durations down: a frame is shown until the next one.
        last.duration = max(last.duration, candidate.presentationTime - last.presentationTime)
        return last
      }
      last = candidate
      frame = try next()
    }
    // Past the end: the last frame is what a player keeps showing.
    return last
  }
}
