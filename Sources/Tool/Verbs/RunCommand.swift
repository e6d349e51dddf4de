import Analytics
import ArgumentParser
import FoundationEssentials
import Frames
import Host
import Render
import Run
import Session
import Verdict

struct RunCommand: HasDailyHelp {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Measure, answer in a sentence, and keep a record.",
    discussion: """
        bench360 run clip.mp4 --suite smoke
          plays in real time with 2.0 × headroom; bound by decode
          pipeline_fps    60.07 1/s  pipeline
          ttff_ms         200.0 ms   startup/warm
          decode_fps      84.55 1/s  decode

      Without INPUT, measures the built-in synthetic 360° clip, which is made once and kept in the cache folder. \
      '-' reads a clip from standard input. Several inputs give one record each. '--list-scenarios' lists the variants \
      of scenarios too; '--verbose' or '--format table' prints every metric.

      Scenarios:
      \(ScenarioList.scenarios)

      With --matrix, each cell of a matrix file is measured as a run of its own, with a record in the folder --output \
      named by input and settings. \
      --shard I/N measures shard I of N: cells are assigned to shards in turn, each round from another first shard. I counts \
      from 0 as $SLURM_ARRAY_TASK_ID and $JOB_COMPLETION_INDEX do in Packaging/slurm and \
      Packaging/kubernetes. A cell with a complete record of its own, of this build and this input, is not measured again; \
      'merge' joins the records of all shards.

      Exit codes: 0 fine, 1 failure, 3 a wrong frame was shown or a seek landed out of its tolerance, 64 usage, 130 interrupted.
      """)

  static let dailyOptions: [(title: String, options: KeyValuePairs<String, String>)] = [
    (
      "What is measured",
      [
        "scenario": "decode, pipeline, play, startup/warm … (default: the suite's)",
        "list-scenarios": "List the scenarios and their variants.",
        "suite": "smoke (15 s), standard (90 s), full (18 min).",
        "trials": "Fresh processes per scenario. (default: the suite's)",
        "duration": "Media seconds per trial. (default: the suite's)",
      ]
    ),
    (
      "How it is played",
      [
        "size": "Size of the rendered view. (default: 1280x720)",
        "refresh": "Refreshes per second of the display. (default: 60)",
        "decoder": "auto, software, cuda, vaapi or vulkan.",
        "threads": "Decoder threads. (default: libavcodec's choice)",
        "device": "Vulkan device, as 'bench360 devices' lists it.",
        "require-gpu": "Fail if the device renders on the CPU.",
      ]
    ),
    (
      "The record",
      [
        "output": "The JSON record; '-' is standard output.",
        "format": "Print all of it: table, json, csv or markdown.",
        "label": "Name of the tested build, driver or branch.",
        "trace": "A trace of every frame, for Perfetto.",
      ]
    ),
  ]

  static let dailyNotes = """
    '-' reads a clip from standard input. Several inputs give one record each, in the folder --output. 'man bench360-run' \
    has examples, and every option of --help-all.
    """

  @Argument(help: "Video files or URLs. (default: the built-in clip)", completion: Completion.clips)
  var inputs: [String] = []

  @OptionGroup(title: "Everyday options")
  var repetition: RepetitionOptions

  @OptionGroup(title: "Everyday options")
  var answer: AnswerOptions

  @OptionGroup(title: "View and device options")
  var view: ViewOptions

  @OptionGroup(title: "Motion and display")
  var pacing: PacingOptions

  @OptionGroup(title: "Sound")
  var sound: SoundOptions

  @OptionGroup(title: "Streams")
  var streams: StreamArguments

  @OptionGroup(title: "Streams")
  var density: DensityOptions

  @OptionGroup(title: "Conditions")
  var conditions: ConditionOptions

  @OptionGroup(title: "Traces")
  var tracing: TracingOptions

  @OptionGroup(title: "Many runs")
  var many: MatrixOptions

  @OptionGroup(title: "Many runs")
  var repeats: RepeatedCells

  @OptionGroup
  var writing: WritingOptions

  @OptionGroup
  var diagnostics: RunDiagnosticsOptions

  @OptionGroup
  var wholeHelp: WholeHelpOption

  mutating func validate() throws {
    try many.check(
      inputs: inputs, settings: Setting.allCases, folder: answer.output, option: "--output",
      arguments: CommandLine.arguments)
    if many.matrix != nil, !view.decoding.network.keys.key.isEmpty {
      throw ValidationError("--key is not for a matrix: name a file of keys as \"key-file\" of its defaults.")
    }
    if repeats.again, many.matrix == nil { throw ValidationError("--again needs a --matrix.") }
    var (jobs, playsStreams): ([Job], Bool) = ([], false)
    do throws(Failure) {
      jobs = try Scenarios.jobs(named: repetition.scenarioNames ?? repetition.suite.suite.scenarios)
      try Scenarios.check(jobs, canBeShown: pacing.present)
      playsStreams = try Scenarios.playStreams(jobs)
      try Scenarios.check(jobs, haveInput: conditions.inputEvents != nil)
      if tracing.events != nil { try Scenarios.checkEvents(jobs) }
    } catch {
      throw ValidationError("\(error.description).")
    }
    if let text = density.conflict(jobs, tracing: tracing) { throw ValidationError(text) }
    if !playsStreams, streams.p1203 != nil { throw ValidationError("--p1203 is of scenario stream.") }
    if playsStreams, conditions.expect != nil {
      throw ValidationError("--expect is of clips: the pictures of a stream's ladder are checked without it.")
    }
    if let text = streams.clients.conflict(sound: sound, pacing: pacing, tracing: tracing) {
      throw ValidationError(text)
    }
    // With several inputs, outputs are folders, in which each input has a file of its own.
    let files =
      inputs.count > 1 || many.matrix != nil
      ? []
      : ([answer.output, tracing.trace, tracing.frames, tracing.events, streams.p1203, conditions.inputEvents]
        .compactMap { $0 }
        + inputs)
    let named = files.filter { $0 != "-" && !RecordDelivery.isFolder($0) }.map {
      URL(filePath: $0).standardizedFileURL.path
    }
    guard Set(named).count == named.count else {
      throw ValidationError(
        "--output, --trace, --frames, --events and --p1203 must name different files, and none of the inputs.")
    }
    if inputs.count > 1, let file = conditions.expect, file != "software" {
      throw ValidationError("--expect \(file) is of one clip: give one input, or '--expect software'.")
    }
    if inputs.filter({ $0 == "-" }).count > 1 { throw ValidationError("Standard input can be read once only.") }
  }

  func run() throws {
    if repetition.listScenarios { return Console.print(ScenarioList.text) }
    if let matrix = many.matrix { return try runMatrix(matrix) }
    try conditions.pin?.check()
    try checkOutput(isOneOfMany: inputs.count > 1)
    let (cameraFile, inputFile) = try files()
    let spool = Spool()
    defer { spool.remove() }
    var tally = RunTally()
    let playsStreams = try Scenarios.playStreams(
      Scenarios.jobs(named: repetition.scenarioNames ?? repetition.suite.suite.scenarios))
    let sources =
      try !inputs.isEmpty
      ? inputs.map(spool.source)
      : [playsStreams ? (path: "", name: "built-in ladder") : (path: builtInClip(), name: "built-in clip")]
    for (index, source) in sources.enumerated() {
      do {
        let outcome = try spool.naming {
          try withInput(source.path.isEmpty ? nil : source.path, isStream: playsStreams) { path in
            try measure(path: path, name: source.name, cameraFile, inputFile)
          }
        }
        try deliver(outcome, from: inputs.isEmpty ? nil : inputs[index], isOneOfMany: sources.count > 1)
        tally.note(outcome)
        if let failure = outcome.failure { throw failure }
      } catch let failure as Failure {
        guard sources.count > 1, !Interrupt.isRequested else { throw failure }
        Console.error(failure.description)
        tally.failed.append(source.name)
      }
      try tally.throwIfInterrupted()
    }
    try tally.throwStatus()
  }

  /// The files that options name, read and checked.
  func files() throws -> (camera: CameraFile?, input: InputFile?) {
    let cameraFile: CameraFile? = if case .file(let path) = pacing.camera { try CameraFile(path: path) } else { nil }
    return (cameraFile, try conditions.inputEvents.map { try InputFile(path: $0) })
  }

  func builtInClip() throws -> String {
    defer { Console.clearProgress() }
    let bar = ProgressBar(log: ProgressLog(interval: 10, begin: nil))
    return try BuiltInClip.ensure { done, total in
      bar.show("making the built-in clip, once", done, of: total)
      return !Interrupt.isRequested
    }
  }

  /// Calls with the place of an input: a clip that is played as a stream is packaged first, and removed afterwards.
  ///
  /// - Parameter input: nil, or the word `ladder`, of a stream: the built-in ladder.
  func withInput<Result>(_ input: String?, isStream: Bool, _ body: (String) throws -> Result) throws -> Result {
    if let input, !isStream || !(StreamInput.isClip(input) || ServedPlace.isBuiltIn(input)) { return try body(input) }
    let place = try ServedPlace(input)
    return try body(place.path)
  }

  /// - Parameters:
  ///   - place: printed before the activity, if this run is one of many.
  ///   - cell: of a matrix.
  func measure(
    path: String, name: String, _ cameraFile: CameraFile?, _ inputFile: InputFile?, place: String? = nil,
    cell: Record.Cell? = nil
  ) throws -> Benchmark.Outcome {
    var settings = try settings(cameraFile, inputFile)
    settings.expected = try conditions.expected()
    var benchmark = Benchmark(
      input: path, inputName: name, settings: settings, suite: repetition.suite.suite,
      command: CommandLine.arguments)
    benchmark.scenarioNames = repetition.scenarioNames
    benchmark.trials = repetition.trials
    benchmark.duration = repetition.duration
    benchmark.timeLimit = repetition.within
    benchmark.label = answer.label
    benchmark.cameraFile = cameraFile
    benchmark.inputFile = inputFile
    benchmark.logs.frames = tracing.isWanted
    benchmark.logs.events = tracing.events.map { .ofFile($0) }
    benchmark.takesMonitorRefresh = pacing.refresh == nil
    let prefix = place.map { "\($0.prefix { $0 != ":" }) · " } ?? ""
    let bar = ProgressBar(log: answer.output == "-" ? nil : ProgressLog(interval: 30, begin: .now))
    var lines = ScenarioLines(trials: repetition.trials ?? repetition.suite.suite.trials)
    benchmark.onProgress = { text, fraction in bar.show(prefix + text, fraction) }
    var journal: RecordJournal?
    benchmark.onTrial = { trial in
      guard answer.output != "-" else { return }
      lines.note(trial, timeLeft: bar.timeLeft)
      var trial = trial
      trial.cell = cell
      journal = journal ?? RecordJournal(besideRecord: delivery(isOneOfMany: inputs.count > 1).path(for: trial))
      journal?.add(trial)
    }
    defer { Console.clearProgress() }
    var outcome = try benchmark.run()
    outcome.record.cell = cell
    outcome.journal = journal
    return outcome
  }

  private func settings(_ cameraFile: CameraFile?, _ inputFile: InputFile?) throws(Failure) -> RunSettings {
    var settings = try view.settings()
    conditions.apply(to: &settings)
    settings.pacing = pacing.settings
    settings.sound = sound.settings
    settings.streaming = streams.settings
    settings.density = density.settings
    settings.viewing.inputEvents = inputFile?.recording
    switch pacing.camera {
    case .motion(let motion): settings.viewing.motion = motion
    case .file: settings.viewing.motion = cameraFile.map { .path($0.path) } ?? .still
    }
    return settings
  }

  /// - Parameter input: as the user named it; nil is the built-in clip.
  func deliver(_ outcome: Benchmark.Outcome, from input: String?, isOneOfMany: Bool) throws {
    try delivery(isOneOfMany: isOneOfMany).deliver(
      outcome.record, journal: outcome.journal, AnswerOutput(input: input)
    ) {
      try deliverTraces(outcome, isOneOfMany: isOneOfMany)
    }
  }

  private func delivery(isOneOfMany: Bool) -> RecordDelivery {
    RecordDelivery(answer: answer, isVerbose: diagnostics.verbose, isOneOfMany: isOneOfMany)
  }

  private func deliverTraces(_ outcome: Benchmark.Outcome, isOneOfMany: Bool) throws {
    let record = outcome.record
    let delivery = delivery(isOneOfMany: isOneOfMany)
    if let file = streams.p1203 {
      let path = delivery.place(file, record, suffix: "p1203.json")
      try RecordFile.write(P1203Input(record), to: path)
      if answer.output != "-" { Console.note("input of P.1203: \(path)") }
    }
    if let trace = tracing.trace {
      let path = delivery.place(trace, record, suffix: "trace.json")
      try ChromeTrace.write(outcome.traces, of: record, to: path)
      if answer.output != "-" { Console.note("trace: \(path)") }
    }
    if let frames = tracing.frames {
      let path = delivery.place(frames, record, suffix: "frames.csv")
      try FrameTable.write(outcome.traces, columns: tracing.framesFormat, to: path)
      if answer.output != "-" { Console.note("frames: \(path)") }
    }
    if let events = tracing.events {
      let path = delivery.place(events, record, suffix: "events.jsonl")
      try EventFile.write(outcome.events, to: path)
      if answer.output != "-" { Console.note("events: \(path)") }
    }
  }

  /// An unwritable path is reported before minutes of measuring, not after.
  private func checkOutput(isOneOfMany: Bool) throws {
    for (path, kind, option) in [
      (answer.output, OutputKind.record, "--output"), (tracing.trace, .trace, "--trace"),
      (tracing.frames, .frameTable, "--frames"), (tracing.events, .events, "--events"),
      (streams.p1203, .p1203, "--p1203"),
    ] {
      if let path { try delivery(isOneOfMany: isOneOfMany).check(path, kind, option: option, writing) }
    }
  }
}
