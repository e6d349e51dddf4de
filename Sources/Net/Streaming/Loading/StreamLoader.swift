import Adaptation
import Frames
import HTTP
import Media

/// Loads the segments of one stream's video, or of a track of its sound or subtitles, one after the other: does what `LoadPlanner` says, and tells it the
/// result. Used by one thread; it ends once the store is stopped.
final class StreamLoader: @unchecked Sendable {
  let options: StreamOptions
  let log: StreamLog
  let transport: any StreamTransport
  let store: any LoadedSegments
  /// The same; nil: it is filled with sound or subtitles, which have one rung, and no decisions in the history.
  let video: (any LoadedVideo)?
  /// Of a track beside the video of a live stream: what the video's loader knows; nil: of video, and on demand.
  private let leader: LiveMonitor?
  private let variables: PlaylistVariables
  let headers: StreamHeaders
  /// Stops once playing goes on elsewhere.
  private(set) var resources: ResourceLoader
  private(set) var turn: SegmentStore.Turn
  private var planner: LoadPlanner
  private var duration: MediaTime?
  /// The segment whose parts are being loaded.
  var parts: PartDownload?

  init(
    _ opened: OpenedManifest, _ store: any LoadedSegments, _ transport: any StreamTransport, _ log: StreamLog,
    _ options: StreamOptions
  ) {
    (video, leader) = (store as? any LoadedVideo, opened.followed?.live)
    (self.store, self.transport, self.log, self.options) = (store, transport, log, options)
    (variables, turn) = (opened.presentation.variables, store.turn)
    resources = ResourceLoader(
      transport: transport, options: options, log: log, buffer: { store.bufferSeconds },
      reporter: options.cmcd.map {
        CMCDReporter(
          options: $0, content: store.path, format: opened.presentation.format, isUrgent: { store.isUrgent },
          takeStarvation: { store.takeStall() })
      }, interruption: store.ending, hasSubstitutes: true)
    headers = StreamHeaders(variables, options)
    planner = LoadPlanner(opened, store.role, name: store.path, turn, options, now: transport.now)
  }

  /// Loads until the store is stopped; what hinders it is told to the store.
  func run() {
    while !store.ending.isRequested {
      turn = store.turn
      resources = resources.stopping(by: turn.ending)
      headers.forgetProblems()
      planner.begin(turn, now: transport.now)
      load()
      guard transport.waitForTurn(of: store, after: turn.number) else { return }
    }
  }

  /// Loads what the turn wants.
  private func load() {
    defer { _ = abortParts(.stopped) }
    while !turn.ending.isRequested {
      let (time, action) = (transport.now, planner.next(situation))
      tell()
      switch action {
      case .finish, .fail:
        keep(action, nil, time)
        return end(action)
      default: break
      }
      var event = LoadEvent.done
      do throws(LoadProblem) {
        event = try perform(action)
      } catch {
        if case .stopped = error { return keep(action, .failed(error), time) }
        if case .hint = action, case .failed = error {
          event = .failed(error)
        } else {
          event = .failed(abortParts(error))
        }
      }
      keep(action, event, time)
      planner.apply(event, situation)
      tell()
    }
  }

  private func end(_ action: LoadAction) {
    if case .finish = action { store.finish(turn: turn.number) }
    if case .fail(let problem) = action, let failure = failure(problem) { store.fail(failure, turn: turn.number) }
  }

  private func keep(_ action: LoadAction, _ event: LoadEvent?, _ time: Double) {
    if log.keepsSteps, video != nil { log.addStep("\(time.text): \(action)\(event?.text ?? "")") }
  }

  private var situation: LoadSituation {
    LoadSituation(
      time: transport.now, wall: transport.wall, buffer: store.bufferSeconds, isDrained: store.isDrained,
      hasRoom: store.hasRoom, fixedRung: store.fixedRung, axis: leader?.axis, manifest: leader?.manifest)
  }

  /// For the player, and for the loaders of sound.
  private func tell() {
    if let known = planner.duration, known != duration {
      duration = known
      store.learn(known)
    }
    guard let news = planner.takeNews(), let live = video?.live else { return }
    if let breaks = news.breaks { live.tell(breaks: breaks) }
    if let presentation = news.presentation { live.tellBreaks(of: presentation) }
    if let edge = news.edge { live.tell(edge, axis: news.axis, manifest: news.manifest) }
  }

  private func failure(_ problem: LoadProblem) -> Failure? {
    let end = store.loadedEnd.seconds
    let verb = store.role == .subtitles ? "load" : "play"
    return problem.failure("cannot \(verb) \(planner.subject)" + (end > 0 ? " past \(Int(end)) s" : ""))
  }

  // MARK: - Actions

