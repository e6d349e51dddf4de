import Adaptation
import Frames
import HTTP
import Media

/// The parts of a low-latency segment that is not complete (`EXT-X-PART`). A value.
struct LiveParts {
  var number: Int64
  var parts: [PartialSegment]
  /// The segment is whole: no part follows.
  var isWhole: Bool
  var discontinuity: Int64
  var initialization: InitializationSection?
  /// Where the playlist's own zero lies on the axis.
  var origin: MediaTime

  var start: MediaTime { origin + MediaTime(nanoseconds: parts.first?.start ?? 0) }
  func end(of part: PartialSegment) -> MediaTime {
    origin + MediaTime(nanoseconds: part.start.addingSaturated(part.duration))
  }
}

extension LivePlaylists.Known {
  private var epochOffset: Int64 { epoch << 40 }

  /// The parts of the segment behind the last one.
  var openParts: LiveParts? {
    guard !playlist.edge.parts.isEmpty, let last = playlist.timeline.listed?.last, last.key == nil else { return nil }
    return LiveParts(
      number: last.number + 1, parts: playlist.edge.parts, isWhole: false,
      discontinuity: playlist.edge.discontinuity + epochOffset, initialization: last.initialization, origin: origin)
  }

  /// The parts of a segment, be it complete or not; nil where they are not listed.
  func parts(ofNumber number: Int64) -> LiveParts? {
    if let index = playlist.timeline.index(ofNumber: number), let segment = playlist.timeline[index] {
      return segment.parts.isEmpty
        ? nil
        : LiveParts(
          number: number, parts: segment.parts, isWhole: true, discontinuity: segment.discontinuity + epochOffset,
          initialization: segment.initialization, origin: origin)
    }
    return openParts.flatMap { $0.number == number ? $0 : nil }
  }
}

// Low latency: a segment is handed over part by part while it is made.
extension StreamLoader {
  /// The open segment, where it holds a place.
  func parts(rung: Int, at wanted: MediaTime) -> LiveParts? {
    guard let known = track.playlist(rung: rung).flatMap({ playlists[$0] }), let open = known.openParts,
      let last = open.parts.last, open.end(of: last) > wanted
    else { return nil }
    return open
  }

  /// Loads the parts of a segment until it is whole; gives where it ends.
  func load(
    _ first: LiveParts, number: Int, rung: Int, _ scheduler: inout SegmentScheduler
  ) throws(LoadProblem) -> MediaTime {
    guard let address = track.playlist(rung: rung), let opening = first.parts.first else { return first.start }
    var source = Segment(
      number: first.number, address: opening.address, start: opening.start, duration: opening.duration,
      discontinuity: first.discontinuity)
    source.initialization = first.initialization
    let header = try headers.initialization(source, rung: recorded(rung), resources)
    let bytes = SegmentBytes(redactingSecrets(ofArgument: opening.address.text), header: header)
    let segment = MediaSegment(
      bytes: bytes, coding: headers.coding(of: source, rung: rung, stretch: 0), start: first.start,
      clock: .run(first.discontinuity))
    var download = PartDownload(segment: segment, number: number, rung: rung, reached: first.start)
    let turn = turn.number
    let placed = StreamHistory.Placed(
      segment: number, rung: rung, start: first.start,
      end: first.start + (track.longestSegment.map { MediaTime(seconds: $0) } ?? .zero))
    liveProgress.placedEnd = placed.end
    note(placed)
    store.begin(segment, end: first.start, isProgressive: true, turn: turn)
    do throws(LoadProblem) {
      try follow(first, at: address, &download)
      bytes.finish()
      store.complete(segment, turn: turn)
      end(placed, at: download.reached)
      liveProgress.placedEnd = download.reached
    } catch {
      end(placed, at: download.reached)
      _ = store.withdraw(segment)
      bytes.finish("it was not loaded to its end")
      if bytes.isTaken, case .failed(let problem) = error { throw .broken(problem) }
      throw error
    }
    if download.bytes > 0 {
      scheduler.completed(
        rung: rung,
        sample: ThroughputSample(
          bytes: download.bytes, seconds: max(download.seconds, 1e-6), latency: download.latency),
        time: transport.now, buffer: store.bufferSeconds)
    }
    return download.reached
  }

  /// It was said to be as long as the longest.
  private func end(_ placed: StreamHistory.Placed, at place: MediaTime) {
    if video != nil { log.end(placed.segment, at: place) }
  }

