import Adaptation
import Foundation
import Frames
import Support
import Testing

/// Our controllers beside sabre's, on its own 3G and 4G logs and its own films.
@Suite(.tier(.test), .enabled("sabre is not there: set BENCH360_SABRE to its folder") { Sabre.isThere })
struct SabreTests {
  /// Our name, and sabre's for `--abr`.
  private static let pairs = [("bola", "bolae"), ("throughput", "throughput"), ("dynamic", "dynamic")]

  /// All logs where BENCH360_ABR=1, as `Benchmarks/abr/run` sets it; else each ninth.
  private static let step = ProcessInfo.processInfo.environment["BENCH360_ABR"] == "1" ? 1 : 9

  /// Requests of one controller over one set of logs.
  private struct Count {
    var (same, all) = (0, 0)
    /// Largest difference of the time stalled, where all decisions are equal, s.
    var stallError = 0.0
  }

  @Test(arguments: pairs)
  func decisionsAreSabres(ours: String, sabres: String) throws {
    let folder = try #require(Sabre.folder)
    let counts = try Sabre.LogSet.all.map { set in
      let logs = try set.logs(in: folder, step: Self.step)
      let count = try Self.count(ours, sabres, over: logs, film: set.film(in: folder), in: folder)
      let share = String(format: "%.3f", Double(count.same) / Double(count.all) * 100)
      let stalls = String(format: "%.6f", count.stallError)
      print("sabre|\(ours)|\(sabres)|\(set)|\(logs.count)|\(count.all)|\(count.all - count.same)|\(share)|\(stalls)")
      return count
    }
    let (same, all) = (counts.reduce(0) { $0 + $1.same }, counts.reduce(0) { $0 + $1.all })
    #expect(Double(same) >= 0.999 * Double(all), "\(all - same) of \(all) decisions differ")
    for count in counts { #expect(count.stallError < 0.001, "where all decisions are equal, so are the stalls") }
  }

  private static func count(
    _ ours: String, _ sabres: String, over logs: [String], film: String, in folder: String
  ) throws -> Count {
    let table = try LadderFile.read(file: film)
    let reference = try Sabre.play(film, over: logs, algorithm: sabres, in: folder)
    try #require(reference.count == logs.count && logs.count > 3)
    var count = Count()
    for (log, sabre) in zip(logs, reference) {
      let session = try Simulation(table, over: TraceFormat.read(file: log), controller: Samples.choice(ours)).run()
      let rungs = Dictionary(grouping: session.requests, by: \.segment).mapValues { $0.map(\.rung) }
      #expect(sabre.rungs.count == table.durations.count && rungs.count == table.durations.count)
      for segment in table.durations.indices {
        let (theirs, mine) = (sabre.rungs[segment] ?? [], rungs[segment] ?? [])
        count.same += zip(theirs, mine).count { $0 == $1 }
        count.all += max(theirs.count, mine.count)
      }
      if sabre.rungs == rungs {
        let difference = abs(sabre.rebufferSeconds - session.summary.rebufferSeconds)
        count.stallError = max(count.stallError, difference)
        // At the end sabre can count a stall that is the rounding of its buffer.
        #expect((0...1).contains(sabre.rebuffers - session.summary.rebuffers), "\(log)")
      } else {
        let segments = table.durations.indices.filter { sabre.rungs[$0] != rungs[$0] }
        print("sabre differs, \(ours), \(log.split(separator: "/").last ?? ""): segments \(segments)")
      }
    }
    return count
  }
}