  /// Does it; gives the result.
  private func perform(_ action: LoadAction) throws(LoadProblem) -> LoadEvent {
    switch action {
    case .waitForRoom:
      transport.waitForRoom(in: store, unless: turn.ending)
      try goOn()
    case .wait(let seconds):
      guard transport.pause(seconds: seconds, unless: turn.ending) else { throw .stopped }
    case .waitForBuffer(let seconds, let limit):
      guard transport.pause(using: seconds, of: store, atMost: limit, unless: turn.ending) else { throw .stopped }
    case .forgetProblems: headers.forgetProblems()
    case .timeline(let source, let rung, let isLive):
      guard case .playlist(let address, nil) = source else {
        return .timeline(try headers.timeline(source, rung: recorded(rung), resources))
      }
      return .playlist(try playlists.first(address, isLive: isLive, rung: recorded(rung)))
    case .playlist(let before, let rung, let waits):
      return .playlist(try playlists.next(after: before, waits: waits, rung: recorded(rung)))
    case .manifest(let address?): return .manifest(try ManifestLoader(resources: resources).load(address))
    case .manifest(nil): return .followed(leader?.manifest)
    case .clock(let manifest): return .clock(try ManifestLoader(resources: resources).clock(of: manifest))
    case .segment(let segment): return try load(segment)
    case .open(let planned): try open(planned)
    case .part(let part, let end): return try load(part, end: end)
    case .hint(let address): try loadHint(address)
    case .close(let end): close(at: end)
    case .begin(let place): video?.begin(at: place, turn: turn.number)
    case .jump(let place): video?.live.askJump(to: place)
    case .finish, .fail: break
    }
    return .done
  }

  private var playlists: PlaylistLoader {
    PlaylistLoader(variables: variables, headers: headers, resources: resources)
  }

  private func goOn() throws(LoadProblem) {
    guard !turn.ending.shouldStop else { throw .stopped }
  }

  /// Of the record: sound has none.
  func recorded(_ rung: Int) -> Int? { video == nil ? nil : rung }

  /// A segment begins to arrive.
  func note(_ placed: StreamHistory.Placed, _ decision: StreamHistory.Decision?) {
    guard video != nil else { return }
    if let decision { log.add(decision) }
    log.add(placed, at: transport.now)
  }

  /// Loads one segment; its download may make way for one of a lower rung.
  private func load(_ planned: PlannedSegment) throws(LoadProblem) -> LoadEvent {
    do throws(LoadProblem) {
      return .loaded(try download(planned).times.sample)
    } catch {
      guard case .abandoned(let lower) = error else { throw error }
      return .abandoned(for: lower)
    }
  }

  private func download(_ planned: PlannedSegment) throws(LoadProblem) -> LoadedResource {
    let (place, placed) = (planned.place, planned.placed)
    let (source, rung) = (place.segment, placed.rung)
    if let decision = planned.decision { log.add(decision) }
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
      seconds: seconds, media: planned.media, byteLimit: options.limits.segmentBytes)
    note(placed, nil)
    let (store, transport, turn) = (store, transport, turn.number)
    store.begin(segment, end: place.end, isProgressive: planned.whole != nil, turn: turn)
    var uses = ResourceLoader.Uses(take: { chunk in
      let isFirst = !bytes.hasMedia
      if let cipher { cipher.decrypt(chunk).withUnsafeBytes { bytes.append($0) } } else { bytes.append(chunk) }
      if isFirst { store.arrives() }
      if let whole = planned.whole {
        let reached = place.end - max(.zero, whole - transport.wall)
        store.progress(segment, to: min(place.end, reached), turn: turn)
      }
    })
    uses.isBound = { bytes.isTaken }
    if let scheduler = planned.scheduler {
      uses.abandonment = { progress in
        guard !bytes.isTaken else { return nil }
        var progress = progress
        if progress.bytes <= progress.received {
          progress.bytes = max(progress.received, planned.bitrate * seconds / 8)
        }
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
      throw abort(segment, error)
    }
  }

  /// Takes a segment back that was not loaded to its end; gives what to throw.
  func abort(_ segment: MediaSegment, _ problem: LoadProblem) -> LoadProblem {
    _ = store.withdraw(segment)
    segment.bytes.finish("it was not loaded to its end")
    // The reader has the beginning: no other rung's can take its place.
    if segment.bytes.isTaken, case .failed(let cause) = problem { return .broken(cause) }
    return problem
  }
}

extension TransferTimes {
  /// First byte → last byte, after the latency.
  var sample: ThroughputSample {
    let first = firstByte ?? queued
    return ThroughputSample(bytes: Int(bytes), seconds: ended - first, latency: first - queued)
  }
}
