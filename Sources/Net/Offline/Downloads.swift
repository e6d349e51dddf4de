import FoundationEssentials
import Frames

/// A download in a library.
public struct KeptDownload: Sendable, Hashable {
  /// The folder's, without what marks it as not whole.
  public let name: String
  public let record: DownloadRecord
  /// All of it is there.
  public let isWhole: Bool
  /// Where it lies.
  public let folder: String
  /// On the disk, in bytes.
  public let bytes: Int64

  /// What to play; nil while it is not whole.
  public var path: String? {
    guard isWhole, let name = record.play, DownloadFolder.isOurs(name) else { return nil }
    return folder + "/" + name
  }

  init(_ folder: DownloadFolder, _ record: DownloadRecord, isWhole: Bool) {
    (name, self.record, self.isWhole) = (folder.name, record, isWhole)
    self.folder = isWhole ? folder.whole : folder.part
    bytes = DownloadFolder.bytes(in: self.folder, folder.disk)
  }
}

/// What is wrong with a download.
public enum DownloadFlaw: Sendable, Hashable {
  /// A file, by name.
  case missing(String)
  /// Its bytes are not the loaded ones.
  case damaged(String)
}

/// The downloads of one folder. Any thread.
public struct Downloads: Sendable {
  public let folder: String
  private let disk: any Disk

  public init(_ folder: String) { self.init(folder, LocalDisk()) }

  package init(_ folder: String, _ disk: any Disk) {
    self.folder = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    self.disk = disk
  }

  /// All, by name; what is no download is passed over, and so are folders of others that may not be entered.
  public func list() throws(Failure) -> [KeptDownload] {
    var found: [KeptDownload] = []
    var names: Set<String> = []
    for entry in disk.names(in: folder) where disk.mayEnter(folder + "/" + entry) {
      let name = entry.hasSuffix(partSuffix) ? String(entry.dropLast(partSuffix.count)) : entry
      guard names.insert(name).inserted else { continue }
      let place = DownloadFolder(library: folder, name: name, disk: disk)
      guard let (record, isWhole) = try place.record() else { continue }
      found.append(KeptDownload(place, record, isWhole: isWhole))
    }
    return found.sorted { $0.name < $1.name }
  }

  /// What a folder holds: the one download that it is, else all those of a library; none in any other folder.
  public static func inside(_ folder: String) throws(Failure) -> [KeptDownload] {
    let place = URL(filePath: folder).standardizedFileURL
    let name = place.lastPathComponent
    // As the caller names it, where the last part is a name.
    let named = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    let library = named.hasSuffix("/" + name) ? String(named.dropLast(name.count + 1)) : named == name ? "." : nil
    let one = DownloadFolder(
      library: library ?? place.deletingLastPathComponent().path,
      name: name.hasSuffix(partSuffix) ? String(name.dropLast(partSuffix.count)) : name, disk: LocalDisk())
    if let (record, isWhole) = try one.record() { return [KeptDownload(one, record, isWhole: isWhole)] }
    return try Downloads(folder).list()
  }

  /// Throws `.input` where there is none of that name.
  public func download(_ name: String) throws(Failure) -> KeptDownload {
    let place = DownloadFolder(library: folder, name: name, disk: disk)
    guard Self.isName(name), let (record, isWhole) = try place.record() else {
      let names = try list().map(\.name).joined(separator: ", ")
      throw Failure(
        .input, "cannot find the download '\(name)'", cause: "'\(folder)' has none of that name",
        remedy: names.isEmpty ? "it has none at all" : "there are: \(names)")
    }
    return KeptDownload(place, record, isWhole: isWhole)
  }

  /// Compares each file with its line in `files.jsonl`, that list with its digest, and both with the playlists. Returns no flaw where nothing is
  /// wrong. An incomplete download is compared with its list alone.
  ///
  /// - Parameter progress: told the bytes that were looked at, and all.
  public func verify(
    _ download: KeptDownload, progress: (Int64, Int64) -> Bool = { _, _ in true }
  ) throws(Failure) -> [DownloadFlaw] {
    let place = DownloadFolder(library: folder, name: download.name, disk: disk)
    var flaws: [DownloadFlaw] = []
    var looked: Int64 = 0
    let files = try place.journalled(in: download.folder)
    let all = files.reduce(0) { $0 + $1.bytes }
    for file in files {
      let path = download.folder + "/" + file.name
      if disk.size(of: path) == nil {
        flaws.append(.missing(file.name))
      } else if disk.size(of: path) != file.bytes || disk.hash(of: path) != file.sha256 {
        flaws.append(.damaged(file.name))
      }
      looked += file.bytes
      guard progress(looked, all) else {
        throw Failure(.cancelled, "stopped looking at '\(download.name)'", cause: "it was interrupted")
      }
    }
    guard download.isWhole else { return flaws }
    if try !place.hasWholeJournal(in: download.folder, download.record, files) {
      flaws.append(.damaged(DownloadFolder.journalName))
    }
    guard let play = download.record.play, DownloadFolder.isOurs(play) else {
      return flaws + [.damaged(DownloadFolder.recordName)]
    }
    // What is played, and all that it names, is there.
    let listed = Set(files.map(\.name))
    var (seen, left): (Set<String>, [String]) = ([], [play])
    while let name = left.popLast() {
      guard seen.insert(name).inserted else { continue }
      guard listed.contains(name) else {
        flaws.append(.missing(name))
        continue
      }
      left += try place.named(by: name, in: download.folder).reversed()
    }
    return flaws
  }

  /// Throws `.output` where another process is loading it, or it cannot be removed.
  public func remove(_ download: KeptDownload) throws(Failure) {
    guard Self.isName(download.name) else { return }
    var lock: FolderLock?
    if !download.isWhole, disk is LocalDisk {
      lock = try FolderLock(download.folder)
      guard lock != nil else {
        throw Failure(
          .output, "cannot remove '\(download.name)'", cause: "another process is loading it", remedy: "end that first")
      }
    }
    try disk.remove(download.folder)
    withExtendedLifetime(lock) {}
  }

  /// Of one folder of the library.
  private static func isName(_ name: String) -> Bool {
    !name.isEmpty && !name.contains("/") && name != "." && name != ".."
  }
}
