import Adaptation
import Frames
import HTTP
import Media

/// How far the loading of a live stream is.
struct LiveProgress {
  /// Segments so far, and where the last one began: a segment's number in the history counts them.
  private(set) var count = 0
  private var start: MediaTime?
  /// When something new came last, in seconds since the stream was opened.
  var advanced = 0.0 { didSet { problem = nil } }
  /// Why nothing new came since then, where the last request failed.
  var problem: HTTPProblem?
  /// When the last refresh during a wait began.
  var refreshed = -Double.infinity
  var hasJoined = false
  /// Where the last segment ends that began to arrive.
  var placedEnd: MediaTime?
  /// How often a segment that the server lacks was asked for in a row.
  var misses = 0
  var target: MediaTime?
  var hints = PreloadHints()
  /// What controllers choose by.
  var table: RungTable?

  /// The number of a segment that begins there.
  mutating func number(of start: MediaTime) -> Int {
    if let before = self.start, start != before { count += 1 }
    self.start = start
    return count
  }
}

// Live streams: the loader waits for what does not exist yet, and follows the window.
extension StreamLoader {
  /// A segment that can be loaded, or one whose parts are being published.
  enum LivePiece {
    case whole(StreamTrack.Place)
    case parts(LiveParts)

    var start: MediaTime {
      switch self {
      case .whole(let place): place.start
      case .parts(let parts): parts.start
      }
    }
  }

  /// Whether segments are still added; loads what tells so.
  func isLive() throws(LoadProblem) -> Bool {
    guard video != nil else { return followed != nil }
    guard manifest == nil, !playlists.isLive else { return true }
    if let loaded = track.loadedPlaylist {
      guard !loaded.isEnded else { return false }
      let timeline = try playlists.timeline(loaded.address, loaded: loaded, rung: 0, headers, resources)
      track.learn(timeline, rung: 0, stretch: 0)
      return true
    }
    guard track.playlist(rung: 0) != nil else { return false }
    let place = turn.place
    _ = try withSubstitutes(for: try firstRung()) { rung throws(LoadProblem) in try find(rung: rung, at: place) }
    return playlists.isLive
  }

  /// Loads what the turn wants, for as long as the stream goes on.
  func loadLive() throws(LoadProblem) {
    liveProgress.advanced = transport.now
    let rung = try firstRung()
    if let manifest { try manifest.followClock(resources) }
    if video != nil, !liveProgress.hasJoined {
      try withSubstitutes(for: rung) { rung throws(LoadProblem) in try join(rung: rung) }
    }
    var scheduler = try liveScheduler(rung: rung)
    var reached = turn.isJump ? nil : turn.place
    while !turn.ending.isRequested {
      try waitForLiveRoom()
      scheduler.follow(try liveTable(), at: 0)
      let step = step(&scheduler)
      guard case .request(_, let rung, let wait) = step else {
        guard case .wait(let seconds) = step else { return }
        try pauseLive(using: seconds, rung: rung)
        scheduler.waited(seconds)
        liveProgress.advanced = transport.now
        continue
      }
      if wait > 0 { try pauseLive(wait, rung: rung) }
      do throws(LoadProblem) {
        guard try loadNext(rung, &scheduler, &reached) else { return }
        (liveProgress.advanced, liveProgress.misses) = (transport.now, 0)
        tell(rung: rung)
      } catch {
        try outlive(error, &reached)
      }
    }
  }

  /// Sound goes behind the video.
  private func waitForLiveRoom() throws(LoadProblem) {
    guard !store.hasRoom else { return }
    try waitForRoom()
    liveProgress.advanced = transport.now
  }

