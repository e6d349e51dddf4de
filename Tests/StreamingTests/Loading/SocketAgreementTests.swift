import Adaptation
import Foundation
import Frames
import Media
import Origin
import Support
import Synchronization
import Testing

import Streaming

/// Streams over sockets decide as the simulation of the same ladder and link does. Real time, so that a busy machine may decide otherwise:
/// `SimulationAgreementTests` compare the same decisions on the virtual origin in each run.
@Suite(.tier(.full)) struct SocketAgreementTests {
  /// Far from any rung's edge, so that a late thread changes no decision.
  private static let rates: [(seconds: Double, bitsPerSecond: Double)] = [
    (seconds: 3.0, bitsPerSecond: 1_300_000.0), (3600, 430_000),
  ]
  private static let roundTrip = 0.02
  private static let load = LoadPolicy(minimum: 2.5, maximum: 2.5)

  private static func serve(_ stream: VirtualStream, in folder: String) throws -> Origin {
    try stream.write(to: folder)
    var options = OriginOptions()
    options.shape = try LinkShape(
      periods: rates.map {
        LinkShape.Period(seconds: $0.seconds, bitsPerSecond: $0.bitsPerSecond, roundTrip: roundTrip)
      }, repeats: false)
    return try Origin.start(folder, options: options)
  }

  /// The last decision of each segment, and the seconds that this machine was too slow.
  private static func decisions(_ stream: VirtualStream, _ controller: ControllerChoice) throws -> (
    rungs: [Int: Int], lostSeconds: Double
  ) {
    try TestFolders.withTemporary { folder in
      let origin = try serve(stream, in: folder)
      var options = StreamOptions(controller: controller)
      options.load = load
      let loaded = try LoadedStream(origin.url + stream.manifest, options)
      var (place, last) = (0.0, loaded.now)
      _ = Patience.until(every: 2) {
        let (now, buffer) = (loaded.now, loaded.bufferSeconds)
        place += min(now - last, buffer)
        last = now
        loaded.played(to: MediaTime(seconds: place))
        return loaded.store.isFinished
      }
      loaded.stop()
      let lost = origin.lostSeconds
      try origin.stop()
      return (loaded.history.decisions.reduce(into: [:]) { $0[$1.segment] = $1.rung }, lost)
    }
  }

  private static func simulated(_ table: RungTable, _ controller: ControllerChoice) throws -> [Int: Int] {
    let network = try NetworkTrace(
      name: "steps",
      periods: rates.map {
        NetworkTrace.Period(seconds: $0.seconds, bitsPerSecond: $0.bitsPerSecond, roundTrip: roundTrip)
      }, repeats: false)
    let session = try Simulation(table, over: network, controller: controller, load: load).run()
    return session.requests.reduce(into: [:]) { $0[$1.segment] = $1.rung }
  }

  @Test func decisionsAreThoseOfTheSimulation() throws {
    let table = try RungTable(
      name: "test", bitrates: [150_000, 300_000, 600_000, 2_400_000], durations: Array(repeating: 0.4, count: 18))
    let stream = VirtualStream(table, .dash)
    let names = ["throughput", "bba"]
    var (equal, all) = (0, 0)
    // A machine that stands still for a moment is a slower link: it gets another chance.
    for attempt in 0..<3 where equal * 100 < 95 * all || all == 0 {
      let found = Mutex([(equal: Int, all: Int, lost: Double)]())
      DispatchQueue.concurrentPerform(iterations: names.count) { number in
        do {
          let choice = try #require(ControllerChoice(names[number]))
          let simulated = try Self.simulated(table, choice)
          let (rungs, lost) = try Self.decisions(stream, choice)
          found.withLock { $0.append((simulated.count { rungs[$0.key] == $0.value }, simulated.count, lost)) }
        } catch {
          Issue.record(error)
        }
      }
      let results = found.withLock { $0 }
      (equal, all) = results.reduce((0, 0)) { ($0.0 + $1.equal, $0.1 + $1.all) }
      let lost = results.reduce(0) { $0 + $1.lost }
      print("\(equal) of \(all) decisions over sockets are alike, \(lost) s lost, attempt \(attempt)")
    }
    #expect(all == names.count * 18 && equal * 100 >= 95 * all)
  }
}
