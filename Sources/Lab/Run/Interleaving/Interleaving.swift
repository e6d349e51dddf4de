import FoundationEssentials
import Frames
import Host
import Verdict

/// Two commands measured in turns, A B B A: drift of the machine affects both alike.
///
/// A run is a fresh process that leaves a reading, such as a record; a block is four of them. Used by one thread.
package struct Interleaving<Runs: RunReading> {
  package var base: ComparedCommand
  package var head: ComparedCommand
  /// What the commands leave.
  private let reading: Runs
  /// Runs per side; even.
  package var runs = 20
  /// Whether to test after 8, 12 and 20 runs and stop once the verdict is final.
  package var looksEarly = true
  package var options = ComparisonOptions()
  /// Folder for all records; nil: records are not kept.
  package var keep: String?
  /// Time limit of one run, in seconds.
  package var timeout = 900.0
  /// Called with the current run and the progress, from 0 to 1.
  package var onProgress: (_ text: String, _ fraction: Double) -> Void = { _, _ in }
  /// Called with messages that users need even where no progress is shown: early tests, crashes.
  package var onNote: (String) -> Void = { _ in }

  package init(base: ComparedCommand, head: ComparedCommand, reading: Runs) {
    self.base = base
    self.head = head
    self.reading = reading
  }

  private typealias Outcome = InterleavingOutcome
  private typealias Side = SideCommand<Runs>

  private struct Block {
    var base: [Runs.Reading] = []
    var head: [Runs.Reading] = []
  }

  /// Throws if there is no conclusion at all: a command that does not run even once, sides that cannot be compared.
  package func run() throws(Failure) -> InterleavingOutcome {
    let folder = try RunFolder(keep: keep)
    defer { folder.remove() }
    let logs = ShellProcess.Logs(
      output: reading.readsOutput ? try CommandLog("standard output") : nil, error: try CommandLog("standard error"))
    let base = Side(side: "base", command: base, runs: reading, timeout: timeout, folder: folder, logs: logs)
    let head = Side(side: "head", command: head, runs: reading, timeout: timeout, folder: folder, logs: logs)
    onProgress("warm-up", 0)
    for side in [base, head] { _ = try side.run(number: 0) }
    return try measure(base, head)
  }

  private func measure(_ base: Side, _ head: Side) throws(Failure) -> Outcome {
    // The first block tells how many metrics are judged.
    var looks = EarlyLooks(runs: runs, early: looksEarly).looks[...]
    var blocks: [Block] = []
    var crashes: [Failure] = []
    var status = ""
    while let look = looks.first {
      do throws(Failure) {
        blocks.append(try block(number: blocks.count, base, head, status))
      } catch {
        if Interrupt.isRequested { return Outcome(comparison: try? compare(blocks, look, crashes), failure: nil) }
        guard crashes.count + 1 < patience else {
          return Outcome(comparison: try? compare(blocks, look, crashes), failure: givingUp(error))
        }
        crashes.append(error)
        onNote("\(error.attempt): \(error.cause); its block is made again")
        continue
      }
      let comparison = try compare(blocks, look, crashes)
      if blocks.count == 1 {
        let judged = comparison.results.count { $0.verdict != nil }
        looks = EarlyLooks(runs: runs, metrics: judged, early: looksEarly).looks[...]
      }
      status = comparison.gatedShifts
      guard blocks.count * 2 == look.runs else { continue }
      looks.removeFirst()
      let isLast = looks.isEmpty || comparison.stands
      onNote("\(look.runs) of \(runs) runs a side: \(comparison.sentence)\(isLast ? "" : "; going on")")
      if isLast { return Outcome(comparison: comparison, failure: nil) }
    }
    preconditionFailure("the last look ends the runs")
  }

  /// A B B A; all four or none.
  private func block(
    number: Int, _ base: Side, _ head: Side, _ status: String
  ) throws(Failure) -> Block {
    var block = Block()
    for (position, side) in [base, head, head, base].enumerated() {
      let done = number * 4 + position
      let answer = status.isEmpty ? "" : "; so far \(status)"
      onProgress("run \(done + 1) of \(2 * runs), \(side.side)\(answer)", Double(done) / Double(2 * runs))
      let run = try side.run(number: number * 2 + (position < 2 ? 1 : 2))
      if side.side == base.side { block.base.append(run) } else { block.head.append(run) }
    }
    return block
  }

  private func givingUp(_ failure: Failure) -> Failure {
    Failure(
      failure.kind, failure.attempt, cause: "\(failure.cause); it is the third that failed, so no more runs were made",
      remedy: failure.remedy)
  }

  private func compare(
    _ blocks: [Block], _ look: EarlyLooks.Look, _ crashes: [Failure]
  ) throws(Failure) -> Comparison {
    var options = options
    options.varied = nil
    options.alpha = look.alpha
    var comparison = try reading.compare(
      blocks.map { ($0.base, $0.head) }, names: (redactingSecrets(base.line), redactingSecrets(head.line)),
      options: options)
    if let difference = base.difference(from: head) { comparison.varied.insert(difference, at: 0) }
    comparison.runs = .init(made: blocks.count * 2, planned: runs)
    comparison.warnings += crashes.map { crash in
      Record.Warning(
        code: .crashed, text: "\(crash.attempt): \(crash.cause); its block was made again",
        remedy: crash.remedy)
    }
    return comparison
  }
}

/// The verdict on the complete blocks, if there is one, and the failure that ended the runs early, if one did.
package struct InterleavingOutcome {
  package var comparison: Comparison?
  package var failure: Failure?
}

/// After this many failures in all, a command is given up.
private let patience = 3

extension Comparison {
  /// Whether more runs cannot change the verdict: every gated metric is decided, or one regressed.
  fileprivate var stands: Bool {
    let verdicts = results.compactMap(\.verdict)
    return verdicts.contains(.regression) || !verdicts.contains(.inconclusive) || !incorrect.isEmpty
  }
}
