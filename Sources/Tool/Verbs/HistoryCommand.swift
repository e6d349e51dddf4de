import ArgumentParser
import FoundationEssentials
import Frames
import Host
import Run
import Verdict

struct HistoryCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Show one metric over commits, its noise, and where it changed.",
    discussion: """
        bench360 history results --metric pipeline_fps

      Incomparable records form series of their own. Each session counts as one value. A change is a lasting move of the \
      values to another level; a series without one is given one with a chance of 1 %. It takes \(ChangePoints.fewest) \
      sessions or more. Sessions that drift, as on a machine that gets warm, can look like a change: to decide, use 'ab' on \
      the two commits.

      Exit codes: 0 fine, with or without changes, 1 failure, 64 usage.
      """)

  @OptionGroup
  var folders: RecordFolders

  @Option(
    help: ArgumentHelp("The metric, as 'run' prints its name.", valueName: "name"), completion: Completion.metrics)
  var metric: String

  @Option(
    help: ArgumentHelp("Only this scenario, or variant.", valueName: "name[/variant]"),
    completion: Completion.scenario)
  var scenario: String?

  @Option(help: "Format of the output: \(HistoryFormat.all.map(\.name).joined(separator: ", ")).")
  var format = HistoryFormatArgument()

  @OptionGroup
  var diagnostics: DiagnosticsOptions

  func validate() throws {
    if let problem = History.problem(with: metric) { throw ValidationError("--metric: \(problem).") }
    if scenario == "" { throw ValidationError("--scenario is empty: leave it out or name one.") }
  }

  func run() throws {
    Interrupt.endAtOnce()
    let set = try folders.load()
    let history = try History(RecordGroup.groups(set.records), metric: metric, scenario: scenario)
    for failure in set.leftOut { Console.error("\(failure.attempt): \(failure.cause); it was left out") }
    let terminal = HistoryFormat.Terminal(useColor: Console.usesColor, isASCII: !Console.showsUnicode)
    Console.print(try format.format.render(history, on: terminal), terminator: "")
    if format.format.name == HistoryFormat.markdown.name {
      StepSummary.append(try HistoryFormat.markdown.render(history))
    }
  }
}

/// One of the history formats, by name.
struct HistoryFormatArgument: ExpressibleByArgument {
  var format = HistoryFormat.table

  init() {}

  init?(argument: String) {
    guard let format = HistoryFormat.named(argument) else { return nil }
    self.format = format
  }

  static var allValueStrings: [String] { HistoryFormat.all.map(\.name) }
  var defaultValueDescription: String { format.name }
}
