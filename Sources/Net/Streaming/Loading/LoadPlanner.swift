import Adaptation
import Frames
import HTTP
import Media

/// Decides what a loader does next: which segment of which rung, which playlist, or a wait. A value without clock, network or threads:
/// `StreamLoader` does what `next` says, and tells `apply` the result.
///
/// A stream on demand is a live one that has ended: one path serves both, for video, sound and subtitles.
struct LoadPlanner {
  let options: StreamOptions
  /// As sentences name the stream.
  let name: String
  let role: TrackRole
  /// Of a track beside the video of a live stream: its segments by a later manifest; nil: of video, and on demand.
  let renewed: (@Sendable (Presentation) -> StreamTrack)?
  var track: StreamTrack
  /// Of HLS.
  var playlists: LivePlaylists
  /// Of a live stream of DASH.
  var manifest: LiveManifest?
  private(set) var turn: SegmentStore.Turn
  var scheduler: SegmentScheduler?
  /// Where the last segment ends that was loaded in this turn.
  var reached: MediaTime?
  var attempt: LoadAttempt?
  var pause: LoadPause?
  var live = LiveProgress()
  var open: OpenParts?
  var flow = Flow()

  /// What the next call depends on beside the stream's state.
  struct Flow {
    /// The last action's.
    var asked: Request?
    /// The stream ends here, or cannot be played on.
    var ending: LoadAction?
    var forgets = false
    /// Segments of subtitles in a row that could not be had.
    var gone = 0
    var news: LoadNews?
    var generator: SplitMix64
    init(seed: UInt64 = 1) { generator = SplitMix64(seed: seed) }
  }

  /// What an event is the answer to.
  enum Request {
    case room
    case timeline(StreamAddress?, rung: Int, stretch: Int)
    case playlist(StreamAddress, rung: Int, waits: Bool, isNeeded: Bool)
    case manifest(rung: Int, isNeeded: Bool)
    case clock
    case segment(StreamTrack.Place, StreamHistory.Placed)
    case open, part, hint, close
  }

  init(
    _ opened: OpenedManifest, _ role: TrackRole, name: String, _ turn: SegmentStore.Turn, _ options: StreamOptions,
    now: Double
  ) {
    (self.options, self.name, self.role, self.turn) = (options, name, role, turn)
    (track, renewed) = (opened.track, opened.followed?.renewed)
    let leader = opened.followed?.live
    playlists = LivePlaylists(zero: opened.presentation.zero, leader: leader?.axis)
    manifest =
      role == .video
      ? LiveManifest(opened.presentation, at: now) : leader?.manifest.map { LiveManifest(following: $0) }
    flow = Flow(seed: options.seed)
  }

  /// Goes on elsewhere.
  mutating func begin(_ turn: SegmentStore.Turn, now: Double) {
    self.turn = turn
    (scheduler, attempt, pause, open) = (nil, nil, nil, nil)
    reached = turn.isJump ? nil : turn.place
    (flow.asked, flow.ending, flow.forgets) = (nil, nil, false)
    (live.advanced, live.hasAskedClock, live.hasWaited) = (now, false, false)
    // The user named the playlist itself.
    if role == .video, let loaded = track.loadedPlaylist, !loaded.isEnded, playlists[loaded.address] == nil {
      add(loaded, at: loaded.address, rung: 0, stretch: 0, now: now)
    }
  }

  /// Playing begins there: it was not known where before.
  mutating func begin(at place: MediaTime) { turn.place = place }

  /// As sentences name it.
  var subject: String {
    switch role {
    case .video: "'\(name)'"
    case .sound: "the sound of '\(name)'"
    case .subtitles: "the subtitles of '\(name)'"
    }
  }

  /// Segments are added, or were when it was last seen: a stream that ended stays live.
  var isLive: Bool { role == .video ? manifest != nil || playlists.isLive : renewed != nil }

