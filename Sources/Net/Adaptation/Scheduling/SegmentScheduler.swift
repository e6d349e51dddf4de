import Frames

/// What a player loads next: load control and a controller over the segments of one presentation.
///
/// A value without a clock: the caller tells the time and the buffer, does what `next` says, and reports how it ended. The virtual
/// clock and real downloads make the same calls, in this order for each request: `next` (and `waited`, until it is no wait),
/// `abandonment` while bytes come, then `completed` or `abandoned`. Times in seconds.
public struct SegmentScheduler: Sendable {
  /// What to do.
  public enum Step: Sendable, Hashable {
    /// The buffer is full: load nothing for `seconds`, call `waited`, and ask again.
    case wait(seconds: Double)
    /// Wait, then request the segment.
    case request(segment: Int, rung: Int, wait: Double)
    /// All segments are loaded.
    case finished
  }

  /// Requests that a situation remembers.
  public static let samplesKept = 20

  /// The rungs that may be loaded: without those above the peak bitrate.
  public private(set) var table: RungTable
  public let load: LoadPolicy
  /// The next segment to load.
  public private(set) var segment = 0
  /// The expected throughput; nil before the first request has finished.
  public private(set) var throughput: ThroughputEstimate?
  private var controller: any AdaptationController
  private var estimator: any ThroughputEstimator
  private var samples: [ThroughputSample] = []
  private var previousRung = 0
  /// The rung that an abandoned download made way for.
  private var lowerRung: Int?
  /// When the current segment was requested, s.
  private var bufferAtRequest = 0.0

  /// Throws `.usage` if the controller's number is no rung of the table.
  public init(
    _ table: RungTable, controller: ControllerChoice, load: LoadPolicy, estimator: EstimatorRow = EstimatorRow.all[0]
  ) throws(Failure) {
    let allowed = load.peakBitrate.map(table.limited(to:)) ?? table
    self.init(
      allowed, try controller.make(allowed, maximumBuffer: load.maximum), load: load,
      estimator: estimator.make(allowed.segmentSeconds))
  }

  /// With a controller and an estimator of the caller's own, made for this table.
  public init(
    _ table: RungTable, _ controller: any AdaptationController, load: LoadPolicy, estimator: any ThroughputEstimator
  ) {
    (self.table, self.controller, self.load, self.estimator) = (table, controller, load, estimator)
  }

  /// Whether `abandonment` can return a rung.
  public var abandonsDownloads: Bool { controller.abandonsDownloads }

  /// - Parameter buffer: media ahead of the playhead, s.
  public mutating func next(time: Double, buffer: Double) -> Step {
    guard segment < table.durations.count else { return .finished }
    let wait = load.wait(buffer: buffer, segment: table.durations[segment])
    if wait > 0 { return .wait(seconds: wait) }
    bufferAtRequest = buffer
    guard let situation = situation(time: time, buffer: buffer) else {
      let usual = load.startBitrate.map(table.rung(upTo:)) ?? 0
      return .request(segment: segment, rung: controller.firstRung(usual: usual), wait: 0)
    }
    if let rung = lowerRung {
      lowerRung = nil
      return .request(segment: segment, rung: rung, wait: 0)
    }
    let decision = controller.decide(situation)
    return .request(segment: segment, rung: decision.rung, wait: decision.wait)
  }

  /// The buffer was full for `seconds`: the answer to `Step.wait`.
  public mutating func waited(_ seconds: Double) { controller.waited(seconds) }

  /// Whether to abandon a download: the lower rung that is loaded instead; nil: go on.
  ///
  /// Sabre asks each time that 50 ms have passed and 1,500 bytes have come (`ProgressRule`).
  public func abandonment(of download: SegmentDownload, time: Double, buffer: Double) -> Int? {
    guard let situation = situation(time: time, buffer: buffer) else { return nil }
    return controller.abandonment(of: download, situation)
  }

  /// The segment is loaded.
  ///
  /// - Parameter buffer: with the segment, s.
  public mutating func completed(rung: Int, sample: ThroughputSample, time: Double, buffer: Double) {
    previousRung = rung
    // The controller sees the throughput that it decided by.
    if let situation = situation(time: time, buffer: buffer) {
      controller.completed(rung: rung, sample: sample, situation)
    }
    segment += 1
    estimator.add(sample)
    throughput = estimator.estimate
    samples.append(sample)
    samples.removeFirst(max(0, samples.count - Self.samplesKept))
  }

  /// The download of a segment ended early, because `abandonment` returned `lower`. It is no sample of the throughput, as in sabre.
  public mutating func abandoned(rung: Int, for lower: Int, time: Double, buffer: Double) {
    previousRung = rung
    if let situation = situation(time: time, buffer: buffer) {
      controller.abandoned(rung: rung, for: lower, situation)
    }
    // A player that waits for more media before it plays has the same buffer again: it would decide the same, and never end.
    let isStill = buffer > 0 && buffer >= bufferAtRequest
    if isStill || load.afterAbandoning == .takesLowerRung { lowerRung = lower }
  }

  /// Playing goes on at `segment`; the buffer is empty.
  public mutating func seek(to segment: Int) {
    self.segment = min(max(0, segment), table.durations.count)
    lowerRung = nil
    controller.sought(to: self.segment)
  }

  /// The segments turn out to be others: goes on with `segment` of this table, which has the same rungs. What the controller and
  /// the estimator learnt stays; they were made for segments of the first table's length.
  package mutating func follow(_ table: RungTable, at segment: Int) {
    self.table = load.peakBitrate.map(table.limited(to:)) ?? table
    self.segment = min(max(0, segment), table.durations.count)
  }

  /// Nil before the first request has finished.
  private func situation(time: Double, buffer: Double) -> Situation? {
    throughput.map { throughput in
      Situation(
        time: time, buffer: buffer, segment: segment, previousRung: previousRung, table: table, throughput: throughput,
        samples: samples)
    }
  }
}

/// When a download is judged: at its first moment at which both have passed since the last time.
public struct ProgressRule: Sendable, Hashable {
  /// s
  public var seconds = 0.05
  public var bytes = 1500

  public init() {}
}
