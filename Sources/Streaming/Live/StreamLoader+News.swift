import Adaptation
import Frames
import HTTP

// What a live stream tells anew: playlists and manifests, and where its edge is.
extension StreamLoader {
  /// Seconds until playlist or manifest are to be loaded again; nil: not at all.
  func refreshWait(rung: Int) -> Double? {
    if let manifest { return manifest.wait(at: transport.now) }
    return track.playlist(rung: rung).flatMap { playlists[$0]?.wait(at: transport.now) }
  }

  /// Loads playlist or manifest again.
  ///
  /// - Parameter waits: until it is time, or at the server until there is news.
  func refresh(rung: Int, waits: Bool) throws(LoadProblem) {
    guard let manifest else { return try reload(rung: rung, waits: waits) }
    if waits {
      // A manifest that is never to be loaded again lists all that comes.
      let wait = manifest.wait(at: transport.now) ?? 1
      if wait > 0 { try pause(min(wait, Self.longestWait)) }
      guard manifest.wait(at: transport.now) != nil else { return }
    }
    let before = manifest.state.loaded
    let isNew = try manifest.reload(resources)
    guard manifest.state.loaded != before else { return }
    if isNew { liveProgress.advanced = transport.now }
    video?.live.tellBreaks(of: manifest.presentation)
    guard let renewed = track.renewed(try newTrack(manifest.presentation)) else {
      throw .refused(
        Failure(
          .media, "cannot play \(subject) on", cause: "its manifest has other rungs now",
          remedy: "open the stream again"))
    }
    track = renewed
    tell(rung: rung)
  }

  private func newTrack(_ presentation: Presentation) throws(LoadProblem) -> StreamTrack {
    if let followed { return followed.renewed(presentation) }
    do throws(Failure) {
      return try StreamTrack(presentation, store.path)
    } catch {
      // A manifest without periods or video: the next one may have some again.
      throw .failed(.badResponse(error.cause))
    }
  }

  private func reload(rung: Int, waits: Bool) throws(LoadProblem) {
    guard let address = track.playlist(rung: rung), let known = playlists[address] else { return }
    if waits, !known.isBlocking || known.idle + known.older > 0, let wait = refreshWait(rung: rung), wait > 0 {
      try pause(min(wait, Self.longestWait))
    }
    let before = (epoch: known.epoch, end: edge(rung: rung)?.end)
    _ = try playlists.reload(address, waits: waits, rung: recorded(rung), resources)
    guard let news = playlists[address] else { return }
    track.learn(news.timeline, rung: rung, stretch: 0)
    // Numbers that go up and bring no media are none.
    if news.epoch != before.epoch || edge(rung: rung)?.end != before.end {
      liveProgress.advanced = transport.now
    } else if news.advanced == transport.now {
      try pause(Self.leastPause)
    }
    tell(rung: rung)
  }

  /// A server that answers at once all the time is not asked all the time, in seconds.
  private static let leastPause = 0.1
  /// What a player lacks it asks for so often, also where the server promises no update, in seconds.
  private static let longestWait = 15.0

  /// Refreshes that fail are made again after so many seconds.
  private static let leastRefresh = 0.05

  /// Waits, and follows the stream meanwhile.
  func pauseLive(_ seconds: Double, rung: Int) throws(LoadProblem) {
    let end = transport.now + seconds
    while true {
      let left = end - transport.now
      guard left > 0 else { return }
      let due = refreshDue(rung: rung) ?? left
      try pause(min(left, due))
      if due <= left { try follow(rung: rung) }
    }
  }

  /// Waits until the picture has used up so many seconds of what is loaded, and follows the stream meanwhile.
  func pauseLive(using seconds: Double, rung: Int) throws(LoadProblem) {
    let enough = max(0, store.bufferSeconds - seconds) + 1e-6
    while true {
      let excess = store.bufferSeconds - enough
      guard excess > 0, !store.isDrained else { return }
      let due = refreshDue(rung: rung)
      try pause(using: excess, atMost: due ?? .infinity)
      if let due, due <= 0 { try follow(rung: rung) }
    }
  }

  /// Seconds until playlist or manifest are to be loaded again, which is not done all the time; nil: not at all.
  private func refreshDue(rung: Int) -> Double? {
    let earliest = liveProgress.refreshed + Self.leastRefresh - transport.now
    return refreshWait(rung: rung).map { max($0, earliest, 0) }
  }

  /// Loads playlist or manifest again. Where that fails, what is there plays on.
  private func follow(rung: Int) throws(LoadProblem) {
    liveProgress.refreshed = transport.now
    do throws(LoadProblem) {
      try refresh(rung: rung, waits: false)
      liveProgress.problem = nil
    } catch {
      guard case .failed(let problem) = error else { throw error }
      liveProgress.problem = problem
    }
  }

  /// What can be played now.
  func edge(rung: Int) -> LiveEdge? {
    let wall = manifest?.wall(transport) ?? transport.wall
    guard let extent = track.extent(rung: rung, at: wall) else { return nil }
    let address = track.playlist(rung: rung)
    let known = address.flatMap { playlists[$0] }
    var edge = LiveEdge(start: extent.start, end: extent.end, learnt: transport.now, step: extent.longest)
    if let known {
      edge.learnt = known.advanced
      if let part = known.playlist.edge.partTarget { edge.step = part }
      if let last = known.playlist.edge.parts.last {
        edge.end = max(edge.end, known.origin + MediaTime(nanoseconds: last.start.addingSaturated(last.duration)))
      }
      (edge.zero, edge.slides) = (playlists.zero, known.playlist.kind != .event)
    }
    if let manifest {
      (edge.zero, edge.clockOffset) = (manifest.facts.availabilityStart, manifest.clockOffset)
      edge.slides = manifest.facts.window != nil
      if let window = manifest.facts.window {
        edge.start = max(edge.start, min(edge.end, wall - manifest.facts.availabilityStart - window))
      }
    }
    (edge.target, edge.hasEnded) = (liveProgress.target, hasEnded(rung: rung))
    return edge
  }

  func tell(rung: Int) {
    guard let edge = edge(rung: rung) else { return }
    tell(edge, rung: rung)
  }

  /// For the player, and for the loaders of sound.
  func tell(_ edge: LiveEdge, rung: Int) {
    video?.live.tell(edge, axis: track.playlist(rung: rung).flatMap { playlists.axis($0) }, manifest: manifest?.state)
  }
}
