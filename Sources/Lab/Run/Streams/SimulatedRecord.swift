import Adaptation
import Decode
import FoundationEssentials
import Frames
import GPU
import Host
import Verdict
import Window

extension Record {
  /// A session on the virtual clock as a trial of `stream`, in the variant `virtual`: what `abr` keeps.
  ///
  /// - Parameters:
  ///   - ladder: that was played.
  ///   - settings: with which it was; settings that only sockets have are not recorded.
  public init(
    _ simulated: SimulatedSession, ladder: RungTable, _ settings: StreamSettings, started: Date, command: [String]
  ) {
    var session = StreamSession(simulated, ladder: ladder)
    if let quality = ladder.quality { session.judge(by: quality) }
    let measures = StreamMeasures(session)
    var trial = Trial(
      started: RecordCoding.timestamp(started), complete: !simulated.summary.failed,
      metrics: Dictionary(
        uniqueKeysWithValues: measures.samples.map { ($0.key.name, MetricResult(of: $0.key, samples: $0.value)) }),
      counters: Dictionary(uniqueKeysWithValues: measures.counters.map { ($0.key.name, $0.value) }))
    trial.stream = session
    var recorded = Settings()
    recorded.repetition.scenarios = [Verdict.Scenario.stream.name]
    recorded.repetition.durationSeconds = ladder.duration
    recorded.streaming = settings.recorded
    var link = recorded.streaming?.link ?? Settings.Streaming.Link(network: "")
    link.network = simulated.network
    recorded.streaming?.link = link
    var input = Input(name: ladder.name)
    input.durationSeconds = ladder.duration
    self.init(
      created: RecordCoding.timestamp(started), build: BuildInfo.record, command: command,
      complete: !simulated.summary.failed,
      environment: Environment(machine: MachineProfile.read(), device: nil, libraries: .current),
      input: input, settings: recorded,
      scenarios: [
        Scenario(
          name: Verdict.Scenario.stream.name, variant: "virtual", presentSource: .simulated, trials: [trial])
      ])
  }
}

extension StreamSession {
  /// The same session in the record's words. Its pictures are shown the moment they are due.
  init(_ simulated: SimulatedSession, ladder: RungTable) {
    let clock = PlayClock(simulated.states)
    var shown: [RungChange] = []
    var firsts: [Int: Double] = [:]
    var position = 0.0
    for request in simulated.requests where request.abandonedFor == nil {
      let time = clock.instant(of: position)
      if let time {
        firsts[request.segment] = time
        if shown.last?.rung != request.rung {
          shown.append(RungChange(time: time, rung: request.rung, position: position))
        }
      }
      position += ladder.durations[request.segment]
    }
    self.init(
      format: .dash, controller: simulated.controller,
      rungs: ladder.bitrates.enumerated().map { Rung(id: "\($0)", bitrate: $1) },
      requests: simulated.requests.map { Request($0, ladder, firstShown: firsts[$0.segment]) },
      states: simulated.states.map { StateChange(time: $0.time, state: State($0.state)) },
      stalls: simulated.stalls.map { Stall(start: $0.start, seconds: $0.seconds, cause: .network) }, shown: shown,
      buffer: simulated.requests.flatMap {
        [
          BufferLevel(time: $0.requested, seconds: $0.bufferBefore),
          BufferLevel(time: $0.ended, seconds: $0.bufferAfter),
        ]
      }, firstFrame: clock.instant(of: 0), end: simulated.states.last?.time ?? 0,
      position: simulated.summary.playedSeconds,
      decisions: simulated.requests.map { Decision(time: $0.requested, segment: $0.segment, rung: $0.rung) })
  }
}

extension StreamSession.State {
  init(_ state: SimulatedSession.State) {
    self =
      switch state {
      case .joining: .joining
      case .playing: .playing
      case .rebuffering: .rebuffering
      case .ended: .ended
      case .failed: .failed
      }
  }
}

extension StreamSession.Request {
  init(_ request: SimulatedSession.Request, _ ladder: RungTable, firstShown: Double?) {
    self.init(
      kind: .segment, url: "segment-\(request.segment)", rung: request.rung, segment: request.segment,
      mediaSeconds: ladder.durations[request.segment],
      times: Times(queued: request.requested, firstByte: request.firstByte, ended: request.ended),
      transfer: Transfer(bytes: request.bytesReceived, headerBytes: 0, isReused: true),
      outcome: request.abandonedFor == nil ? .finished : .abandoned, bufferBefore: request.bufferBefore,
      bufferAfter: request.bufferAfter, abandonedFor: request.abandonedFor,
      firstShown: request.abandonedFor == nil ? firstShown : nil)
  }
}

/// When a place of the media is on screen, by the states of a player.
private struct PlayClock {
  /// Spans of playing, with the place where each begins.
  private var spans: [(place: Double, start: Double, end: Double)] = []

  init(_ states: [SimulatedSession.StateChange]) {
    var place = 0.0
    for (state, next) in zip(states, states.dropFirst()) where state.state == .playing {
      spans.append((place, state.time, next.time))
      place += next.time - state.time
    }
  }

  /// Nil where it was never shown. A place where playing stalled is shown when that is over.
  func instant(of place: Double) -> Double? {
    let rounding = 1e-6
    guard let span = spans.last(where: { $0.place <= place + rounding }) else { return nil }
    let instant = span.start + max(0, place - span.place)
    return instant < span.end - rounding ? instant : nil
  }
}
