import Frames

/// A trial's stream in a trace: states, rungs and requests as slices, and what is counted over time, by the record's trial of the same
/// number.
struct StreamTrace {
  /// Of the one player.
  private(set) var slices: [Track: [Slice]] = [:]
  /// Of several clients, each with the name of its track.
  private(set) var clientTracks: [(name: String, slices: [Slice])] = []
  private(set) var counters: [Counter] = []

  /// A value from an instant on.
  struct Counter {
    var name: String
    var unit: String
    var instant: MonotonicTime
    var value: Double
  }

  /// Empty where no stream was played, or its record is not there.
  init(_ trial: TrialTrace, _ scenario: Record.Scenario?) {
    guard let opened = trial.streamOpened, let trials = scenario?.trials, trials.indices.contains(trial.number - 1)
    else { return }
    let recorded = trials[trial.number - 1]
    if let session = recorded.stream {
      slices = Self.slices(session, opened)
      counters = Self.counters(session, opened)
    }
    for client in recorded.clients ?? [] {
      let opened = opened.advanced(byMilliseconds: client.opened * 1000)
      let own = Self.slices(client.session, opened)
      clientTracks += [Track.states, .rungs, .requests].compactMap { track in
        own[track].map { ("client \(client.number): \(track.rawValue)", $0) }
      }
      counters += Self.counters(client.session, opened, of: "client \(client.number): ")
    }
  }

  private static func slices(_ session: StreamSession, _ opened: MonotonicTime) -> [Track: [Slice]] {
    func slice(_ name: String, _ start: Double, _ end: Double) -> Slice {
      let instants = [start, end].map { opened.advanced(byMilliseconds: $0 * 1000) }
      return Slice(name: name, span: TimeSpan(instants[0], max(instants[0], instants[1])))
    }
    func spans(_ starts: [(name: String, time: Double)]) -> [Slice] {
      zip(starts, starts.dropFirst().map(\.time) + [session.end]).map { slice($0.name, $0.time, $1) }
    }
    return [
      .states: spans(session.states.map { ($0.state.rawValue, $0.time) }),
      .rungs: spans(session.shown.map { ("rung \($0.rung)", $0.time) }),
      .requests: session.requests.map { request in
        let parts = [
          request.kind.rawValue, request.segment.map { "\($0)" }, request.rung.map { "rung \($0)" },
          request.outcome == .finished ? nil : request.outcome.rawValue,
        ]
        return slice(parts.compactMap { $0 }.joined(separator: " "), request.times.queued, request.times.ended)
      },
    ]
  }

  /// The buffer, and of a live stream how far behind life it is, under the names of the metrics.
  private static func counters(_ session: StreamSession, _ opened: MonotonicTime, of player: String = "") -> [Counter] {
    func counter(_ metric: Metric, _ time: Double, _ value: Double) -> Counter {
      Counter(
        name: player + metric.name, unit: metric.unit == "1" ? "value" : metric.unit,
        instant: opened.advanced(byMilliseconds: time * 1000), value: value)
    }
    let live = session.live ?? []
    return session.buffer.map { counter(.bufferAhead, $0.time, $0.seconds) }
      + live.compactMap { level in level.latency.map { counter(.liveLatency, level.time, $0 * 1000) } }
      + live.compactMap { level in level.dateLatency.map { counter(.dateLatency, level.time, $0 * 1000) } }
      + live.map { counter(.edgeDistance, $0.time, $0.edgeDistance) }
      + live.map { counter(.catchUpRate, $0.time, $0.rate) }
  }
}
