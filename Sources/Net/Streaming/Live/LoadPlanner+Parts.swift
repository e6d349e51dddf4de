import Adaptation
import Frames
import HTTP

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

/// A segment whose parts are being loaded. A value.
struct OpenParts {
  let address: StreamAddress
  let rung: Int
  /// As its playlist listed them last.
  var parts: LiveParts
  /// Parts that were loaded.
  private(set) var count = 0
  /// Where they end.
  private(set) var reached: MediaTime
  /// The part behind the last was asked for before it was there, since the playlist came last.
  var hasTriedHint = false
  private var bytes = 0
  private var seconds = 0.0
  private var latency = 0.0

  init(_ parts: LiveParts, at address: StreamAddress, rung: Int) {
    (self.parts, self.address, self.rung, reached) = (parts, address, rung, parts.start)
  }

  /// The next part that is listed.
  var next: PartialSegment? { count < parts.parts.count ? parts.parts[count] : nil }

  /// The next part is there, or is a gap.
  ///
  /// - Parameter sample: nil: hinted parts, which the server waits for, tell nothing of the network.
  mutating func add(_ sample: ThroughputSample?) {
    if let next { reached = parts.end(of: next) }
    count += 1
    guard let sample else { return }
    bytes += sample.bytes
    seconds += sample.seconds
    latency = max(latency, sample.latency)
  }

  /// What they tell of the network; nil: nothing.
  var sample: ThroughputSample? {
    bytes > 0 ? ThroughputSample(bytes: bytes, seconds: max(seconds, 1e-6), latency: latency) : nil
  }
}

// Low latency: a segment is handed over part by part while it is made.
extension LoadPlanner {
  /// The open segment, where it holds a place.
  func parts(rung: Int, at wanted: MediaTime) -> LiveParts? {
    guard let known = track.playlist(rung: rung).flatMap({ playlists[$0] }), let open = known.openParts,
      let last = open.parts.last, open.end(of: last) > wanted
    else { return nil }
    return open
  }

  /// Begins a segment whose parts are being published.
  mutating func plan(
    _ parts: LiveParts, number: Int, rung: Int, _ decision: StreamHistory.Decision?
  ) -> LoadAction? {
    guard let address = track.playlist(rung: rung) else { return nil }
    // It is said to be as long as the longest, until it ends.
    let end = parts.start + (track.longestSegment.map { MediaTime(seconds: $0) } ?? .zero)
    live.placedEnd = end
    open = OpenParts(parts, at: address, rung: rung)
    flow.asked = .open
    let placed = StreamHistory.Placed(segment: number, rung: rung, start: parts.start, end: end, run: run(rung))
    return .open(PlannedParts(parts: parts, placed: placed, decision: decision))
  }

  /// Goes on with the open segment.
  mutating func nextPart(_ now: LoadSituation) -> LoadAction? {
    guard var open, let known = playlists[open.address] else { return nil }
    defer { self.open = open }
    if let listed = known.parts(ofNumber: open.parts.number) {
      open.parts = listed
    } else if known.playlist.isEnded || known.openParts != nil
      || known.playlist.timeline.listed?.last.map({ $0.number >= open.parts.number }) ?? true
    {
      // Its parts are not listed any more, or the playlist began anew: what is there is shown.
      return close(open)
    }
    while let part = open.next {
      guard part.isGap else {
        flow.asked = .part
        return .part(part, end: open.parts.end(of: part))
      }
      open.add(nil)
    }
    if open.parts.isWhole { return close(open) }
    if !open.hasTriedHint, known.isBlocking, live.hints.isWorthwhile(at: now.time),
      let hint = known.playlist.edge.hints.first(where: { $0.kind == .part }), hint.length == nil, hint.offset == 0
    {
      open.hasTriedHint = true
      flow.asked = .hint
      return .hint(hint.address)
    }
    if let problem = stuckProblem(now) { return end(.fail(problem)) }
    return refreshWanted(open.rung, now)
  }

  private mutating func close(_ open: OpenParts) -> LoadAction {
    flow.asked = .close
    return .close(end: open.reached)
  }

  /// A part was loaded.
  mutating func partCame(_ sample: ThroughputSample?, hintWasRight: Bool?, _ now: LoadSituation) {
    open?.add(sample)
    if let hintWasRight { live.hints.note(isRight: hintWasRight, at: now.time) }
  }
}
