import Foundation
import Frames
import Glibc
import Host

/// The parent's side of a trial: spawns it, follows its events, ends it when it hangs.
struct TrialProcess {
  /// Told what the trial is doing and how far it is, from 0 to 1.
  var onProgress: (_ stage: String, _ fraction: Double) -> Void = { _, _ in }
  /// Variables that the trial's process finds otherwise than this one.
  var environment: [String: String] = [:]
  /// So long a trial that was asked to stop may take: what is left of the second is for the record.
  private static let stopMilliseconds = 500.0

  /// Runs one trial to its end.
  ///
  /// Throws its failure; `.timeout` when it made no progress for the request's time-out and was ended; `.failed` when
  /// it crashed. After Ctrl-C the trial is asked to stop and gives what it has.
  func run(_ request: TrialRequest) throws(Failure) -> TrialOutcome {
    let child = try ChildProcess<TrialEvent>(
      ["trial", "--spawned", String(MonotonicTime.now.nanoseconds)], request: request, environment: environment,
      attempt: describe(request))
    defer { child.end() }
    var stage = "start"
    var deadline = MonotonicTime.now.advanced(byMilliseconds: request.settings.timeout * 1000)
    var isAsked = false
    while true {
      if Interrupt.isRequested, !isAsked {
        isAsked = true
        child.ask()
        deadline = MonotonicTime.now.advanced(byMilliseconds: Self.stopMilliseconds)
      }
      guard let events = child.events(withinMilliseconds: 100) else {
        // Early on the trial does not listen yet: it just ends.
        if Interrupt.isRequested { throw Failure(.cancelled, describe(request), cause: "it was interrupted") }
        throw child.crash(describe(request), stage: stage)
      }
      if !events.isEmpty, !isAsked {
        deadline = MonotonicTime.now.advanced(byMilliseconds: request.settings.timeout * 1000)
      }
      for event in events {
        switch event {
        case .stage(let name):
          stage = name
          // What was measured is still being written: that is not hanging.
          if isAsked, name == TraceLog.writing {
            Interrupt.allowWriting()
            deadline = MonotonicTime.now.advanced(byMilliseconds: 5000)
          }
          onProgress(name, 0)
        case .progress(let fraction): onProgress(stage, fraction)
        case .finished(let outcome):
          child.hasFinished = true
          return outcome
        case .failed(let description): throw description.failure
        }
      }
      if MonotonicTime.now > deadline {
        if isAsked { throw Failure(.cancelled, describe(request), cause: "it did not stop when asked to") }
        let seconds = Int(request.settings.timeout.rounded(.up))
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
