import Foundation
import Frames
import Support
import Verdict

/// Records whose numbers make no sense.
package enum HostileRecords {
  /// Records that are there, small: the made-up one, one that was played, a stream, and the reference of a machine.
  package static func originals() throws -> [LooseJSON] {
    let folder = TestFolders.repository + "/results/amd-epyc-2core/reference-built-in-clip.json"
    let reference = try LooseJSON(Data(contentsOf: URL(filePath: folder)))
    return [
      try LooseJSON(RecordCoding.encode(Sample.record())).cut(to: 130), reference.cut(to: 40),
      try LooseJSON(RecordCoding.encode(played(samples: [16.6, 33.3, 16.7], refresh: 60))),
      try LooseJSON(RecordCoding.encode(Sample.record(of: [Sample.stream(seconds: 36)]))).cut(to: 40),
    ]
  }

  package static func played(samples: [Double], refresh: Double, counters: Int = 3) -> Record {
    var trial = Sample.trial(
      [
        "display_interval_ms": samples, "frame_interval_ms": samples, "frame_overrun_ms": samples + samples.prefix(1),
        "queue_depth": samples, "roughness_ms": samples, "render_gpu_ms": samples,
      ],
      counters: [
        "presented": counters, "dropped": counters, "skipped": counters, "late": counters, "stalls": counters,
        "wrong_frame": counters, "out_of_tolerance": counters,
      ])
    trial.histograms = ["drop_runs": ["1": counters, "2": counters]]
    var record = Sample.record(
      scenarios: ["play", "pipeline", "interaction"].map { name in
        Record.Scenario(name: name, presentSource: .simulated, trials: [trial, trial])
      })
    record.settings.pacing.refreshHz = refresh
    return record
  }

  /// A record with other values in places, and the one that it was made of.
  package struct Mutant {
    package var number: Int
    package var data: Data
    package var original: Record
  }

  /// Makes so many mutants, or `BENCH360_HOSTILE_RECORDS` of them where that is set, and hands the readable ones to `use`, with the folder
  /// that they lie in: each lies there as `mutant.json` meanwhile, so that a trap leaves it behind.
  ///
  /// - Returns: how many could be read, and a line for each failure that is no sentence about the record.
  package static func readMutants(
    _ count: Int, using random: inout SeededGenerator, _ use: (Record, Mutant, URL) throws(Failure) -> Void
  ) throws -> (read: Int, wrong: [String]) {
    var (read, wrong) = (0, [String]())
    let seed = random.seed
    try TestFiles.withTemporaryFolder { folder in
      try forEachMutant(ProofSize.count("BENCH360_HOSTILE_RECORDS", usual: count), in: folder, using: &random) {
        mutant in
        do throws(Failure) {
          let record = try RecordCoding.decodeRecord(mutant.data, name: "mutant")
          read += 1
          try use(record, mutant, folder)
        } catch {
          if [.input, .incomparable, .usage].contains(error.kind) { return }
          wrong.append("seed \(seed), mutant \(mutant.number): \(error)")
        }
      }
    }
    return (read, wrong)
  }

  private static func forEachMutant(
    _ count: Int, in folder: URL, using random: inout SeededGenerator, _ body: (Mutant) -> Void
  ) throws {
    let originals = try originals()
    let whole = try originals.map { try RecordCoding.decodeRecord(Data($0.source.utf8), name: "original") }
    for number in 0..<count {
      var text = originals[number % originals.count]
      text.mutate(using: &random)
      let data = Data(text.source.utf8)
      try data.write(to: folder.appending(path: "mutant.json"))
      body(Mutant(number: number, data: data, original: whole[number % originals.count]))
    }
  }

  /// A refresh rate, and a sample and a counter at the ends of their types.
  package struct Extreme: Sendable {
    var refresh: Double
    var sample: Double
    var counter: Int

    /// The record that has all three, and one to compare it with.
    package var records: (record: Record, other: Record) {
      (
        played(samples: [sample, 16.6, -sample, sample], refresh: refresh, counters: counter),
        played(samples: [16], refresh: refresh)
      )
    }
  }

  private static let refreshRates = [1e12, 1e25, 1e308, 0x1p-1074, -60, 0, 1e-3, 60]
  private static let samples = [-1e25, 1e25, 1e308, -1e308, 0x1p-1074, 0]
  private static let counters = [Int.max, .min, 0]

  package static let allExtremes = refreshRates.flatMap { refresh in
    samples.flatMap { sample in counters.map { Extreme(refresh: refresh, sample: sample, counter: $0) } }
  }

  /// Each pair of a refresh rate, a sample and a counter once.
  package static let extremes = Sampling.pairwise([refreshRates.count, samples.count, counters.count]).map {
    Extreme(refresh: refreshRates[$0[0]], sample: samples[$0[1]], counter: counters[$0[2]])
  }

  /// A record against itself, and against another both ways; without pairs that cannot be compared.
  package static func comparisons(of record: Record, with other: Record) throws(Failure) -> [Comparison] {
    var comparisons: [Comparison] = []
    for (base, head) in [(record, record), (other, record), (record, other)] {
      do throws(Failure) {
        var options = ComparisonOptions()
        options.varied = nil
        options.noiseFloorPercent = 1000
        let (base, head) = (RecordSet(path: "base", records: [base]), RecordSet(path: "head", records: [head]))
        comparisons.append(try Comparison(base: base, head: head, options: options))
      } catch {
        guard error.kind == .incomparable else { throw error }
      }
    }
    return comparisons
  }
}
