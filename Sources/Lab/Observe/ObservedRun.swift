import FoundationEssentials
import Frames
import Host
import Media
import Run
import Verdict

/// Programs that play one clip, each started several times and watched from outside: the trials, and the record of them.
package struct ObservedRun {
  package var input: String
  /// The input's name in the record.
  package var inputName: String
  package var players: [ObservedPlayer]
  /// Starts of each player.
  package var trials: Int
  /// The screen's size; nil: the clip's.
  package var size: PictureSize?
  /// How much longer than the clip a player may run, s.
  package var timeout: Double
  package var label: String?
  package var command: [String]
  /// Called with the current activity and the run's progress, from 0 to 1.
  package var onProgress: (_ text: String, _ fraction: Double) -> Void = { _, _ in }
  /// Called after each trial, before the next begins, with an incomplete record of that trial alone.
  package var onTrial: (Record) -> Void = { _ in }

  package init(
    input: String, inputName: String, players: [ObservedPlayer], trials: Int, timeout: Double, command: [String]
  ) {
    (self.input, self.inputName, self.players) = (input, inputName, players)
    (self.trials, self.timeout, self.command) = (trials, timeout, command)
  }

  /// The measurements, and the failure that ended the run early, if one did.
  package struct Outcome {
    package var record: Record
    package var failure: Failure?
  }

  /// Throws only if nothing at all could be measured.
  package func run() throws(Failure) -> Outcome {
    onProgress("open", 0)
    let (players, missing) = try installed()
    let opened = try OpeningProcess.open(input, network: NetworkOptions(), guesses: false)
    let (clip, screenSize) = try clip(opened.info)
    let screen = try XvfbScreen(size: size ?? screenSize)
    let sound = PrivateSound()
    var settings = Record.Settings()
    settings.repetition.scenarios = [Scenario.observe.name]
    settings.repetition.trials = trials
    settings.repetition.durationSeconds = Double(clip.frames) / clip.rate
    settings.repetition.timeoutSeconds = timeout
    settings.observation = Record.Settings.Observation(
      source: screen.name, timing: screen.timing, screen: screen.size,
      players: players.map { Record.Settings.Player(name: $0.name, command: $0.shownCommand, version: $0.version()) })
    let machine = MachineProfile.read()
    let before = NoiseSnapshot.read(gpus: .none)
    let started = Date()
    var input = opened.info.recordInput(
      name: inputName, hash: MeasuredFile(opened.info.path)?.sha256(), geometry: RunSettings().geometry)
    input.frames = input.frames ?? clip.frames
    func record(_ trials: [[Record.Trial]], isComplete: Bool, _ warnings: [Record.Warning]) -> Record {
      Record(
        created: RecordCoding.timestamp(started), label: label, session: MeasuringSession.current,
        build: BuildInfo.record, command: command, complete: isComplete,
        environment: Record.Environment(machine: machine, device: nil, libraries: .current), input: input,
        settings: settings,
        scenarios: zip(players, trials).filter { !$1.isEmpty }.map { player, trials in
          Record.Scenario(
            name: Scenario.observe.name, variant: player.name, presentSource: .screen, trials: trials)
        }, warnings: warnings)
    }
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
          player: player, input: opened.info.path, clip: clip, screen: screen, sound: sound, graceSeconds: timeout)
        do throws(Failure) {
          let result = try observation.run { fraction in
            onProgress("\(player.name) \(round + 1)/\(trials)", (done + min(1, max(0, fraction))) / total)
          }
          let trial = Record.Trial(result, started: started)
          if result.isCoarse { coarseGap = max(coarseGap, result.longestGap) }
          measured[place].append(trial)
          var alone: [[Record.Trial]] = players.map { _ in [] }
          alone[place] = [trial]
          onTrial(record(alone, isComplete: false, []))
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
    if sound == nil {
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
    if let failure {
      warnings.append(
        failure.kind == .cancelled
          ? .init(code: .interrupted, text: "the run was interrupted: fewer trials than asked for")
          : .init(code: .endedEarly, text: failure.description))
    }
    return Outcome(record: record(measured, isComplete: failure == nil, warnings), failure: failure)
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

  /// The numbered frames of the clip, and the size in which it is shown.
  private func clip(_ info: MediaInfo) throws(Failure) -> (ObservedMeasures.Clip, PictureSize) {
    let attempt = "cannot observe players of '\(inputName)'"
    let remedy =
      "leave the input out, or make one: bench360 generate -o clip.mp4 --projection flat --size 1280x720 --audio"
    guard let tag = info.synthetic else {
      throw Failure(.input, attempt, cause: "its frames carry no numbers", remedy: remedy)
    }
    guard tag.projection == .flat, tag.stereo == .mono, tag.repetitions == 1, let rate = tag.rate.value else {
      throw Failure(
        .input, attempt, cause: "its numbers are not those of a flat picture that is played once", remedy: remedy)
    }
    return (ObservedMeasures.Clip(frames: tag.frames, rate: rate), info.video.size)
  }
}

extension Record.Trial {
  fileprivate init(_ result: Observation.Result, started: String) {
    var samples = result.measures.samples
    samples[.cpuTime] = [(result.usage.userMilliseconds + result.usage.systemMilliseconds) / 1000]
    samples[.peakRSS] = result.usage.peakMiB.map { [$0] } ?? []
    self.init(
      started: started, complete: true,
      metrics: Dictionary(
        uniqueKeysWithValues: samples.map { ($0.key.name, MetricResult(of: $0.key, samples: $0.value)) }),
      counters: Dictionary(uniqueKeysWithValues: result.measures.counters.map { ($0.key.name, $0.value) }))
    screen = result.watched
  }
}
