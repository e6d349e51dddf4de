import FoundationEssentials
import Frames
import Session
import Verdict

/// Where a measuring verb writes its record, and how it answers.
struct RecordDelivery {
  let answer: AnswerOptions
  let isVerbose: Bool
  /// Outputs are folders, in which each input has a file of its own.
  var isOneOfMany = false

  /// Throws if an output cannot be written: that is reported before minutes of measuring, not after.
  func check(_ path: String, _ kind: OutputKind, option: String, _ writing: WritingOptions) throws(Failure) {
    guard path != "-" else { return }
    let isFolder = isOneOfMany || path.hasSuffix("/")
    if !isFolder { try writing.check(path, kind) }
    try RecordFile.checkWritable(
      isFolder ? path.appendingPathComponent("record.json") : path, called: kind.name, option: option)
  }

  /// The requested path; a default name never replaces an existing record.
  func path(for record: Record) -> String {
    if let output = answer.output { return place(output, record, suffix: "json") }
    let folder = FileManager.default.currentDirectoryPath
    return RecordFile.unused(
      RecordFile.defaultPath(
        for: record, currentFolder: folder, hasResults: Self.isFolder(folder + "/results"),
        dataFolder: UserFolders().data))
  }

  /// The file that an option names, or one in the folder that it names.
  func place(_ path: String, _ record: Record, suffix: String) -> String {
    guard isOneOfMany || Self.isFolder(path) else { return path }
    let automatic = RecordFile.defaultPath(for: record, currentFolder: "/", hasResults: true, dataFolder: nil)
    let name = automatic.lastPathComponent.deletingPathExtension
    return RecordFile.unused(path.appendingPathComponent("\(name).\(suffix)"), suffix: suffix)
  }

  /// Whether it is a folder, or is written as one.
  static func isFolder(_ path: String) -> Bool {
    var isFolder = false
    return path.hasSuffix("/")
      || FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
  }

  /// Writes the record, then prints the answer: measurements are safe before any other step can fail.
  ///
  /// - Parameters:
  ///   - journal: of the record, which ends once that is written.
  ///   - output: the text of the answer where no other format is asked for.
  ///   - writeOthers: writes what else the user asked for.
  func deliver(
    _ record: Record, journal: RecordJournal?, _ output: AnswerOutput, writeOthers: () throws -> Void = {}
  ) throws {
    if answer.output == "-" {
      let others = Result { try writeOthers() }
      Console.print(try ReportFormat.json.render(record), terminator: "")
      return try others.get()
    }
    let path = path(for: record)
    let written = Result { try RecordFile.write(record, to: path) }
    let format = answer.format(isVerbose: isVerbose)
    let printed = Result {
      try Console.write(format?.render(record, useColor: Console.usesColor) ?? output.text(record, path: path))
    }
    if format?.name == ReportFormat.markdown.name { StepSummary.append(try ReportFormat.markdown.render(record)) }
    let others = Result { try writeOthers() }
    try written.get()
    journal?.end(recordWrittenTo: path)
    Console.note("record: \(path)")
    try others.get()
    if case .failure(let error) = printed { Console.end(error) }
  }
}
