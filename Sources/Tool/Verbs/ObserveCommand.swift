import ArgumentParser
import FoundationEssentials
import Frames
import Host
import Observe
import Run
import Verdict

struct ObserveCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "observe", abstract: "Measure any player by the pixels of its screen.",
    discussion: """
        bench360 observe --player vlc,chromium --trials 1
          vlc drops 12 of 300 frames; chromium shows all 300 frames, starts 0.6 s later
        bench360 observe clip.mp4 -- mpv --fs --no-osc {}
        bench360 observe clip.mp4 --recording television.mkv

      Starts a program that plays a clip on a private display, and reads the frame numbers that are visible, more than a \
      thousand times a second. The program is not changed, and its own counters are not used. Its record is one of \
      scenario 'observe', a variant for each player: compare, report, history and export take it.

      With --recording, nothing is started: a video file in which the clip was recorded is the screen, and its sound track the sound. So \
      televisions, phones and consoles are measured: play the clip there, record the screen, and name the clip and the recording.

      Without INPUT, plays a flat clip of 1280x720 with 300 numbered frames, which is made once and kept in the cache folder. In COMMAND, \
      {} stands for the input. Needs Debian's xvfb and openbox.

      Players: \(ObservedPlayer.all.map(\.name).joined(separator: ", ")).

      Exit codes: 0 fine, 1 failure, 64 usage, 130 interrupted.
      """)

  @Argument(
    help: "A clip or its URL; a flat one of 'bench360 generate' shows most. (default: the built-in flat clip)",
    completion: Completion.clips)
  var input: String?

  @Argument(parsing: .postTerminator, help: "The program that plays, and its arguments, behind --.")
  var command: [String] = []

  @Option(
    help: ArgumentHelp("Players to observe, separated by commas.", valueName: "name,…"), completion: Completion.players)
  var player: String?

  @Option(
    help: ArgumentHelp(
      "A video file in which a capture card, a screen recorder or a camera recorded the clip; may be repeated: a trial for each.",
      valueName: "file"),
    completion: Completion.clips)
  var recording: [String] = []

  @Option(help: ArgumentHelp("Starts of each player. (default: 3)", valueName: "n"))
  var trials: Int?

  @Option(help: ArgumentHelp("Size of the screen. (default: the clip's)", valueName: "widthxheight"))
  var size: PictureSize?

  @Option(
    help: ArgumentHelp("End a player that runs for this much longer than the clip. (default: 20)", valueName: "seconds")
  )
  var timeout: Double?

  @OptionGroup
  var answer: AnswerOptions

  @OptionGroup
  var writing: WritingOptions

  @OptionGroup
  var diagnostics: RunDiagnosticsOptions

  mutating func validate() throws {
    if let trials { try Setting.trials.check(trials) }
    if let timeout { try Setting.timeout.check(timeout) }
    if let size, !(16...16384).contains(size.width) || !(16...16384).contains(size.height) {
      throw ValidationError("--size must be between 16 and 16384 either way.")
    }
    let subjects = [(player != nil, "--player"), (!command.isEmpty, "a command"), (!recording.isEmpty, "--recording")]
      .filter(\.0).map(\.1)
    guard subjects.count == 1 else {
      throw ValidationError(
        subjects.isEmpty
          ? "There is no player: give --player, a command behind --, or --recording."
          : "\(subjects.joined(separator: " and ")) are given: leave one out.")
    }
    let playing = [(trials != nil, "--trials"), (timeout != nil, "--timeout"), (size != nil, "--size")]
    if !recording.isEmpty, let option = playing.first(where: \.0)?.1 {
      throw ValidationError("\(option) is for players that are started, not for --recording.")
    }
    for name in names where ObservedPlayer.named(name) == nil {
      let known = ObservedPlayer.all.map(\.name).joined(separator: ", ")
      throw ValidationError("--player: there is no player '\(name)'. There are: \(known).")
    }
    guard Set(names).count == names.count else { throw ValidationError("--player names a player twice.") }
    if !command.isEmpty, !command.contains(where: { $0.contains("{}") }) {
      throw ValidationError("The command has no {}, which stands for the input.")
    }
    if input == "-" { throw ValidationError("A player cannot read the standard input of this program: name a file.") }
  }

  private var names: [String] {
    player?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
  }

  func run() throws {
    let delivery = RecordDelivery(answer: answer, isVerbose: diagnostics.verbose)
    if let output = answer.output { try delivery.check(output, .record, option: "--output", writing) }
    let bar = ProgressBar(log: answer.output == "-" ? nil : ProgressLog(interval: 30, begin: .now))
    defer { Console.clearProgress() }
    let path =
      try input
      ?? BuiltInClip.ensureFlat { done, total in
        bar.show("making the built-in flat clip, once", done, of: total)
        return !Interrupt.isRequested
      }
    let clip = ObservedInput(
      path: path, name: input ?? "built-in flat clip", label: answer.label, command: CommandLine.arguments)
    var journal: RecordJournal?
    Interrupt.keepMeasurements()
    let outcome: ObservedOutcome
    if recording.isEmpty {
      var observed = ObservedRun(
        clip, players: command.isEmpty ? names.compactMap(ObservedPlayer.named) : [ObservedPlayer(command: command)],
        trials: trials ?? 3, timeout: timeout ?? 20)
      observed.size = size
      observed.onProgress = { text, fraction in bar.show(text, fraction) }
      observed.onTrial = { trial in
        guard answer.output != "-" else { return }
        journal = journal ?? RecordJournal(besideRecord: delivery.path(for: trial))
        journal?.add(trial)
      }
      outcome = try observed.run()
    } else {
      var recorded = RecordedRun(clip, recordings: recording)
      recorded.onProgress = { text, fraction in bar.show(text, fraction) }
      outcome = try recorded.run()
    }
    Interrupt.allowWriting()
    Console.clearProgress()
    try delivery.deliver(outcome.record, journal: journal, AnswerOutput(input: input))
    if let failure = outcome.failure { throw failure }
  }
}
