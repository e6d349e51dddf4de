import Frames
import Host
import Session

/// Players on threads of this process, which share one device.
struct ThreadLoad: PlayerLoad {
  private let trial: Trial
  private let frameRate: Double
  private let options: RenderSession.Options
  private let device: DeviceOpening

  /// What the threads agree on.
  private struct Board {
    var waiting: Int
    /// Nil until all are ready.
    var start: LoadStart?
    var processorSeconds = 0.0
    /// All are to end.
    var isOver = false
  }

  init(_ trial: Trial, frameRate: Double) {
    (self.trial, self.frameRate) = (trial, frameRate)
    options = trial.request.settings.sessionOptions()
    device = DeviceOpening(options)
  }

  func play(_ count: Int, threads: Int, allowance: Int?) throws(Failure) -> LoadRound {
    let board = Monitor(Board(waiting: count))
    var request = trial.request
    (request.traceFile, request.events) = (nil, nil)
    request.settings.decoder.threads = threads
    let work = TrialThreads.Work(
      measure: { [options, device, frameRate] index, member throws(Failure) in
        defer { if Self.mustEnd(member, allowance) { board.withLock { $0.isOver = true } } }
        var options = options
        options.decoder.threads = threads
        member.stage("open")
        let player = try LoadPlayer(member, options, on: device)
        member.stage("wait for the others")
        guard let start = Self.ready(board, of: count, frameRate) else { return }
        try player.play(start.order(index, allowance: allowance)) { board.withLock(\.isOver) }
      },
      giveUp: { board.withLock { $0.isOver = true } })
    let outcomes = try TrialThreads.run(Array(repeating: request, count: count), for: trial, work)
    let used = processorSeconds() - board.withLock(\.processorSeconds)
    let hasPlayed = board.withLock { $0.start != nil }
    return LoadRound(
      outcomes: outcomes, processors: hasPlayed ? used / trial.request.settings.repetition.duration : nil)
  }

  /// It has failed, or ended before its end.
  private static func mustEnd(_ member: Trial, _ allowance: Int?) -> Bool {
    guard let stream = member.density.own, member.failure == nil else { return true }
    return allowance.map { stream.faults > $0 } ?? false
  }

  /// Waits for all others; nil where the round is over before.
  private static func ready(_ board: Monitor<Board>, of count: Int, _ frameRate: Double) -> LoadStart? {
    board.withLock { board in
      board.waiting -= 1
      guard board.waiting == 0 else { return }
      board.start = LoadStart(of: count, frameRate: frameRate)
      board.processorSeconds = processorSeconds()
    }
    let start = board.wait(unless: .everything) { board -> LoadStart?? in
      board.isOver ? .some(nil) : board.start.map { .some($0) }
    }
    return start ?? nil
  }
}
