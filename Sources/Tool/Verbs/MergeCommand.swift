import ArgumentParser
import FoundationEssentials
import Frames
import Host
import Run
import Verdict

struct MergeCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Join the records of many jobs and machines into one set.",
    discussion: """
        bench360 merge records/shard-0 records/shard-1 -o records/all

      Collects records by path: files, and folders with all .json files and journals of killed runs below them, as shards of 'run --matrix' leave \
      them. \
      Records of one cell, or without a matrix of one clip with one choice of settings, become one with the trials of all, \
      if they are comparable; else each is kept, and the difference is reported. A trial that occurs twice counts once. A \
      single record is copied byte for byte; a journal becomes a record. An incomplete record is joined with no other, and left out where its cell has a \
      complete one.

      With --matrix, cells without a complete record are named, each with its shard of --shards, and records of other cells are \
      left out; the merged records are written even if cells are missing.

      Exit codes: 0 fine, 1 failure or a cell of the matrix is missing, 64 usage, 130 interrupted.
      """)

  @Argument(help: "Records and folders of records.", completion: .file(extensions: ["json"]))
  var records: [String]

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      """
      A new folder for the records; for a single record also a file that ends in .json, or '-' to print it.
      """,
      valueName: "folder"), completion: .directory)
  var output: String

  @Option(
    help: ArgumentHelp("The matrix whose cells must all have a record.", valueName: "file.json"),
    completion: .file(extensions: ["json"]))
  var matrix: String?

  @Option(help: ArgumentHelp("Number of shards of the matrix.", valueName: "n"))
  var shards: Int?

  @Flag(help: "Skip damaged records instead of ending.")
  var skipDamaged = false

  @OptionGroup
  var writing: WritingOptions

  @OptionGroup
  var diagnostics: DiagnosticsOptions

  func validate() throws {
    if output.isEmpty { throw ValidationError("--output is empty: name a folder.") }
    if records.contains("") { throw ValidationError("A path of a record is empty.") }
    if let shards, !(1...Shard.countLimit).contains(shards) {
      throw ValidationError("--shards must be between 1 and \(Shard.countLimit).")
    }
    if shards != nil, matrix == nil { throw ValidationError("--shards needs a --matrix.") }
  }

  func run() throws {
    if output.hasSuffix(".json") { try writing.check(output, .record) }
    let expected = try expectedCells()
    let merge = try Merge(paths: records, expected: expected, leavingOutDamaged: skipDamaged)
    let plan = merge.plan
    for failure in merge.damaged { Console.error("\(failure.attempt): \(failure.cause); it was left out") }
    for note in plan.notes { Console.note(note) }
    if !plan.items.isEmpty { try write(merge) }
    if output != "-" { Console.print(answer(plan)) }
    guard let missing = expected.flatMap({ plan.missingSentence($0, shards: shards ?? 1) }) else { return }
    Console.error(missing)
    throw ExitStatus.failure
  }

  private func answer(_ plan: MergePlan) -> String {
    let read = plan.recordsRead == 1 ? "1 record" : "\(plan.recordsRead) records"
    let made = plan.items.count == 1 ? "1 record" : "\(plan.items.count) records"
    let joined = plan.items.count { $0.sources.count > 1 }
    return "\(read) merged into \(made) in \(printable(output))"
      + (joined > 0 ? ", \(joined) of them joined from several" : "")
  }

  private func expectedCells() throws -> [MergePlan.Expected]? {
    try matrix.map { path in
      try Matrix(path: path).cells.map { cell in
        MergePlan.Expected(cell: cell.identity, shard: Shard.index(ofCell: cell.number, of: shards ?? 1))
      }
    }
  }

  private func write(_ merge: Merge) throws {
    if output == "-" {
      return Console.print(String(decoding: try merge.single(for: "standard output"), as: UTF8.self), terminator: "")
    }
    guard output.hasSuffix(".json"), !isFolder(output) else {
      return try merge.write(toFolder: output, goesOn: { !Interrupt.isRequested })
    }
    let text = String(decoding: try merge.single(for: output), as: UTF8.self)
    try RecordFile.write(called: "record", option: "--output", to: output) { put in try put(text) }
  }

  private func isFolder(_ path: String) -> Bool {
    var isFolder = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
  }
}
