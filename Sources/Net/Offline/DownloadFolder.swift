import FoundationEssentials
import Frames
import Media

/// A file of a download that is whole: a line of `files.jsonl`.
struct KeptFile: Sendable, Hashable, Codable {
  var name: String
  var bytes: Int64
  var sha256: String
}

/// The folder of one download. `NAME.part` while it is loaded; renamed to `NAME` once all of it is there and was checked: nothing
/// half-written looks complete. In it lie the files, `download.json`, and `files.jsonl` with a line for each file that is whole.
struct DownloadFolder {
  let library: String
  let name: String
  let disk: any Disk

  /// While it is loaded.
  var part: String { library + "/" + name + partSuffix }
  /// Once it is whole.
  var whole: String { library + "/" + name }

  static let recordName = "download.json"
  static let journalName = "files.jsonl"

  // MARK: - The record

  /// Of a download that is whole, else of one that is not; nil where there is neither.
  func record() throws(Failure) -> (record: DownloadRecord, isWhole: Bool)? {
    // A link leads to files that are no part of the library.
    for (place, isWhole) in [(whole, true), (part, false)] where !disk.isLink(place) {
      guard let bytes = try disk.read(place + "/" + Self.recordName), let record = DownloadRecord(bytes) else {
        continue
      }
      return (record, isWhole)
    }
    return nil
  }

  func write(_ record: DownloadRecord) throws(Failure) {
    try disk.makeFolder(part)
    try disk.write(record.text, to: part + "/" + Self.recordName)
  }

  /// Forgets all that is there.
  func startOver() throws(Failure) { try disk.remove(part) }

  /// The last step: from now on it is whole.
  func finish(_ record: inout DownloadRecord) throws(Failure) {
    record.list = disk.hash(of: part + "/" + Self.journalName)
    try write(record)
    try disk.rename(part, to: whole)
  }

  // MARK: - Files

  /// The files that are whole, by their names: those of which the journal and the disk tell the same.
  ///
  /// - Parameter folder: `part` or `whole`.
  func keptFiles(in folder: String) throws(Failure) -> [String: KeptFile] {
    var files: [String: KeptFile] = [:]
    for file in try journalled(in: folder) where disk.size(of: folder + "/" + file.name) == file.bytes {
      files[file.name] = file
    }
    return files
  }

  /// The files of the journal, each once, by the last line that tells of it.
  func journalled(in folder: String) throws(Failure) -> [KeptFile] {
    guard let bytes = try disk.read(folder + "/" + Self.journalName) else { return [] }
    var (files, places): ([KeptFile], [String: Int]) = ([], [:])
    let decoder = JSONDecoder()
    // The last line may have been cut off.
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let file = try? decoder.decode(KeptFile.self, from: Data(line)), Self.isOurs(file.name) else { continue }
      if let place = places[file.name] {
        files[place] = file
      } else {
        places[file.name] = files.count
        files.append(file)
      }
    }
    return files
  }

  /// Returns whether `files.jsonl` is unchanged since the download was completed.
  func hasWholeJournal(in folder: String, _ record: DownloadRecord, _ files: [KeptFile]) throws(Failure) -> Bool {
    if let list = record.list { return disk.hash(of: folder + "/" + Self.journalName) == list }
    let lines = try disk.read(folder + "/" + Self.journalName)?.split(separator: UInt8(ascii: "\n")) ?? []
    let decoder = JSONDecoder()
    let isReadable = lines.allSatisfy { line in
      (try? decoder.decode(KeptFile.self, from: Data(line))).map { Self.isOurs($0.name) } ?? false
    }
    return isReadable && record.bytes.map { $0 == files.reduce(0) { $0 + $1.bytes } } ?? true
  }

  /// Files of the download that a playlist or manifest names, in its order. Those are the writers' own texts (`HLSWriter`, `MPDWriter`).
  func named(by manifest: String, in folder: String) throws(Failure) -> [String] {
    guard manifest.hasSuffix(".m3u8") || manifest.hasSuffix(".mpd"),
      let bytes = try disk.read(folder + "/" + manifest)
    else { return [] }
    let text = String(decoding: bytes, as: UTF8.self)
    var names: [String] = []
    if manifest.hasSuffix(".m3u8") {
      for line in text.split(whereSeparator: \.isNewline) {
        if !line.hasPrefix("#") {
          names.append(String(line))
        } else if let quoted = line.firstMatch(of: /URI="([^"]*)"/) {
          names.append(String(quoted.output.1))
        }
      }
    } else {
      names += text.matches(of: /(?:media|sourceURL)="([^"]*)"/).map { String($0.output.1) }
      names += text.matches(of: /<BaseURL>([^<]*)<\/BaseURL>/).map { String($0.output.1) }
    }
    // Keys and licences may lie elsewhere.
    return names.filter { !$0.contains(":") }
  }

  /// Below the folder: a changed journal names no other place.
  static func isOurs(_ name: String) -> Bool {
    !name.isEmpty
      && name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
        !$0.isEmpty && $0 != "." && $0 != ".."
      }
  }

  /// The journal of a download under way, to be added to.
  func journal() throws(Failure) -> DownloadJournal {
    let place = part + "/" + Self.journalName
    // The last line may have been cut off.
    let end = try disk.read(place).map { Int64(($0.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1) }
    return DownloadJournal(self, try disk.open(place, from: end ?? 0, isSecret: false))
  }

  /// Opens a file for its bytes, which come behind the first `offset`.
  func open(_ name: String, from offset: Int64 = 0, isSecret: Bool = false) throws(Failure) -> any DiskFile {
    let place = part + "/" + name + partSuffix
    if let slash = place.lastIndex(of: "/") { try disk.makeFolder(String(place[..<slash])) }
    return try disk.open(place, from: offset, isSecret: isSecret)
  }

  /// Bytes of a file that is not whole; 0 where there are none.
  func begun(_ name: String) -> Int64 { disk.size(of: part + "/" + name + partSuffix) ?? 0 }

  /// Of all that lies in it, in bytes.
  static func bytes(in folder: String, _ disk: any Disk) -> Int64 {
    disk.names(in: folder).reduce(0) { sum, name in
      let place = folder + "/" + name
      return sum + (disk.size(of: place) ?? bytes(in: place, disk))
    }
  }
}

/// Adds to `files.jsonl`. One thread.
final class DownloadJournal {
  private let folder: DownloadFolder
  private let lines: any DiskFile
  private let encoder = JSONEncoder()

  init(_ folder: DownloadFolder, _ lines: any DiskFile) {
    (self.folder, self.lines) = (folder, lines)
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  }

  /// A file is whole: it gets its name, and after that its line.
  func keep(_ file: KeptFile) throws(Failure) {
    let place = folder.part + "/" + file.name
    try folder.disk.rename(place + partSuffix, to: place)
    guard let line = try? encoder.encode(file) else { preconditionFailure("a line has no value that JSON lacks") }
    let text = [UInt8](line) + [UInt8(ascii: "\n")]
    try text.withUnsafeBytes { bytes in Result { () throws(Failure) in try lines.write(bytes) } }.get()
    try lines.sync()
  }
}
