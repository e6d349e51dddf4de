import FoundationEssentials
import Frames
import Host
import Verdict

/// Commands that are 'bench360 run …' lines: '--output FILE' is appended, and each run leaves its records there.
package struct RecordRuns: RunReading {
  private let session = MeasuringSession.make()

  package init() {}

  package var readsOutput: Bool { false }

  package var remedy: String {
    "it must be a 'bench360 run …' line, for '--output FILE' is appended to it: try it by hand, or give --metric for another "
      + "program"
  }

  package func line(_ command: String, output: String) -> String {
    "\(command) --output \(shellQuoted(output))"
  }

  package func environment(output: String) -> [String: String] { [MeasuringSession.variable: session] }

  // 3 is a run with wrong pictures: its record says so.
  package func isFine(status: Int32) -> Bool { status == 0 || status == 3 }

  package func read(_ run: EndedRun) throws(Failure) -> [Record] {
    let records = try RecordSet.load(run.output).records
    guard !records.isEmpty else {
      throw Failure(
        .failed, "\(run.place) failed",
        cause: "'\(oneLine(run.command.line))' \(run.ended) but wrote no record to the '--output' appended to it",
        remedy: "give a 'bench360 run …' line without --output, or --metric for another program")
    }
    return records
  }

  package func compare(
    _ blocks: [(base: [[Record]], head: [[Record]])], names: (base: String, head: String), options: ComparisonOptions
  ) throws(Failure) -> Comparison {
    try Comparison(
      blocks: blocks.map { (base: $0.base.flatMap { $0 }, head: $0.head.flatMap { $0 }) }, names: names,
      options: options)
  }
}
