import Adaptation
import Frames
import HTTP
import Media

/// Loads the segments of one stream's video, one after the other: a controller chooses the rung of each, and a download may make way
/// for one of a lower rung. Used by one thread; it ends once the store is stopped.
final class StreamLoader: @unchecked Sendable {
  private let options: StreamOptions
  private let log: StreamLog
  private let transport: any StreamTransport
  private let store: SegmentStore
  private let name: String
  private let headers: StreamHeaders
  private var track: StreamTrack
  private let resources: ResourceLoader
  private var turn: SegmentStore.Turn

  init(
    _ opened: OpenedManifest, _ store: SegmentStore, _ transport: any StreamTransport, _ log: StreamLog,
    _ options: StreamOptions
  ) {
    (self.store, self.transport, self.log, self.options) = (store, transport, log, options)
    (track, name, turn) = (opened.track, store.path, store.turn)
    resources = ResourceLoader(
      transport: transport, policy: options.retries, log: log, seed: options.seed, buffer: { store.bufferSeconds },
      reporter: options.cmcd.map {
        CMCDReporter(
          options: $0, content: store.path, format: opened.presentation.format, isUrgent: { store.isUrgent },
          takeStarvation: { store.takeStall() })
      }, shouldStop: { store.isStopped })
    headers = StreamHeaders(opened.presentation.variables)
  }

  /// Loads until the store is stopped; what hinders it is told to the store.
  func run() {
    while !store.isStopped {
      turn = store.turn
      do throws(LoadProblem) {
        try load(from: turn.place)
        store.finish(turn: turn.number)
      } catch {
        if let failure = failure(error) { store.fail(failure, turn: turn.number) }
      }
      guard store.waitForTurn(after: turn.number) else { return }
    }
  }

  private func failure(_ problem: LoadProblem) -> Failure? {
    let end = store.loadedEnd.seconds
    return problem.failure(end > 0 ? "cannot play '\(name)' past \(Int(end)) s" : "cannot play '\(name)'")
  }

  // MARK: - Segments

  private func load(from place: MediaTime) throws(LoadProblem) {
    var position = place
    guard var scheduler = try makeScheduler(from: &position) else { return }
    while !store.isOver(turn.number) {
      let step = scheduler.next(time: transport.now, buffer: store.bufferSeconds)
      guard case .request(_, let rung, let wait) = step else {
        guard case .wait(let seconds) = step else { return }
        try pause(seconds)
        scheduler.waited(seconds)
        continue
      }
      if wait > 0 { try pause(wait) }
      let decided = transport.now
      guard let found = try find(rung: rung, at: position) else { return }
      try follow(found, rung, &scheduler)
      let segment = scheduler.segment
      log.add(StreamHistory.Decision(time: decided, segment: segment, rung: rung))
      guard !found.segment.isGap else {
        position = found.end
        scheduler.seek(to: segment + 1)
        continue
      }
      if let end = try load(found, segment, rung, &scheduler) { position = end }
    }
  }

  private func pause(_ seconds: Double) throws(LoadProblem) {
    let (store, turn) = (store, turn)
    guard transport.pause(seconds: seconds, unless: { store.isOver(turn.number) }) else { throw .stopped }
  }

  /// The rungs and segments from here on; the timeline of the first rung that the controller wants is loaded before. Nil where none follow.
  private func makeScheduler(from position: inout MediaTime) throws(LoadProblem) -> SegmentScheduler? {
    var first = try scheduler(try table([1]))
    guard case .request(_, let rung, _) = first.next(time: transport.now, buffer: 0) else { throw .stopped }
    if try find(rung: rung, at: position) == nil, let end = track.end {
      guard turn.isJump else { return nil }
      // At the end, or past it: the last picture is wanted.
      position = max(.zero, min(position, end - StreamTrack.slack - StreamTrack.slack))
    }
    guard let place = try find(rung: rung, at: position) else { throw .failed(.badResponse("it has no segments")) }
    store.learn(track.end)
    let (table, segment) = try table(rung: rung, at: place)
    var made = try scheduler(table)
    if segment > 0 { made.seek(to: segment) }
    return made
  }

  /// The user's choice of a rung, else the controller of the options.
  private var controller: ControllerChoice {
    store.fixedRung.flatMap { ControllerChoice("fixed:\($0)") } ?? options.controller
  }

