import ArgumentParser
import FoundationEssentials
import Frames
import Verdict

/// Records from several files and folders, for `report`, `history` and `export`.
struct RecordFolders: ParsableArguments {
  @Argument(help: "Records that 'run' wrote, or folders of them.", completion: .file(extensions: ["json"]))
  var records: [String]

  @Flag(help: "Skip damaged records instead of ending.")
  var skipDamaged = false

  func validate() throws {
    if records.contains("") { throw ValidationError("A RECORD is empty: name a file or a folder.") }
  }

  /// All of them; a file named twice counts once.
  ///
  /// - Parameter asDigests: without samples, which takes less memory.
  func load(asDigests: Bool = true) throws(Failure) -> RecordSet {
    let set = try Self.load(records, leavingOutDamaged: skipDamaged, asDigests: asDigests)
    guard set.records.isEmpty else { return set }
    throw Failure(
      .input, "cannot use '\(records.joined(separator: "', '"))'", cause: "there is no record",
      remedy: "give a record or a folder of records that 'bench360 run --output' wrote")
  }

  static func load(_ paths: [String], leavingOutDamaged: Bool, asDigests: Bool = true) throws(Failure) -> RecordSet {
    var sets: [RecordSet] = []
    for path in paths {
      sets.append(try RecordSet.load(path, leavingOutDamaged: leavingOutDamaged, asDigests: asDigests))
    }
    return RecordSet(joining: sets)
  }
}
