import RecordSamples
import Testing
import Verdict

/// The answer about a stream, in one sentence.
@Suite struct StreamAnswerTests {
  /// 8.29 of 12 Mbit/s for 20 s after 0.3 s of loading.
  private static func session(
    _ stalls: [(Double, StreamSession.Stall.Cause)] = [], last: StreamSession.State = .ended, isStarted: Bool = true,
    problem: String? = nil
  ) -> StreamSession {
    var session = StreamSession(
      format: .hls, controller: "bola", rungs: [.init(id: "a", bitrate: 8.29e6), .init(id: "b", bitrate: 12e6)],
      end: 20.3, position: 20)
    session.states = [.init(time: 0, state: .joining)]
    if isStarted {
      session.firstFrame = 0.3
      session.states.append(.init(time: 0.3, state: .playing))
      session.shown = [.init(time: 0.3, rung: 0, position: 0)]
    }
    session.states.append(.init(time: 20.3, state: last))
    session.stalls = stalls.enumerated().map { .init(start: Double($0 + 1), seconds: $1.0, cause: $1.1) }
    if let problem {
      session.requests = [
        .init(
          kind: .manifest, url: "m", times: .init(queued: 0, ended: 1), transfer: .init(), outcome: .failed,
          problem: problem)
      ]
    }
    return session
  }

  private static func answer(_ sessions: [StreamSession], counters: [String: Int?] = [:]) -> Answer {
    Answer(record(sessions, counters: counters))
  }

  private static func record(_ sessions: [StreamSession], counters: [String: Int?] = [:]) -> Record {
    var trials = sessions.map { Sample.trial(of: $0, ttff: $0.firstFrame == nil ? nil : 610) }
    trials[0].counters.merge(counters) { $1 }
    return Sample.record(scenarios: [Record.Scenario(name: "stream", trials: trials)])
  }

  @Test(
    arguments: [
      ([], "plays at 8.2 of 12 Mbit/s without a stall; first frame after 0.61 s"),
      (
        [(0.9, .network)],
        "plays at 8.2 of 12 Mbit/s with 1 stall of 0.9 s caused by the network; first frame after 0.61 s"
      ),
      (
        [(0.9, .decode), (1.54, .decode), (10, .decode)],
        "plays at 8.2 of 12 Mbit/s with 3 stalls, 12.4 s in all, caused by the decoder; first frame after 0.61 s"
      ),
      (
        [(0.02, .network), (0.02, .network), (0.01, .render)],
        "plays at 8.2 of 12 Mbit/s with 3 stalls, 50 ms in all, 2 caused by the network and 1 by the renderer; "
          + "first frame after 0.61 s"
      ),
      (
        [(1, .network), (1, .decode), (1, .render)],
        "plays at 8.2 of 12 Mbit/s with 3 stalls, 3 s in all, 1 caused by the network, 1 by the decoder and 1 by the "
          + "renderer; first frame after 0.61 s"
      ),
    ] as [([(Double, StreamSession.Stall.Cause)], String)])
  func stallsAndTheirCauses(_ stalls: [(Double, StreamSession.Stall.Cause)], _ sentence: String) {
    let answer = Self.answer([Self.session(stalls)])
    #expect(answer.sentence == sentence && answer.isGood == stalls.isEmpty)
  }

