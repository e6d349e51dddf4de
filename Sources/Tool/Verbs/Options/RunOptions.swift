import ArgumentParser
import Frames
import Host
import Run
import Verdict

/// What `run` measures, and how often.
struct RepetitionOptions: ParsableArguments {
  @Option(.scenario, completion: Completion.scenarios)
  var scenario: String?

  @Flag(help: "List the scenarios and their variants, and measure nothing.")
  var listScenarios = false

  @Option(.suite)
  var suite = SuiteArgument(.standard)

  @Option(.trials)
  var trials: Int?

  @Option(.duration)
  var duration: Double?

  /// Seconds after which trials end early. `Invocation` sets it for a clip alone without a display.
  @Option(help: .hidden)
  var within: Double?

  mutating func validate() throws {
    try Setting.trials.check(trials)
    try Setting.duration.check(duration)
  }

  /// Nil: the suite's.
  var scenarioNames: [String]? {
    scenario?.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }
}

/// The answer of `run`: where the record goes, and the form in which it is printed.
struct AnswerOptions: ParsableArguments {
  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "The JSON record, or with several inputs the folder for them; '-' prints the record and nothing else.",
      valueName: "file"), completion: Completion.records)
  var output: String?

  @Option(help: "Print the whole record in this form. (default: the answer and its main numbers)")
  var format: FormatArgument?

  @Option(help: "Name of the tested build, driver or branch, for the record.")
  var label: String?

  /// Nil: the answer alone.
  func format(isVerbose: Bool) -> ReportFormat? { format?.format ?? (isVerbose ? .table : nil) }
}

/// The motion of the view, and the display that `run` plays on.
struct PacingOptions: ParsableArguments {
  @Option(.camera)
  var camera = CameraArgument.motion(.still)

  @Option(.refresh)
  var refresh: Ratio?

  @Option(.present)
  var present = PresentMode.offscreen

  @Option(.lookAhead)
  var lookAhead = RunSettings().pacing.lookAhead

  mutating func validate() throws {
    try Setting.lookAhead.check(lookAhead)
  }

  var settings: RunSettings.Pacing {
    var settings = RunSettings().pacing
    settings.present = present
    settings.refresh = refresh ?? settings.refresh
    settings.lookAhead = lookAhead
    return settings
  }
}

/// Conditions of every trial of `run`.
struct ConditionOptions: ParsableArguments {
  @Option(.ads)
  var ads: String?

  @Option(.stress)
  var stress = Stress.Kind.none

  @Option(.inputEvents)
  var inputEvents: String?

  @Option(.expect, completion: .file(extensions: ["framehash", "framemd5"]))
  var expect: String?

  @Option(.seed)
  var seed: UInt64 = 1

  @Option(.pin)
  var pin: CPUSet?

  @Option(.timeout)
  var timeout = 60.0

  func apply(to settings: inout RunSettings) {
    settings.repetition.seed = seed
    settings.repetition.timeout = timeout
    settings.ads = ads
    settings.stress = stress
    settings.pin = pin
  }

  /// Throws where the file cannot be used.
  func expected() throws(Failure) -> ExpectedFrames? {
    guard let expect else { return nil }
    return expect == "software" ? .software : try ExpectedFrames(path: expect)
  }

  mutating func validate() throws {
    if expect == "" { throw ValidationError("--expect is empty: name a file, or 'software'.") }
    try Setting.timeout.check(timeout)
  }
}

/// Where `run` writes each frame's timeline.
struct TracingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A Chrome and Perfetto trace of every stage of every frame; a folder where --output is one.",
      valueName: "file.json"),
    completion: Completion.records)
  var trace: String?

  @Option(
    help: ArgumentHelp("A table with a row for every frame; a folder where --output is one.", valueName: "file.csv"),
    completion: .file(extensions: ["csv"]))
  var frames: String?

  @Option(
    help: """
      The columns of --frames: 'bench360' has every stage, 'presentmon' the names and meanings of PresentMon 2.3, for \
      programs that read its files.
      """)
  var framesFormat = FrameColumns.bench360

  @Option(
    help: ArgumentHelp(
      """
      What happens while 'play', 'playlist' and 'stream' play, a line of JSON each (results/events.schema.json), or as \
      OpenTelemetry's traces and metrics (file.otlp.jsonl); a folder where --output is one.
      """, valueName: "file.jsonl"), completion: .file(extensions: ["jsonl"]))
  var events: String?

  mutating func validate() throws {
    if [trace, frames, events].contains("-") {
      throw ValidationError("--trace, --frames and --events take a file, not '-'.")
    }
  }

  var isWanted: Bool { trace != nil || frames != nil }
}
