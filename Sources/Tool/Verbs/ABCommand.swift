import ArgumentParser
import Frames
import Host
import Run
import Verdict

struct ABCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "ab", abstract: "Measure two commands in turns, A B B A, and say whether they differ.",
    discussion: """
        bench360 ab clip.mp4 --base '--threads 1' --head '--threads 2'
          8 of 20 runs a side: improvement: decode · decode_fps +61.2 %

      With INPUT, --base and --head are options of 'bench360 run --suite smoke INPUT'; options of your own replace the \
      suite's. Without, each is a whole 'bench360 run …' line as a shell takes it, for example of two builds; \
      '--output FILE' is appended to both. The difference between the commands, such as the build or an option, is the \
      thing tested. Many short runs tell more than a few long ones: give '--trials 1' and a short '--duration'.

        bench360 ab --base 'old/bench360 run clip.mp4 --scenario decode --trials 1' \
                    --head 'new/bench360 run clip.mp4 --scenario decode --trials 1'

      Compares the numbers at 8, 12 and 20 runs a side, and stops at the first of these that decides. A run that crashes is \
      reported, and its block is made again.

      With --metric the commands may be of any program, and nothing is appended to them:

        bench360 ab --base 'old/ffmpeg -i clip.mp4 -f null -' --head 'new/ffmpeg -i clip.mp4 -f null -' --metric wall

      --metric is wall, user (ms) or rss (MiB), of the command's processes; json, which the command writes to the file \
      that $BENCH360_JSON names or prints (hyperfine, google-benchmark, bench360-numbers/1); or NAME:UNIT:high=REGEX and \
      NAME:UNIT:low=REGEX, the first group of the last match in its output. high and low say which way is better; \
      without them the number is shown, not judged.

      Exit codes: 0 same or better, 1 failure, 2 regression, 3 a wrong picture was shown, 4 improvement (only with \
      --fail-on improvement), 7 incomparable, 8 inconclusive, 64 usage, 130 interrupted.
      """)

  @OptionGroup(title: "Sides")
  var sides: SideOptions

  @Option(help: "Runs a side, an even number.")
  var runs = 20

  @Flag(help: "Make all runs, without stopping early.")
  var allRuns = false

  @Option(
    help: ArgumentHelp("Keep all records in this folder, in base/ and head/.", valueName: "folder"),
    completion: .directory)
  var keep: String?

  @Option(help: ArgumentHelp("End a run that lasts longer than this.", valueName: "seconds"))
  var timeout = 900.0

  @OptionGroup(title: "Judging and printing")
  var verdict: VerdictOptions

  @OptionGroup
  var diagnostics: DiagnosticsOptions

  func validate() throws {
    guard runs >= 2, runs <= 10_000, runs.isMultiple(of: 2) else {
      throw ValidationError("--runs must be even, between 2 and 10000: a block is A B B A.")
    }
    guard timeout >= 1, timeout <= 86_400 else {
      throw ValidationError("--timeout must be between 1 and 86400 seconds.")
    }
    if keep == "" { throw ValidationError("--keep is empty: name a folder.") }
    if sides.metric.isEmpty { try verdict.checkGates() }
  }

  func run() throws {
    let (base, head) = try sides.commands()
    let reading = sides.metric.isEmpty ? nil : try CustomReading(sides.metric)
    try verdict.checkOutput()
    var options = verdict.comparisonOptions()
    guard let reading else {
      return try measure(Interleaving(base: base, head: head, reading: RecordRuns()), options)
    }
    options.gates = .custom(verdict.gate)
    try measure(Interleaving(base: base, head: head, reading: CustomRuns(reading)), options)
  }

  private func measure(_ pair: Interleaving<some RunReading>, _ options: ComparisonOptions) throws {
    var interleaving = pair
    interleaving.runs = runs
    interleaving.looksEarly = !allRuns
    interleaving.keep = keep
    interleaving.timeout = timeout
    interleaving.options = options
    let bar = ProgressBar(log: ProgressLog(interval: 30, begin: .now))
    interleaving.onProgress = { text, fraction in bar.show(text, fraction) }
    interleaving.onNote = { Console.note("bench360: \($0)") }
    let outcome: InterleavingOutcome
    do {
      defer { Console.clearProgress() }
      outcome = try interleaving.run()
    }
    let status = try outcome.comparison.flatMap { try verdict.deliver($0) }
    if let keep { Console.note("records: \(keep)/base and \(keep)/head") }
    if Interrupt.isRequested {
      let isAnswered = outcome.comparison != nil
      Console.error(
        isAnswered
          ? "interrupted: the answer is that of the runs so far"
          : "interrupted: there is no answer, because no block of A B B A was complete")
      throw ExitStatus.interrupted
    }
    if let failure = outcome.failure { throw failure }
    if let status { throw status }
  }
}
