import RecordSamples
import Support
import Testing
import Verdict

/// The metrics of a stream, from sessions whose figures can be worked out on paper.
@Suite struct StreamMeasuresTests {
  /// Three segments of 2 s: rung 0 for 2 s, a stall of 1 s, rung 1 for 2 s, rung 0 for 2 s.
  private static var session: StreamSession {
    var session = StreamSession(
      format: .dash, controller: "fixed:1", rungs: [.init(id: "low", bitrate: 1e6), .init(id: "high", bitrate: 4e6)],
      end: 8, position: 6)
    session.requests = [
      request(.manifest, 0, 0.25, bytes: 1000), request(.initialization, 0.25, 0.5, bytes: 500, rung: 0),
      request(.segment, 0.5, 1, bytes: 250_000, rung: 0, segment: 0, shown: 1),
      request(.segment, 1, 4, bytes: 1_000_000, rung: 1, segment: 1, shown: 4),
      request(.segment, 4, 4.5, bytes: 250_000, rung: 0, segment: 2, shown: 6),
      request(.segment, 4.5, 5, bytes: 300_000, rung: 1, segment: 3, outcome: .abandoned),
      request(.segment, 5, 5.5, bytes: 250_000, rung: 0, segment: 3),
    ]
    session.states = [
      .init(time: 0, state: .joining), .init(time: 1, state: .playing), .init(time: 3, state: .rebuffering),
      .init(time: 4, state: .playing), .init(time: 8, state: .ended),
    ]
    session.stalls = [.init(start: 3, seconds: 1, cause: .network)]
    session.shown = [
      .init(time: 1, rung: 0, position: 0), .init(time: 4, rung: 1, position: 2), .init(time: 6, rung: 0, position: 4),
    ]
    session.buffer = [.init(time: 1, seconds: 2), .init(time: 3, seconds: 0)]
    session.firstFrame = 1
    session.decisions = [
      .init(time: 0, segment: 0, rung: 0), .init(time: 1, segment: 1, rung: 1), .init(time: 3.5, segment: 2, rung: 0),
      .init(time: 4.5, segment: 3, rung: 1), .init(time: 5, segment: 3, rung: 0),
    ]
    return session
  }

  private static func request(
    _ kind: StreamSession.Request.Kind, _ queued: Double, _ ended: Double, bytes: Int = 0, rung: Int? = nil,
    segment: Int? = nil, attempt: Int = 0, outcome: StreamSession.Request.Outcome = .finished, shown: Double? = nil,
    url: String = "a"
  ) -> StreamSession.Request {
    .init(
      kind: kind, url: url, rung: rung, segment: segment, mediaSeconds: segment.map { _ in 2 }, attempt: attempt,
      times: .init(queued: queued, firstByte: queued + (ended - queued) / 2, ended: ended),
      transfer: .init(status: 200, bytes: bytes), outcome: outcome, firstShown: shown)
  }

  /// 8 + 14 + 9 dB, 6 up and 5 down, 20 for the second, over three segments. A rung of unknown quality leaves all unknown.
  @Test func pictureQualityIsPuffers() {
    var session = Self.session
    session.rungs[0].qualityDb = [8, 1, 9, 1]
    session.rungs[1].qualityDb = [1, 14, 1, 1]
    #expect(StreamMeasures(session).samples[.qoeSSIM] == [0])
    session.stalls = []
    #expect(StreamMeasures(session).samples[.qoeSSIM] == [20.0 / 3])
    session.rungs[1].qualityDb = [1]
    #expect(StreamMeasures(session).samples[.qoeSSIM] == [])
  }

