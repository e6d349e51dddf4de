import FoundationEssentials
import Frames
import Host
import Verdict

/// Commands of any program: nothing is appended, and the numbers come from their output, from JSON, and from what the
/// system measures of their processes.
package struct CustomRuns: RunReading {
  /// The variable through which a command learns where it may write its JSON.
  package static let variable = "BENCH360_JSON"
  /// Bytes at the end of each output stream in which expressions are looked for.
  private static let searched = 1 << 20

  private let reading: CustomReading

  package init(_ reading: CustomReading) {
    self.reading = reading
  }

  package var readsOutput: Bool { true }
  package var remedy: String { "try it by hand" }

  package func line(_ command: String, output: String) -> String { command }

  package func environment(output: String) -> [String: String] { [Self.variable: output] }

  package func isFine(status: Int32) -> Bool { status == 0 }

  /// Leaves the numbers in the place of the JSON that the command may have written.
  package func read(_ run: EndedRun) throws(Failure) -> CustomRun {
    var output = CustomReading.Output(
      text: text(run.logs), json: nil, wallMilliseconds: run.usage.wallMilliseconds,
      userMilliseconds: run.usage.userMilliseconds, peakMiB: run.usage.peakMiB)
    if reading.readsJSON {
      let isWritten = FileManager.default.fileExists(atPath: run.output)
      output.json = isWritten ? try RecordBytes.load(run.output) : run.logs.output?.data ?? Data()
    }
    let numbers = try reading.run(output, place: run.place)
    try RecordFile.write(numbers, to: run.output)
    return numbers
  }

  private func text(_ logs: ShellProcess.Logs) -> String {
    [logs.output, logs.error].compactMap { $0?.text(last: Self.searched) }.joined(separator: "\n")
  }

  package func compare(
    _ blocks: [(base: [CustomRun], head: [CustomRun])], names: (base: String, head: String), options: ComparisonOptions
  ) throws(Failure) -> Comparison {
    try Comparison(customBlocks: blocks, names: names, options: options)
  }
}
