import FoundationEssentials
import Frames
import Host
import Run
import Verdict

/// Recordings of a player, device or screen that played one clip: a trial for each, and the record of them.
package struct RecordedRun {
  package var input: ObservedInput
  /// Paths of the recordings.
  package var recordings: [String]
  /// Called with the current activity and the run's progress, from 0 to 1.
  package var onProgress: (_ text: String, _ fraction: Double) -> Void = { _, _ in }

  /// The record's variant.
  private static let variant = "recording"

  package init(_ input: ObservedInput, recordings: [String]) { (self.input, self.recordings) = (input, recordings) }

  /// Throws only if nothing at all could be measured.
  package func run() throws(Failure) -> ObservedOutcome {
    onProgress("open", 0)
    var base = try ObservedRecord(input)
    try base.requireNumbers()
    base.settings.repetition.trials = recordings.count
    var trials: [Record.Trial] = []
    var warnings: [Record.Warning] = []
    var failure: Failure?
    // Recordings that cannot be read: the others go on.
    var failed: [Failure] = []
    for (index, path) in recordings.enumerated() {
      let started = RecordCoding.timestamp(Date())
      do throws(Failure) {
        let result = try Recording(path: path, clip: base.clip, size: base.size).read { fraction in
          onProgress(
            "recording \(index + 1)/\(recordings.count)", (Double(index) + fraction) / Double(recordings.count))
        }
        if trials.isEmpty { base.settings.observation = observation(result) }
        trials.append(Record.Trial(result.measures, result.watched, started: started))
        warnings += Self.warnings(result, of: path)
      } catch {
        if error.kind == .cancelled || recordings.count == 1 {
          failure = error
          break
        }
        failed.append(error)
      }
    }
    if let failure = failure ?? failed.first, trials.isEmpty { throw failure }
    warnings += failed.map { .init(code: .leftOut, text: $0.description) }
    if let failure { warnings.append(ObservedRecord.warning(failure)) }
    return ObservedOutcome(
      record: base.record([(Self.variant, trials)], isComplete: failure == nil, warnings), failure: failure)
  }

  private func observation(_ result: Recording.Result) -> Record.Settings.Observation {
    let grid = result.grid
    let place = "\(Int(grid.width.rounded()))x\(Int(grid.height.rounded()))"
    return Record.Settings.Observation(
      source: "recording",
      timing: "a frame of the recording shows the pixels; in it, the clip's picture has about \(place) pixels",
      screen: result.size,
      players: [Record.Settings.Player(name: Self.variant, command: "--recording", version: nil)])
  }

  private static func warnings(_ result: Recording.Result, of path: String) -> [Record.Warning] {
    var warnings: [Record.Warning] = []
    let period = result.watched.samplePeriodMs ?? 0
    warnings.append(
      .init(
        code: .coarseSampling,
        text:
          "'\(path)' has a frame each \(formatted("%.1f", period)) ms, and up to \(formatted("%.1f", result.longestGap)) ms "
          + "from one to the next: times are uncertain by as much, and a frame that stayed for less may be missing",
        remedy: "record at a higher frame rate"))
    if !result.hasSound {
      warnings.append(.init(code: .leftOut, text: "'\(path)' has no sound of the clip that can be read"))
    }
    if let cause = result.endsEarly { warnings.append(.init(code: .endedEarly, text: "'\(path)': \(cause)")) }
    return warnings
  }
}