  @Test func failuresNameTheirProblem() {
    let early = Self.session(last: .failed, problem: "the server answered 404 Not Found")
    #expect(
      Self.answer([early]).sentence == "plays at 8.2 of 12 Mbit/s without a stall, then fails after 20.3 s: "
        + "the server answered 404 Not Found; first frame after 0.61 s")
    #expect(Self.answer([early]).isGood == false)
    var watched = early
    watched.end = 25
    #expect(Self.answer([watched]).sentence.contains("then fails after 20.3 s"), "not when the trial ended")
    let never = Self.session(last: .failed, isStarted: false, problem: "the server answered 500 Internal Server Error")
    #expect(Self.answer([never]).sentence == "shows no picture: the server answered 500 Internal Server Error")
    #expect(Self.answer([never]).isGood == false)
    let waiting = Self.session(last: .joining, isStarted: false)
    #expect(Self.answer([waiting]).sentence == "shows no picture within 20.3 s")
    #expect(
      Self.answer([never, never]).sentence
        == "shows no picture in 2 trials: the server answered 500 Internal Server Error")
    let hostile = Self.session(
      last: .failed, isStarted: false, problem: "\u{1B}[2J" + String(repeating: "x", count: 400))
    #expect(!Self.answer([hostile]).sentence.contains("\u{1B}") && Self.answer([hostile]).sentence.count < 130)
  }

  @Test func severalTrialsAreToldTogether() {
    let stalled = Self.session([(0.5, .network)])
    let failed = Self.session(last: .failed, problem: "it hangs")
    let never = Self.session(last: .joining, isStarted: false)
    #expect(
      Self.answer([Self.session(), stalled, stalled]).sentence
        == "plays at 8.2 of 12 Mbit/s with 2 stalls in 3 trials, 1 s in all, caused by the network; "
        + "first frame after 0.61 s")
    #expect(
      Self.answer([Self.session(), stalled]).sentence
        == "plays at 8.2 of 12 Mbit/s with 1 stall of 0.5 s in 2 trials caused by the network; first frame after 0.61 s"
    )
    #expect(
      Self.answer([Self.session(), failed, never]).sentence
        == "plays at 8.2 of 12 Mbit/s without a stall; fails in 1 of 3 trials: it hangs; "
        + "shows no picture in 1 of 3 trials within 20.3 s; first frame after 0.61 s")
  }

  @Test func anInterruptedTrialStops() {
    var record = Self.record([Self.session(last: .playing)])
    record.scenarios[0].trials[0].complete = false
    #expect(
      Answer(record).sentence
        == "plays at 8.2 of 12 Mbit/s without a stall, stopped after 20.3 s; first frame after 0.61 s")
  }

  /// One rung is all that there is, and a rate just below the highest is not the highest.
  @Test(arguments: [
    ([8.29e6], "at 8.2 Mbit/s"), ([11.96e6, 12e6], "at 11.9 of 12 Mbit/s"), ([0.352e6, 1e6], "at 0.35 of 1 Mbit/s"),
    ([12e6, 12e6], "at 12 of 12 Mbit/s"), ([150.7e6, 200e6], "at 150 of 200 Mbit/s"),
  ])
  func ratesAreRoundedDown(_ bitrates: [Double], _ words: String) {
    var session = Self.session()
    session.rungs = bitrates.map { .init(id: "r", bitrate: $0) }
    #expect(Self.answer([session]).sentence.hasPrefix("plays \(words) without"), "\(Self.answer([session]).sentence)")
  }

  @Test func framesAndTheirRungsAreToldOfToo() {
    let late = Self.answer([Self.session()], counters: ["presented": 598, "dropped": 2, "stalls": 4])
    #expect(
      late.sentence.hasSuffix("; first frame after 0.61 s; drops 2 of 600 frames at 60 Hz") && late.isGood == false)
    let smooth = Self.answer([Self.session()], counters: ["presented": 600, "dropped": 0, "late": 0])
    #expect(smooth.sentence.hasSuffix("; first frame after 0.61 s") && smooth.isGood == true)
    let wrong = Self.answer([Self.session()], counters: ["wrong_rung": 3])
    #expect(wrong.sentence.hasPrefix("the picture was of another rung in 3 frames; plays at "))
    #expect(wrong.incorrect == 3 && wrong.isGood == false)
  }

  @Test func otherScenariosAreToldBehind() {
    var record = Self.record([Self.session()])
    record.scenarios.append(Record.Scenario(name: "pipeline", trials: [Sample.trial(["pipeline_fps": [60]])]))
    #expect(Answer(record).sentence.contains("0.61 s; plays in real time with 2.0 × headroom"))
  }
}
