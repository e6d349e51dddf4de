import Decode
import Frames
import Media
import Playback
import Verdict

/// Replays one pattern and records the outcome of each seek.
struct ScrubMeasure {
  let trial: Trial
  let feed: FrameFeed
  private var view: ScrubView
  let slider: ScrubSlider
  let variant: ScrubVariant
  private(set) var orders = 0

  var repetition: RunSettings.Repetition { trial.request.settings.repetition }

  init(
    _ trial: Trial, _ feed: FrameFeed, _ view: ScrubView, _ slider: ScrubSlider, _ variant: ScrubVariant
  ) {
    self.trial = trial
    self.feed = feed
    self.view = view
    self.slider = slider
    self.variant = variant
  }

  mutating func finish() throws(Failure) {
    trial.endSegments()
    // Zero, not unknown, if none occurred.
    for counter in [Metric.seeksIssued, .seeksCoalesced, .outOfTolerance] { trial.count(counter, 0) }
    try view.finish()
  }

  /// Records a landing once it is on screen.
  mutating func record(
    _ landing: SeekLanding, of request: SeekRequest, requested: MonotonicTime
  ) throws(Failure) {
    trial.add(.framesDecodedPerSeek, Double(landing.framesDecoded))
    guard let frame = landing.frame?.frame else { return trial.count(.outOfTolerance) }
    let presented = try view.show(frame)
    trial.add(.seekLatency, presented.milliseconds(since: requested))
    trial.add(.seekError, (frame.presentationTime - request.target).milliseconds)
    if !request.accepts(frame) { trial.count(.outOfTolerance) }
    _ = view.number(of: frame)
  }

  /// Starts a seek and waits for it; nil when the user stops the run.
  private mutating func land(_ order: SeekOrder) throws(Failure) -> SeekLanding? {
    send(order)
    return try take()
  }

  mutating func send(_ order: SeekOrder) {
    orders += 1
    feed.go(order, id: orders, waits: true)
  }

  /// Waits for the last seek; nil if it has not landed by `deadline`.
  func take(until deadline: MonotonicTime? = nil) throws(Failure) -> SeekLanding? {
    feed.wait(until: deadline)
    var landing: SeekLanding?
    let supply = feed.drain { item in
      if case .landing(let new) = item { landing = new }
      if item.frame != nil { feed.release() }
    }
    if landing == nil, case .failed(let failure) = supply { throw failure }
    return landing
  }

  /// Seeks in a trial of full length; fewer in a shorter one, but enough for a median.
  private func count(_ usual: Int) -> Int {
    min(usual, max(6, Int((Double(usual) * repetition.duration / 10).rounded())))
  }
}

// Jumps.
extension ScrubMeasure {
  mutating func jump() throws(Failure) {
    let tolerance = variant.tolerance.time(on: slider) ?? slider.halfPixel
    let places = ScrubPattern.places(count(24), last: slider.duration, seed: repetition.seed)
    for (index, place) in places.enumerated() where !trial.shouldStop {
      let request = SeekRequest(target: place, toleranceBefore: tolerance, toleranceAfter: tolerance)
      trial.beginSegment()
      let requested = MonotonicTime.now
      trial.count(.seeksIssued)
      guard let landing = try land(.seek(request)) else { return }
      try record(landing, of: request, requested: requested)
      trial.progress(Double(index) / Double(places.count))
    }
  }
}

// Steps.
extension ScrubMeasure {
  /// From a few places, each reached by an exact seek that is not measured.
  mutating func step() throws(Failure) {
    let places = ScrubPattern.places(3, last: slider.duration, seed: repetition.seed)
    let steps = count(24) / places.count
    for (index, place) in places.enumerated() where !trial.shouldStop {
      guard var last = try land(.seek(SeekRequest(target: place)))?.frame?.frame else { continue }
      var number = view.number(of: last)
      for _ in 0..<steps where !trial.shouldStop {
        let requested = MonotonicTime.now
        trial.count(.seeksIssued)
        let order = variant.pattern == .stepBack ? SeekOrder.before(last.presentationTime) : .next
        guard let landing = try land(order) else { return }
        // No frame exists beyond the clip's ends.
        guard let frame = landing.frame?.frame else { break }
        trial.add(.framesDecodedPerSeek, Double(landing.framesDecoded))
        trial.add(.seekLatency, try view.show(frame).milliseconds(since: requested))
        let next = view.number(of: frame)
        if !isNext(frame, number: next, after: last, number: number) { trial.count(.outOfTolerance) }
        (last, number) = (frame, next)
      }
      trial.progress(Double(index + 1) / Double(places.count))
    }
  }

  /// Compares the frames' times, and their numbers if they show any.
  private func isNext(_ frame: VideoFrame, number: Int?, after last: VideoFrame, number lastNumber: Int?) -> Bool {
    let way = variant.pattern == .stepBack ? -1 : 1
    let (from, to) = way > 0 ? (last, frame) : (frame, last)
    guard from.presentationTime < to.presentationTime else { return false }
    guard let number, let lastNumber else { return true }
    // The first frame of the next repetition follows the last one of this.
    guard let numbers = view.numbers else { return number == lastNumber + way }
    return number == (lastNumber + way + numbers) % numbers
  }
}
