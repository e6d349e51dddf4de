import Adaptation
import Foundation
import Run
import Support
import Testing
import Verdict

/// Sessions on the virtual clock as records: what the record's measures say must be what the simulation itself has counted.
@Suite(.tier(.test)) struct SimulatedRecordTests {
  private static let traces = ["steps", "ramps", "sine", "on-off", "markov", "outage"]

  private static func sessions(_ trace: String) throws -> [(SimulatedSession, RungTable)] {
    let network = try TraceFormat.read(file: TestFolders.repository + "/Benchmarks/traces/\(trace).json")
    let table = RungTable.builtIn
    return try ["lowest", "fixed:3", "throughput", "bola", "dynamic", "mpc", "bba"].map { name in
      let controller = try #require(ControllerChoice(name))
      let simulation = try Simulation(
        table, over: network, controller: controller, load: LoadPolicy(), estimator: EstimatorRow.all[0])
      return (try #require(try SimulationBatch.run([simulation], threads: 1) { $0 }.first ?? nil), table)
    }
  }

  @Test(arguments: traces) func measuresAreThoseOfTheSimulation(trace: String) throws {
    for (session, table) in try Self.sessions(trace) {
      let record = Record(session, ladder: table, StreamSettings(), started: Date(), command: ["bench360", "abr"])
      let trial = try #require(record.scenarios.first?.trials.first)
      let summary = session.summary
      let name = "\(trace), \(session.controller)"
      func value(_ metric: Metric) -> Double? { trial.metrics[metric.name]?.samples.first }
      func count(_ metric: Metric) -> Int? { trial.counters[metric.name] ?? nil }
      #expect(count(.rebuffers) == summary.rebuffers && count(.bytesDownloaded) == summary.bytesDownloaded, "\(name)")
      #expect(count(.switchesUp) == summary.switchesUp && count(.switchesDown) == summary.switchesDown, "\(name)")
      let waited = trial.metrics[Metric.rebuffer.name]?.samples.reduce(0, +) ?? 0
      #expect(abs(waited / 1000 - summary.rebufferSeconds) < 1e-3, "\(name)")
      guard !summary.failed else { continue }
      #expect(abs((value(.rebufferRatio) ?? -1) - summary.rebufferRatio) < 1e-3, "\(name)")
      #expect(abs((value(.qoeLinear) ?? -1) - summary.qoeLin) < 0.01, "\(name)")
      let bitrate = try #require(value(.meanBitrate))
      #expect(abs(bitrate / summary.meanBitrate - 1) < 1e-3, "\(name): \(bitrate), \(summary.meanBitrate)")
      #expect(count(.bytesWasted) == summary.bytesWasted, "\(name)")
    }
  }

  @Test func theRecordIsReadAgain() throws {
    let (session, table) = try #require(try Self.sessions("steps").last)
    let record = Record(session, ladder: table, StreamSettings(), started: Date(), command: ["bench360", "abr"])
    let back = try RecordCoding.decodeRecord(RecordCoding.encode(record), name: "x")
    #expect(
      back == record && back.scenarios[0].variant == "virtual" && back.settings.streaming?.link?.network == "steps")
  }
}