  /// Where playing begins, and how far behind the edge it stays.
  private func join(rung: Int) throws(LoadProblem) {
    // What tells where the rung's segments lie.
    _ = try find(rung: rung, at: turn.place)
    while self.edge(rung: rung) == nil {
      // It is about to begin, maybe much later.
      if let manifest, manifest.begin > manifest.wall(transport) { liveProgress.advanced = transport.now }
      try refresh(rung: rung, waits: true)
      try requireNews()
    }
    guard var edge = edge(rung: rung) else { return }
    let joined = joined(edge, rung: rung)
    var place = joined.place
    if let date = options.live.startDate {
      guard let dated = edge.place(of: date) else {
        throw .refused(
          Failure(
            .unsupported, "cannot begin at a date", cause: "the stream does not tell the time of day",
            remedy: "begin at the live edge, or give --start-time in seconds"))
      }
      place = edge.clamped(dated)
    } else if options.startTime > 0 {
      place = edge.clamped(edge.start + MediaTime(seconds: options.startTime))
    } else {
      liveProgress.target = joined.target
    }
    liveProgress.hasJoined = true
    edge.target = liveProgress.target
    tell(edge, rung: rung)
    video?.begin(at: place, turn: turn.number)
    turn.place = place
  }

  private func holdBack(rung: Int, _ edge: LiveEdge) -> (time: MediaTime, countsFromClock: Bool) {
    let three = MediaTime(nanoseconds: edge.step.nanoseconds.multipliedSaturated(by: 3))
    if let manifest { return (manifest.presentation.liveness?.holdBack ?? three, true) }
    guard let address = track.playlist(rung: rung), let known = playlists[address] else { return (three, false) }
    let hasParts = known.playlist.edge.partTarget != nil && playlists.zero != nil
    return (known.playlist.liveness.holdBack ?? three, hasParts)
  }

  // MARK: - Segments

  /// Loads one segment; false where the stream has ended.
  private func loadNext(
    _ rung: Int, _ scheduler: inout SegmentScheduler, _ reached: inout MediaTime?
  ) throws(LoadProblem) -> Bool {
    let wanted = reached.map { $0 + StreamTrack.slack } ?? turn.place
    var end = reached
    var (isDecided, made) = (false, scheduler)
    let hasMore = try withSubstitutes(for: rung) { other throws(LoadProblem) -> Bool in
      guard let piece = try awaitPiece(rung: other, at: wanted) else { return false }
      if video != nil { try requireWindow(piece, wanted, rung: other, hasReached: end != nil) }
      let number = liveProgress.number(of: piece.start)
      if !isDecided, video != nil {
        isDecided = true
        log.add(StreamHistory.Decision(time: transport.now, segment: number, rung: rung))
      }
      switch piece {
      case .whole(let place):
        let placed = StreamHistory.Placed(
          segment: number, rung: other, start: min(max(place.start, end ?? place.start), place.end), end: place.end)
        liveProgress.placedEnd = place.end
        if try load(place, placed, mayMakeWay: other == rung, arrival: arrival(of: place, rung: other), &made) {
          end = place.end
        }
      case .parts(let parts): end = try load(parts, number: number, rung: other, &made)
      }
      return true
    }
    (scheduler, reached) = (made, end)
    return hasMore
  }

  /// Of a segment that is still being made.
  private func arrival(of place: StreamTrack.Place, rung: Int) -> (() -> MediaTime)? {
    guard let manifest, let times = track.availability(of: place, rung: rung),
      times.whole > manifest.wall(transport)
    else { return nil }
    return { [transport, whole = times.whole, end = place.end] in
      end - max(.zero, whole - manifest.wall(transport))
    }
  }

  /// Playing goes on elsewhere once the window has slid past it.
  private func requireWindow(
    _ piece: LivePiece, _ wanted: MediaTime, rung: Int, hasReached: Bool
  ) throws(LoadProblem) {
    guard hasReached, piece.start > wanted + Self.windowSlack, let edge = edge(rung: rung),
      wanted < edge.start
    else { return }
    // The window moves on until the player has played what it has.
    while true {
      if let place = fallback(rung: rung) { video?.live.askJump(to: place) }
      try pauseLive(0.25, rung: rung)
    }
  }

