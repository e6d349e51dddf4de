import FoundationEssentials
import Frames
import Glibc

/// Records as files.
public enum RecordFile {
  /// Writes the whole record or nothing: to a temporary file beside it, then renamed. Creates its folders.
  ///
  /// Follows a link. Writes directly into a path that exists and is no regular file, such as a pipe or `/dev/stdout`.
  public static func write(_ record: Record, to path: String) throws(Failure) {
    try write(record, called: "record", to: path)
  }

  /// Writes a comparison, with the guarantees of a record.
  public static func write(_ comparison: Comparison, to path: String) throws(Failure) {
    try write(comparison, called: "comparison", to: path)
  }

  /// Writes the numbers of another program's run, with the guarantees of a record.
  package static func write(_ run: CustomRun, to path: String) throws(Failure) {
    try write(run, called: "numbers", to: path)
  }

  /// Writes a report, with the guarantees of a record.
  public static func write(page: String, to path: String) throws(Failure) {
    try write(called: "report", option: "--output", to: path) { put in try put(page) }
  }

  private static func write(_ value: some Encodable, called name: String, to path: String) throws(Failure) {
    let text = String(decoding: try RecordCoding.encode(value), as: UTF8.self)
    try write(called: name, option: "--output", to: path) { put in try put(text) }
  }

  /// Writes the output of `body` with the guarantees of a record: whole or not at all. `option` named the file.
  package static func write(
    called name: String, option: String, to path: String, _ body: ((String) throws -> Void) throws -> Void
  ) throws(Failure) {
    do {
      try write(to: resolved(path), body)
    } catch {
      throw unwritable(path, called: name, option: option, error)
    }
  }

  private static func unwritable(
    _ path: String, called name: String, option: String, _ error: any Error
  ) -> Failure {
    Failure(
      .output, "cannot write \(name) '\(path)'", cause: reason(of: error),
      remedy: "name a file that can be written with \(option)")
  }

  /// Whether a record could be written to `path`: writes a file beside it and removes it again.
  ///
  /// Creates its folders. `path` may be a folder: the record's name is chosen later.
  ///
  /// - Parameters:
  ///   - name: the kind of output, for the message.
  ///   - option: the option that names the file.
  public static func checkWritable(
    _ path: String, called name: String = "record", option: String = "--output"
  ) throws(Failure) {
    let manager = FileManager.default
    var isFolder = false
    let exists = manager.fileExists(atPath: path, isDirectory: &isFolder)
    do {
      if exists, !isFolder {
        _ = try OpenFile(writing: OutputPlace.followingLinks(path))
        guard try manager.attributesOfItem(atPath: path)[.type] as? FileAttributeType == .typeRegular else { return }
      }
      let folder = isFolder ? resolved(path) : resolved(path).deletingLastPathComponent()
      try manager.createDirectory(at: folder, withIntermediateDirectories: true)
      let probe = folder.appending(path: ".bench360-\(UUID().uuidString).tmp")
      try Data().write(to: probe)
      try manager.removeItem(at: probe)
    } catch {
      throw unwritable(path, called: name, option: option, error)
    }
  }

  /// Whether the file is JSON that bench360 wrote or takes, and no record: a comparison, a history, numbers of another
  /// program, a matrix, a camera path, input events, or a trace.
  static func isOtherOutput(_ path: String) -> Bool {
    struct Head: Decodable {
      var schema: String
    }
    guard let data = try? RecordBytes.load(path) else { return false }
    // Traces are long, and need no more than their beginning.
    let start = String(decoding: data.prefix(64), as: UTF8.self)
    if start.hasPrefix(#"{"displayTimeUnit":"ms","metadata":{"#) { return true }
    guard !RecordCoding.isNested(data, deeperThan: 64) else { return false }
    return (try? JSONDecoder().decode(Head.self, from: data))?.schema.hasPrefix("bench360-") ?? false
  }

  /// Reads a record, or the journal of a run that was killed; the error names the kind of file if it is neither.
  ///
  /// A digest holds what a comparison needs: see `RecordCoding.decodeRecord`.
  public static func read(_ path: String, asDigest: Bool = false) throws(Failure) -> Record {
    try RecordCoding.decodeRecord(try json(path), name: path, asDigest: asDigest)
  }

  /// The JSON of a record; of a journal, that of the record of its trials.
  static func json(_ path: String) throws(Failure) -> Data {
    guard path.hasSuffix(RecordJournal.suffix), FileManager.default.fileExists(atPath: path) else {
      return try RecordBytes.load(path)
    }
    if let record = RecordJournal.orphan(path) { return try RecordCoding.encode(record) }
    throw Failure(
      .input, "cannot read journal '\(path)'",
      cause: "its run has not ended, its trials are in the record beside it, or it is no journal",
      remedy: "give the record, or wait for the run")
  }

  private static func write(to url: URL, _ body: ((String) throws -> Void) throws -> Void) throws {
    let manager = FileManager.default
    let type = try? manager.attributesOfItem(atPath: url.path)[.type] as? FileAttributeType
    if type == .typeDirectory {
      throw SystemError(EISDIR)
    }
    if let type, type != .typeRegular {
      return try fill(url, body)
    }
    let folder = url.deletingLastPathComponent()
    try manager.createDirectory(at: folder, withIntermediateDirectories: true)
    let temporary = folder.appending(path: ".bench360-\(UUID().uuidString).tmp")
    do {
      try Data().write(to: temporary)
      try fill(temporary, body)
      guard rename(temporary.path, url.path) == 0 else {
        throw SystemError(errno)
      }
    } catch {
      try? manager.removeItem(at: temporary)
      throw error
    }
  }

  /// In pieces of a megabyte: a trace can be a hundred times as large.
  private static func fill(_ url: URL, _ body: ((String) throws -> Void) throws -> Void) throws {
    let file = try OpenFile(writing: url.path)
    var pending: [UInt8] = []
    try body { text in
      pending += text.utf8
      guard pending.count >= 1 << 20 else { return }
      try file.write(pending)
      pending.removeAll(keepingCapacity: true)
    }
    try file.write(pending)
  }

  private static func resolved(_ path: String) -> URL {
    URL(filePath: OutputPlace.followingLinks(path))
  }
}
