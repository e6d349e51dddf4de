import FoundationEssentials
import Frames
import Media
import Streaming

/// Loads a stream, file by file. A file is whole once it is in the journal; the next start loads the others.
struct StreamDownload {
  let folder: DownloadFolder
  let requests: OfflineRequests
  let room: Room
  let url: String
  let shown: String

  private static let licenceName = "keys/licence.json"

  func run(
    _ wish: OfflineWish, _ identity: String, unless interruption: Interruption,
    _ progress: @escaping (DownloadProgress) -> Void
  ) throws(Failure) -> KeptDownload {
    let stream = try OfflineStream(url, name: shown, wish, requests)
    let kind: DownloadRecord.Kind = stream.format == .hls ? .hls : .dash
    var record =
      try folder.record()?.record ?? DownloadRecord(url: shown, identity: identity, kind: kind, began: Date())
    if let content = record.content, content != stream.identity {
      // Its files are another stream's.
      try folder.startOver()
      record = DownloadRecord(url: shown, identity: identity, kind: kind, began: Date())
      record.notes = ["the stream changed on the server while it was loaded: it was loaded anew"]
    }
    (record.kind, record.wish, record.content, record.seconds) = (kind, wish, stream.identity, stream.seconds)
    try folder.write(record)
    let meter = ProgressMeter(now: { .now }, tell: progress)
    let kept = try load(stream, meter)
    try write(stream, kept, &record)
    meter.end(bytes: record.bytes ?? meter.bytes)
    return KeptDownload(folder, record, isWhole: true)
  }

  /// The files that are not there yet; gives all.
  private func load(_ stream: OfflineStream, _ meter: ProgressMeter) throws(Failure) -> [String: KeptFile] {
    let wanted = Set(stream.files.map(\.name))
    var kept = try folder.keptFiles(in: folder.part).filter { wanted.contains($0.key) }
    let journal = try folder.journal()
    meter.begin(at: kept.values.reduce(0) { $0 + $1.bytes })
    var estimate = SizeEstimate(stream)
    for file in stream.files { if let known = kept[file.name] { estimate.note(file, bytes: known.bytes) } }
    var left = room.left
    for file in stream.files where kept[file.name] == nil {
      meter.total = estimate.bytes
      let whole = try load(file, stream, meter, room: left)
      try journal.keep(whole)
      kept[file.name] = whole
      estimate.note(file, bytes: whole.bytes)
      left = left.map { $0 - whole.bytes }
    }
    return kept
  }

  private func load(
    _ file: OfflineFile, _ stream: OfflineStream, _ meter: ProgressMeter, room left: Int64?
  ) throws(Failure) -> KeptFile {
    let target = try folder.open(file.name, isSecret: file.isSecret)
    guard let digest = Digest() else {
      throw Failure(.memory, "cannot download '\(shown)'", cause: "memory is out")
    }
    do throws(Failure) {
      try stream.load(file) { [room, shown] bytes throws(Failure) in
        if let left, digest.count + Int64(bytes.count) > left { throw room.failure(shown, needs: nil) }
        digest.add(bytes)
        try target.write(bytes)
        meter.add(bytes.count)
      }
    } catch {
      meter.drop(digest.count)
      throw error
    }
    try target.sync()
    return KeptFile(name: file.name, bytes: digest.count, sha256: digest.hexadecimal)
  }

  // MARK: - The end

  /// Writes the playlists or the manifest, checks that all is there, and gives the folder its name.
  private func write(
    _ stream: OfflineStream, _ kept: [String: KeptFile], _ record: inout DownloadRecord
  ) throws(Failure) {
    let journal = try folder.journal()
    var licence: String?
    if stream.isProtected {
      if stream.hasGivenKeys {
        record.notes.append("its keys are not kept: give them again to play it")
      } else if let text = try stream.licence() {
        licence = Self.licenceName
        try put(text, as: Self.licenceName, isSecret: true, journal)
      } else {
        record.notes.append("its keys may not be kept: playing it asks its licence server again")
      }
    }
    let manifests = stream.manifests(sizes: kept.mapValues(\.bytes), licence: licence)
    for (name, text) in manifests { try put(Array(text.utf8), as: name, isSecret: false, journal) }
    let files = try folder.keptFiles(in: folder.part)
    if let missing = stream.files.first(where: { files[$0.name] == nil }) {
      throw Failure(
        .output, "cannot download '\(shown)'", cause: "'\(missing.name)' is not on the disk any more",
        remedy: "start it again: it loads what is missing")
    }
    record.play = manifests.first?.name
    (record.bytes, record.ended) = (files.values.reduce(0) { $0 + $1.bytes }, Date())
    try folder.finish(&record)
  }

  private func put(
    _ bytes: [UInt8], as name: String, isSecret: Bool, _ journal: DownloadJournal
  ) throws(Failure) {
    let file = try folder.open(name, isSecret: isSecret)
    try bytes.withUnsafeBytes { bytes in Result { () throws(Failure) in try file.write(bytes) } }.get()
    try file.sync()
    try journal.keep(KeptFile(name: name, bytes: Int64(bytes.count), sha256: sha256(of: bytes) ?? ""))
  }
}

/// How many bytes a stream has: of each track as its media took so far, a track that has not begun as its manifest says. A value; pure.
struct SizeEstimate {
  private struct Track {
    var seconds = 0.0
    var doneSeconds = 0.0
    var doneBytes = 0.0
    /// By the manifest; 0 where it does not tell.
    var expected: Double
  }

  private var tracks: [Int: Track] = [:]

  init(_ stream: OfflineStream) {
    for file in stream.files {
      tracks[file.track, default: Track(expected: stream.expectedBytes(track: file.track) ?? 0)].seconds += file.seconds
    }
  }

  mutating func note(_ file: OfflineFile, bytes: Int64) {
    tracks[file.track]?.doneSeconds += file.seconds
    tracks[file.track]?.doneBytes += Double(bytes)
  }

  /// Nil before anything is known.
  var bytes: Int64? {
    let sum = tracks.values.reduce(0.0) { sum, track in
      sum + (track.doneSeconds > 0 ? track.doneBytes * track.seconds / track.doneSeconds : track.expected)
    }
    return sum > 0 ? Int64(saturating: sum.rounded()) : nil
  }
}
