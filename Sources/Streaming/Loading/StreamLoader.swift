import Adaptation
import Frames
import HTTP
import Media

/// Loads the segments of one stream's video, or of a track of its sound, one after the other: a controller chooses the rung of each, and a download may make way
/// for one of a lower rung. Used by one thread; it ends once the store is stopped.
final class StreamLoader: @unchecked Sendable {
  let options: StreamOptions
  let log: StreamLog
  let transport: any StreamTransport
  let store: any LoadedSegments
  /// The same; nil: it is filled with sound, which has one rung, and no decisions in the history.
  let video: (any LoadedVideo)?
  /// Of sound: the live stream whose video it follows; nil: on demand.
  let followed: FollowedVideo?
  private let name: String
  let headers: StreamHeaders
  var track: StreamTrack
  /// Of HLS.
  let playlists: LivePlaylists
  /// Of a live stream of DASH.
  let manifest: ManifestRefresher?
  var liveProgress = LiveProgress()
  /// Stops once playing goes on elsewhere.
  var resources: ResourceLoader
  var turn: SegmentStore.Turn

  init(
    _ opened: OpenedManifest, _ store: any LoadedSegments, _ transport: any StreamTransport, _ log: StreamLog,
    _ options: StreamOptions
  ) {
    (video, followed) = (store as? any LoadedVideo, opened.followed)
    (self.store, self.transport, self.log, self.options) = (store, transport, log, options)
    (track, name, turn) = (opened.track, store.path, store.turn)
    resources = ResourceLoader(
      transport: transport, options: options, log: log, buffer: { store.bufferSeconds },
      reporter: options.cmcd.map {
        CMCDReporter(
          options: $0, content: store.path, format: opened.presentation.format, isUrgent: { store.isUrgent },
          takeStarvation: { store.takeStall() })
      }, interruption: store.ending, hasSubstitutes: true)
    let (variables, zero) = (opened.presentation.variables, opened.presentation.zero)
    headers = StreamHeaders(variables, options)
    playlists = LivePlaylists(
      variables, zero: zero, leader: { [live = opened.followed?.live] in live?.axis },
      monitor: video?.live)
    manifest =
      video == nil
      ? opened.followed.flatMap { ManifestRefresher(following: $0.live) }
      : ManifestRefresher(opened.presentation, at: transport.now)
  }

  /// Loads until the store is stopped; what hinders it is told to the store.
  func run() {
    while !store.ending.isRequested {
      turn = store.turn
      resources = resources.stopping(by: turn.ending)
      headers.forgetProblems()
      do throws(LoadProblem) {
        try load()
        store.finish(turn: turn.number)
      } catch {
        if let failure = failure(error) { store.fail(failure, turn: turn.number) }
      }
      guard store.waitForTurn(after: turn.number) else { return }
    }
  }

  private func failure(_ problem: LoadProblem) -> Failure? {
    let end = store.loadedEnd.seconds
    return problem.failure("cannot play \(subject)" + (end > 0 ? " past \(Int(end)) s" : ""))
  }

  /// As sentences name it.
  var subject: String { isSound ? "the sound of '\(name)'" : "'\(name)'" }

  // MARK: - Segments

  /// Loads what the turn wants.
  private func load() throws(LoadProblem) {
    if try isLive() { return try loadLive() }
    /// Where the last segment ends.
    var reached = turn.isJump ? nil : turn.place
    var place = reached.map { $0 + StreamTrack.slack } ?? turn.place
    try waitForRoom()
    guard var scheduler = try makeScheduler(from: &place) else { return }
    while !turn.ending.isRequested {
      try waitForRoom()
      let step = step(&scheduler)
      guard case .request(_, let rung, let wait) = step else {
        guard case .wait(let seconds) = step else { return }
        try pause(using: seconds)
        scheduler.waited(seconds)
        continue
      }
      if wait > 0 { try pause(wait) }
      let decided = transport.now
      var isDecided = false
      let hasMore = try withSubstitutes(for: rung, outlastsOutages: true) {
        other throws(LoadProblem) -> Bool in
        guard let found = try find(rung: other, at: reached.map { $0 + StreamTrack.slack } ?? place) else {
          return false
        }
        try follow(found, other, &scheduler)
        if !isDecided, !isSound {
          isDecided = true
          log.add(StreamHistory.Decision(time: decided, segment: scheduler.segment, rung: rung))
        }
        let placed = StreamHistory.Placed(
          segment: scheduler.segment, rung: other, start: min(max(found.start, reached ?? found.start), found.end),
          end: found.end)
        // A rung that stands in for a lower one would make way for that for ever.
        if try load(found, placed, mayMakeWay: other == rung, &scheduler) { reached = found.end }
        return true
      }
      guard hasMore else { return }
    }
  }

  func waitForRoom() throws(LoadProblem) {
    store.waitForRoom(unless: turn.ending)
    guard !turn.ending.shouldStop else { throw .stopped }
  }

