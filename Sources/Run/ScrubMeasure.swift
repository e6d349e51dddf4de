import Decode
import Frames
import Playback

/// Goes through one pattern and records what each seek came to.
struct ScrubMeasure {
  private let trial: Trial
  private let thread: SeekThread
  private var view: ScrubView
  private let slider: ScrubSlider
  private let variant: ScrubVariant
  private var orders = 0

  private var settings: RunSettings { trial.request.settings }

  init(
    _ trial: Trial, _ thread: SeekThread, _ view: ScrubView, _ slider: ScrubSlider, _ variant: ScrubVariant
  ) {
    self.trial = trial
    self.thread = thread
    self.view = view
    self.slider = slider
    self.variant = variant
  }

  mutating func finish() throws(Failure) {
    // Known to be none, where none occurred.
    for counter in ["seeks_issued", "seeks_coalesced", "out_of_tolerance"] { trial.count(counter, 0) }
    try view.finish()
  }

  /// Records a landing, once it is on screen.
  private mutating func record(
    _ landing: SeekThread.Landing, of request: SeekRequest, requested: MonotonicTime
  ) throws(Failure) {
    trial.add("frames_decoded_per_seek", Double(landing.framesDecoded))
    guard let frame = landing.frame else { return trial.count("out_of_tolerance") }
    let presented = try view.show(frame)
    trial.add("seek_latency_ms", presented.milliseconds(since: requested))
    trial.add("seek_error_ms", (frame.presentationTime - request.target).milliseconds)
    if !request.accepts(frame) { trial.count("out_of_tolerance") }
    _ = view.number(of: frame)
  }

  /// Orders something and waits for it; nil when the user wants to stop.
  private mutating func land(_ order: SeekThread.Order) throws(Failure) -> SeekThread.Landing? {
    orders += 1
    thread.send(order, id: orders)
    return try thread.take()
  }

  /// So many of something in a trial of full length; fewer in a shorter one, but enough for a median.
  private func count(_ usual: Int) -> Int {
    min(usual, max(6, Int((Double(usual) * settings.duration / 10).rounded())))
  }
}

// Jumps.
extension ScrubMeasure {
  mutating func jump() throws(Failure) {
    let tolerance = variant.tolerance.time(on: slider)
    let places = ScrubPattern.places(count(24), last: slider.duration, seed: settings.seed)
    for (index, place) in places.enumerated() where !trial.shouldStop {
      let request = SeekRequest(target: place, toleranceBefore: tolerance, toleranceAfter: tolerance)
      let requested = MonotonicTime.now
      trial.count("seeks_issued")
      guard let landing = try land(.seek(request)) else { return }
      try record(landing, of: request, requested: requested)
      trial.progress(Double(index) / Double(places.count))
    }
  }
}

// Steps.
extension ScrubMeasure {
  /// From a few places, to each of which an exact seek leads that is not measured.
  mutating func step() throws(Failure) {
    let places = ScrubPattern.places(3, last: slider.duration, seed: settings.seed)
    let steps = count(24) / places.count
    for (index, place) in places.enumerated() where !trial.shouldStop {
      guard var last = try land(.seek(SeekRequest(target: place)))?.frame else { continue }
      var number = view.number(of: last)
      for _ in 0..<steps where !trial.shouldStop {
        let requested = MonotonicTime.now
        trial.count("seeks_issued")
        guard let landing = try land(variant.pattern == .stepBack ? .stepBack : .stepForward) else { return }
        // Beside the clip's ends there is no frame.
        guard let frame = landing.frame else { break }
        trial.add("frames_decoded_per_seek", Double(landing.framesDecoded))
        trial.add("seek_latency_ms", try view.show(frame).milliseconds(since: requested))
        let next = view.number(of: frame)
        if !isNext(frame, number: next, after: last, number: number) { trial.count("out_of_tolerance") }
        (last, number) = (frame, next)
      }
      trial.progress(Double(index + 1) / Double(places.count))
    }
  }

  /// Told by the numbers that they show, where they do, else at least by their times.
  private func isNext(_ frame: VideoFrame, number: Int?, after last: VideoFrame, number lastNumber: Int?) -> Bool {
    let way = variant.pattern == .stepBack ? -1 : 1
    let (from, to) = way > 0 ? (last, frame) : (frame, last)
    guard from.presentationTime < to.presentationTime else { return false }
    guard let number, let lastNumber else { return true }
    // After the last frame of a repetition comes the first of the next.
    guard let numbers = view.numbers else { return number == lastNumber + way }
    return number == (lastNumber + way + numbers) % numbers
  }
}

extension VideoFrame {
  fileprivate var interval: Range<MediaTime> {
    presentationTime..<max(presentationTime, presentationTime + duration)
  }
}

// Drags.
extension ScrubMeasure {
  /// The hand moves with the display's refreshes, whatever the decoder does.
  mutating func drag() throws(Failure) {
    let period = 1000 / (settings.refresh.value ?? 60)
    let ticks = max(2, Int(min(variant.pattern.seconds, settings.duration) * 1000 / period))
    let pixels = variant.pattern.pixels(ticks, width: slider.width, seed: settings.seed)
    var hand = Scrubber(slider: slider, tolerance: .fixed(variant.tolerance.time(on: slider)))
    var running: ScrubSeek?
    func perform(_ actions: [ScrubAction]) {
      for case .seek(let seek) in actions {
        running = seek
        thread.send(.seek(seek.request), id: seek.id)
      }
    }
    let start = MonotonicTime.now
    perform(hand.begin(rate: 1))
    var next = start
    while hand.state != .idle, !trial.shouldStop {
      let now = MonotonicTime.now
      if now >= next, hand.state == .scrubbing {
        let tick = Int(now.milliseconds(since: start) / period)
        perform(tick < ticks ? hand.move(to: slider.time(atPixel: pixels[tick]), at: now) : hand.end(at: now))
        perform(hand.tick(at: now))
        trial.add("scrub_lag_ms", hand.lag(at: now)?.milliseconds)
        trial.progress(Double(tick) / Double(ticks))
        next = start.advanced(byMilliseconds: Double(tick + 1) * period)
      }
      // What is shown may be what it let go at: then nothing is on its way.
      guard hand.state != .idle else { break }
      guard let landing = try thread.take(until: hand.state == .scrubbing ? next : nil) else { continue }
      guard let seek = running, seek.id == landing.id else { continue }
      // The next seek decodes while this one's picture is drawn. No refresh lies in between.
      perform(hand.landed(landing.id, interval: landing.frame?.interval, at: .now))
      try record(landing, of: seek.request, requested: seek.requested)
    }
    trial.count("seeks_issued", hand.seeksIssued)
    trial.count("seeks_coalesced", hand.seeksCoalesced)
  }
}