  /// How long a stream on demand is; nil: not known yet.
  var duration: MediaTime? { scheduler == nil || isLive ? nil : track.end }

  mutating func takeNews() -> LoadNews? {
    defer { flow.news = nil }
    return flow.news
  }

  /// Nothing is loaded any more in this turn.
  mutating func end(_ action: LoadAction) -> LoadAction {
    flow.ending = action
    return action
  }

  // MARK: - Planning

  /// What to do next.
  mutating func next(_ now: LoadSituation) -> LoadAction {
    playlists.leader = now.axis
    while true {
      if let action = flow.ending { return action }
      do throws(LoadProblem) {
        if let action = try step(now) { return action }
      } catch {
        fail(error, now)
      }
    }
  }

  /// Nil: the state has changed, and needs nothing from outside for that.
  private mutating func step(_ now: LoadSituation) throws(LoadProblem) -> LoadAction? {
    if flow.forgets {
      flow.forgets = false
      return .forgetProblems
    }
    if let action = goOnPausing(now) { return action }
    if open != nil { return nextPart(now) }
    if attempt != nil { return try pursue(now) }
    guard now.hasRoom else {
      flow.asked = .room
      return .waitForRoom
    }
    if let action = clockWanted() { return action }
    return try decide(now)
  }

  /// Lets the scheduler choose a rung.
  private mutating func decide(_ now: LoadSituation) throws(LoadProblem) -> LoadAction? {
    guard var scheduler else {
      live.rung = try firstRung(now)
      attempt = LoadAttempt(live.rung, track, now, isOpening: true)
      return nil
    }
    defer { self.scheduler = scheduler }
    if isLive { scheduler.follow(try liveTable(now), at: 0) }
    var step = scheduler.next(time: now.time, buffer: now.buffer)
    // A drained store has no full buffer to wait for.
    if case .wait = step, now.isDrained { step = scheduler.next(time: now.time, buffer: 0) }
    switch step {
    case .wait(let seconds):
      pause = .buffer(enough: max(0, now.buffer - seconds), seconds: seconds)
    case .request(_, let rung, let wait):
      attempt = LoadAttempt(rung, track, now, isOpening: false)
      if wait > 0 { pause = .until(now.time + wait) }
    case .finished: return end(.finish)
    }
    return nil
  }

  /// What is left of a buffer by rounding, in seconds: less than the load policy waits for.
  private static let rounding = 1e-7

  private mutating func goOnPausing(_ now: LoadSituation) -> LoadAction? {
    guard let pause else { return nil }
    let due: Double? =
      switch pause {
      case .rest: nil
      case .until, .buffer: isLive ? refreshDue(now) : nil
      }
    switch pause {
    case .until(let end), .rest(let end):
      guard end > now.time else { break }
      if let due, due <= 0 { return refreshMeanwhile(now) }
      return .wait(seconds: min(end - now.time, due ?? .infinity))
    case .buffer(let enough, let seconds):
      guard now.buffer > enough + Self.rounding, !now.isDrained else {
        scheduler?.waited(seconds)
        live.advanced = now.time
        break
      }
      if let due, due <= 0 { return refreshMeanwhile(now) }
      return .waitForBuffer(using: now.buffer - enough, limit: due ?? .infinity)
    }
    self.pause = nil
    return nil
  }

  /// Where the next segment of this turn is looked for.
  var wanted: MediaTime { reached.map { $0 + StreamTrack.slack } ?? turn.place }

