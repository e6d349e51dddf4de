import FoundationEssentials
import Frames
import Host
import Session
import Verdict

/// Players in processes of their own, each with a device of its own.
struct ProcessLoad: PlayerLoad {
  private let trial: Trial
  private let frameRate: Double
  /// The stage of a player that is open and waits.
  fileprivate static let isReady = "wait for the others"

  private final class Player {
    let process: ChildProcess<TrialEvent>
    var isReady = false
    var outcome: TrialOutcome?
    var failure: Failure?

    init(_ process: ChildProcess<TrialEvent>) { self.process = process }
  }

  init(_ trial: Trial, frameRate: Double) { (self.trial, self.frameRate) = (trial, frameRate) }

  func play(_ count: Int, threads: Int, allowance: Int?) throws(Failure) -> LoadRound {
    var request = trial.request
    (request.traceFile, request.events, request.isOneOfMany) = (nil, nil, true)
    request.settings.decoder.threads = threads
    var players: [Player] = []
    defer { for player in players { player.process.end() } }
    for _ in 0..<count { players.append(Player(try process(request))) }
    try follow(players) { $0.isReady }
    if !trial.shouldStop {
      let start = LoadStart(of: count, frameRate: frameRate)
      for (index, player) in players.enumerated() { player.process.send(start.order(index, allowance: allowance)) }
      try follow(players, allowance) { $0.outcome != nil }
    }
    let outcomes = players.compactMap(\.outcome)
    let processors = outcomes.compactMap { $0.samples[.streamCPU]?.first }
    return LoadRound(
      outcomes: outcomes, processors: processors.count == count ? processors.reduce(0, +) : nil)
  }

  private func process(_ request: TrialRequest) throws(Failure) -> ChildProcess<TrialEvent> {
    try ChildProcess<TrialEvent>(
      ["trial", "--spawned", String(MonotonicTime.now.nanoseconds)], request: request, isAddressedLater: true,
      attempt: "cannot play '\(request.inputName ?? request.input)' in a process of its own")
  }

  /// Takes what they tell until all are as they should be.
  ///
  /// Throws the first failure of one that has no outcome.
  private func follow(
    _ players: [Player], _ allowance: Int? = nil, until isDone: (Player) -> Bool
  ) throws(Failure) {
    var isAsked = false
    while !players.allSatisfy(isDone) {
      let mustEnd = trial.shouldStop || players.contains { Self.hasFailed($0, allowance) }
      if mustEnd, !isAsked {
        isAsked = true
        for player in players { player.process.ask() }
      }
      for (index, player) in players.enumerated() where !isDone(player) {
        try take(player, milliseconds: index == 0 || isDone(players[0]) ? 5 : 0)
      }
    }
  }

  private static func hasFailed(_ player: Player, _ allowance: Int?) -> Bool {
    guard let outcome = player.outcome else { return false }
    return outcome.failure != nil || allowance.map { (outcome.density.own?.faults ?? .max) > $0 } ?? false
  }

  private func take(_ player: Player, milliseconds: Int32) throws(Failure) {
    guard let events = player.process.events(withinMilliseconds: milliseconds) else {
      if trial.shouldStop {
        throw Failure(.cancelled, "cannot play several clips at once", cause: "it was interrupted")
      }
      throw player.process.crash("cannot play several clips at once", stage: player.isReady ? "play" : "open")
    }
    for event in events {
      switch event {
      case .stage(let name):
        if name == Self.isReady { player.isReady = true }
        trial.progress(0)
      case .progress(let fraction): trial.progress(fraction)
      case .outage: trial.noteOutage()
      case .finished(let outcome):
        player.process.hasFinished = true
        player.outcome = outcome
        player.isReady = true
      case .failed(let description): throw description.failure
      }
    }
  }
}

/// One of those players, in its own process: it opens the clip, says so, and plays when it is told to.
enum OneOfMany {
  static func run(_ trial: Trial) throws(Failure) {
    let options = trial.request.settings.sessionOptions()
    trial.stage("open")
    let player = try LoadPlayer(trial, options, on: DeviceOpening(options))
    trial.stage(ProcessLoad.isReady)
    guard let order = ParentInput.next(LoadPlayer.Order.self, unless: { trial.shouldStop }) else { return trial.stop() }
    let before = processorSeconds()
    try player.play(order) { false }
    trial.add(.streamCPU, (processorSeconds() - before) / trial.request.settings.repetition.duration)
  }
}
