import Adaptation
import Frames
import Testing

@Suite struct SchedulerTests {
  /// Rung 2 after half a second; a download of which more than 10 bytes have come is abandoned for rung 1.
  private struct Scripted: AdaptationController {
    func decide(_ situation: Situation) -> RungDecision { RungDecision(rung: 2, wait: 0.5) }
    var abandonsDownloads: Bool { true }
    func abandonment(of download: SegmentDownload, _ situation: Situation) -> Int? { download.received > 10 ? 1 : nil }
  }

  private static func scheduler(_ load: LoadPolicy = LoadPolicy()) throws -> SegmentScheduler {
    SegmentScheduler(
      try Samples.table(segments: 4), Scripted(), load: load, estimator: EWMAEstimator(segmentSeconds: 3))
  }

  private static let sample = ThroughputSample(bytes: 1_000_000, seconds: 1, latency: 0.1)

  @Test func theFirstRungIsTheStartBitrates() throws {
    var load = LoadPolicy()
    for (start, rung) in [(nil, 0), (1e6, 4), (1, 0), (1e9, 9)] as [(Double?, Int)] {
      load.startBitrate = start
      var scheduler = try Self.scheduler(load)
      #expect(scheduler.next(time: 0, buffer: 0) == .request(segment: 0, rung: rung, wait: 0))
    }
    var fixed = try SegmentScheduler(Samples.table(), controller: Samples.choice("fixed:3"), load: load)
    #expect(fixed.next(time: 0, buffer: 0) == .request(segment: 0, rung: 3, wait: 0))
  }

  @Test func segmentsFollowEachOtherToTheEnd() throws {
    var scheduler = try Self.scheduler()
    for segment in 0..<4 {
      guard case .request(segment, _, _) = scheduler.next(time: 0, buffer: 0) else { Issue.record(); return }
      scheduler.completed(rung: 0, sample: Self.sample, time: 1, buffer: 3)
    }
    #expect(scheduler.next(time: 1, buffer: 0) == .finished)
    scheduler.seek(to: 2)
    #expect(scheduler.next(time: 1, buffer: 0) == .request(segment: 2, rung: 2, wait: 0.5))
    scheduler.seek(to: 99)
    #expect(scheduler.next(time: 1, buffer: 0) == .finished)
  }

  /// Full at 20 s with the next segment; loads again below 12 s with it.
  @Test func aFullBufferIsEmptiedToTheMinimum() throws {
    var scheduler = try Self.scheduler(LoadPolicy(minimum: 12, maximum: 20))
    #expect(scheduler.next(time: 0, buffer: 17) == .request(segment: 0, rung: 0, wait: 0))
    #expect(scheduler.next(time: 0, buffer: 18) == .wait(seconds: 9))
    #expect(LoadPolicy(minimum: 20, maximum: 20).wait(buffer: 18, segment: 3) == 1)
    #expect(LoadPolicy(minimum: 99, maximum: 20).wait(buffer: 18, segment: 3) == 1)
    // Never empty by waiting, and never waiting for a buffer that is empty.
    #expect(LoadPolicy(minimum: 1, maximum: 20).wait(buffer: 18, segment: 10) == 18)
    #expect(LoadPolicy(minimum: 2, maximum: 2).wait(buffer: 0, segment: 10) == 0)
    #expect(LoadPolicy(minimum: 20, maximum: 20).wait(buffer: 17 + 1e-9, segment: 3) == 0)
  }

  @Test func aLowerRungIsTakenOrAskedForAgain() throws {
    for (after, expected) in [
      (LoadPolicy.AfterAbandoning.decidesAgain, SegmentScheduler.Step.request(segment: 1, rung: 2, wait: 0.5)),
      (.takesLowerRung, .request(segment: 1, rung: 1, wait: 0)),
    ] {
      var load = LoadPolicy()
      load.afterAbandoning = after
      var scheduler = try Self.scheduler(load)
      let progress = SegmentDownload(rung: 2, bytes: 100, received: 50, seconds: 1, latency: 0.1)
      #expect(scheduler.abandonment(of: progress, time: 1, buffer: 0) == nil, "nothing is known yet")
      scheduler.completed(rung: 0, sample: Self.sample, time: 1, buffer: 3)
      #expect(scheduler.abandonment(of: progress, time: 1, buffer: 0) == 1)
      let before = scheduler.throughput
      _ = scheduler.next(time: 1, buffer: 3)
      scheduler.abandoned(rung: 2, for: 1, time: 2, buffer: 2)
      #expect(scheduler.throughput == before, "an abandoned download is no sample")
      #expect(scheduler.next(time: 2, buffer: 2) == expected)
      #expect(scheduler.next(time: 2, buffer: 2) == .request(segment: 1, rung: 2, wait: 0.5))
    }
  }

  /// While a player waits for more media, its buffer and so its decision stay the same: the lower rung is taken in any case.
  @Test func aBufferThatDoesNotShrinkTakesTheLowerRung() throws {
    for (buffer, expected) in [
      (3.0, SegmentScheduler.Step.request(segment: 1, rung: 1, wait: 0)),
      (2.9, .request(segment: 1, rung: 2, wait: 0.5)),
    ] {
      var scheduler = try Self.scheduler(LoadPolicy(resume: 10))
      scheduler.completed(rung: 0, sample: Self.sample, time: 1, buffer: 3)
      _ = scheduler.next(time: 1, buffer: 3)
      scheduler.abandoned(rung: 2, for: 1, time: 2, buffer: buffer)
      #expect(scheduler.next(time: 2, buffer: buffer) == expected)
    }
  }

  /// Chooses by the newest sample, and waits for as many seconds as there are samples.
  private struct Newest: AdaptationController {
    func decide(_ situation: Situation) -> RungDecision {
      RungDecision(rung: situation.samples.last?.bytes ?? -1, wait: Double(situation.samples.count))
    }
  }

  @Test func theNewestSamplesAreKept() throws {
    var scheduler = SegmentScheduler(
      try Samples.table(), Newest(), load: LoadPolicy(), estimator: EWMAEstimator(segmentSeconds: 3))
    for bytes in 1...30 {
      let sample = ThroughputSample(bytes: bytes, seconds: 1, latency: 0)
      scheduler.completed(rung: 0, sample: sample, time: 1, buffer: 3)
      let wait = Double(min(bytes, SegmentScheduler.samplesKept))
      #expect(scheduler.next(time: 1, buffer: 0) == .request(segment: bytes, rung: bytes, wait: wait))
    }
  }

  @Test func aPeakBitrateShortensTheLadder() throws {
    var load = LoadPolicy()
    load.peakBitrate = 1e6
    let scheduler = try SegmentScheduler(Samples.table(), controller: Samples.choice("bola"), load: load)
    #expect(scheduler.table.count == 5)
    #expect(throws: Failure.self) {
      try SegmentScheduler(Samples.table(), controller: Samples.choice("fixed:5"), load: load)
    }
  }
}