  @Test func everyMetricOfASession() {
    let measures = StreamMeasures(Self.session)
    let samples: [Metric: [Double]] = [
      // 1 + 4 + 1 Mbit/s, 4.3 for the second, 3 up and 3 down.
      .qoeLinear: [-4.3], .qoeSSIM: [],
      // 4 s of 1 Mbit/s, 2 s of 4 Mbit/s; the second that the picture stood has no weight.
      .meanBitrate: [2e6], .rebufferRatio: [1.0 / 7], .requestsToFirstFrame: [3], .rebuffer: [1000],
      .switchTime: [3000, 2500], .bufferAhead: [2, 0],
      // Bits ÷ the second half of each request.
      .throughput: [8e6, 16e6 / 3, 8e6, 16e6 / 2],
    ]
    #expect(Set(measures.samples.keys) == Set(samples.keys))
    for (metric, expected) in samples {
      let found = measures.samples[metric] ?? []
      #expect(
        found.count == expected.count && zip(found, expected).allSatisfy { $0.isClose(to: $1) }, "\(metric) \(found)")
    }
    #expect(
      measures.counters == [
        .rebuffers: 1, .switchesUp: 1, .switchesDown: 1, .bytesDownloaded: 2_051_500, .bytesWasted: 550_000,
        .retries: 0,
      ])
  }

  /// The first frame is drawn late where the processor is slow: what is asked for meanwhile is not needed for it.
  @Test func aSlowProcessorAddsNoRequest() {
    var session = Self.session
    for firstFrame in [1, 3, 5.5] {
      session.firstFrame = firstFrame
      #expect(StreamMeasures(session).samples[.requestsToFirstFrame] == [3], "drawn after \(firstFrame) s")
    }
    // A request without an answer brought nothing, a failed attempt that was answered did.
    session.requests.insert(Self.request(.segment, 0.4, 0.6, rung: 0, segment: 0, outcome: .failed), at: 2)
    #expect(StreamMeasures(session).samples[.requestsToFirstFrame] == [4])
    session.requests[2].times.firstByte = nil
    #expect(StreamMeasures(session).samples[.requestsToFirstFrame] == [3])
  }

  /// Every metric that the table calls a stream's comes from here, each in the place that its kind names.
  @Test func kindsSayWhereANumberIsKept() {
    let measures = StreamMeasures(Sample.stream())
    for metric in measures.samples.keys { #expect(metric.kind == .distribution || metric.kind == .value, "\(metric)") }
    for (metric, samples) in measures.samples where metric.kind == .value {
      // The quality of its segments is not known.
      #expect(samples.count == (metric == .qoeSSIM ? 0 : 1), "\(metric)")
    }
    for metric in measures.counters.keys { #expect(metric.kind == .counter, "\(metric)") }
    for metric in [Metric.recovery, .switchTime, .throughput, .rebuffer] {
      #expect(measures.samples[metric]?.isEmpty == false, "\(metric)")
    }
  }

  @Test func withoutAFirstFrameNothingIsKnownOfPlaying() {
    var session = Self.session
    (session.firstFrame, session.shown, session.stalls, session.buffer) = (nil, [], [], [])
    session.states = [.init(time: 0, state: .joining), .init(time: 5, state: .failed)]
    for index in session.requests.indices { session.requests[index].firstShown = nil }
    let measures = StreamMeasures(session)
    for metric in [Metric.qoeLinear, .meanBitrate, .rebufferRatio, .requestsToFirstFrame] {
      #expect(measures.samples[metric] == [], "\(metric) is unknown")
    }
    for metric in [Metric.rebuffer, .switchTime, .bufferAhead, .recovery] { #expect(measures.samples[metric] == nil) }
    #expect(measures.counters[.bytesWasted] == 2_050_000, "all segments, no manifest and no initialization")
  }

  @Test func pausesAndSeeksHaveNoWeight() {
    var session = Self.session
    session.states = [
      .init(time: 0, state: .joining), .init(time: 1, state: .playing), .init(time: 2, state: .paused),
      .init(time: 3, state: .rebuffering), .init(time: 4, state: .seeking), .init(time: 5, state: .playing),
    ]
    let measures = StreamMeasures(session)
    // Playing: 1 to 2 of rung 0, 5 to 6 of rung 1, 6 to 8 of rung 0.
    #expect(measures.samples[.meanBitrate] == [(3 * 1e6 + 4e6) / 4])
    #expect(measures.samples[.rebufferRatio] == [1.0 / 5])
  }

  @Test func audioIsUsedThoughNoPictureShowsIt() {
    var session = Self.session
    session.requests = [
      Self.request(.segment, 0, 1, bytes: 7, segment: 0),
      Self.request(.segment, 1, 2, bytes: 20, segment: 1, outcome: .failed),
      Self.request(.segment, 2, 3, bytes: 300, rung: 0, segment: 0),
    ]
    #expect(StreamMeasures(session).counters[.bytesWasted] == 320)
  }

  // MARK: Faults

  private static func recoveries(
    _ requests: [StreamSession.Request], _ states: [(Double, StreamSession.State)] = [(0, .playing)]
  ) -> [Double]? {
    var session = session
    session.requests = requests
    session.states = states.map { .init(time: $0.0, state: $0.1) }
    return StreamMeasures(session).samples[.recovery]
  }

  @Test func aFaultEndsWhenItsResourceIsThere() {
    let failed = Self.request(.segment, 0, 1, rung: 1, segment: 4, outcome: .failed)
    let again = Self.request(.segment, 1, 1.5, rung: 1, segment: 4, attempt: 1, outcome: .failed)
    let lower = Self.request(.segment, 1.5, 2.5, rung: 0, segment: 4, attempt: 2)
    #expect(Self.recoveries([failed, again, lower]) == [1500], "another rung replaces it; the first failure counts")
    #expect(Self.recoveries([failed, again]) == nil)
    let other = Self.request(.segment, 1, 2, rung: 1, segment: 5)
    #expect(Self.recoveries([failed, other]) == nil, "another segment does not replace it")
    let audio = Self.request(.segment, 1, 2, segment: 4)
    #expect(Self.recoveries([failed, audio]) == nil, "sound does not replace pictures")
    #expect(StreamMeasures(Self.session).counters[.retries] == 0)
  }

  @Test func aStallProlongsAFault() {
    let failed = Self.request(.segment, 0, 1, rung: 1, segment: 4, outcome: .failed)
    let loaded = Self.request(.segment, 1, 3, rung: 1, segment: 4, attempt: 1)
    let states: [(Double, StreamSession.State)] = [(0, .playing), (2, .rebuffering)]
    #expect(Self.recoveries([failed, loaded], states + [(3.25, .playing)]) == [2250])
    #expect(Self.recoveries([failed, loaded], states + [(2.5, .playing)]) == [2000], "it played on before")
    #expect(Self.recoveries([failed, loaded], states) == nil, "it never played again")
    #expect(Self.recoveries([failed, loaded], [(0, .joining), (5, .playing)]) == [4000])
  }

  /// A live playlist is loaded again and again: each fault is its own.
  @Test func aPlaylistFailsMoreThanOnce() {
    let requests = [(0.0, true), (1, false), (2, true), (3, true), (4, false), (5, false)].map { time, fails in
      Self.request(.playlist, time, time + 0.5, outcome: fails ? .failed : .finished, url: "v.m3u8")
    }
    #expect(Self.recoveries(requests) == [1000, 2000])
    let other = Self.request(.playlist, 0.5, 0.75, url: "other.m3u8")
    #expect(Self.recoveries([requests[0], other]) == nil)
  }

  // MARK: The same by brute force

  /// Mean bit rate and ratio by walking through time in steps.
  @Test func timeIsWeighedAsAClockWouldWeighIt() throws {
    var random = SeededGenerator(for: "timeIsWeighedAsAClockWouldWeighIt")
    for _ in 0..<100 {
      var session = Self.session
      let times = (0..<12).map { _ in Double(Int.random(in: 0...800, using: &random)) / 100 }
      session.states = times.prefix(8).sorted().map {
        .init(time: $0, state: StreamSession.State.allCases.randomElement(using: &random) ?? .playing)
      }
      session.shown = times.suffix(4).sorted().map {
        .init(time: $0, rung: Int.random(in: 0...1, using: &random), position: 0)
      }
      session.firstFrame = session.shown[0].time
      var (bits, playing, waiting, counted) = (0.0, 0.0, 0.0, 0.0)
      for step in 0..<800 {
        let time = (Double(step) + 0.5) / 100
        let state = session.states.last { $0.time <= time }?.state
        if time > session.shown[0].time {
          playing += state == .playing ? 1 : 0
          waiting += state == .rebuffering ? 1 : 0
        }
        if state == .playing, let rung = session.shown.last(where: { $0.time <= time })?.rung {
          bits += session.rungs[rung].bitrate
          counted += 1
        }
      }
      let measures = StreamMeasures(session)
      let mean = try #require(measures.samples[.meanBitrate]).first
      #expect((mean ?? 0).isClose(to: counted > 0 ? bits / counted : 0), "seed \(random.seed)")
      let ratio = try #require(measures.samples[.rebufferRatio]).first
      #expect(
        (ratio ?? 0).isClose(to: playing + waiting > 0 ? waiting / (playing + waiting) : 0), "seed \(random.seed)")
      #expect((mean == nil) == (counted == 0) && (ratio == nil) == (playing + waiting == 0))
    }
  }
}

extension Double {
  fileprivate func isClose(to other: Double) -> Bool { abs(self - other) <= 1e-9 * max(1, abs(other)) }
}
