import FoundationEssentials
import Frames
import Host
import Verdict

/// Several players of one stream in a trial's process, each on a thread of its own with a stream, connections, a controller, a clock and a
/// seed of its own. What they measured becomes the trial's. Main thread.
final class ClientGroup {
  private let trial: Trial
  private let settings: ClientSettings
  /// No client starts any more.
  private let isOver = Monitor(false)

  init(_ trial: Trial) {
    self.trial = trial
    settings = trial.request.settings.streaming.clients
  }

  /// Plays until the last client has ended.
  ///
  /// Throws what the first one failed with where none opened its stream. Where some failed, the trial has failed, with the measurements
  /// of all.
  ///
  /// - Parameter play: what a client does, on its thread, with a trial of its own.
  func run(_ play: @escaping @Sendable (Trial) throws(Failure) -> Void) throws(Failure) {
    trial.stage("play \(settings.count) clients")
    let requests = (0..<settings.count).map(request)
    let work = TrialThreads.Work(
      mayBegin: { [isOver, settings, began = MonotonicTime.now] index in
        let start = began.advanced(byMilliseconds: Double(index) * settings.stagger * 1000)
        let hasEnded = isOver.wait(until: start, unless: .everything) { $0 ? true : nil } ?? false
        return !hasEnded && !Interruption.everything.isRequested
      },
      measure: { _, client throws(Failure) in try play(client) },
      giveUp: { [isOver] in isOver.withLock { $0 = true } })
    try take(try TrialThreads.run(requests, for: trial, work))
  }

  private func request(of index: Int) -> TrialRequest {
    var request = trial.request
    (request.traceFile, request.events) = (nil, nil)
    request.settings.streaming = request.settings.streaming.of(client: index)
    request.settings.repetition.seed &+= UInt64(index)
    return request
  }

  /// Makes the clients' measurements the trial's.
  private func take(_ outcomes: [TrialOutcome]) throws(Failure) {
    let failures = outcomes.map { $0.failure?.failure }
    if outcomes.allSatisfy({ $0.stream.session == nil }), let first = failures.compactMap({ $0 }).first { throw first }
    let opened = outcomes.compactMap(\.stream.opened).min() ?? .now
    trial.stream.clients = outcomes.enumerated().map { index, outcome in
      StreamClient(
        number: index + 1, opened: outcome.stream.opened.map { $0.milliseconds(since: opened) / 1000 } ?? 0,
        session: outcome.stream.session ?? unopened(index), problem: outcome.failure?.failure.description)
    }
    trial.trace?.streamOpened = opened
    trial.add(outcomes)
    for (metric, samples) in ClientMeasures.comparing(trial.stream.sessions) { trial.set(metric, samples) }
    if let index = failures.firstIndex(where: { $0 != nil && $0?.kind != .cancelled }), let failure = failures[index] {
      trial.fail(
        Failure(
          failure.kind, "client \(index + 1) of \(settings.count): \(failure.attempt)", cause: failure.cause,
          remedy: failure.remedy))
    } else if outcomes.contains(where: { !$0.isComplete }) {
      trial.stop()
    }
  }

  /// Of a client that was stopped, or failed, before its stream was opened.
  private func unopened(_ index: Int) -> StreamSession {
    var session = StreamSession(
      format: .hls, controller: trial.request.settings.streaming.of(client: index).controller, rungs: [], end: 0,
      position: 0)
    session.states = [.init(time: 0, state: .failed)]
    return session
  }
}
