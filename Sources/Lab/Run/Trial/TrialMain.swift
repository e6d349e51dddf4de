import Decode
import FoundationEssentials
import Frames
import Glibc
import Host
import Media

/// The child's side of a trial: reads a request, measures, writes events.
public enum TrialMain {
  /// Runs the request on standard input and writes events to standard output.
  ///
  /// - Parameter spawned: the parent's instant just before it spawned this process.
  public static func run(spawned: MonotonicTime?) {
    // Threads that read report outages: a line is written whole before the next one.
    let turn = Monitor(())
    let report: @Sendable (TrialEvent) -> Void = { event in
      guard var line = try? JSONEncoder().encode(event) else { return }
      line.append(UInt8(ascii: "\n"))
      turn.withLock { _ in
        do {
          try OpenFile.standardOutput.write(line)
        } catch {
          // The parent is gone: no process would end this one.
          _exit(1)
        }
      }
    }
    Watchdog.start(
      wait: { MediaWatch.waitForCalls(endsOverdueCalls: true) },
      overdue: { MediaWatch.overdue(endsOverdueCalls: true) }
    ) { report(.failed(FailureDescription($0))) }
    do {
      guard var request = ParentInput.next(TrialRequest.self) else {
        throw Failure(.failed, "cannot start a trial", cause: "its request on standard input is incomplete")
      }
      request.spawned = spawned
      report(.finished(try measure(request, report)))
    } catch let failure as Failure {
      report(.failed(FailureDescription(failure)))
    } catch {
      report(.failed(FailureDescription(Failure(.failed, "cannot start a trial", cause: "\(error)"))))
    }
  }

  private static func measure(
    _ request: TrialRequest, _ report: @escaping @Sendable (TrialEvent) -> Void
  ) throws(Failure) -> TrialOutcome {
    let trial = Trial(request: request, report: report)
    Interrupt.keepMeasurements()
    do throws(Failure) {
      trial.stress = try Stress(request.settings.stress)
      try request.scenario.measured.run(trial)
      if let expected = request.settings.expected {
        trial.addProcessCosts()
        trial.endSegments()
        try trial.verify(expected)
      }
    } catch {
      // The user's stop cut the read short: keep the measurements so far.
      guard error.kind == .cancelled, Interrupt.isRequested else { throw error }
    }
    trial.addProcessCosts()
    trial.warnOfOutage()
    Interrupt.allowWriting()
    trial.writeTrace()
    // A stop that came last counts.
    _ = trial.shouldStop
    return trial.outcome
  }
}