  func fallback(rung: Int) -> MediaTime? {
    guard let edge = edge(rung: rung) else { return nil }
    guard options.live.fallback == .edge else {
      return edge.start + min(edge.step, MediaTime(nanoseconds: (edge.end - edge.start).nanoseconds / 2))
    }
    return joined(edge, rung: rung).place
  }

  func joined(_ edge: LiveEdge, rung: Int) -> LiveEdge.Join {
    let (holdBack, countsFromClock) = holdBack(rung: rung, edge)
    return edge.join(
      latency: options.live.latency.map { MediaTime(seconds: $0) }, holdBack: holdBack,
      countsFromClock: countsFromClock, wall: transport.wall, now: transport.now)
  }

  /// Shorter gaps are the stream's own.
  private static let windowSlack = MediaTime(nanoseconds: 100_000_000)

  /// The piece at a place; waits until there is one. Nil where the stream has ended.
  private func awaitPiece(rung: Int, at wanted: MediaTime) throws(LoadProblem) -> LivePiece? {
    if let wait = refreshWait(rung: rung), wait <= 0 { try refresh(rung: rung, waits: false) }
    while true {
      try requireNews()
      if let place = try find(rung: rung, at: wanted) {
        guard let manifest, let times = track.availability(of: place, rung: rung) else { return .whole(place) }
        let wait = (times.begun - manifest.wall(transport)).seconds
        guard wait > 0 else { return .whole(place) }
        try pauseLive(min(wait, 1), rung: rung)
        continue
      }
      if let parts = parts(rung: rung, at: wanted) { return .parts(parts) }
      guard !hasEnded(rung: rung) else { return nil }
      try refresh(rung: rung, waits: true)
    }
  }

  /// Throws once the stream has brought nothing for too long.
  func requireNews() throws(LoadProblem) {
    guard transport.now - liveProgress.advanced > stuckSeconds else { return }
    if let problem = liveProgress.problem { throw .failed(problem) }
    throw .refused(
      Failure(
        .input, "cannot play \(subject) on",
        cause: "the live stream has brought nothing new for \(Int(stuckSeconds)) s",
        remedy: "check that it is still on the air"))
  }

  private var stuckSeconds: Double { options.live.stuckSeconds }

  func hasEnded(rung: Int) -> Bool {
    if let manifest { return manifest.hasEnded }
    return track.playlist(rung: rung).flatMap { playlists[$0]?.playlist.isEnded } ?? true
  }

  /// What went wrong is no end as long as something new may come; throws where it is.
  private func outlive(_ problem: LoadProblem, _ reached: inout MediaTime?) throws(LoadProblem) {
    switch problem {
    case .failed(let cause) where transport.now - liveProgress.advanced <= stuckSeconds:
      headers.forgetProblems()
      liveProgress.problem = cause
      liveProgress.misses += 1
      if liveProgress.misses >= Self.missLimit, cause.status == 404 || cause.status == 410,
        let end = liveProgress.placedEnd, end > reached ?? turn.place, let edge = edge(rung: 0),
        end + edge.step <= edge.end
      {
        // What comes after it is there: it will not come.
        (reached, liveProgress.misses) = (end, 0)
      } else {
        try pauseLive(1, rung: 0)
      }
    case .broken where transport.now - liveProgress.advanced <= stuckSeconds:
      // The rest of a segment that is being shown: playing goes on with the next one.
      reached = liveProgress.placedEnd ?? reached
    default: throw problem
    }
  }

  private static let missLimit = 3

  // MARK: - Decisions

  private func liveScheduler(rung: Int) throws(LoadProblem) -> SegmentScheduler { try scheduler(try liveTable()) }

  /// As far as a controller looks ahead: a live stream has no end.
  private func liveTable() throws(LoadProblem) -> RungTable {
    let seconds = track.longestSegment ?? 2
    if let known = liveProgress.table, known.segmentSeconds == seconds { return known }
    let limits = RungTable.Limits.seconds
    let made = try table(
      Array(repeating: min(max(seconds, limits.lowerBound), limits.upperBound), count: Self.tableCount))
    liveProgress.table = made
    return made
  }

  private static let tableCount = 128
}