  private var isSound: Bool { video == nil }
  /// Of the record: sound has none.
  func recorded(_ rung: Int) -> Int? { isSound ? nil : rung }
  func note(_ placed: StreamHistory.Placed) { if !isSound { log.add(placed) } }

  func pause(_ seconds: Double) throws(LoadProblem) {
    guard transport.pause(seconds: seconds, unless: turn.ending) else { throw .stopped }
  }

  /// Waits until the picture has used up so many seconds of what is loaded, but for `limit` seconds at most.
  func pause(using seconds: Double, atMost limit: Double = .infinity) throws(LoadProblem) {
    guard transport.pause(using: seconds, of: store, atMost: limit, unless: turn.ending) else { throw .stopped }
  }

  /// The rungs and segments from a place on; the timeline of the first rung that the controller wants is loaded before. Nil where the
  /// stream ends with the loaded ones.
  ///
  /// - Parameter place: of a jump to the stream's end, or past it: moved to its last picture.
  private func makeScheduler(from place: inout MediaTime) throws(LoadProblem) -> SegmentScheduler? {
    let rung = try firstRung()
    let start = try withSubstitutes(for: rung, outlastsOutages: true) {
      other throws(LoadProblem) -> (table: RungTable, segment: Int)? in
      if try find(rung: other, at: place) == nil, let end = track.end {
        guard turn.isJump else { return nil }
        place = max(.zero, min(place, end - MediaTime(nanoseconds: 1)))
      }
      guard let found = try find(rung: other, at: place) else { throw .failed(.badResponse("it has no segments")) }
      return try table(rung: other, at: found)
    }
    guard let start else { return nil }
    store.learn(track.end)
    var made = try scheduler(start.table)
    if start.segment > 0 { made.seek(to: start.segment) }
    return made
  }

  /// The rung that the controller begins with.
  func firstRung() throws(LoadProblem) -> Int {
    var first = try scheduler(try table([1]))
    guard case .request(_, let rung, _) = first.next(time: transport.now, buffer: 0) else { throw .stopped }
    return rung
  }

  /// The user's choice of a rung, else the controller of the options.
  private var controller: ControllerChoice {
    store.fixedRung.flatMap { ControllerChoice("fixed:\($0)") } ?? options.controller
  }

  /// Returns the next step. A drained store has no full buffer to wait for.
  func step(_ scheduler: inout SegmentScheduler) -> SegmentScheduler.Step {
    let step = scheduler.next(time: transport.now, buffer: store.bufferSeconds)
    guard case .wait = step, store.isDrained else { return step }
    return scheduler.next(time: transport.now, buffer: 0)
  }

