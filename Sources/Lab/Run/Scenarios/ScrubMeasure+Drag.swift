import Frames
import Playback

extension ScrubMeasure {
  /// The pointer moves once per refresh, independently of the decoder.
  mutating func drag() throws(Failure) {
    let period = 1000 / (trial.request.settings.pacing.refresh.value ?? 60)
    let ticks = max(2, Int(min(variant.pattern.seconds, repetition.duration) * 1000 / period))
    let pixels = variant.pattern.pixels(ticks, width: slider.width, seed: repetition.seed)
    let tolerance = variant.tolerance.time(on: slider).map { ScrubTolerance.fixed($0) } ?? .adaptive
    var drag = Drag(hand: Scrubber(slider: slider, tolerance: tolerance))
    let start = MonotonicTime.now
    perform(drag.hand.begin(rate: 1), &drag)
    var next = start
    while drag.hand.state != .idle, !trial.shouldStop {
      let now = MonotonicTime.now
      if now >= next, drag.hand.state == .scrubbing {
        let tick = Int(now.milliseconds(since: start) / period)
        move(tick < ticks ? slider.time(atPixel: pixels[tick]) : nil, at: now, &drag)
        trial.progress(Double(tick) / Double(ticks))
        next = start.advanced(byMilliseconds: Double(tick + 1) * period)
      }
      // The picture shown may already be that of the release: then no seek is pending.
      guard drag.hand.state != .idle else { break }
      try land(until: drag.hand.state == .scrubbing ? next : nil, &drag)
    }
    for lag in drag.lags(halfPixel: slider.halfPixel) { trial.add(.scrubLag, lag) }
    trial.count(.seeksIssued, drag.hand.seeksIssued)
    trial.count(.seeksCoalesced, drag.hand.seeksCoalesced)
  }

  /// A refresh: the pointer moves, or is released.
  private mutating func move(_ place: MediaTime?, at now: MonotonicTime, _ drag: inout Drag) {
    if let place {
      drag.path.add(place, at: now)
      perform(drag.hand.move(to: place, at: now), &drag)
    } else {
      perform(drag.hand.end(at: now), &drag)
    }
    perform(drag.hand.tick(at: now), &drag)
    if place != nil, let shown = drag.shown { drag.refreshes.append((now, shown)) }
  }

  private mutating func land(until deadline: MonotonicTime?, _ drag: inout Drag) throws(Failure) {
    guard let landing = try take(until: deadline), landing.id == drag.order, let seek = drag.running else { return }
    let frame = landing.frame?.frame
    // The next seek decodes while this one's picture is drawn, with no refresh between them.
    perform(drag.hand.landed(seek.id, interval: frame?.interval, at: .now), &drag)
    try record(landing, of: seek.request, requested: seek.requested)
    drag.shown = frame?.interval ?? drag.shown
  }

  private mutating func perform(_ actions: [ScrubAction], _ drag: inout Drag) {
    for case .seek(let seek) in actions {
      send(.seek(seek.request))
      (drag.running, drag.order) = (seek, orders)
    }
  }
}

/// A drag in progress.
private struct Drag {
  var hand: Scrubber
  var running: ScrubSeek?
  /// The order that stands for it.
  var order = 0
  var path = HandPath()
  /// The media time range of the picture on screen.
  var shown: Range<MediaTime>?
  /// Since the first picture.
  var refreshes: [(time: MonotonicTime, shown: Range<MediaTime>)] = []

  /// Milliseconds, one per refresh: a pointer resolves half a pixel at best.
  func lags(halfPixel: MediaTime) -> [Double] {
    refreshes.compactMap { time, shown in
      path.lag(of: ClosedRange(from: shown.lowerBound - halfPixel, through: shown.upperBound + halfPixel), at: time)
    }
  }
}

extension VideoFrame {
  fileprivate var interval: Range<MediaTime> {
    Range(from: presentationTime, to: max(presentationTime, presentationTime + duration))
  }
}
