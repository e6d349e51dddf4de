import Frames
import Verdict

/// Several trials at once, each on a thread of its own, on behalf of one. Its thread waits for them and tells of their progress.
final class TrialThreads {
  private struct Board {
    var trials: [State]
    /// A trial has told something since the last look.
    var hasNews = false

    var progress: Double { trials.reduce(0) { $0 + $1.progress } / Double(max(1, trials.count)) }
    var outcomes: [TrialOutcome]? {
      let outcomes = trials.compactMap(\.outcome)
      return outcomes.count == trials.count ? outcomes : nil
    }
  }

  private struct State {
    var progress = 0.0
    /// Nil while it measures.
    var outcome: TrialOutcome?
  }

  /// How often the one trial is told of their progress, in milliseconds.
  private static let interval = 100.0

  /// What the threads are to do.
  struct Work: Sendable {
    /// Called on the thread before its trial begins; false: it does not begin.
    var mayBegin: @Sendable (_ index: Int) -> Bool = { _ in true }
    var measure: @Sendable (_ index: Int, Trial) throws(Failure) -> Void
    /// Lets threads that wait for something end: not all of them could be started.
    var giveUp: @Sendable () -> Void
  }

  /// The outcomes in the order of the requests; what a trial failed with is in its own.
  ///
  /// Throws where the system starts no thread.
  static func run(
    _ requests: [TrialRequest], for trial: Trial, _ work: Work
  ) throws(Failure) -> [TrialOutcome] {
    let board = Monitor(Board(trials: Array(repeating: State(), count: requests.count)))
    var threads: [WorkerThread] = []
    defer { for thread in threads { thread.join() } }
    do throws(Failure) {
      for (index, request) in requests.enumerated() {
        threads.append(try WorkerThread { measure(request, index, work, board) })
      }
    } catch {
      work.giveUp()
      throw error
    }
    while true {
      let end = MonotonicTime.now.advanced(byMilliseconds: interval)
      if let outcomes = board.wait(until: end, { $0.outcomes }) { return outcomes }
      // Trials that tell nothing hang: then neither does the one.
      let progress = board.withLock { board -> Double? in
        defer { board.hasNews = false }
        return board.hasNews ? board.progress : nil
      }
      if let progress { trial.progress(progress) }
    }
  }

  private static func measure(_ request: TrialRequest, _ index: Int, _ work: Work, _ board: Monitor<Board>) {
    let outcome = outcome(request, index, work, board)
    board.withLock { board in
      board.trials[index].progress = 1
      board.trials[index].outcome = outcome
    }
  }

  private static func outcome(
    _ request: TrialRequest, _ index: Int, _ work: Work, _ board: Monitor<Board>
  ) -> TrialOutcome {
    let mayBegin = work.mayBegin(index)
    var request = request
    request.spawned = .now
    let trial = Trial(request: request) { event in
      board.withLock { board in
        board.hasNews = true
        if case .progress(let fraction) = event { board.trials[index].progress = fraction }
      }
    }
    guard mayBegin, !trial.shouldStop else {
      trial.stop()
      return trial.outcome
    }
    do throws(Failure) {
      try work.measure(index, trial)
    } catch {
      if error.kind == .cancelled { trial.stop() } else { trial.fail(error) }
    }
    trial.warnOfOutage()
    _ = trial.shouldStop
    return trial.outcome
  }
}

extension Trial {
  /// Makes what others measured on its behalf its own: pooled, as `ClientMeasures` does.
  func add(_ outcomes: [TrialOutcome]) {
    let pooled = ClientMeasures(
      pooling: outcomes.map { ClientMeasures.Part(samples: $0.samples, counters: $0.counters, phases: $0.phases) })
    for (metric, samples) in pooled.samples { set(metric, samples) }
    for (counter, count) in pooled.counters { self.count(counter, count) }
    for (phase, milliseconds) in pooled.phases { self.phase(phase, milliseconds) }
    for outcome in outcomes {
      facts.merge(outcome.facts)
      for (metric, counts) in outcome.histograms {
        histograms[metric, default: [:]].merge(counts) { $0.addingSaturated($1) }
      }
    }
  }
}
