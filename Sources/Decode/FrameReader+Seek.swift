internal import CFFmpeg
import Frames
import Media

extension FrameReader {
  /// Lands on a frame the request allows, by the seek rule; nil when there is no frame at all.
  ///
  /// The frame after it is what `next()` gives. Past the end it is the last frame: what a player keeps showing. Frames
  /// before the landing are not converted, and those among them that no other refers to are not decoded.
  public func seek(_ request: SeekRequest) throws(Failure) -> VideoFrame? {
    let request = request.fromStart
    return try carryOut(try plan(request, decoded: decodedFrames), request).map(handOut)
  }

  /// The clip's first frame as soon as it can be had; nil when there is none. What `next()` gives follows on it.
  ///
  /// Its packet is decoded alone where it tells what it holds: else a decoder keeps the frame back until it has seen as many
  /// others as may come before it.
  public func first() throws(Failure) -> VideoFrame? {
    // A file that comes from elsewhere would be asked for once more.
    guard delivered == nil, !file.isRemote else { return try next() }
    return try seek(SeekRequest(target: .zero))
  }

  /// The frame before the one that was delivered last; nil at the clip's first. What `next()` gives follows on it.
  ///
  /// Where it is not at hand, its group is decoded once, and as many of the frames before it as there is room for are held:
  /// the next steps back cost nothing.
  public func previous() throws(Failure) -> VideoFrame? {
    if let frame = tape.stepBack() { return handOut(frame) }
    guard let last = delivered, last.time > firstTime ?? MediaTime(nanoseconds: .min) else { return nil }
    let request = SeekRequest(target: last.time - MediaTime(nanoseconds: 1))
    // Of a frame that nobody holds any more there is no telling how large the next is: as large.
    let room = max(1, tape.byteLimit / max(1, last.byteCount))
    let kept = MediaTime(
      nanoseconds: nominalDuration.nanoseconds.multipliedReportingOverflow(by: Int64(room)).partialValue)
    let frame = try forward(request, from: try start(of: request), keepingFrom: last.time - kept)
    if let frame, frame.presentationTime < last.time { return handOut(frame) }
    firstTime = last.time
    _ = try carryOut(.decodeForward(from: last.time), SeekRequest(target: last.time))
    return nil
  }

  /// The frame before the one at `time`, which came from here but need not be the last that did: whoever reads ahead goes
  /// back from what is shown.
  public func previous(to time: MediaTime) throws(Failure) -> VideoFrame? {
    if let last = delivered, last.time != time {
      if tape.go(to: time) == nil { tape.removeAll() }
      delivered = (time, last.byteCount)
    }
    return try previous()
  }

  /// Where a request's landing is decoded from.
  private func start(of request: SeekRequest) throws(Failure) -> MediaTime {
    switch try plan(request, decoded: DecodedFrames()) {
    case .syncSample(let time), .decodeForward(let time): time
    case .show, .decodeOn, .search: request.target
    }
  }

  private func plan(_ request: SeekRequest, decoded: DecodedFrames) throws(Failure) -> SeekPlanner.Plan {
    loadIndex()
    index.keepCurrent()
    let plan = SeekPlanner.plan(request, index: index, decoded: decoded)
    guard plan == .search else { return plan }
    try search(around: request)
    return SeekPlanner.plan(request, index: index)
  }

  private var decodedFrames: DecodedFrames {
    DecodedFrames(
      held: tape.intervals, next: hasEnded || delivered == nil ? nil : expectedTime, spacing: nominalDuration,
      delay: decoderDelayFrames ?? 0)
  }

  private func carryOut(_ plan: SeekPlanner.Plan, _ request: SeekRequest) throws(Failure) -> VideoFrame? {
    let start: MediaTime
    switch plan {
    case .show(let time):
      if let frame = tape.go(to: time) { return frame }
      start = time
    case .decodeOn:
      if let frame = try decodeOn(request) { return frame }
      start = index.last(atOrBefore: request.target) ?? request.target
    case .syncSample(let time):
      if let frame = try syncSample(at: time, request) { return frame }
      if let frame = try firstFrame(at: time, request) { return frame }
      start = min(time, request.target)
    case .decodeForward(let time): start = time
    case .search: start = request.target
    }
    return try forward(request, from: start, keepingFrom: nil)
  }

  /// What comes out first where the demuxer goes for a sync sample of whose packet nobody knows when it is shown.
  private func firstFrame(at time: MediaTime, _ request: SeekRequest) throws(Failure) -> VideoFrame? {
    guard !file.hasNoIndex, seek(toSyncSampleAt: time), let decoded = try decodeNext() else { return nil }
    let frame = try deliver(decoded)
    guard request.accepts(frame) else { return nil }
    tape.land(frame)
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
    while let (key, scout) = try scout(request, from: start), let landing = scout.landing {
      if landing == key, let frame = try showAlone(key, scout, goesOn: request.isOnTheWay) { return frame }
      let first = max(key, min(keepingFrom ?? landing, landing))
      if let frame = try decode(to: landing, scout, from: first) { return frame }
      // The first frames of an open group may need those before its sync sample: once more from the one before.
      guard let before = index.last(atOrBefore: key - nominalDuration), start > before, attempts > 0 else { break }
      attempts -= 1
      start = before
    }
    return try decodeAll(request, from: start, keepingFrom: keepingFrom)
  }

