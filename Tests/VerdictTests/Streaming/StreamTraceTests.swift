import Foundation
import Frames
import RecordSamples
import Testing
import Verdict

/// Streams in traces: what a player did as slices, its levels as counters.
@Suite struct StreamTraceTests {
  private struct Events {
    let all: [[String: Any]]

    init(_ trial: Record.Trial) throws {
      var trace = TrialTrace(scenario: "stream", variant: nil, number: 1, total: 1, isComplete: true, frames: [])
      trace.streamOpened = MonotonicTime(nanoseconds: 86_400_000_000_000)
      var record = Sample.record(of: [])
      record.scenarios = [Record.Scenario(name: "stream", presentSource: .simulated, trials: [trial])]
      let text = ChromeTrace.text([trace], of: record)
      let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      all = try #require(object["traceEvents"] as? [[String: Any]])
    }

    func slices(_ track: String) -> [(name: String, start: Double)] {
      let id = all.first { ($0["args"] as? [String: Any])?["name"] as? String == track }?["tid"] as? Int
      return all.filter { id != nil && $0["tid"] as? Int == id && $0["ph"] as? String == "X" }
        .map { ($0["name"] as? String ?? "", $0["ts"] as? Double ?? .nan) }
    }

    func values(_ counter: String) -> [Double] {
      all.filter { $0["ph"] as? String == "C" && $0["name"] as? String == counter }
        .compactMap { ($0["args"] as? [String: Double])?.values.first }
    }
  }

  @Test func aPlayerHasItsStatesAndItsBuffer() throws {
    let session = Sample.stream()
    let events = try Events(Sample.trial(of: session))
    let states = events.slices("stream").map(\.name)
    #expect(states == session.states.map(\.state.rawValue))
    // A stall is seen, and its end.
    let stall = try #require(states.firstIndex(of: "rebuffering"))
    #expect(states[stall - 1] == "playing" && states[stall + 1] == "playing")
    #expect(events.values("buffer_s").count == session.buffer.count && !session.buffer.isEmpty)
    #expect(events.values("live_latency_ms").isEmpty)
  }

  @Test func aLiveStreamHasCountersOfItsMetrics() throws {
    var session = Sample.stream(seconds: 5)
    session.live = [
      .init(time: 1, latency: 3, dateLatency: nil, edgeDistance: 1.5, rate: 1.05, target: 3),
      .init(time: 1.1, latency: nil, dateLatency: 2.5, edgeDistance: 1.25, rate: 1),
    ]
    let events = try Events(Sample.trial(of: session))
    #expect(events.values("live_latency_ms") == [3000] && events.values("live_date_latency_ms") == [2500])
    #expect(events.values("live_edge_s") == [1.5, 1.25] && events.values("catch_up_rate") == [1.05, 1])
  }

  /// Each client has tracks of its own, on the clock of the trial.
  @Test func clientsHaveTheirTracks() throws {
    let session = Sample.stream(seconds: 20)
    var trial = Sample.trial([:])
    trial.clients = [
      StreamClient(number: 1, opened: 0, session: session), StreamClient(number: 2, opened: 0.25, session: session),
    ]
    let events = try Events(trial)
    let tracks = [1, 2].map { events.slices("client \($0): stream") }
    #expect(tracks[0].map(\.name) == session.states.map(\.state.rawValue) && tracks[0].count == tracks[1].count)
    for (one, other) in zip(tracks[0], tracks[1]) { #expect(abs(other.start - one.start - 250_000) < 1) }
    for number in [1, 2] {
      #expect(events.values("client \(number): buffer_s").count == session.buffer.count)
      #expect(!events.slices("client \(number): rung shown").isEmpty)
    }
    #expect(events.slices("stream").isEmpty && events.values("buffer_s").isEmpty)
  }
}