  /// Goes on with a choice: finds its segment, and what tells where that lies.
  private mutating func pursue(_ now: LoadSituation) throws(LoadProblem) -> LoadAction? {
    guard let candidate = attempt?.candidate else { return nil }
    track.use(candidate)
    let rung = candidate.rung
    if isLive, attempt?.isFresh == false {
      attempt?.isFresh = true
      if attempt?.isOpening == false, let wait = refreshWait(rung, now), wait <= 0 {
        return reload(rung, waits: false, isNeeded: true, now)
      }
    }
    if isLive, let problem = stuckProblem(now) { return end(.fail(problem)) }
    let isOpening = attempt?.isOpening ?? false
    let lookup = track.place(rung: rung, at: wanted)
    if case .needs(let source, let stretch) = lookup { return timeline(source, rung: rung, stretch: stretch, now) }
    guard !isOpening else { return try opened(lookup, rung: rung, now) }
    switch lookup {
    case .found(let place):
      let wait = waitForAvailability(of: place, rung: rung, now)
      if wait > 0 {
        pause = .until(now.time + min(wait, 1))
        return nil
      }
      return try plan(.whole(place), rung: rung, now)
    case .ended:
      if isLive, let parts = parts(rung: rung, at: wanted) { return try plan(.parts(parts), rung: rung, now) }
      guard isLive, !hasEnded(rung) else { return end(.finish) }
      // A substitute that lacks it as well, also after it was looked: the rung itself may be there again.
      if attempt?.hasRefreshed == true, let problem = attempt?.failed?.problem { throw .failed(problem) }
      return refreshWanted(rung, now)
    case .needs: return nil
    }
  }

  private mutating func timeline(
    _ source: SegmentSource, rung: Int, stretch: Int, _ now: LoadSituation
  ) -> LoadAction? {
    switch source {
    case .timeline(let timeline):
      track.learn(timeline, rung: rung, stretch: stretch)
      return nil
    case .playlist(_, let loaded?):
      track.learn(loaded.timeline, rung: rung, stretch: stretch)
      return nil
    case .playlist(let address, nil):
      if let known = playlists[address] {
        track.learn(known.timeline, rung: rung, stretch: stretch)
        return nil
      }
      flow.asked = .timeline(address, rung: rung, stretch: stretch)
    case .index, .insideVideo: flow.asked = .timeline(nil, rung: rung, stretch: stretch)
    }
    return .timeline(source, rung: rung, isLive: playlists.isLive)
  }

  /// The first rung's segments are known: begins.
  private mutating func opened(
    _ lookup: StreamTrack.Lookup, rung: Int, _ now: LoadSituation
  ) throws(LoadProblem) -> LoadAction? {
    if isLive {
      if role == .video, !live.hasJoined {
        if let action = try join(rung: rung, now) { return action }
        guard live.hasJoined else { return nil }
      }
      scheduler = try scheduler(try liveTable(now), now)
    } else {
      var lookup = lookup
      if case .ended = lookup, let end = track.end {
        guard turn.isJump else { return self.end(.finish) }
        // A jump to the stream's end, or past it: its last picture.
        turn.place = max(.zero, min(turn.place, end - MediaTime(nanoseconds: 1)))
        lookup = track.place(rung: rung, at: turn.place)
        if case .needs = lookup { return nil }
      }
      guard case .found(let place) = lookup else { throw .failed(.badResponse("it has no segments")) }
      let start = try table(rung: rung, at: place)
      var made = try scheduler(start.table, now)
      if start.segment > 0 { made.seek(to: start.segment) }
      scheduler = made
    }
    attempt = nil
    return nil
  }