  private func follow(
    _ first: LiveParts, at address: StreamAddress, _ download: inout PartDownload
  ) throws(LoadProblem) {
    var known = first
    var count = 0
    while true {
      while count < known.parts.count {
        try load(known.parts[count], of: known, &download)
        count += 1
      }
      guard !known.isWhole else { return }
      guard !turn.ending.isRequested else { throw .stopped }
      try loadHint(at: address, &download)
      try refresh(rung: download.rung, waits: true)
      try requireNews()
      guard let now = playlists[address]?.parts(ofNumber: first.number) else {
        // Its parts are not listed any more, or the playlist began anew: what is there is shown.
        guard playlists[address]?.playlist.isEnded == false, playlists[address]?.openParts == nil,
          playlists[address]?.playlist.timeline.listed?.last.map({ $0.number < first.number }) ?? false
        else { return }
        continue
      }
      known = now
    }
  }

  /// The part that comes next is asked for before it is there, and kept until the playlist names it.
  private func loadHint(at address: StreamAddress, _ download: inout PartDownload) throws(LoadProblem) {
    guard let hint = playlists[address]?.playlist.edge.hints.first(where: { $0.kind == .part }), hint.length == nil,
      hint.offset == 0, playlists[address]?.isBlocking == true, liveProgress.hints.isWorthwhile(at: transport.now)
    else { return }
    do throws(LoadProblem) {
      download.hinted = (hint.address, try resources.bytes(resource(hint.address, nil, nil, download)).bytes)
    } catch {
      guard case .failed = error else { throw error }
      liveProgress.hints.note(isRight: false, at: transport.now)
    }
  }

  private func load(
    _ part: PartialSegment, of known: LiveParts, _ download: inout PartDownload
  ) throws(LoadProblem) {
    let turn = turn.number
    defer { download.reached = known.end(of: part) }
    guard !part.isGap else { return }
    let isHinted = download.hinted?.address == part.address && part.range == nil
    if download.hinted != nil { liveProgress.hints.note(isRight: isHinted, at: transport.now) }
    if isHinted, let hinted = download.hinted {
      hinted.bytes.withUnsafeBytes { download.segment.bytes.append($0) }
    } else {
      let (bytes, loaded) = try resources.bytes(
        resource(part.address, part.range, Double(part.duration) / 1e9, download))
      bytes.withUnsafeBytes { download.segment.bytes.append($0) }
      download.add(loaded.times.sample)
    }
    download.hinted = nil
    store.progress(download.segment, to: known.end(of: part), turn: turn)
  }

  private func resource(
    _ address: StreamAddress, _ range: ByteRange?, _ seconds: Double?, _ download: PartDownload
  ) -> StreamResource {
    StreamResource(
      kind: .segment, address: address, range: range, rung: recorded(download.rung), segment: download.number,
      seconds: seconds,
      byteLimit: options.limits.segmentBytes)
  }
}

/// Whether preload hints of a stream name what comes next. A value.
struct PreloadHints {
  private var wrong = 0
  private var noted = 0.0
  private static let wrongLimit = 3
  /// Hints that were wrong so often are followed again after so many seconds.
  private static let rest = 15.0

  func isWorthwhile(at now: Double) -> Bool { wrong < Self.wrongLimit || now - noted >= Self.rest }

  mutating func note(isRight: Bool, at now: Double) { (wrong, noted) = (isRight ? 0 : wrong + 1, now) }
}

/// A segment whose parts are being loaded.
private struct PartDownload {
  let segment: MediaSegment
  /// In the history.
  let number: Int
  let rung: Int
  /// Where the loaded parts end.
  var reached: MediaTime
  var hinted: (address: StreamAddress, bytes: [UInt8])?
  private(set) var bytes = 0
  private(set) var seconds = 0.0
  private(set) var latency = 0.0

  init(segment: MediaSegment, number: Int, rung: Int, reached: MediaTime) {
    (self.segment, self.number, self.rung, self.reached) = (segment, number, rung, reached)
  }

  /// Of a part that existed when it was asked for: hinted parts, which the server waits for, tell nothing of the network.
  mutating func add(_ sample: ThroughputSample) {
    bytes += sample.bytes
    seconds += sample.seconds
    latency = max(latency, sample.latency)
  }
}
