internal import CFFmpeg
import Frames
import Logging
import Media

/// Carries out the plans of `SeekPlanner`: lands on a frame that a request allows, and steps back.
///
/// One thread at a time, that of its pipeline.
final class SeekEngine {
  private let pipeline: FramePipeline
  private let finder: LandingFinder
  private let syncSamples: SyncSampleDecoder
  /// The last frame that was delivered; nil before the first.
  var delivered: (time: MediaTime, byteCount: Int)?
  /// The clip's first frame, once a step back from it was tried.
  private var firstTime: MediaTime?
  private var packets: PacketReader { pipeline.packets }
  private var cache: FrameCache { pipeline.cache }

  init(_ pipeline: FramePipeline) {
    self.pipeline = pipeline
    finder = LandingFinder(pipeline)
    syncSamples = SyncSampleDecoder(pipeline)
  }

  /// `FrameReader.seek`.
  func seek(_ request: SeekRequest) throws(Failure) -> VideoFrame? {
    let request = request.fromStart
    let plan = try plan(request, decoded: decodedFrames)
    decodeLog.debug("seek", metadata: ["target": "\(request.target.seconds)", "plan": "\(plan.name)"])
    return try carryOut(plan, request)
  }

  /// `FrameReader.previous`.
  func previous() throws(Failure) -> VideoFrame? {
    if let frame = cache.stepBack() { return frame }
    guard let last = delivered, last.time > firstTime ?? MediaTime(nanoseconds: .min) else { return nil }
    let request = SeekRequest(target: last.time - MediaTime(nanoseconds: 1))
    // The size of a frame that is not decoded yet is unknown: as large as the last.
    let room = max(1, cache.byteLimit / max(1, last.byteCount))
    let kept = MediaTime(
      nanoseconds: pipeline.nominalDuration.nanoseconds.multipliedReportingOverflow(by: Int64(room)).partialValue)
    let frame = try forward(request, from: try start(of: request), keepingFrom: last.time - kept)
    if let frame, frame.presentationTime < last.time { return frame }
    firstTime = last.time
    _ = try carryOut(.decodeForward(from: last.time), SeekRequest(target: last.time))
    return nil
  }

  /// Makes a frame that was delivered the last one that was.
  func go(to time: MediaTime) {
    guard let last = delivered, last.time != time else { return }
    if cache.go(to: time) == nil { cache.removeAll() }
    delivered = (time, last.byteCount)
  }

  /// The sync sample from which a request's landing is decoded.
  private func start(of request: SeekRequest) throws(Failure) -> MediaTime {
    switch try plan(request, decoded: DecodedFrames()) {
    case .syncSample(let time), .decodeForward(let time): time
    case .show, .decodeOn, .search: request.target
    }
  }

  private func plan(_ request: SeekRequest, decoded: DecodedFrames) throws(Failure) -> SeekPlanner.Plan {
    pipeline.loadIndex()
    packets.index.keepCurrent()
    let plan = SeekPlanner.plan(request, index: packets.index, decoded: decoded)
    guard plan == .search else { return plan }
    try finder.search(around: request)
    return SeekPlanner.plan(request, index: packets.index)
  }

  private var decodedFrames: DecodedFrames {
    DecodedFrames(
      held: cache.intervals, next: pipeline.hasEnded || delivered == nil ? nil : pipeline.expectedTime,
      spacing: pipeline.nominalDuration, delay: pipeline.counts.delayFrames ?? 0)
  }

  private func carryOut(_ plan: SeekPlanner.Plan, _ request: SeekRequest) throws(Failure) -> VideoFrame? {
    let start: MediaTime
    switch plan {
    case .show(let time):
      if let frame = cache.go(to: time) { return frame }
      start = time
    case .decodeOn:
      if let frame = try decodeOn(request) { return frame }
      start = packets.index.last(atOrBefore: request.target) ?? request.target
    case .syncSample(let time):
      if let frame = try syncSample(at: time, request) { return frame }
      if let frame = try firstFrame(at: time, request) { return frame }
      start = min(time, request.target)
    case .decodeForward(let time): start = time
    case .search: start = request.target
    }
    return try forward(request, from: start, keepingFrom: nil)
  }

  /// Shows a sync sample, or another one in the window where the demuxer finds no such one; nil when it finds none.
  private func syncSample(at time: MediaTime, _ request: SeekRequest) throws(Failure) -> VideoFrame? {
    guard let key = try finder.syncSample(at: time, request) else { return nil }
    if let frame = try syncSamples.show(key, goesOn: request.isOnTheWay) { return frame }
    return try decode(to: key, SeekScout(request), from: key)
  }

  /// The first frame decoded from a sync sample whose packet has no presentation timestamp.
  private func firstFrame(at time: MediaTime, _ request: SeekRequest) throws(Failure) -> VideoFrame? {
    guard !packets.source.hasNoIndex, pipeline.seek(toSyncSampleAt: time), let decoded = try pipeline.decodeNext()
    else { return nil }
    let frame = try pipeline.deliver(decoded)
    guard request.accepts(frame) else { return nil }
    cache.land(frame)
    return frame
  }

