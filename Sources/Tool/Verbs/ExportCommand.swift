import ArgumentParser
import FoundationEssentials
import Frames
import Verdict

struct ExportCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write the numbers of records for another system.",
    discussion: """
        bench360 export record.json --format openmetrics -o /var/lib/node_exporter/bench360.prom

      The medians, quantiles and counters of all scenarios, as the record has them, in the form of a system that keeps numbers. Samples \
      stay in the record. Of folders all records below them are taken.

      Exit codes: 0 fine, 1 failure, 64 usage, 130 interrupted.
      """)

  @OptionGroup
  var folders: RecordFolders

  @Option(
    help: ArgumentHelp(
      "What to write: " + ExportFormat.all.map { "'\($0.name)', \($0.summary)" }.joined(separator: "; ") + "."))
  var format: ExportChoice

  @Option(
    name: [.short, .long], help: ArgumentHelp("The file to write; '-' prints it.", valueName: "file"),
    completion: .file())
  var output = "-"

  @Option(
    help: ArgumentHelp(
      "The commit of the tested software, such as a driver. (default: bench360's own)", valueName: "commit"))
  var revision: String?

  @Option(help: ArgumentHelp("The URL of its repository.", valueName: "url"))
  var repository: String?

  @OptionGroup
  var writing: WritingOptions

  @OptionGroup
  var diagnostics: DiagnosticsOptions

  func validate() throws {
    if output.isEmpty { throw ValidationError("--output is empty: name a file.") }
    if revision?.isEmpty == true { throw ValidationError("--revision is empty: name a commit.") }
    if let repository, !["https://", "http://", "git@"].contains(where: repository.hasPrefix) {
      throw ValidationError("--repository must be a URL.")
    }
  }

  func run() throws {
    if output != "-" { try writing.check(output, .export) }
    let set = try folders.load(asDigests: false)
    for failure in set.leftOut { Console.error("\(failure.attempt): \(failure.cause); it was left out") }
    let text = try format.row.render(set.records, ExportSubject(revision: revision, repository: repository))
    guard output != "-" else { return Console.print(text, terminator: "") }
    try RecordFile.write(called: "export", option: "--output", to: output) { put in try put(text) }
  }
}

/// A row of `ExportFormat.all`, by its name.
struct ExportChoice: ExpressibleByArgument {
  var row: ExportFormat

  init?(argument: String) {
    guard let row = ExportFormat.named(argument) else { return nil }
    self.row = row
  }

  static var allValueStrings: [String] { ExportFormat.all.map(\.name) }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
  var defaultValueDescription: String { row.name }
}
