import FoundationEssentials
import Frames
import HTTP
import Media
import Streaming

/// What a user decides about downloads.
public struct DownloadOptions: Sendable {
  /// Of streams: which tracks.
  public var wish = OfflineWish()
  /// All downloads of the library together may take so many bytes; nil: as many as the disk has.
  public var quota: Int64?
  /// The folder's name in the library; nil: from the URL.
  public var name: String?
  public var retries = RetryPolicy()
  /// Keys are not written down; what its licence server lets be kept is.
  public var network = NetworkOptions()

  public init() {}
}

/// Loads a file, or a stream of HLS or DASH on demand, into a folder of a library, to be played without a network. Started again it
/// goes on where it was ended: of a stream at most one segment is loaded twice, of a file nothing, unless its server
/// has no ranges or another version of it.
///
/// One thread.
public struct Download {
  private let url: String
  private let shown: String
  private let options: DownloadOptions
  private let interruption: Interruption
  private let library: String
  private let disk: any Disk

  /// - Parameters:
  ///   - library: a folder that holds downloads; made where it is missing.
  ///   - interruption: ends it; loaded files are kept.
  public init(
    _ url: String, into library: String, _ options: DownloadOptions = DownloadOptions(),
    interruption: Interruption = Interruption()
  ) {
    self.init(url, into: library, options, interruption: interruption, disk: LocalDisk())
  }

  package init(
    _ url: String, into library: String, _ options: DownloadOptions, interruption: Interruption, disk: any Disk
  ) {
    (self.url, self.options, self.interruption, self.disk) = (url, options, interruption, disk)
    self.library = library.count > 1 && library.hasSuffix("/") ? String(library.dropLast()) : library
    shown = redactingSecrets(ofArgument: url)
  }

  /// Loads what is not there yet, checks all of it, and gives the whole download.
  ///
  /// Throws `.input` where the server has none or does not answer, `.usage` for tracks that a stream does not have, `.unsupported` for live
  /// streams, `.output` where the disk is full, the quota is reached or another process loads the same, `.cancelled` where it was interrupted.
  ///
  /// - Parameter progress: called with each piece that came, and once all is whole; not called where it was whole before.
  public func run(progress: @escaping (DownloadProgress) -> Void = { _ in }) throws(Failure) -> KeptDownload {
    let identity = try identity()
    try disk.makeFolder(library)
    let folder = try folder(identity)
    if let found = try folder.record(), found.isWhole { return KeptDownload(folder, found.record, isWhole: true) }
    try disk.makeFolder(folder.part)
    let lock = try lock(folder)
    defer { withExtendedLifetime(lock) {} }
    // A mistyped URL leaves nothing.
    defer { if disk.names(in: folder.part).isEmpty { try? disk.remove(folder.part) } }
    let requests = try requests()
    let room = Room(quota: options.quota, library: library, disk: disk)
    if try isStream() {
      return try StreamDownload(folder: folder, requests: requests, room: room, url: url, shown: shown)
        .run(options.wish, identity, unless: interruption, progress)
    }
    return try FileDownload(folder: folder, requests: requests, room: room, url: url, shown: shown)
      .run(identity, unless: interruption, progress)
  }

  /// Nil for a disk of a test's own, which no other process uses.
  private func lock(_ folder: DownloadFolder) throws(Failure) -> FolderLock? {
    guard disk is LocalDisk else { return nil }
    if let lock = try FolderLock(folder.part) { return lock }
    throw Failure(
      .output, "cannot download '\(shown)'", cause: "another process is loading it into '\(folder.part)'",
      remedy: "wait for that, or end it")
  }

  private func requests() throws(Failure) -> OfflineRequests {
    try OfflineRequests(
      url, name: shown, retries: options.retries, network: options.network, interruption: interruption)
  }

  private func isStream() throws(Failure) -> Bool {
    try isWebManifest(
      url, network: options.network, interruption: interruption, isClip: { Self.clipSuffixes.contains(suffix(of: $0)) })
  }

  /// Of files about which a server is not asked whether they are playlists.
  private static let clipSuffixes: Set<String> = [
    "mp4", "m4v", "mov", "mkv", "webm", "ts", "m2ts", "avi", "mp3", "m4a", "aac", "flac", "ogg", "opus", "wav", "insv",
  ]

  /// The same for the same request.
  private func identity() throws(Failure) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let wish = (try? encoder.encode(options.wish)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    guard let digest = sha256(of: Array("\(url)\n\(wish)\n\(options.name ?? "")".utf8)) else {
      throw Failure(.memory, "cannot download '\(shown)'", cause: "memory is out")
    }
    return digest
  }

  /// The one that this download was begun in, else a new one.
  private func folder(_ identity: String) throws(Failure) -> DownloadFolder {
    let name = options.name ?? folderName(of: url)
    for number in 1...Self.mostOfOneName {
      let folder = DownloadFolder(library: library, name: number == 1 ? name : "\(name)-\(number)", disk: disk)
      if let found = try folder.record() {
        if found.record.identity == identity { return folder }
      } else if disk.names(in: folder.whole).isEmpty, disk.size(of: folder.whole) == nil {
        return folder
      }
    }
    throw Failure(
      .output, "cannot download '\(shown)'", cause: "'\(library)' has \(Self.mostOfOneName) downloads named '\(name)'",
      remedy: "remove some, or name it with --name")
  }

  private static let mostOfOneName = 1000
}

/// The name of the folder for a URL: the last part of its path that says something, without what follows the point.
func folderName(of url: String) -> String {
  let path = url.prefix { $0 != "?" && $0 != "#" }
  let parts = (path.firstRange(of: "://").map { path[$0.upperBound...] } ?? path).split(separator: "/").dropFirst()
  let usual: Set<String> = [
    "index", "master", "main", "manifest", "playlist", "stream", "video", "hls", "dash", "hls-ts", "hls-fmp4", "ts",
    "fmp4",
  ]
  for part in parts.reversed() {
    let stem = part.prefix { $0 != "." }
    let clean = stem.map { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" ? $0 : "-" }
    let name = String(clean).prefix(80).trimming("-")
    if !name.isEmpty, !usual.contains(name.lowercased()) { return name }
  }
  let host = (path.firstRange(of: "://").map { path[$0.upperBound...] } ?? path).prefix { $0 != "/" }
  let name = (host.split(separator: "@").last ?? "").prefix { $0 != ":" }.map { $0.isLetter || $0.isNumber ? $0 : "-" }
  return name.isEmpty ? "download" : String(name).prefix(80).trimming("-")
}

func suffix(of name: String) -> String {
  name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
}

extension StringProtocol {
  fileprivate func trimming(_ character: Character) -> String {
    String(drop { $0 == character }.reversed().drop { $0 == character }.reversed())
  }
}

/// The room that downloads have.
struct Room {
  let quota: Int64?
  let library: String
  let disk: any Disk

  /// What the library may take in addition; nil: no limit.
  var left: Int64? { quota.map { $0 - DownloadFolder.bytes(in: library, disk) } }

  func failure(_ shown: String, needs: Int64?) -> Failure {
    let most = byteText(quota ?? 0)
    let what = needs.map { "it needs \(byteText($0)) more" } ?? "the next file does not fit"
    return Failure(
      .output, "cannot download '\(shown)'", cause: "\(what), and '\(library)' may hold \(most)",
      remedy: "raise --quota, or remove downloads ('bench360 downloads')")
  }
}