  /// Decodes from the sync sample before to the landing.
  ///
  /// - Parameter keepingFrom: frames from here to the landing are held, as far as there is room; nil for none.
  private func forward(
    _ request: SeekRequest, from start: MediaTime, keepingFrom: MediaTime?
  ) throws(Failure) -> VideoFrame? {
    var start = start
    var attempts = 2
    while let (key, scout) = try finder.scout(request, from: start), let landing = scout.landing {
      if landing == key, let frame = try syncSamples.show(key, scout, goesOn: request.isOnTheWay) { return frame }
      let first = max(key, min(keepingFrom ?? landing, landing))
      if let frame = try decode(to: landing, scout, from: first) { return frame }
      // The first frames of an open group may need those before its sync sample: once more from the one before.
      guard let before = packets.index.last(atOrBefore: key - pipeline.nominalDuration), start > before, attempts > 0
      else { break }
      attempts -= 1
      start = before
    }
    return try decodeAll(request, from: start, keepingFrom: keepingFrom)
  }

  /// Decodes on from where the decoder stands; nil when that leads nowhere.
  private func decodeOn(_ request: SeekRequest) throws(Failure) -> VideoFrame? {
    cache.removeAll()
    let passed = pipeline.place.time
    var scout = SeekScout(request)
    for stamp in pipeline.pending.stamps {
      guard let time = stamp.map(packets.time) else { return try walkOn(request) }
      if time > passed { scout.saw(presentationTime: time, decodingTime: nil) }
    }
    var position = 0
    while !scout.isCertain, let packet = try packets.packet(ahead: position) {
      guard let time = packets.presentationTime(packet) else { return try walkOn(request) }
      if time > passed, packets.queue.showsPicture(position) {
        scout.saw(presentationTime: time, decodingTime: packets.decodingTime(packet))
      }
      position += 1
    }
    guard scout.isCertain || !packets.queue.isFull, let landing = scout.landing,
      landing <= (request.isExact ? request.target : request.latest)
    else { return nil }
    return try decode(to: landing, scout, from: landing)
  }

  private func walkOn(_ request: SeekRequest) throws(Failure) -> VideoFrame? {
    let frame = try walk(request, keepingFrom: nil)
    return frame.flatMap { $0.presentationTime <= max(request.target, request.latest) ? $0 : nil }
  }

  /// Decodes up to a frame and holds those from `first` on; nil when another frame comes in its place.
  private func decode(
    to landing: MediaTime, _ scout: SeekScout, from first: MediaTime
  ) throws(Failure) -> VideoFrame? {
    pipeline.effort.skipping = .before(first)
    defer { pipeline.effort.skipping = .asAsked }
    while let decoded = try pipeline.decodeNext() {
      guard pipeline.place.time >= first else { continue }
      guard pipeline.place.time <= landing else { return nil }
      var frame = try pipeline.deliver(decoded)
      guard frame.presentationTime == landing else {
        cache.keep(frame)
        continue
      }
      scout.extend(&frame)
      cache.land(frame)
      return frame
    }
    return nil
  }

  /// Decodes every frame from the sync sample before and takes the first that the request allows: where packets do not
  /// tell what comes of them. A demuxer that lands late is asked again for an earlier place.
  private func decodeAll(
    _ request: SeekRequest, from start: MediaTime, keepingFrom: MediaTime?
  ) throws(Failure) -> VideoFrame? {
    var attempt = start
    var step = MediaTime(seconds: 1)
    while true {
      let isAtStart = try finder.move(to: attempt)
      if packets.lacksStamps { try finder.readToRefresh(before: request.target) }
      let frame = try walk(request, keepingFrom: keepingFrom)
      if isAtStart || frame.map({ $0.presentationTime <= max(request.target, .zero) }) ?? false { return frame }
      attempt = attempt - step
      step = step + step
    }
  }

  /// The first frame at or after the window's start that lies in it, else the one that is shown at the target.
  private func walk(_ request: SeekRequest, keepingFrom: MediaTime?) throws(Failure) -> VideoFrame? {
    pipeline.effort.skipping = .nothing
    defer { pipeline.effort.skipping = .asAsked }
    guard let last = av_frame_alloc() else {
      throw pipeline.failure(.failed, "out of memory")
    }
    var owned: UnsafeMutablePointer<AVFrame>? = last
    defer { av_frame_free(&owned) }
    var lastPlace: FramePlace?
    while let decoded = try pipeline.decodeNext() {
      let here = pipeline.place
      let isShown = here.time <= request.target && request.target < here.end
      let isInWindow = here.time >= request.earliest && here.time <= request.latest
      let isLanding = isShown || isInWindow && !request.isExact
      if isLanding || here.time <= request.target, let before = lastPlace, let keepingFrom, before.time >= keepingFrom {
        cache.keep(try deliver(last, before))
      }
      if isLanding { return try land(decoded, here) }
      if here.time > request.target {
        guard let before = lastPlace else { return try land(decoded, here) }
        _ = try land(last, before)
        cache.push(try deliver(decoded, here))
        return cache.current
      }
      av_frame_unref(last)
      av_frame_move_ref(last, decoded)
      lastPlace = here
    }
    guard let lastPlace else { return nil }
    return try land(last, lastPlace)
  }

  private func land(
    _ frame: UnsafeMutablePointer<AVFrame>, _ here: FramePlace
  ) throws(Failure) -> VideoFrame? {
    let frame = try deliver(frame, here)
    cache.land(frame)
    return frame
  }

  private func deliver(
    _ frame: UnsafeMutablePointer<AVFrame>, _ here: FramePlace
  ) throws(Failure) -> VideoFrame {
    pipeline.place = here
    return try pipeline.deliver(frame)
  }
}

extension SeekPlanner.Plan {
  /// For the log.
  fileprivate var name: String {
    switch self {
    case .show(let time): "show \(time.seconds)"
    case .decodeOn: "decode on"
    case .syncSample(let time): "sync sample \(time.seconds)"
    case .decodeForward(let time): "decode from \(time.seconds)"
    case .search: "search"
    }
  }
}
