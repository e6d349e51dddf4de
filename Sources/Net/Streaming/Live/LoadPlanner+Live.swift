import Adaptation
import Frames
import HTTP

/// How far the loading of a live stream is. A value.
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
  /// The wait before the next refresh is over.
  var hasWaited = false
  /// The rung that is followed while none is chosen.
  var rung = 0
  /// The clock that the manifest names was asked for in this turn.
  var hasAskedClock = false
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

// Live streams: where playing begins, how they are followed, and when they have ended.
extension LoadPlanner {
  // MARK: - Joining

  /// The server's clock is needed to know which segments are there.
  mutating func clockWanted() -> LoadAction? {
    guard !live.hasAskedClock, let manifest, manifest.needsClock else { return nil }
    live.hasAskedClock = true
    flow.asked = .clock
    return .clock(manifest.state)
  }

  /// Where playing begins, and how far behind the edge it stays. Nil once that is known.
  mutating func join(rung: Int, _ now: LoadSituation) throws(LoadProblem) -> LoadAction? {
    guard var edge = edge(rung: rung, now) else {
      // It is about to begin, maybe much later.
      if let manifest, manifest.begin > wall(now) { live.advanced = now.time }
      return refreshWanted(rung, now)
    }
    let joined = joined(edge, rung: rung, now)
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
      live.target = joined.target
    }
    live.hasJoined = true
    edge.target = live.target
    tell(edge, rung: rung)
    begin(at: place)
    return .begin(place)
  }

  private func joined(_ edge: LiveEdge, rung: Int, _ now: LoadSituation) -> LiveEdge.Join {
    let (holdBack, countsFromClock) = holdBack(rung: rung, edge)
    return edge.join(
      latency: options.live.latency.map { MediaTime(seconds: $0) }, holdBack: holdBack,
      countsFromClock: countsFromClock, wall: now.wall, now: now.time)
  }

  private func holdBack(rung: Int, _ edge: LiveEdge) -> (time: MediaTime, countsFromClock: Bool) {
    let three = MediaTime(nanoseconds: edge.step.nanoseconds.multipliedSaturated(by: 3))
    if let manifest { return (manifest.presentation.liveness?.holdBack ?? three, true) }
    guard let address = track.playlist(rung: rung), let known = playlists[address] else { return (three, false) }
    let hasParts = known.playlist.edge.partTarget != nil && playlists.zero != nil
    return (known.playlist.liveness.holdBack ?? three, hasParts)
  }

  // MARK: - The window

  /// The server's time of day.
  func wall(_ now: LoadSituation) -> WallTime { now.wall + (manifest?.clockOffset ?? .zero) }

  /// Seconds until a segment can be loaded; 0 and less: it can be.
  func waitForAvailability(of place: StreamTrack.Place, rung: Int, _ now: LoadSituation) -> Double {
    guard manifest != nil, let times = track.availability(of: place, rung: rung) else { return 0 }
    return (times.begun - wall(now)).seconds
  }

  /// When a segment is whole that is still being made, by the machine's clock; nil: it is whole.
  func stillBeingMade(_ place: StreamTrack.Place, rung: Int, _ now: LoadSituation) -> WallTime? {
    guard let manifest, let times = track.availability(of: place, rung: rung), times.whole > wall(now) else {
      return nil
    }
    return times.whole - manifest.clockOffset
  }

  /// Where playing goes on, once the window has slid past what is wanted: it moves on until the player has played what it has. Nil: it has
  /// not.
  func slid(past piece: LivePiece, rung: Int, _ now: LoadSituation) -> MediaTime? {
    guard reached != nil, piece.start > wanted + Self.windowSlack, let edge = edge(rung: rung, now),
      wanted < edge.start
    else { return nil }
    guard options.live.fallback == .edge else {
      return edge.start + min(edge.step, MediaTime(nanoseconds: (edge.end - edge.start).nanoseconds / 2))
    }
    return joined(edge, rung: rung, now).place
  }

  /// It is looked again after so many seconds.
  static let slidSeconds = 0.25
  /// Shorter gaps are the stream's own.
  private static let windowSlack = MediaTime(nanoseconds: 100_000_000)

  /// What can be played now.
  func edge(rung: Int, _ now: LoadSituation) -> LiveEdge? {
    let wall = wall(now)
    guard let extent = track.extent(rung: rung, at: wall) else { return nil }
    let known = track.playlist(rung: rung).flatMap { playlists[$0] }
    var edge = LiveEdge(start: extent.start, end: extent.end, learnt: now.time, step: extent.longest)
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
    (edge.target, edge.hasEnded) = (live.target, hasEnded(rung))
    return edge
  }

  /// How often the packager has begun again.
  func run(_ rung: Int) -> Int {
    if let manifest { return manifest.restarts }
    return track.playlist(rung: rung).flatMap { playlists[$0] }.map { Int(clamping: $0.epoch) } ?? 0
  }

  func hasEnded(_ rung: Int) -> Bool {
    if let manifest { return manifest.hasEnded }
    return track.playlist(rung: rung).flatMap { playlists[$0]?.playlist.isEnded } ?? true
  }

  // MARK: - News

  /// Something new is there.
  mutating func advance(rung: Int, _ now: LoadSituation) {
    (live.advanced, live.misses) = (now.time, 0)
    tell(rung: rung, now)
  }

  mutating func tell(rung: Int, _ now: LoadSituation) {
    guard let edge = edge(rung: rung, now) else { return }
    tell(edge, rung: rung)
  }

  /// For the player, and for the loaders of sound.
  private mutating func tell(_ edge: LiveEdge, rung: Int) {
    guard role == .video else { return }
    var news = flow.news ?? LoadNews()
    news.edge = edge
    (news.axis, news.manifest) = (track.playlist(rung: rung).flatMap { playlists.axis($0) }, manifest?.state)
    flow.news = news
  }

  // MARK: - Refreshing

  /// Seconds until playlist or manifest are to be loaded again; nil: not at all.
  func refreshWait(_ rung: Int, _ now: LoadSituation) -> Double? {
    if let manifest { return manifest.wait(at: now.time, leader: now.manifest) }
    return track.playlist(rung: rung).flatMap { playlists[$0]?.wait(at: now.time) }
  }

  /// The same during a wait, where it is not done all the time.
  func refreshDue(_ now: LoadSituation) -> Double? {
    let earliest = live.refreshed + Self.leastRefresh - now.time
    return refreshWait(presentRung, now).map { max($0, earliest, 0) }
  }

  /// The rung that is followed during a wait.
  private var presentRung: Int { attempt?.candidate.rung ?? live.rung }

  /// Loads playlist or manifest again during a wait. Where that fails, what is there plays on.
  mutating func refreshMeanwhile(_ now: LoadSituation) -> LoadAction? {
    live.refreshed = now.time
    return reload(presentRung, waits: false, isNeeded: false, now)
  }

  /// Loads playlist or manifest again, once it is time, or waits at the server until there is news.
  mutating func refreshWanted(_ rung: Int, _ now: LoadSituation) -> LoadAction? {
    let known = track.playlist(rung: rung).flatMap { playlists[$0] }
    let asksAtOnce = known.map { $0.isBlocking && $0.idle + $0.older == 0 } ?? false
    // A manifest that is never to be loaded again lists all that comes.
    let wait = refreshWait(rung, now) ?? (manifest == nil ? 0 : 1)
    if wait > 0, !asksAtOnce, !live.hasWaited {
      live.hasWaited = true
      return .wait(seconds: min(wait, Self.longestWait))
    }
    live.hasWaited = false
    if manifest != nil, refreshWait(rung, now) == nil { return nil }
    attempt?.hasRefreshed = true
    return reload(rung, waits: true, isNeeded: true, now) ?? .wait(seconds: 1)
  }

  mutating func reload(_ rung: Int, waits: Bool, isNeeded: Bool, _ now: LoadSituation) -> LoadAction? {
    if let manifest {
      flow.asked = .manifest(rung: rung, isNeeded: isNeeded)
      return .manifest(manifest.isFollowing ? nil : manifest.address)
    }
    guard let address = track.playlist(rung: rung), let known = playlists[address] else { return nil }
    let waits = waits && known.isBlocking
    flow.asked = .playlist(address, rung: rung, waits: waits, isNeeded: isNeeded)
    return .playlist(known.playlist, rung: rung, waits: waits)
  }

  /// A playlist came again.
  mutating func renew(
    _ address: StreamAddress, rung: Int, with next: MediaPlaylist, waits: Bool, _ now: LoadSituation
  ) {
    let before = (epoch: playlists[address]?.epoch, end: edge(rung: rung, now)?.end)
    _ = playlists.renew(address, with: next, waited: waits, now: now.time)
    guard let news = playlists[address] else { return }
    track.learn(news.timeline, rung: rung, stretch: 0)
    if news.advanced == now.time, role == .video { flow.news = LoadNews(breaks: news.breaks) }
    open?.hasTriedHint = false
    // Numbers that go up and bring no media are none.
    if news.epoch != before.epoch || edge(rung: rung, now)?.end != before.end {
      live.advanced = now.time
    } else if news.advanced == now.time {
      pause = pause ?? .rest(now.time + Self.leastPause)
    }
    tell(rung: rung, now)
  }

  /// The manifest came again.
  ///
  /// - Parameter isNeeded: else what is there plays on where it cannot be followed.
  mutating func followManifest(rung: Int, isNeeded: Bool, _ now: LoadSituation) {
    guard let manifest else { return }
    if role == .video { flow.news = LoadNews(presentation: manifest.presentation) }
    do throws(LoadProblem) {
      guard let next = track.renewed(try newTrack(manifest.presentation)) else {
        throw .refused(
          Failure(
            .media, "cannot play \(subject) on", cause: "its manifest has other rungs now",
            remedy: "open the stream again"))
      }
      track = next
      tell(rung: rung, now)
    } catch {
      if !isNeeded, case .failed(let problem) = error { return live.problem = problem }
      fail(error, now)
    }
  }

  private func newTrack(_ presentation: Presentation) throws(LoadProblem) -> StreamTrack {
    if let renewed { return renewed(presentation) }
    do throws(Failure) {
      return try StreamTrack(presentation, name)
    } catch {
      // A manifest without periods or video: the next one may have some again.
      throw .failed(.badResponse(error.cause))
    }
  }

  /// A server that answers at once all the time is not asked all the time, in seconds.
  private static let leastPause = 0.1
  /// What a player lacks it asks for so often, also where the server promises no update, in seconds.
  private static let longestWait = 15.0
  /// Refreshes that fail are made again after so many seconds.
  private static let leastRefresh = 0.05

  // MARK: - Failures

  /// The stream has brought nothing for too long; nil: it has.
  func stuckProblem(_ now: LoadSituation) -> LoadProblem? {
    guard isStuck(now) else { return nil }
    // A request that failed tells more.
    if let problem = live.problem { return .failed(problem) }
    return .refused(
      Failure(
        .input, "cannot play \(subject) on",
        cause: "the live stream has brought nothing new for \(Int(options.live.stuckSeconds)) s",
        remedy: "check that it is still on the air"))
  }

  func isStuck(_ now: LoadSituation) -> Bool { now.time - live.advanced > options.live.stuckSeconds }

  /// What went wrong is no end as long as something new may come.
  mutating func outlive(_ problem: HTTPProblem, _ now: LoadSituation) {
    guard !isStuck(now) else {
      flow.ending = .fail(.failed(problem))
      return
    }
    attempt = nil
    flow.forgets = true
    live.problem = problem
    live.misses += 1
    if live.misses >= Self.missLimit, problem.status == 404 || problem.status == 410, let end = live.placedEnd,
      end > reached ?? turn.place, let edge = edge(rung: 0, now), end + edge.step <= edge.end
    {
      // What comes after it is there: it will not come.
      (reached, live.misses) = (end, 0)
    } else {
      pause = .until(now.time + 1)
    }
  }

  private static let missLimit = 3

  // MARK: - Decisions

  /// As far as a controller looks ahead: a live stream has no end.
  mutating func liveTable(_ now: LoadSituation) throws(LoadProblem) -> RungTable {
    let seconds = track.longestSegment ?? 2
    if let known = live.table, known.segmentSeconds == seconds { return known }
    let limits = RungTable.Limits.seconds
    let made = try table(
      Array(repeating: min(max(seconds, limits.lowerBound), limits.upperBound), count: Self.tableCount))
    live.table = made
    return made
  }

  private static let tableCount = 128
}
