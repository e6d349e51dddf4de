import Adaptation
import Frames
import Support
import Testing

import Streaming

/// Streams decide as the simulation of the same ladder and network does: one scheduler, two clocks.
@Suite(.tier(.test)) struct SimulationAgreementTests {
  private static let patient = ["fixed:1", "lowest", "mpc", "bba"]
  private static let abandoning = ["throughput", "bola", "dynamic"]

  private static func networks() throws -> [NetworkTrace] {
    func made(_ name: String, _ rates: [Double], seconds: Double) throws -> NetworkTrace {
      try NetworkTrace(
        name: name,
        periods: rates.map { NetworkTrace.Period(seconds: seconds, bitsPerSecond: $0 * 50, roundTrip: 0.03) })
    }
    var generator = SeededGenerator(seed: 7)
    return [
      try made("constant", [1450], seconds: 60), try made("steps", [600, 2600, 350, 5200], seconds: 25),
      try made("ramp", Array(stride(from: 300, through: 4500, by: 300)), seconds: 7),
      try made("drops", [5000, 40], seconds: 17), try made("outage", [2500, 0], seconds: 14),
      try made("random", (0..<60).map { _ in .random(in: 150...4000, using: &generator) }, seconds: 3),
    ]
  }

  private static let ladder = [11_500.0, 16_600, 23_900, 34_400, 49_600, 71_400, 102_800, 148_100]

  /// The decisions of both, and how many of them are alike.
  private static func compare(
    _ stream: VirtualStream, _ network: NetworkTrace, _ controller: String
  ) throws -> (equal: Int, all: Int) {
    let choice = try #require(ControllerChoice(controller))
    let session = try Simulation(stream.table, over: network, controller: choice).run()
    let transport = VirtualTransport(stream, over: network)
    // The simulation knows of segments alone.
    transport.isFree = { Int($0.split(separator: "/").last ?? "") == nil && !$0.hasSuffix("/all") }
    let run = try VirtualRun.of(transport, StreamOptions(controller: choice), isDrained: false)
    #expect(run.hasEnded && run.failure == nil, "\(network.name), \(controller)")
    // The last decision of each segment is the one that was played.
    func rungs(_ decisions: [(segment: Int, rung: Int)]) -> [Int: Int] {
      decisions.reduce(into: [:]) { $0[$1.segment] = $1.rung }
    }
    let simulated = rungs(session.requests.map { ($0.segment, $0.rung) })
    let loaded = rungs(run.history.decisions.map { ($0.segment, $0.rung) })
    let equal = simulated.count { loaded[$0.key] == $0.value }
    return (equal, max(simulated.count, loaded.count))
  }

  @Test func decisionsAreThoseOfTheSimulation() throws { try Self.compare(.hls) }

  @Test(.tier(.full), arguments: VirtualStream.Form.allCases)
  func decisionsOfEachFormAreThoseOfTheSimulation(form: VirtualStream.Form) throws { try Self.compare(form) }

  /// Exact where no download is abandoned. Of the others, those downloads are judged up to a tick of the link later: with ticks of 1 ms
  /// instead of 10, 1,074 decisions are alike.
  private static func compare(_ form: VirtualStream.Form) throws {
    let table = try RungTable(name: "test", bitrates: Self.ladder, durations: Array(repeating: 3, count: 60))
    let stream = VirtualStream(table, form)
    for (controllers, expected) in [(Self.patient, 1440), (Self.abandoning, 1059)] {
      var (equal, all) = (0, 0)
      for network in try Self.networks() {
        for controller in controllers {
          let found = try Self.compare(stream, network, controller)
          (equal, all) = (equal + found.equal, all + found.all)
        }
      }
      #expect(equal == expected && all == controllers.count * 6 * 60, "\(equal) of \(all) decisions are alike")
    }
  }
}
