import FoundationEssentials
import Frames
import Glibc
import Host
import Logging

/// The parent's side of a trial: spawns it, follows its events, kills it when it hangs.
struct TrialProcess {
  /// Called with the trial's activity and its progress, from 0 to 1.
  var onProgress: (_ stage: String, _ fraction: Double) -> Void = { _, _ in }
  /// Environment variables of the trial's process that differ from this one's.
  var environment: [String: String] = [:]
  /// Time that a trial may take after a stop request to report its results so far.
  private static let stopMilliseconds = 3000.0

  /// Runs one trial to its end.
  ///
  /// Throws its failure; `.timeout` if it made no progress for the request's time-out and was killed; `.failed` if
  /// it crashed. After Ctrl-C the trial is asked to stop and returns its results so far.
  func run(_ request: TrialRequest) throws(Failure) -> TrialOutcome {
    let child = try ChildProcess<TrialEvent>(
      ["trial", "--spawned", String(MonotonicTime.now.nanoseconds)], request: request, environment: environment,
      attempt: describe(request))
    defer { child.end() }
    runLog.debug(
      "started a trial",
      metadata: [
        "scenario": "\(request.scenario.name)", "variant": "\(request.variant ?? "")",
        "input": "\(redactingSecrets(ofArgument: request.input))",
      ])
    var stage = "start"
    var deadline = MonotonicTime.now.advanced(byMilliseconds: request.settings.repetition.timeout * 1000)
    var isAsked = false
    while true {
      if Interrupt.isRequested, !isAsked {
        isAsked = true
        child.ask()
        deadline = MonotonicTime.now.advanced(byMilliseconds: Self.stopMilliseconds)
      }
      guard let events = child.events(withinMilliseconds: 100) else {
        // Early on the trial has no signal handler yet: it just ends.
        if Interrupt.isRequested { throw Failure(.cancelled, describe(request), cause: "it was interrupted") }
        throw child.crash(describe(request), stage: stage)
      }
      if !events.isEmpty, !isAsked {
        deadline = MonotonicTime.now.advanced(byMilliseconds: request.settings.repetition.timeout * 1000)
      }
      for event in events {
        switch event {
        case .stage(let name):
          stage = name
          runLog.trace("stage", metadata: ["name": "\(name)"])
          // The trial is still writing its results: it does not hang.
          if isAsked, name == TraceLog.writing {
            Interrupt.allowWriting()
            deadline = MonotonicTime.now.advanced(byMilliseconds: 5000)
          }
          onProgress(name, 0)
        case .progress(let fraction): onProgress(stage, fraction)
        case .outage: break
        case .finished(let outcome):
          child.hasFinished = true
          return outcome
        case .failed(let description): throw description.failure
        }
      }
      if MonotonicTime.now > deadline {
        if isAsked { throw Failure(.cancelled, describe(request), cause: "it did not stop when asked to") }
        let seconds = Int(request.settings.repetition.timeout.rounded(.up))
        throw Failure(
          .timeout, describe(request), cause: "it made no progress for \(seconds) s in stage '\(stage)' and was ended",
          remedy: "give a longer --timeout if this machine is slow; else '\(stage)' hangs")
      }
    }
  }
}

private func describe(_ request: TrialRequest) -> String {
  "cannot finish scenario '\(request.scenario.name)' on '\(request.input)'"
}
