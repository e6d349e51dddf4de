import Frames

// What a player of a live stream asks for and tells. Any thread.
extension LoadedStream {
  /// What can be played now; nil for a stream on demand, and before a live one is known.
  public var liveEdge: LiveEdge? { store.live.edge }

  /// The machine's time of day, as the stream counts it.
  public var wall: WallTime { transport.wall }

  /// From the moment at which a picture was live to now, in seconds: by the time of day where the stream tells it, else by the distance
  /// from the live edge. Nil for a stream on demand.
  public func latency(at place: MediaTime) -> Double? {
    liveEdge.map { $0.latency(of: place, wall: transport.wall) ?? $0.distance(of: place, at: transport.now) }
  }

  /// How fast to play so that the latency comes to its target: 1 for a stream on demand, and while the user watches what is past.
  public func catchUpRate(at place: MediaTime) -> Double {
    guard let edge = liveEdge, !edge.hasEnded, let target = edge.target, let latency = latency(at: place) else {
      return 1
    }
    return CatchUp.rate(
      latency: latency, target: target.seconds, buffer: bufferSeconds, step: edge.step.seconds)
  }

  /// Where playing is to go on, because the window has slid past it: once the buffer has been played. Nil: where it is.
  public func takeJump() -> MediaTime? {
    guard store.live.wantsJump, store.isStarving || bufferSeconds <= 0.05 else { return nil }
    return store.live.takeJump()
  }

  /// Where the stream is live, as `livePlace`; from then on its latency has a target, also where playing began elsewhere.
  public func goLive() -> MediaTime? {
    guard let place = livePlace, let latency = latency(at: place) else { return nil }
    store.live.aim(at: MediaTime(seconds: max(0, latency)))
    return place
  }

  /// Where the stream is live; nil for one on demand. A player that seeks there is live again.
  public var livePlace: MediaTime? {
    guard let edge = liveEdge else { return nil }
    let back = edge.target ?? MediaTime(nanoseconds: edge.step.nanoseconds.multipliedSaturated(by: 3))
    let live = edge.zero.map { transport.wall + edge.clockOffset - $0 } ?? edge.place(at: transport.now)
    return edge.clamped(min(live, edge.place(at: transport.now) + edge.step) - back)
  }
}