  /// Loads a piece of a rung.
  private mutating func plan(
    _ piece: LivePiece, rung: Int, _ now: LoadSituation
  ) throws(LoadProblem) -> LoadAction? {
    guard var scheduler, let attempt else { return nil }
    if isLive, role == .video, let place = slid(past: piece, rung: rung, now) {
      pause = .until(now.time + Self.slidSeconds)
      return .jump(place)
    }
    let number: Int
    if isLive {
      number = live.number(of: piece.start)
    } else {
      if case .whole(let place) = piece, track.count(rung: rung) != scheduler.table.durations.count {
        // An index that came since tells of more segments, or each rung has its own.
        let (table, segment) = try table(rung: rung, at: place)
        scheduler.follow(table, at: segment)
        self.scheduler = scheduler
      }
      number = scheduler.segment
    }
    var decision: StreamHistory.Decision?
    if !attempt.isTold, role == .video {
      self.attempt?.isTold = true
      decision = StreamHistory.Decision(time: isLive ? now.time : attempt.time, segment: number, rung: attempt.rung)
    }
    switch piece {
    case .parts(let parts): return plan(parts, number: number, rung: rung, decision)
    case .whole(let place):
      let start = min(max(place.start, reached ?? place.start), place.end)
      let placed = StreamHistory.Placed(segment: number, rung: rung, start: start, end: place.end, run: run(rung))
      live.placedEnd = place.end
      guard !place.segment.isGap else {
        self.scheduler?.seek(to: number + 1)
        (reached, self.attempt) = (place.end, nil)
        if isLive { advance(rung: attempt.rung, now) }
        return nil
      }
      flow.asked = .segment(place, placed)
      var planned = PlannedSegment(
        place: place, placed: placed, decision: decision, whole: stillBeingMade(place, rung: rung, now),
        media: media(rung, behind: place, scheduler), bitrate: track.rungs[rung].bitrate)
      // A rung that stands in for a lower one would make way for that for ever.
      if rung == attempt.rung, scheduler.abandonsDownloads { planned.scheduler = scheduler }
      return .segment(planned)
    }
  }

  private func media(
    _ rung: Int, behind place: StreamTrack.Place, _ scheduler: SegmentScheduler
  ) -> StreamResource.Media {
    var media = StreamResource.Media(
      bitrate: track.rungs[rung].peakBitrate, topBitrate: track.rungs[scheduler.table.count - 1].peakBitrate,
      throughput: scheduler.throughput?.bitsPerSecond)
    if case .found(let next) = track.place(rung: rung, at: place.end + StreamTrack.slack) {
      media.next = (next.segment.address, next.segment.range)
    }
    return media
  }

  // MARK: - Tables

  /// The rung that the controller begins with.
  private func firstRung(_ now: LoadSituation) throws(LoadProblem) -> Int {
    var first = try scheduler(try table([1]), now)
    guard case .request(_, let rung, _) = first.next(time: now.time, buffer: 0) else { return 0 }
    return rung
  }

  func scheduler(_ table: RungTable, _ now: LoadSituation) throws(LoadProblem) -> SegmentScheduler {
    let chosen = now.fixedRung.flatMap { ControllerChoice("fixed:\($0)") } ?? options.controller
    do throws(Failure) {
      return try SegmentScheduler(table, controller: chosen, load: options.load, estimator: options.estimator)
    } catch {
      throw .refused(error)
    }
  }

  /// The segments that a rung is known to have, and the number of the one at a place.
  private func table(
    rung: Int, at place: StreamTrack.Place
  ) throws(LoadProblem) -> (table: RungTable, segment: Int) {
    let spans = track.spans(rung: rung)
    let limits = RungTable.Limits.seconds
    let table = try table(
      spans.map { min(max(($0.end - $0.start).seconds, limits.lowerBound), limits.upperBound) })
    // The first segment need not begin where the stream does.
    return (table, min(spans.count { $0.end <= place.start + StreamTrack.slack }, spans.count - 1))
  }

  func table(_ durations: [Double]) throws(LoadProblem) -> RungTable {
    do throws(Failure) {
      return try RungTable(name: name, bitrates: track.rungs.map(\.bitrate), durations: durations)
    } catch {
      throw .refused(error)
    }
  }

  // MARK: - Events

