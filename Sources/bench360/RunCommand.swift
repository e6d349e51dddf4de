import ArgumentParser
internal import CGLFW
import Foundation
import Frames
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
      \(Scenarios.all.map { "  \($0.name.padding(toLength: 10, withPad: " ", startingAt: 0)) \($0.summary)" }.joined(separator: "\n"))

      Exit codes: 0 fine, 1 failure, 3 a wrong frame was shown, 64 usage, 130 interrupted.
      """)

  @Argument(help: "Video files or URLs.")
  var inputs: [String] = []

  @Option(help: ArgumentHelp("Scenarios to run, separated by commas. (default: the suite's)", valueName: "name,…"))
  var scenario: String?

  @Option(help: "How much to measure: about 15 s, 90 s or 15 min on a two-core machine.")
  var suite = SuiteArgument(.standard)

  @Option(help: "Fresh processes per scenario. (default: the suite's)")
  var trials: Int?

  @Option(help: "Media seconds per trial; clips loop. (default: the suite's)")
  var duration: Double?

  @Option(help: "The view as a function of media time.")
  var camera = CameraMotion.still

  @OptionGroup(title: "View and device options")
  var view: ViewOptions

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
      valueName: "file"))
  var output: String?

  @Option(help: "What is printed: \(ReportFormat.all.map(\.name).joined(separator: ", ")).")
  var format = FormatArgument()

  mutating func validate() throws {
    if let trials, !(1...10_000).contains(trials) { throw ValidationError("--trials must be between 1 and 10000.") }
    if let duration, !(duration > 0 && duration <= 86_400) {
      throw ValidationError("--duration must be more than 0 and at most 86400 seconds.")
    }
    guard timeout >= 1, timeout <= 86_400 else {
      throw ValidationError("--timeout must be between 1 and 86400 seconds.")
    }
    if let scenario {
      for name in scenario.split(separator: ",", omittingEmptySubsequences: false)
      where Scenarios.named(String(name)) == nil {
        let names = Scenarios.all.map(\.name).joined(separator: ", ")
        throw ValidationError("There is no scenario '\(name)'. There are: \(names).")
      }
    }
    if inputs.filter({ $0 == "-" }).count > 1 { throw ValidationError("Standard input can be read once only.") }
  }

  func run() throws {
    try pin?.check()
    try checkOutput(isOneOfMany: inputs.count > 1)
    let spool = Spool()
    defer { spool.remove() }
    var worst: Failure?
    var isIncorrect = false
    let sources = try inputs.isEmpty ? [(path: builtInClip(), name: "built-in clip")] : inputs.map(spool.source)
    for source in sources {
      do {
        let outcome = try spool.naming { try measure(path: source.path, name: source.name) }
        try deliver(outcome.record, isOneOfMany: sources.count > 1)
        if Answer(outcome.record).incorrect > 0 { isIncorrect = true }
        if let failure = outcome.failure { throw failure }
      } catch let failure as Failure {
        guard sources.count > 1, !Interrupt.isRequested else { throw failure }
        Console.error(failure.description)
        worst = failure
      }
      if Interrupt.isRequested {
        Console.error("interrupted: what was measured is kept, and marked incomplete")
        throw ExitStatus.interrupted
      }
    }
    if worst != nil { throw ExitStatus.failure }
    if isIncorrect { throw ExitStatus.incorrect }
  }

  private func builtInClip() throws -> String {
    defer { Console.clearProgress() }
    return try BuiltInClip.ensure { done, total in
      if done == 0, !Console.hasTerminalError { Console.note("making the built-in clip, once …") }
      Console.progress("making the built-in clip, once", Double(done) / Double(max(total, 1)))
      return !Interrupt.isRequested
    }
  }

  private func measure(path: String, name: String) throws -> Benchmark.Outcome {
    var settings = view.settings()
    settings.motion = camera
    settings.seed = seed
    settings.timeout = timeout
    settings.pin = pin
    var benchmark = Benchmark(
      input: path, inputName: name, settings: settings, suite: suite.suite, command: CommandLine.arguments)
    benchmark.scenarioNames = scenario.map { $0.split(separator: ",").map(String.init) }
    benchmark.trials = trials
    benchmark.duration = duration
    benchmark.label = label
    benchmark.glfwVersion = String(cString: glfwGetVersionString())
    benchmark.onProgress = { text, fraction in Console.progress(text, fraction) }
    defer { Console.clearProgress() }
    return try benchmark.run()
  }

  /// Writes the record, then prints the answer: what was measured is safe before anything else can fail.
  private func deliver(_ record: Record, isOneOfMany: Bool) throws {
    if output == "-" {
      Console.print(try ReportFormat.json.render(record), terminator: "")
      return
    }
    let path = recordPath(record, isOneOfMany: isOneOfMany)
    let written = Result { try RecordFile.write(record, to: path) }
    Console.print(try format.format.render(record, useColor: Console.usesColor), terminator: "")
    if format.format.name == ReportFormat.markdown.name { StepSummary.append(try ReportFormat.markdown.render(record)) }
    try written.get()
    Console.note("record: \(path)")
  }

  /// A place that cannot be written is told before minutes of measuring, not after.
  private func checkOutput(isOneOfMany: Bool) throws {
    guard let output, output != "-" else { return }
    let isFolder = isOneOfMany || output.hasSuffix("/")
    try RecordFile.checkWritable(isFolder ? (output as NSString).appendingPathComponent("record.json") : output)
  }

  /// As asked for; a name that we make up never replaces a record that is there.
  private func recordPath(_ record: Record, isOneOfMany: Bool) -> String {
    let manager = FileManager.default
    let folder = manager.currentDirectoryPath
    var isFolder: ObjCBool = false
    if let output {
      let exists = manager.fileExists(atPath: output, isDirectory: &isFolder)
      guard isOneOfMany || output.hasSuffix("/") || (exists && isFolder.boolValue) else { return output }
      let automatic = RecordFile.defaultPath(for: record, currentFolder: folder, hasResults: true, environment: [:])
      return unused((output as NSString).appendingPathComponent((automatic as NSString).lastPathComponent))
    }
    let hasResults = manager.fileExists(atPath: folder + "/results", isDirectory: &isFolder) && isFolder.boolValue
    return unused(
      RecordFile.defaultPath(
        for: record, currentFolder: folder, hasResults: hasResults, environment: ProcessInfo.processInfo.environment))
  }

  private func unused(_ path: String) -> String {
    let stem = (path as NSString).deletingPathExtension
    var candidate = path
    var number = 2
    while FileManager.default.fileExists(atPath: candidate) {
      candidate = "\(stem)-\(number).json"
      number += 1
    }
    return candidate
  }
}

/// One of the report formats, by name.
struct FormatArgument: ExpressibleByArgument {
  var format = ReportFormat.table

  init() {}

  init?(argument: String) {
    guard let format = ReportFormat.named(argument) else { return nil }
    self.format = format
  }

  static var allValueStrings: [String] { ReportFormat.all.map(\.name) }
  var defaultValueDescription: String { format.name }
}

struct SuiteArgument: ExpressibleByArgument {
  var suite: Suite

  init(_ suite: Suite) {
    self.suite = suite
  }

  init?(argument: String) {
    guard let suite = Suite(rawValue: argument) else { return nil }
    self.suite = suite
  }

  static var allValueStrings: [String] { Suite.allCases.map(\.rawValue) }
  var defaultValueDescription: String { suite.rawValue }
}
