import ArgumentParser
import Foundation
import Frames
import Host
import Render
import Run
import Verdict

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Measure, print a table and keep a record.",
    discussion: """
      Without INPUT, measures the built-in synthetic 360° clip, which is made once and kept in the cache folder. \
      '-' reads a clip from standard input. Several inputs give one record each.

      Scenarios:
      \(Scenario.allCases.map { "  \($0.name.padding(toLength: 11, withPad: " ", startingAt: 0)) \($0.summary)" }.joined(separator: "\n"))

      Variants, where a scenario has some; without a name those marked * run:
      \(variantsHelp())

      With --matrix, every cell of a matrix file is measured as such a run, with a record named by its input and its \
      settings. --shard I/N takes a part: cells are dealt out to shards one each, round after round, each round beginning at \
      another shard. I counts from 0 as $SLURM_ARRAY_TASK_ID and $JOB_COMPLETION_INDEX do in Packaging/slurm and \
      Packaging/kubernetes. A cell with a complete record of its own, of this build and this input, is not measured again; \
      'merge' joins what the shards leave.

      Exit codes: 0 fine, 1 failure, 3 a wrong frame was shown or a seek landed out of its tolerance, 64 usage, 130 interrupted.
      """)

  @Argument(help: "Video files or URLs.", completion: Completion.clips)
  var inputs: [String] = []

  @Option(
    help: ArgumentHelp(
      "Scenarios to run, separated by commas; NAME/VARIANT runs that variant alone. (default: the suite's)",
      valueName: "name,…"), completion: Completion.scenarios)
  var scenario: String?

  @Option(help: "How much to measure: about 15 s, 90 s or 18 min on a two-core machine.")
  var suite = SuiteArgument(.standard)

  @Option(help: "Fresh processes per scenario; 'startup' takes three for each. (default: the suite's)")
  var trials: Int?

  @Option(
    help: ArgumentHelp(
      "Media seconds per trial, but 100 frames and a second at least; clips loop. (default: the suite's)",
      valueName: "seconds"))
  var duration: Double?

  @Option(
    help: ArgumentHelp(
      """
      The view as a function of media time: 'pan' turns by 30° a second, 'orbit' tilts by 20° too, a file holds \
      keyframes (results/camera.schema.json).
      """,
      valueName: "motion"))
  var camera = CameraArgument.motion(.still)

  @OptionGroup(title: "View and device options")
  var view: ViewOptions

  @Option(
    help: ArgumentHelp(
      """
      Refreshes per second of the display that 'play' and 'interaction' play on and 'scrub' drags with, such as 60, 59.94 or 60000/1001. \
      (default: 60, in a window the monitor's)
      """,
      valueName: "hz"))
  var refresh: Ratio?

  @Option(help: "Where 'play' shows what it draws: nowhere, or in a window of --size.")
  var present = Presentation.offscreen

  @Option(help: ArgumentHelp("Frames that 'play' decodes ahead of the display.", valueName: "frames"))
  var lookAhead = RunSettings().lookAhead

  @Option(
    help: """
      What else the machine does meanwhile: 'cpu' keeps every processor busy, 'io' writes a temporary file and flushes \
      it to its disk, over and over.
      """)
  var stress = Stress.Kind.none

  @Option(
    help: ArgumentHelp(
      "What a hand did, as 'view --record-input' keeps it, for --scenario interaction/recorded.", valueName: "file.json"
    ), completion: Completion.records)
  var inputEvents: String?

  @Option(help: "Seed of everything random.")
  var seed: UInt64 = 1

  @Option(help: ArgumentHelp("Keep every trial on these CPUs, such as 0-3,6. (default: all)", valueName: "cpus"))
  var pin: CPUSet?

  @Option(help: ArgumentHelp("End a trial that makes no progress for this long.", valueName: "seconds"))
  var timeout = 60.0

  @Option(help: "Names the thing tested, such as a driver or a branch, in the record.")
  var label: String?

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "The JSON record, or with several inputs the folder for them; '-' prints the record and nothing else.",
      valueName: "file"), completion: Completion.records)
  var output: String?

  @OptionGroup(title: "Many runs")
  var many: MatrixOptions

  @Option(
    help: ArgumentHelp(
      "A Chrome and Perfetto trace of every stage of every frame; a folder as --output.", valueName: "file.json"),
    completion: Completion.records)
  var trace: String?

  @Option(
    help: ArgumentHelp("A table with a row for every frame; a folder as --output.", valueName: "file.csv"),
    completion: .file(extensions: ["csv"]))
  var frames: String?

  @Option(help: "What is printed: \(ReportFormat.all.map(\.name).joined(separator: ", ")).")
  var format = FormatArgument()

  @OptionGroup
  var writing: WritingOptions

  mutating func validate() throws {
    try many.check(inputs: inputs, output: output, arguments: CommandLine.arguments)
    if let trials, !(1...10_000).contains(trials) { throw ValidationError("--trials must be between 1 and 10000.") }
    if let duration, !(duration > 0 && duration <= 86_400) {
      throw ValidationError("--duration must be more than 0 and at most 86400 seconds.")
    }
    guard timeout >= 1, timeout <= 86_400 else {
      throw ValidationError("--timeout must be between 1 and 86400 seconds.")
    }
    guard (2...1000).contains(lookAhead) else {
      throw ValidationError("--look-ahead must be between 2 and 1000 frames.")
    }
    let names = scenario?.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    do throws(Failure) {
      let jobs = try Scenarios.jobs(named: names ?? suite.suite.scenarios)
      try Scenarios.check(jobs, canBeShown: present)
      try Scenarios.check(jobs, haveInput: inputEvents != nil)
    } catch {
      throw ValidationError("\(error.description).")
    }
    if trace == "-" || frames == "-" { throw ValidationError("--trace and --frames take a file, not '-'.") }
    // Several inputs make folders of them, in which each file has a name of its own.
    let files =
      inputs.count > 1 || many.matrix != nil ? [] : ([output, trace, frames, inputEvents].compactMap { $0 } + inputs)
    let named = files.filter { $0 != "-" && !isFolder($0) }.map { URL(filePath: $0).standardizedFileURL.path }
    guard Set(named).count == named.count else {
      throw ValidationError("--output, --trace and --frames must name different files, and none of the inputs.")
    }
    if inputs.filter({ $0 == "-" }).count > 1 { throw ValidationError("Standard input can be read once only.") }
  }

  func run() throws {
    if let matrix = many.matrix { return try runMatrix(matrix) }
    try pin?.check()
    try checkOutput(isOneOfMany: inputs.count > 1)
    let (cameraFile, inputFile) = try files()
    let spool = Spool()
    defer { spool.remove() }
    var tally = RunTally()
    let sources = try inputs.isEmpty ? [(path: builtInClip(), name: "built-in clip")] : inputs.map(spool.source)
    for source in sources {
      do {
        let outcome = try spool.naming { try measure(path: source.path, name: source.name, cameraFile, inputFile) }
        try deliver(outcome, isOneOfMany: sources.count > 1)
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
    let cameraFile: CameraFile? = if case .file(let path) = camera { try CameraFile(path: path) } else { nil }
    return (cameraFile, try inputEvents.map { try InputFile(path: $0) })
  }

  func builtInClip() throws -> String {
    defer { Console.clearProgress() }
    return try BuiltInClip.ensure { done, total in
      if done == 0, !Console.hasTerminalError { Console.note("making the built-in clip, once …") }
      Console.progress("making the built-in clip, once", Double(done) / Double(max(total, 1)))
      return !Interrupt.isRequested
    }
  }

  /// - Parameters:
  ///   - place: told before what is being done, where this is one of many.
  ///   - cell: of a matrix.
  func measure(
    path: String, name: String, _ cameraFile: CameraFile?, _ inputFile: InputFile?, place: String? = nil,
    cell: Record.Cell? = nil
  ) throws -> Benchmark.Outcome {
    var settings = view.settings()
    settings.seed = seed
    settings.timeout = timeout
    settings.present = present
    settings.refresh = refresh ?? settings.refresh
    settings.lookAhead = lookAhead
    settings.stress = stress
    settings.pin = pin
    settings.input = inputFile?.recording
    switch camera {
    case .motion(let motion): settings.motion = motion
    case .file: settings.motion = cameraFile.map { .path($0.path) } ?? .still
    }
    var benchmark = Benchmark(
      input: path, inputName: name, settings: settings, suite: suite.suite, command: CommandLine.arguments)
    benchmark.scenarioNames = scenario.map { $0.split(separator: ",").map(String.init) }
    benchmark.trials = trials
    benchmark.duration = duration
    benchmark.label = label
    benchmark.cameraFile = cameraFile
    benchmark.inputFile = inputFile
    benchmark.tracesFrames = trace != nil || frames != nil
    benchmark.takesMonitorRefresh = refresh == nil
    let prefix = place.map { "\($0.prefix { $0 != ":" }) · " } ?? ""
    benchmark.onProgress = { text, fraction in Console.progress(prefix + text, fraction) }
    var journal: RecordJournal?
    benchmark.onTrial = { trial in
      guard output != "-" else { return }
      var trial = trial
      trial.cell = cell
      journal = journal ?? RecordJournal(besideRecord: recordPath(trial, isOneOfMany: inputs.count > 1))
      journal?.add(trial)
    }
    defer { Console.clearProgress() }
    var outcome = try benchmark.run()
    outcome.record.cell = cell
    outcome.journal = journal
    return outcome
  }

  /// Writes the record, then prints the answer: what was measured is safe before anything else can fail.
  func deliver(_ outcome: Benchmark.Outcome, isOneOfMany: Bool) throws {
    let record = outcome.record
    if output == "-" {
      let traced = Result { try deliverTraces(outcome, isOneOfMany: isOneOfMany) }
      Console.print(try ReportFormat.json.render(record), terminator: "")
      return try traced.get()
    }
    let path = recordPath(record, isOneOfMany: isOneOfMany)
    let written = Result { try RecordFile.write(record, to: path) }
    let printed = Result { try Console.write(format.format.render(record, useColor: Console.usesColor)) }
    if format.format.name == ReportFormat.markdown.name { StepSummary.append(try ReportFormat.markdown.render(record)) }
    let traced = Result { try deliverTraces(outcome, isOneOfMany: isOneOfMany) }
    try written.get()
    outcome.journal?.end(recordWrittenTo: path)
    Console.note("record: \(path)")
    try traced.get()
    if case .failure(let error) = printed { Console.end(error) }
  }

  private func deliverTraces(_ outcome: Benchmark.Outcome, isOneOfMany: Bool) throws {
    let record = outcome.record
    if let trace {
      let path = place(trace, record, isOneOfMany: isOneOfMany, suffix: "trace.json")
      try ChromeTrace.write(outcome.traces, of: record, to: path)
      if output != "-" { Console.note("trace: \(path)") }
    }
    if let frames {
      let path = place(frames, record, isOneOfMany: isOneOfMany, suffix: "frames.csv")
      try FrameTable.write(outcome.traces, to: path)
      if output != "-" { Console.note("frames: \(path)") }
    }
  }

  /// A place that cannot be written is told before minutes of measuring, not after.
  private func checkOutput(isOneOfMany: Bool) throws {
    for (path, kind, option) in [
      (output, OutputKind.record, "--output"), (trace, .trace, "--trace"), (frames, .frameTable, "--frames"),
    ] {
      guard let path, path != "-" else { continue }
      let isFolder = isOneOfMany || path.hasSuffix("/")
      if !isFolder { try writing.check(path, kind) }
      try RecordFile.checkWritable(
        isFolder ? (path as NSString).appendingPathComponent("record.json") : path, called: kind.name, option: option)
    }
  }

  /// As asked for; a name that we make up never replaces a record that is there.
  private func recordPath(_ record: Record, isOneOfMany: Bool) -> String {
    if let output { return place(output, record, isOneOfMany: isOneOfMany, suffix: "json") }
    let folder = FileManager.default.currentDirectoryPath
    return RecordFile.unused(
      RecordFile.defaultPath(
        for: record, currentFolder: folder, hasResults: isFolder(folder + "/results"),
        environment: ProcessInfo.processInfo.environment))
  }

  /// The file that an option names, or one in the folder that it names.
  private func place(_ path: String, _ record: Record, isOneOfMany: Bool, suffix: String) -> String {
    guard isOneOfMany || isFolder(path) else { return path }
    let automatic = RecordFile.defaultPath(for: record, currentFolder: "/", hasResults: true, environment: [:])
    let name = ((automatic as NSString).lastPathComponent as NSString).deletingPathExtension
    return RecordFile.unused((path as NSString).appendingPathComponent("\(name).\(suffix)"), suffix: suffix)
  }

  /// Whether it is a folder, or is written as one.
  private func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return path.hasSuffix("/")
      || FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }
}

/// A line for each scenario that has variants, wrapped by whoever prints it.
private func variantsHelp() -> String {
  Scenario.allCases.filter { $0.variants != [nil] }.map { scenario in
    let names = scenario.variants.compactMap { variant in
      variant.map { $0 + (scenario.usualVariants.contains(variant) ? "*" : "") }
    }
    return "  \(scenario.name.padding(toLength: 11, withPad: " ", startingAt: 0)) \(names.joined(separator: ", "))"
  }.joined(separator: "\n")
}