  /// Takes the result of the last action.
  mutating func apply(_ event: LoadEvent, _ now: LoadSituation) {
    playlists.leader = now.axis
    defer { flow.asked = nil }
    switch (flow.asked, event) {
    case (_, .failed(let problem)): failed(problem, now)
    case (.room, .done):
      if isLive { live.advanced = now.time }
    case (.timeline(let address, let rung, let stretch), .playlist(let playlist)):
      add(playlist, at: address ?? playlist.address, rung: rung, stretch: stretch, now: now.time)
    case (.timeline(_, let rung, let stretch), .timeline(let timeline)):
      track.learn(timeline, rung: rung, stretch: stretch)
    case (.playlist(let address, let rung, let waits, let isNeeded), .playlist(let next)):
      if !isNeeded { live.problem = nil }
      renew(address, rung: rung, with: next, waits: waits, now)
    case (.manifest(let rung, let isNeeded), .manifest(let next)):
      if !isNeeded { live.problem = nil }
      if manifest?.take(next, at: now.time) == true { live.advanced = now.time }
      followManifest(rung: rung, isNeeded: isNeeded, now)
    case (.manifest(let rung, let isNeeded), .followed(let state)):
      guard let state, state.loaded != manifest?.state.loaded else { return }
      if manifest?.follow(state) == true { live.advanced = now.time }
      followManifest(rung: rung, isNeeded: isNeeded, now)
    case (.clock, .clock(let offset?)): manifest?.takeClock(offset)
    case (.segment(let place, let placed), .loaded(let sample)):
      scheduler?.completed(rung: placed.rung, sample: sample, time: now.time, buffer: now.buffer)
      (reached, flow.gone) = (place.end, 0)
      endAttempt(now)
    case (.segment(_, let placed), .abandoned(let lower)):
      scheduler?.abandoned(rung: placed.rung, for: lower, time: now.time, buffer: now.buffer)
      endAttempt(now)
    case (.part, .part(let sample, let hintWasRight)): partCame(sample, hintWasRight: hintWasRight, now)
    case (.close, .done): closed(now)
    default: break
    }
  }

  private mutating func endAttempt(_ now: LoadSituation) {
    let rung = attempt?.rung
    attempt = nil
    if isLive, let rung { advance(rung: rung, now) }
  }

  private mutating func closed(_ now: LoadSituation) {
    guard let parts = open else { return }
    if let sample = parts.sample {
      scheduler?.completed(rung: parts.rung, sample: sample, time: now.time, buffer: now.buffer)
    }
    (live.placedEnd, reached, open) = (parts.reached, parts.reached, nil)
    endAttempt(now)
  }

  private mutating func add(
    _ playlist: MediaPlaylist, at address: StreamAddress, rung: Int, stretch: Int, now: Double
  ) {
    track.learn(playlists.add(playlist, at: address, now: now), rung: rung, stretch: stretch)
    guard role == .video else { return }
    if let known = playlists[address] {
      flow.news = LoadNews(breaks: known.breaks)
    } else if !playlist.breaks.isEmpty {
      // Some servers mark them in one of the playlists alone.
      flow.news = LoadNews(breaks: playlist.breaks)
    }
  }

  // MARK: - Failures

  private mutating func failed(_ problem: LoadProblem, _ now: LoadSituation) {
    switch (flow.asked, problem) {
    case (.hint, .failed): return live.hints.note(isRight: false, at: now.time)
    case (.playlist(let address, _, let waits, let isNeeded), .failed(let cause)),
      (.playlist(let address, _, let waits, let isNeeded), .broken(let cause)):
      playlists.failed(address, waited: waits, now: now.time)
      guard isNeeded else { return live.problem = cause }
    case (.manifest(_, let isNeeded), .failed(let cause)):
      manifest?.failed(at: now.time)
      guard isNeeded else { return live.problem = cause }
    default: break
    }
    fail(problem, now)
  }