  /// Decodes on from where the decoder stands; nil when that leads nowhere.
  private func decodeOn(_ request: SeekRequest) throws(Failure) -> VideoFrame? {
    tape.removeAll()
    let passed = place.time
    var scout = SeekScout(request)
    for stamp in owed.stamps {
      guard let time = stamp.map(mediaTime) else { return try walkOn(request) }
      if time > passed { scout.saw(presentationTime: time, decodingTime: nil) }
    }
    var position = 0
    while !scout.isCertain, let packet = try packet(ahead: position) {
      guard let stamp = optionalStamp(packet.pointee.pts) else { return try walkOn(request) }
      let time = mediaTime(stamp)
      if time > passed, ahead.showsPicture(position) {
        scout.saw(presentationTime: time, decodingTime: decodingTime(packet))
      }
      position += 1
    }
    guard scout.isCertain || ahead.byteCount < PacketsAhead.byteLimit, let landing = scout.landing,
      landing <= (request.isExact ? request.target : request.latest)
    else { return nil }
    return try decode(to: landing, scout, from: landing)
  }

  private func walkOn(_ request: SeekRequest) throws(Failure) -> VideoFrame? {
    let frame = try walk(request, keepingFrom: nil)
    return frame.flatMap { $0.presentationTime <= max(request.target, request.latest) ? $0 : nil }
  }

  /// Decodes up to a frame and holds those from `first` on; nil when another frame comes in its place.
  func decode(
    to landing: MediaTime, _ scout: SeekScout, from first: MediaTime
  ) throws(Failure) -> VideoFrame? {
    skipping = .before(first)
    defer { skipping = .asAsked }
    while let decoded = try decodeNext() {
      guard place.time >= first else { continue }
      guard place.time <= landing else { return nil }
      var frame = try deliver(decoded)
      guard frame.presentationTime == landing else {
        tape.keep(frame)
        continue
      }
      scout.extend(&frame)
      tape.land(frame)
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
      let isAtStart = lacksStamps || attempt <= .zero || !seek(toSyncSampleAt: attempt)
      if isAtStart { try goToStart() }
      if lacksStamps { try readToRefresh(before: request.target) }
      let frame = try walk(request, keepingFrom: keepingFrom)
      if isAtStart || frame.map({ $0.presentationTime <= max(request.target, .zero) }) ?? false { return frame }
      attempt = attempt - step
      step = step + step
    }
  }

  /// The first frame at or after the window's start that lies in it, else the one that is shown at the target.
  private func walk(_ request: SeekRequest, keepingFrom: MediaTime?) throws(Failure) -> VideoFrame? {
    skipping = .nothing
    defer { skipping = .asAsked }
    guard let last = av_frame_alloc() else {
      throw Failure(.failed, "cannot decode '\(info.path)'", cause: "out of memory")
    }
    var owned: UnsafeMutablePointer<AVFrame>? = last
    defer { av_frame_free(&owned) }
    var lastPlace: (time: MediaTime, duration: MediaTime)?
    while let decoded = try decodeNext() {
      let here = place
      let isShown = here.time <= request.target && request.target < here.time + here.duration
      let isInWindow = here.time >= request.earliest && here.time <= request.latest
      let isLanding = isShown || isInWindow && !request.isExact
      if isLanding || here.time <= request.target, let before = lastPlace, let keepingFrom, before.time >= keepingFrom {
        tape.keep(try deliver(last, before))
      }
      if isLanding { return try land(decoded, here) }
      if here.time > request.target {
        guard let before = lastPlace else { return try land(decoded, here) }
        _ = try land(last, before)
        tape.push(try deliver(decoded, here))
        return tape.current
      }
      av_frame_unref(last)
      av_frame_move_ref(last, decoded)
      lastPlace = here
    }
    guard let lastPlace else { return nil }
    return try land(last, lastPlace)
  }

  private func land(
    _ frame: UnsafeMutablePointer<AVFrame>, _ here: (time: MediaTime, duration: MediaTime)
  ) throws(Failure) -> VideoFrame? {
    let frame = try deliver(frame, here)
    tape.land(frame)
    return frame
  }

  private func deliver(
    _ frame: UnsafeMutablePointer<AVFrame>, _ here: (time: MediaTime, duration: MediaTime)
  ) throws(Failure) -> VideoFrame {
    place = here
    return try deliver(frame)
  }
}