  func scheduler(_ table: RungTable) throws(LoadProblem) -> SegmentScheduler {
    do throws(Failure) {
      return try SegmentScheduler(
        table, controller: controller, load: options.load, estimator: options.estimator)
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

  /// Counts segments as this rung has them: an index that came since tells of more, or each rung has its own.
  private func follow(
    _ place: StreamTrack.Place, _ rung: Int, _ scheduler: inout SegmentScheduler
  ) throws(LoadProblem) {
    guard track.count(rung: rung) != scheduler.table.durations.count else { return }
    let (table, segment) = try table(rung: rung, at: place)
    scheduler.follow(table, at: segment)
  }

  /// The segment of a rung that holds a place; loads what tells where it lies. Nil at the end.
  func find(rung: Int, at place: MediaTime) throws(LoadProblem) -> StreamTrack.Place? {
    while true {
      switch track.place(rung: rung, at: place) {
      case .found(let place): return place
      case .ended: return nil
      case .needs(let source, let stretch):
        track.learn(try timeline(source, rung: recorded(rung)), rung: rung, stretch: stretch)
      }
    }
  }

  private func timeline(_ source: SegmentSource, rung: Int?) throws(LoadProblem) -> SegmentTimeline {
    guard case .playlist(let address, nil) = source else { return try headers.timeline(source, rung: rung, resources) }
    return try playlists.timeline(address, rung: rung, headers, resources)
  }

  /// What `body` gives for a rung, or, where that cannot be had, for the first of its substitutes that can: the same elsewhere, or
  /// another rung.
  ///
  /// - Parameter outlastsOutages: all of them are tried again while the network or the servers are out of order, as long as the retries'
  ///   policy allows.
  ///
  /// Throws why the rung itself cannot be had. Substitutes are tried as long as retries are made.
  func withSubstitutes<Value>(
    for rung: Int, outlastsOutages: Bool = false, _ body: (Int) throws(LoadProblem) -> Value
  ) throws(LoadProblem) -> Value {
    var failed: (problem: HTTPProblem, time: Double)?
    var generator = SplitMix64(seed: options.seed)
    while true {
      var mayPass = false
      for candidate in track.candidates(for: rung) {
        track.use(candidate)
        do throws(LoadProblem) {
          return try body(candidate.rung)
        } catch {
          guard case .failed(let problem) = error else { throw error }
          let first = failed ?? (problem, transport.now)
          failed = first
          mayPass = mayPass || problem.mayPass
          guard problem.mayBeBetterElsewhere, transport.now - first.time <= options.retries.limitSeconds else { break }
        }
      }
      guard let (problem, time) = failed else { throw .stopped }
      let wait = Double.random(in: 0...options.retries.longestWaitSeconds, using: &generator)
      guard outlastsOutages, mayPass, transport.now - time + wait <= options.retries.limitSeconds else {
        throw .failed(problem)
      }
      headers.forgetProblems()
      try pause(wait)
    }
  }

  /// Loads one segment; false: the download made way for a lower rung.
  ///
  /// - Parameter arrival: of a segment that is made while it is sent: where the media ends that has come; nil: unknown before its end.
  func load(
    _ place: StreamTrack.Place, _ placed: StreamHistory.Placed, mayMakeWay: Bool,
    arrival: (() -> MediaTime)? = nil, _ scheduler: inout SegmentScheduler
  ) throws(LoadProblem) -> Bool {
    let rung = placed.rung
    guard !place.segment.isGap else {
      scheduler.seek(to: placed.segment + 1)
      return true
    }
    do throws(LoadProblem) {
      let loaded = try download(place, placed, mayMakeWay: mayMakeWay, arrival, scheduler)
      scheduler.completed(
        rung: rung, sample: loaded.times.sample, time: transport.now, buffer: store.bufferSeconds)
      return true
    } catch {
      guard case .abandoned(let lower) = error else { throw error }
      scheduler.abandoned(rung: rung, for: lower, time: transport.now, buffer: store.bufferSeconds)
      return false
    }
  }

  func media(
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

  private func download(
    _ place: StreamTrack.Place, _ placed: StreamHistory.Placed, mayMakeWay: Bool, _ arrival: (() -> MediaTime)?,
    _ scheduler: SegmentScheduler
  ) throws(LoadProblem) -> LoadedResource {
    let (source, rung) = (place.segment, placed.rung)
    let header = try headers.initialization(source, rung: recorded(rung), resources)
    let name = redactingSecrets(ofArgument: source.address.text)
    let bytes = SegmentBytes(name, header: header)
    var segment = MediaSegment(
      bytes: bytes, coding: headers.coding(of: source, rung: rung, stretch: place.stretch), start: place.start,
      clock: place.clock)
    let cipher = try headers.cipher(of: source, rung: recorded(rung), resources)
    segment.key = try headers.key(place.protection, rung: recorded(rung), resources)
    segment.keyIdentifier = place.protection?.defaultKeyIdentifier
    let seconds = (place.end - place.start).seconds
    let resource = StreamResource(
      kind: .segment, address: source.address, range: source.range, rung: recorded(rung), segment: placed.segment,
      seconds: seconds, media: media(rung, behind: place, scheduler), byteLimit: options.limits.segmentBytes)
    note(placed)
    let (store, transport, turn) = (store, transport, turn.number)
    let bitrate = track.rungs[rung].bitrate
    store.begin(segment, end: place.end, isProgressive: arrival != nil, turn: turn)
    var uses = ResourceLoader.Uses(take: { chunk in
      let isFirst = !bytes.hasMedia
      if let cipher { cipher.decrypt(chunk).withUnsafeBytes { bytes.append($0) } } else { bytes.append(chunk) }
      if isFirst { store.arrives() }
      if let arrival { store.progress(segment, to: min(place.end, arrival()), turn: turn) }
    })
    uses.isBound = { bytes.isTaken }
    if mayMakeWay, scheduler.abandonsDownloads {
      uses.abandonment = { progress in
        guard !bytes.isTaken else { return nil }
        var progress = progress
        if progress.bytes <= progress.received { progress.bytes = max(progress.received, bitrate * seconds / 8) }
        guard let lower = scheduler.abandonment(of: progress, time: transport.now, buffer: store.bufferSeconds),
          store.withdraw(segment)
        else { return nil }
        return lower
      }
    }
    do throws(LoadProblem) {
      let loaded = try resources.load(resource, uses)
      if let cipher {
        guard let last = cipher.finish() else {
          throw LoadProblem.failed(.badResponse("it cannot be decrypted: its key is another's, or it was cut"))
        }
        last.withUnsafeBytes { bytes.append($0) }
      }
      bytes.finish()
      complete(segment, turn: turn)
      return loaded
    } catch {
      _ = store.withdraw(segment)
      bytes.finish("it was not loaded to its end")
      // The reader has the beginning: no other rung's can take its place.
      if bytes.isTaken, case .failed(let problem) = error { throw .broken(problem) }
      throw error
    }
  }
}

extension HTTPProblem {
  /// Another resource may be had.
  fileprivate var mayBeBetterElsewhere: Bool { kind != .tooLong && kind != .resources }
}

extension TransferTimes {
  /// First byte → last byte, after the latency.
  var sample: ThroughputSample {
    let first = firstByte ?? queued
    return ThroughputSample(bytes: Int(bytes), seconds: ended - first, latency: first - queued)
  }
}