  /// Tries the next substitute: the same elsewhere, or another rung. Where none can be had, all are tried again while the network or the
  /// servers are out of order, as long as the retries' policy allows, or as a live stream may bring nothing.
  mutating func fail(_ problem: LoadProblem, _ now: LoadSituation) {
    open = nil
    switch problem {
    case .failed(let cause):
      let limit = options.retries.limitSeconds
      if attempt?.fail(cause, now, limit: limit) == true || leavesOut(cause, now) { return }
      guard !isLive else { return outlive(attempt?.failed?.problem ?? cause, now) }
      guard let failed = attempt?.failed, attempt?.mayPass == true else { break }
      let wait = Double.random(
        in: ClosedRange(from: 0, through: options.retries.longestWaitSeconds), using: &flow.generator)
      guard now.time - failed.time + wait <= limit else { break }
      attempt?.beginAgain()
      (flow.forgets, pause) = (true, .rest(now.time + wait))
      return
    case .broken where isLive && !isStuck(now):
      // The rest of a segment that is being shown: playing goes on with the next one.
      (reached, attempt) = (live.placedEnd ?? reached, nil)
      return
    default: break
    }
    let first = attempt?.failed.map { LoadProblem.failed($0.problem) }
    if case .failed = problem { flow.ending = .fail(first ?? problem) } else { flow.ending = .fail(problem) }
  }

  /// Leaves out a segment of subtitles that cannot be had, where its server is in order; too many in a row end the track.
  private mutating func leavesOut(_ cause: HTTPProblem, _ now: LoadSituation) -> Bool {
    guard role == .subtitles, !cause.isOutage, case .segment(let place, let placed) = flow.asked else { return false }
    flow.gone += 1
    if flow.gone > Self.goneLimit {
      flow.ending = .fail(.failed(cause))
    } else {
      scheduler?.seek(to: placed.segment + 1)
      reached = place.end
      endAttempt(now)
    }
    return true
  }

  private static let goneLimit = 3
}

/// A choice of a rung, and which of its substitutes is tried. A value.
struct LoadAttempt {
  let rung: Int
  /// When it was made.
  let time: Double
  /// What the first rung's segments are is to be found out before any choice.
  let isOpening: Bool
  private let candidates: [StreamTrack.Candidate]
  private var index = 0
  /// Why the rung itself cannot be had, and since when.
  private(set) var failed: (problem: HTTPProblem, time: Double)?
  /// One of them may be had later.
  private(set) var mayPass = false
  /// The history has the choice.
  var isTold = false
  /// It was looked whether the candidate's playlist is to be loaded again.
  var isFresh = false
  /// The candidate's playlist is loaded again, because the segment is not listed.
  var hasRefreshed = false

  init(_ rung: Int, _ track: StreamTrack, _ now: LoadSituation, isOpening: Bool) {
    (self.rung, time, self.isOpening) = (rung, now.time, isOpening)
    candidates = track.candidates(for: rung)
  }

  var candidate: StreamTrack.Candidate { candidates[index] }

  /// Goes over to the next candidate; false: there is none.
  ///
  /// - Parameter limit: seconds since the first failure.
  fileprivate mutating func fail(_ problem: HTTPProblem, _ now: LoadSituation, limit: Double) -> Bool {
    let first = failed ?? (problem, now.time)
    failed = first
    mayPass = mayPass || problem.mayPass
    guard problem.mayBeBetterElsewhere, now.time - first.time <= limit, index + 1 < candidates.count else {
      return false
    }
    (index, isFresh, hasRefreshed) = (index + 1, false, false)
    return true
  }

  fileprivate mutating func beginAgain() { (index, mayPass, isFresh, hasRefreshed) = (0, false, false, false) }
}

/// Why nothing is loaded for a while.
enum LoadPause {
  /// Until then; a live stream is followed meanwhile.
  case until(Double)
  /// Until then.
  case rest(Double)
  /// Until no more seconds of media than that lie ahead of the picture: the scheduler asked to wait so long.
  case buffer(enough: Double, seconds: Double)
}

extension HTTPProblem {
  /// Another resource may be had.
  fileprivate var mayBeBetterElsewhere: Bool { kind != .tooLong && kind != .resources }
}
