import ArgumentParser
import FoundationEssentials
import Frames
import Verdict

/// Shared by `compare` and `ab`: how to judge, and how to report.
struct VerdictOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Largest change, in percent, that counts as the same.", valueName: "percent"))
  var threshold = 2.0

  @Option(
    help: ArgumentHelp(
      "Metrics to judge, as METRIC or SCENARIO/METRIC; others are shown only. (default: each scenario's main one)",
      valueName: "metric,…"), completion: Completion.gates)
  var gate: String?

  @Option(help: ArgumentHelp("Verdicts with an exit code of their own.", valueName: "regression,improvement"))
  var failOn = FailOn()

  @Option(help: "Format of the output: \(ComparisonFormat.all.map(\.name).joined(separator: ", ")).")
  var format = ComparisonFormatArgument()

  @Flag(help: "In a table, list the metrics that did not change too.")
  var all = false

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("Write the comparison as JSON; '-' prints it and nothing else.", valueName: "file"),
    completion: Completion.records)
  var output: String?

  @OptionGroup
  var writing: WritingOptions

  func validate() throws {
    guard threshold >= 0, threshold <= 100 else { throw ValidationError("--threshold must be between 0 and 100.") }
    if output == "" { throw ValidationError("--output is empty: name a file.") }
  }

  /// For bench360's own metrics.
  func checkGates() throws(ValidationError) {
    for name in (gate ?? "").split(separator: ",", omittingEmptySubsequences: false) where gate != nil {
      if let problem = Gates.problem(with: String(name)) { throw ValidationError("--gate: \(problem).") }
    }
  }

  /// An unwritable path is reported before all the runs, not after.
  func checkOutput() throws(Failure) {
    guard let output, output != "-" else { return }
    try writing.check(output, .comparison)
    func refusal(_ cause: String) -> Failure {
      Failure(
        .output, "cannot write comparison '\(output)'", cause: cause,
        remedy: "name a file that can be written with --output")
    }
    var isFolder = false
    let exists = FileManager.default.fileExists(atPath: output, isDirectory: &isFolder)
    if exists, isFolder { throw refusal("it is a folder") }
    do throws(Failure) {
      try RecordFile.checkWritable(output)
    } catch {
      throw refusal(error.cause)
    }
  }

  func comparisonOptions() -> ComparisonOptions {
    var options = ComparisonOptions()
    options.thresholdPercent = threshold
    options.gates = gate.flatMap { Gates($0) } ?? .standard
    return options
  }

  /// Writes and prints the comparison; returns its exit status, or nil for 0.
  func deliver(_ comparison: Comparison) throws -> ExitStatus? {
    let status = ExitStatus(after: comparison, failsOn: failOn.outcomes)
    if output == "-" {
      Console.print(try ComparisonFormat.json.render(comparison), terminator: "")
      return status
    }
    let written = Result { try output.map { try RecordFile.write(comparison, to: $0) } }
    Console.print(
      try format.format.render(comparison, useColor: Console.usesColor, listsUnchanged: all), terminator: "")
    if format.format.name == ComparisonFormat.markdown.name {
      StepSummary.append(try ComparisonFormat.markdown.render(comparison))
    }
    try written.get()
    if let output { Console.note("comparison: \(output)") }
    return status
  }
}

struct FailOn: ExpressibleByArgument {
  var outcomes: Set<Outcome> = [.regression]

  init() {}

  init?(argument: String) {
    outcomes = []
    for name in argument.split(separator: ",", omittingEmptySubsequences: false) {
      guard let outcome = Outcome(rawValue: String(name)), outcome == .regression || outcome == .improvement else {
        return nil
      }
      outcomes.insert(outcome)
    }
  }

  static var defaultCompletionKind: CompletionKind {
    .list(["regression", "improvement", "regression,improvement"])
  }
  var defaultValueDescription: String { "regression" }
}

struct ComparisonFormatArgument: ExpressibleByArgument {
  var format = ComparisonFormat.table

  init() {}

  init?(argument: String) {
    guard let format = ComparisonFormat.named(argument) else { return nil }
    self.format = format
  }

  static var allValueStrings: [String] { ComparisonFormat.all.map(\.name) }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
  var defaultValueDescription: String { format.name }
}
