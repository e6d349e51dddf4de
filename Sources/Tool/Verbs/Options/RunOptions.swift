import ArgumentParser
import Frames
import Host
import Run
import Verdict

/// What `run` measures, and how often.
struct RepetitionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Scenarios to run, separated by commas; NAME/VARIANT runs that variant alone. (default: the suite's)",
      valueName: "name,…"), completion: Completion.scenarios)
  var scenario: String?

  @Flag(help: "List the scenarios and their variants, and measure nothing.")
  var listScenarios = false

  @Option(help: "How much to measure: about 15 s, 90 s or 18 min on a two-core machine.")
  var suite = SuiteArgument(.standard)

  @Option(help: "Fresh processes per scenario; 'startup' takes three for each. (default: the suite's)")
  var trials: Int?

  @Option(
    help: ArgumentHelp(
      "Media seconds per trial, but 100 frames at least; clips loop. (default: the suite's)",
      valueName: "seconds"))
  var duration: Double?

  /// Seconds after which trials end early. `Invocation` sets it for a clip alone without a display.
  @Option(help: .hidden)
  var within: Double?

  mutating func validate() throws {
    if let trials, !(1...10_000).contains(trials) { throw ValidationError("--trials must be between 1 and 10000.") }
    if let duration, !(duration > 0 && duration <= 86_400) {
      throw ValidationError("--duration must be more than 0 and at most 86400 seconds.")
    }
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
  @Option(
    help: ArgumentHelp(
      """
      The view as a function of media time: 'pan' turns by 30° a second, 'orbit' tilts by 20° too, a file holds \
      keyframes (results/camera.schema.json).
      """,
      valueName: "motion"))
  var camera = CameraArgument.motion(.still)

  @Option(
    help: ArgumentHelp(
      """
      Refreshes per second of the display that 'play' and 'interaction' play on and 'scrub' drags with, such as 60, 59.94 or 60000/1001. \
      (default: 60, in a window the monitor's)
      """,
      valueName: "hz"))
  var refresh: Ratio?

  @Option(help: "Output of 'play': no display, or a window of --size.")
  var present = PresentMode.offscreen

  @Option(help: ArgumentHelp("Frames that 'play' decodes ahead of the display.", valueName: "frames"))
  var lookAhead = RunSettings().pacing.lookAhead

  mutating func validate() throws {
    guard (2...1000).contains(lookAhead) else {
      throw ValidationError("--look-ahead must be between 2 and 1000 frames.")
    }
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
  @Option(
    help: ArgumentHelp(
      "The schedule of --scenario ads: a file or URL of VMAP or VAST. (default: the clip itself stands for three ads)",
      valueName: "schedule"), completion: .file(extensions: ["xml", "vmap", "vast"]))
  var ads: String?

  @Option(
    help: """
      Other work of the machine meanwhile: 'cpu' keeps every processor busy, 'io' writes a temporary file and flushes \
      it to its disk, over and over.
      """)
  var stress = Stress.Kind.none

  @Option(
    help: ArgumentHelp(
      "Recorded input of a user ('view --record-input'), for --scenario interaction/recorded.", valueName: "file.json"
    ), completion: Completion.records)
  var inputEvents: String?

  @Option(
    help: ArgumentHelp(
      """
      Check the frames after measuring: each as decoded against a framehash or framemd5 file of FFmpeg, or against the \
      software decoder ('software'), and one of 16 as drawn.
      """, valueName: "file"), completion: .file(extensions: ["framehash", "framemd5"]))
  var expect: String?

  @Option(help: "Seed of random patterns.")
  var seed: UInt64 = 1

  @Option(help: ArgumentHelp("Keep every trial on these CPUs, such as 0-3,6. (default: all)", valueName: "cpus"))
  var pin: CPUSet?

  @Option(help: ArgumentHelp("End a trial that makes no progress for this long.", valueName: "seconds"))
  var timeout = 60.0

  /// Throws where the file cannot be used.
  func expected() throws(Failure) -> ExpectedFrames? {
    guard let expect else { return nil }
    return expect == "software" ? .software : try ExpectedFrames(path: expect)
  }

  mutating func validate() throws {
    if expect == "" { throw ValidationError("--expect is empty: name a file, or 'software'.") }
    guard timeout >= 1, timeout <= 86_400 else {
      throw ValidationError("--timeout must be between 1 and 86400 seconds.")
    }
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
