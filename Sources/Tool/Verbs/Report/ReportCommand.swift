import ArgumentParser
import FoundationEssentials
import Frames
import Host
import Run
import Verdict

struct ReportCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Write one HTML page about records.",
    discussion: """
        bench360 report record.json -o report.html

      The page is one HTML file that needs no network and no script: the answer in a sentence, then frame times, pacing, \
      stages, seeks, distributions, the history over commits, and the machine. A picture of the clip is drawn where its file is \
      still at hand, unchanged, as the run's command line names it. The newest record of each clip and setting is \
      shown in full, all of them in the history. With --base the page says whether the numbers differ, as 'compare' does; \
      the exit code is 0 for every verdict.

      Exit codes: 0 written, 1 failure, 5 no record in --base, 7 --base and RECORD are incomparable, 64 usage.
      """)

  @OptionGroup
  var folders: RecordFolders

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("Records or folders of records to compare with.", valueName: "record"),
    completion: .file(extensions: ["json"]))
  var base: [String] = []

  @Option(help: ArgumentHelp("Fields that are tested: they may differ from --base.", valueName: "field,…"))
  var vary: String?

  @Option(
    help: ArgumentHelp(
      "Noise between sessions of the same build: 95th percentile of |shift| in percent.", valueName: "percent"))
  var noiseFloor: Double?

  @Option(help: "Title of the page. (default: the clip)")
  var title: String?

  @Flag(help: "Leave out the picture of the clip.")
  var noPicture = false

  @Option(
    name: [.short, .long], help: ArgumentHelp("The page; '-' prints it and nothing else.", valueName: "file.html"),
    completion: .file(extensions: ["html"]))
  var output = "bench360-report.html"

  @Option(
    help: ArgumentHelp(
      "Of one record of a stream, also the input of ITU-T P.1203, for the open itu-p1203 tools.", valueName: "file.json"
    ),
    completion: Completion.records)
  var p1203: String?

  @OptionGroup
  var writing: WritingOptions

  @OptionGroup
  var diagnostics: DiagnosticsOptions

  func validate() throws {
    if output.isEmpty { throw ValidationError("--output is empty: name a file.") }
    if p1203 == "" || p1203 == "-" { throw ValidationError("--p1203 takes a file.") }
    if title == "" { throw ValidationError("--title is empty: leave it out or name the page.") }
    for name in (vary ?? "").split(separator: ",", omittingEmptySubsequences: false) where vary != nil {
      guard ComparedField.named(String(name)) != nil else {
        let names = ComparedField.all.map(\.name).joined(separator: ", ")
        throw ValidationError("--vary: there is no field '\(name)'. There are: \(names).")
      }
    }
    if let noiseFloor, !(0...1000).contains(noiseFloor) {
      throw ValidationError("--noise-floor must be between 0 and 1000.")
    }
    if base.isEmpty, vary != nil || noiseFloor != nil {
      throw ValidationError("--vary and --noise-floor are for --base.")
    }
  }

  func run() throws {
    Interrupt.endAtOnce()
    let head = try folders.load()
    let comparison = try base.isEmpty ? nil : compare(with: head)
    try checkOutput(among: head)
    try writing.check(output, .report)
    try writing.check(p1203, .p1203)
    let groups = RecordGroup.groups(head.records.indices.map { (head.records[$0], head.files[$0]) })
    let whole = try groups.map { try $0.completed { (path) throws(Failure) in try RecordFile.read(path) } }
    let page = Report(
      title: title, groups: whole, comparison: comparison, leftOut: comparison == nil ? head.leftOut : [],
      picture: picture(of: whole)
    ).html
    if let p1203 { try writeP1203(of: head, to: p1203) }
    if output == "-" { return Console.print(page, terminator: "") }
    try RecordFile.write(page: page, to: output)
    Console.note("report: \(output)")
  }

  /// A page about several clips has no picture.
  private func picture(of groups: [RecordGroup]) -> ClipPicture? {
    guard !noPicture, let newest = groups.first?.newest, let file = groups.first?.files.last else { return nil }
    let hash = newest.input.sha256
    guard groups.count == 1 || hash != nil && groups.allSatisfy({ $0.newest.input.sha256 == hash }) else { return nil }
    return RecordPicture(newest, file: file).draw()
  }

  private func writeP1203(of head: RecordSet, to path: String) throws(Failure) {
    guard head.files.count == 1, let file = head.files.first else {
      throw Failure(
        .input, "cannot write the input of P.1203",
        cause: "there are \(head.files.count) records, and it is of one session",
        remedy: "name one record")
    }
    try RecordFile.write(P1203Input(RecordFile.read(file)), to: path)
  }

  private func compare(with head: RecordSet) throws -> Comparison {
    let base = try RecordFolders.load(base, leavingOutDamaged: folders.skipDamaged)
    guard !base.records.isEmpty else {
      throw Failure(
        .noBaseline, "cannot compare with '\(base.path)'", cause: "there is no record",
        remedy: "give a record or a folder of records that 'bench360 run --output' wrote")
    }
    try checkOutput(among: base)
    var options = ComparisonOptions()
    options.noiseFloorPercent = noiseFloor
    options.varied = Set((vary ?? "").split(separator: ",").map(String.init))
    return try Comparison(base: base, head: head, options: options)
  }

  /// Never overwrites measurements by mistake.
  private func checkOutput(among set: RecordSet) throws(Failure) {
    guard output != "-" else { return }
    func identity(_ path: String) -> String { URL(filePath: path).resolvingSymlinksInPath().standardizedFileURL.path }
    guard set.files.contains(where: { identity($0) == identity(output) }) else { return }
    throw Failure(
      .output, "cannot write report '\(output)'", cause: "it is one of the records",
      remedy: "name another file with --output")
  }
}
