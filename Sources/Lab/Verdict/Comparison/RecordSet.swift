import FoundationEssentials
import Frames

/// The records of one side of a comparison: a file, or all `.json` files below a folder and the journals of
/// killed runs.
///
/// Records are digests, unless asked otherwise: a comparison needs one statistic per trial, and the samples are most of a file.
public struct RecordSet: Sendable {
  /// As given on the command line.
  public let path: String
  /// In the order of their paths; empty if the path does not exist or is a folder without records.
  public let records: [Record]
  /// The path of each record, in their order; empty texts for records that were measured, not loaded.
  public let files: [String]
  /// Damaged records, if the caller wants them left out.
  public let leftOut: [Failure]

  /// A side that was measured, not loaded.
  public init(path: String, records: [Record], leftOut: [Failure] = []) {
    self.init(path: path, records: records, files: records.map { _ in "" }, leftOut: leftOut)
  }

  /// Several sides as one; a file that is in several sides counts once.
  public init(joining sets: [RecordSet]) {
    var seen: Set<String> = []
    let members = sets.flatMap { zip($0.records, $0.files) }.filter { _, file in
      file.isEmpty || seen.insert(URL(filePath: file).resolvingSymlinksInPath().standardizedFileURL.path).inserted
    }
    self.init(
      path: sets.map(\.path).joined(separator: ", "), records: members.map(\.0), files: members.map(\.1),
      leftOut: sets.flatMap(\.leftOut))
  }

  private init(path: String, records: [Record], files: [String], leftOut: [Failure]) {
    self.path = path
    self.records = records
    self.files = files
    self.leftOut = leftOut
  }

  /// Loads the records. In a folder it passes over bench360's other JSON files, such as comparisons and traces. Throws at a
  /// damaged record, unless damaged ones are to be left out.
  public static func load(_ path: String, leavingOutDamaged: Bool = false, asDigests: Bool = true) throws(Failure)
    -> RecordSet
  {
    var records: [Record] = []
    var places: [String] = []
    var damaged: [Failure] = []
    let files = try files(below: path)
    for (file, result) in zip(files, read(files, asDigests: asDigests)) {
      switch result {
      // In a folder of results only: a file that was named is meant.
      case .failure where file != path && RecordFile.isOtherOutput(file): continue
      case .success(let record):
        records.append(record)
        places.append(file)
      case .failure(let failure): damaged.append(failure)
      }
    }
    guard let first = damaged.first, !leavingOutDamaged else {
      return RecordSet(path: path, records: records, files: places, leftOut: damaged)
    }
    throw refusal(of: damaged, first, of: records.count + damaged.count)
  }

  /// Names the first damaged record of several.
  static func refusal(of damaged: [Failure], _ first: Failure, of count: Int) -> Failure {
    guard count > 1 else { return first }
    let others = damaged.count == 1 ? "" : "; \(damaged.count - 1) more are damaged"
    return Failure(
      first.kind, first.attempt, cause: first.cause + others,
      remedy: "mend or remove it, or give --skip-damaged to go on without it")
  }

  /// Reads on all cores, because a folder may hold a thousand records; in the order of the files.
  private static func read(_ files: [String], asDigests: Bool) -> [Result<Record, Failure>] {
    inParallel(files.count) { index in Result { () throws(Failure) in try usable(files[index], asDigest: asDigests) } }
  }

  static func usable(_ file: String, asDigest: Bool = true) throws(Failure) -> Record {
    let record = try RecordFile.read(file, asDigest: asDigest)
    guard let defect = record.defect else { return record }
    throw Failure(.input, "cannot use record '\(file)'", cause: defect, remedy: "measure again, or leave it out")
  }

  /// Records, and the journals of killed runs whose records were not written.
  static func files(below path: String) throws(Failure) -> [String] {
    let manager = FileManager.default
    var isFolder = false
    guard manager.fileExists(atPath: path, isDirectory: &isFolder) else {
      let journal = RecordJournal.path(besideRecord: path)
      return RecordJournal.orphan(journal) == nil ? [] : [journal]
    }
    guard isFolder else { return [path] }
    guard let names = try? manager.subpathsOfDirectory(atPath: path) else {
      throw Failure(.input, "cannot list folder '\(path)'", cause: "permission denied")
    }
    // Other tools' files do not end in .json; hidden ones are leftovers of an interrupted write, and `--trace` may have put
    // its files beside the records.
    return names.filter { name in
      RecordJournal.record(of: name).hasSuffix(".json") && !name.hasSuffix(".trace.json")
        && !name.split(separator: "/").contains { $0.hasPrefix(".bench360-") }
        && !RecordFile.lastPart(name).name.hasPrefix(".")
    }.sorted()
      .map { path.appendingPathComponent($0) }
      .filter { !manager.fileExists(atPath: $0, isDirectory: &isFolder) || !isFolder }
      .filter { !$0.hasSuffix(RecordJournal.suffix) || RecordJournal.orphan($0) != nil }
  }
}

extension Record {
  /// Why no conclusion can be drawn from this record, or nil.
  var defect: String? {
    for scenario in scenarios {
      for (index, trial) in scenario.trials.enumerated() {
        for (name, result) in trial.metrics where !(Metric.named(name)?.canBeNegative ?? true) {
          guard let statistic = result.p50, statistic < 0 else { continue }
          return "'\(name)' of trial \(index + 1) of scenario '\(scenario.name)' is negative"
        }
      }
    }
    return nil
  }
}
