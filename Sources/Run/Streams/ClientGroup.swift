import Foundation
import Frames
import Host
import Verdict

/// Several players of one stream in a trial's process, each on a thread of its own with a stream, connections, a controller, a clock and a
/// seed of its own. What they measured becomes the trial's. Main thread.
final class ClientGroup {
  private let trial: Trial
  private let settings: ClientSettings
  private let board: Monitor<Board>

  /// What the threads tell.
  private struct Board {
    /// The first client starts then; nil: not yet.
    var began: MonotonicTime?
    /// No client starts any more.
    var isOver = false
    var clients: [State]
    /// A client has told something since the trial's process last did.
    var hasNews = false

    var areAllDone: Bool { clients.allSatisfy { $0.outcome != nil } }
    var progress: Double { clients.reduce(0) { $0 + $1.progress } / Double(clients.count) }
  }

  private struct State {
    var progress = 0.0
    /// Nil while it plays.
    var outcome: TrialOutcome?
  }

  /// How often the trial's process tells of its progress, in milliseconds.
  private static let interval = 100.0

  init(_ trial: Trial) {
    self.trial = trial
    settings = trial.request.settings.streaming.clients
    board = Monitor(Board(clients: Array(repeating: State(), count: settings.count)))
  }

  /// Plays until the last client has ended.
  ///
  /// Throws what the first one failed with where none opened its stream. Where some failed, the trial has failed, with the measurements
  /// of all.
  ///
  /// - Parameter play: what a client does, on its thread, with a trial of its own.
  func run(_ play: @escaping @Sendable (Trial) throws(Failure) -> Void) throws(Failure) {
    trial.stage("play \(settings.count) clients")
    var threads: [WorkerThread] = []
    defer {
      board.withLock { $0.isOver = true }
      for thread in threads { thread.join() }
    }
    for index in 0..<settings.count {
      let client = Client(index: index, request: request(of: index), settings: settings, board: board)
      threads.append(try WorkerThread { client.run(play) })
    }
    board.withLock { $0.began = .now }
    let outcomes = wait()
    for thread in threads { thread.join() }
    try take(outcomes)
  }

  private func request(of index: Int) -> TrialRequest {
    var request = trial.request
    (request.traceFile, request.events) = (nil, nil)
    request.settings.streaming = request.settings.streaming.of(client: index)
    request.settings.repetition.seed &+= UInt64(index)
    return request
  }

  private func wait() -> [TrialOutcome] {
    while true {
      let end = MonotonicTime.now.advanced(byMilliseconds: Self.interval)
      let outcomes = board.wait(until: end) { $0.areAllDone ? $0.clients.compactMap(\.outcome) : nil }
      if let outcomes { return outcomes }
      // Clients that tell nothing hang: then neither does the trial.
      let progress = board.withLock { board -> Double? in
        defer { board.hasNews = false }
        return board.hasNews ? board.progress : nil
      }
      if let progress { trial.progress(progress) }
    }
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
    let pooled = ClientMeasures(
      pooling: outcomes.map { ClientMeasures.Part(samples: $0.samples, counters: $0.counters, phases: $0.phases) })
    trial.add(pooled, ClientMeasures.comparing(trial.stream.sessions))
    for outcome in outcomes {
      trial.facts.merge(outcome.facts)
      for (metric, counts) in outcome.histograms {
        trial.histograms[metric, default: [:]].merge(counts) { $0.addingSaturated($1) }
      }
    }
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

  /// One of them, on its thread.
  private struct Client: Sendable {
    let index: Int
    var request: TrialRequest
    let settings: ClientSettings
    let board: Monitor<Board>

    func run(_ play: (Trial) throws(Failure) -> Void) {
      let outcome = played(play)
      board.withLock { board in
        board.clients[index].progress = 1
        board.clients[index].outcome = outcome
      }
    }

    private func played(_ play: (Trial) throws(Failure) -> Void) -> TrialOutcome {
      var request = request
      let hasStarted = waitForStart()
      request.spawned = .now
      let trial = Trial(request: request) { [board, index] event in
        board.withLock { board in
          board.hasNews = true
          if case .progress(let fraction) = event { board.clients[index].progress = fraction }
        }
      }
      guard hasStarted, !trial.shouldStop else {
        trial.stop()
        return trial.outcome
      }
      do throws(Failure) {
        try play(trial)
      } catch {
        if error.kind == .cancelled { trial.stop() } else { trial.fail(error) }
      }
      _ = trial.shouldStop
      return trial.outcome
    }

    /// False where it is not to start.
    private func waitForStart() -> Bool {
      board.wait(unless: { Interrupt.isRequested }) { board -> Bool? in
        if board.isOver { return false }
        guard let began = board.began else { return nil }
        return MonotonicTime.now >= began.advanced(byMilliseconds: Double(index) * settings.stagger * 1000) ? true : nil
      } ?? false
    }
  }
}

extension Trial {
  fileprivate func add(_ pooled: ClientMeasures, _ compared: [Metric: [Double]]) {
    for (metric, samples) in pooled.samples.merging(compared, uniquingKeysWith: { $1 }) { set(metric, samples) }
    for (counter, count) in pooled.counters { self.count(counter, count) }
    for (phase, milliseconds) in pooled.phases { self.phase(phase, milliseconds) }
  }
}