  private func scheduler(_ table: RungTable) throws(LoadProblem) -> SegmentScheduler {
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

  private func table(_ durations: [Double]) throws(LoadProblem) -> RungTable {
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

  /// The segment of a rung at a place; loads what tells where it lies. Nil at the end.
  private func find(rung: Int, at position: MediaTime) throws(LoadProblem) -> StreamTrack.Place? {
    while true {
      switch track.place(rung: rung, at: position) {
      case .found(let place): return place
      case .ended: return nil
      case .needs(let source, let stretch):
        track.learn(try headers.timeline(source, rung: rung, resources), rung: rung, stretch: stretch)
      }
    }
  }

  /// Loads one segment, of another rung where this one's cannot be had. Where it ends; nil: the download made way for another one.
  private func load(
    _ place: StreamTrack.Place, _ segment: Int, _ rung: Int, _ scheduler: inout SegmentScheduler
  ) throws(LoadProblem) -> MediaTime? {
    var (place, rung) = (place, rung)
    var others = substitutes(for: rung)
    while true {
      do throws(LoadProblem) {
        let loaded = try download(place, segment, rung, scheduler)
        let sample = loaded.times.sample
        scheduler.completed(rung: rung, sample: sample, time: transport.now, buffer: store.bufferSeconds)
        return place.end
      } catch {
        switch error {
        case .abandoned(let lower):
          scheduler.abandoned(rung: rung, for: lower, time: transport.now, buffer: store.bufferSeconds)
          return nil
        case .stopped, .broken, .refused: throw error
        case .failed(let problem):
          guard problem.isLacking, !others.isEmpty else { throw error }
          rung = others.removeFirst()
          guard let other = try find(rung: rung, at: place.start) else { throw error }
          place = other
        }
      }
    }
  }

  /// The rungs to try where a server lacks a segment: the next lower ones, then the higher ones.
  private func substitutes(for rung: Int) -> [Int] {
    Array((0..<rung).reversed()) + track.rungs.indices.filter { $0 > rung }
  }

  private func media(
    _ rung: Int, behind place: StreamTrack.Place, _ scheduler: SegmentScheduler
  ) -> StreamResource.Media {
    var media = StreamResource.Media(
      bitrate: track.rungs[rung].peakBitrate, topBitrate: track.rungs[scheduler.table.count - 1].peakBitrate,
      throughput: scheduler.throughput?.bitsPerSecond)
    if case .found(let next) = track.place(rung: rung, at: place.end) {
      media.next = (next.segment.address, next.segment.range)
    }
    return media
  }

  private func download(
    _ place: StreamTrack.Place, _ number: Int, _ rung: Int, _ scheduler: SegmentScheduler
  ) throws(LoadProblem) -> LoadedResource {
    let source = place.segment
    let header = try headers.initialization(source, rung: rung, resources)
    let name = redactingSecrets(ofArgument: source.address.text)
    let bytes = SegmentBytes(name, header: header)
    let segment = MediaSegment(
      bytes: bytes, coding: headers.coding(of: source, rung: rung, stretch: place.stretch), start: place.start,
      clock: place.clock)
    let cipher = try headers.cipher(of: source, rung: rung, resources)
    let seconds = (place.end - place.start).seconds
    let resource = StreamResource(
      kind: .segment, address: source.address, range: source.range, rung: rung, segment: number, seconds: seconds,
      media: media(rung, behind: place, scheduler), byteLimit: StreamOptions.segmentBytes)
    log.add(StreamHistory.Placed(segment: number, rung: rung, start: place.start, end: place.end))
    store.begin(segment, end: place.end, turn: turn.number)
    let (store, transport, bitrate) = (store, transport, track.rungs[rung].bitrate)
    var uses = ResourceLoader.Uses(take: { chunk in
      guard let cipher else { return bytes.append(chunk) }
      cipher.decrypt(chunk).withUnsafeBytes { bytes.append($0) }
    })
    if scheduler.abandonsDownloads {
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
      let turn = turn.number
      let loaded = try resources.stopping { store.isOver(turn) }.load(resource, uses)
      if let cipher {
        guard let last = cipher.finish() else {
          throw LoadProblem.failed(.badResponse("it cannot be decrypted: its key is another's, or it was cut"))
        }
        last.withUnsafeBytes { bytes.append($0) }
      }
      bytes.finish()
      store.complete(segment, turn: turn)
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
  /// The server answers, and does not have it.
  fileprivate var isLacking: Bool { kind == .status && status.map { (400...499).contains($0) } ?? false }
}

extension TransferTimes {
  /// First byte → last byte, after the latency.
  var sample: ThroughputSample {
    let first = firstByte ?? queued
    return ThroughputSample(bytes: Int(bytes), seconds: ended - first, latency: first - queued)
  }
}
