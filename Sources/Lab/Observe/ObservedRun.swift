import FoundationEssentials
import Frames
import Host
import Run
import Verdict

/// Programs that play one clip, each started several times and watched from outside: the trials, and the record of them.
package struct ObservedRun {
  package var input: ObservedInput
  package var players: [ObservedPlayer]
  /// Starts of each player.
  package var trials: Int
  /// The screen's size; nil: the clip's.
  package var size: PictureSize?
  /// How much longer than the clip a player may run, s.
  package var timeout: Double
  /// Called with the current activity and the run's progress, from 0 to 1.
  package var onProgress: (_ text: String, _ fraction: Double) -> Void = { _, _ in }
  /// Called after each trial, before the next begins, with an incomplete record of that trial alone.
  package var onTrial: (Record) -> Void = { _ in }

  package init(_ input: ObservedInput, players: [ObservedPlayer], trials: Int, timeout: Double) {
    (self.input, self.players, self.trials, self.timeout) = (input, players, trials, timeout)
  }

  /// Throws only if nothing at all could be measured.
  package func run() throws(Failure) -> ObservedOutcome {
    onProgress("open", 0)
    let (players, missing) = try installed()
    var base = try ObservedRecord(input)
    let screen = try XvfbScreen(size: size ?? base.size)
    let sound = PrivateSound()
    base.settings.repetition.trials = trials
    base.settings.repetition.timeoutSeconds = timeout
    base.settings.observation = Record.Settings.Observation(
      source: screen.name, timing: screen.timing, screen: screen.size,
      players: players.map { Record.Settings.Player(name: $0.name, command: $0.shownCommand, version: $0.version()) })
    let before = NoiseSnapshot.read(gpus: .none)
    var measured: [[Record.Trial]] = players.map { _ in [] }
    var failure: Failure?
    // Of trials whose samples were too far apart, the longest time between two, ms.
    var coarseGap = 0.0
    // Players that failed: the others go on.
    var failed: [String: Failure] = [:]
    let total = Double(trials * players.count)
    var done = 0.0
    // In rounds over all players, so that drift of the machine affects all of them alike.
    rounds: for round in 0..<trials {
      for (place, player) in players.enumerated() where failed[player.name] == nil {
        let started = RecordCoding.timestamp(Date())
        let observation = Observation(
          player: player, input: base.path, clip: base.clip, screen: screen, sound: sound, graceSeconds: timeout)
        do throws(Failure) {
          let result = try observation.run { fraction in
            onProgress("\(player.name) \(round + 1)/\(trials)", (done + min(1, max(0, fraction))) / total)
          }
          let trial = Record.Trial(result, started: started)
          if result.isCoarse { coarseGap = max(coarseGap, result.longestGap) }
          measured[place].append(trial)
          onTrial(base.record([(player.name, [trial])], isComplete: false, []))
        } catch {
          if error.kind == .cancelled || players.count == 1 {
            failure = error
            break rounds
          }
          failed[player.name] = error
        }
        done += 1
      }
    }
    if let failure = failure ?? failed.values.first, measured.allSatisfy(\.isEmpty) { throw failure }
    var warnings = NoiseRules.warnings(
      NoiseEvidence(before: before, after: .read(gpus: .none), renderer: nil))
    if coarseGap > 0 {
      warnings.append(
        .init(
          code: .coarseSampling,
          text: "up to \(formatted("%.1f", coarseGap)) ms passed from one sample of the screen to the next: "
            + "a frame that stayed for less may be missing",
          remedy: "end other programs, or observe on a machine with a free core"))
    }
    if let warning = base.numberWarning { warnings.append(warning) }
    if sound == nil, base.clip.isNumbered {
      warnings.append(
        .init(
          code: .leftOut, text: "no sound was observed: there is no sound server for the players",
          remedy: "install Debian's pulseaudio"))
    }
    if let text = screen.missingManager {
      warnings.append(.init(code: .leftOut, text: text, remedy: "install Debian's openbox"))
    }
    warnings += missing
    warnings += players.compactMap { failed[$0.name] }.map { .init(code: .leftOut, text: $0.description) }
    if let failure { warnings.append(ObservedRecord.warning(failure)) }
    let variants = zip(players, measured).map { (name: $0.name, trials: $1) }
    return ObservedOutcome(record: base.record(variants, isComplete: failure == nil, warnings), failure: failure)
  }

  /// The players that are there, and warnings about the others.
  ///
  /// Throws where none is.
  private func installed() throws(Failure) -> ([ObservedPlayer], [Record.Warning]) {
    let missing = players.filter { !$0.isInstalled }
    func remedy(_ player: ObservedPlayer) -> String {
      player.package.map { "install Debian's \($0)" } ?? "name one that is on the PATH, or its path"
    }
    if missing.count == players.count, let first = missing.first {
      throw Failure(
        .failed, "cannot observe '\(first.name)'", cause: "there is no program '\(first.words.first ?? "")'",
        remedy: remedy(first))
    }
    let warnings = missing.map { player in
      Record.Warning(
        code: .leftOut, text: "'\(player.name)' was not observed: there is no program '\(player.words.first ?? "")'",
        remedy: remedy(player))
    }
    return (players.filter(\.isInstalled), warnings)
  }
}

extension Record.Trial {
  fileprivate init(_ result: Observation.Result, started: String) {
    let usage = result.usage
    self.init(
      result.measures, result.watched, started: started,
      extra: [
        .cpuTime: [(usage.userMilliseconds + usage.systemMilliseconds) / 1000],
        .peakRSS: usage.peakMiB.map { [$0] } ?? [],
      ])
  }
}
