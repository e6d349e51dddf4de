import FoundationEssentials
import Frames
import HTTP
import Media
import Streaming

/// Loads one file. What is there of it stays there, with the version that its server told; a start after that goes on behind it.
struct FileDownload {
  let folder: DownloadFolder
  let requests: OfflineRequests
  let room: Room
  let url: String
  let shown: String

  /// The bytes that one start leaves to the next are synced so often.
  private static let syncBytes: Int64 = 32 << 20

  func run(
    _ identity: String, unless interruption: Interruption, _ progress: @escaping (DownloadProgress) -> Void
  ) throws(Failure) -> KeptDownload {
    var record =
      try folder.record()?.record ?? DownloadRecord(url: shown, identity: identity, kind: .file, began: Date())
    let name = fileName
    record.play = name
    let meter = ProgressMeter(now: { .now }, tell: progress)
    do throws(Failure) {
      try load(name, &record, meter)
    } catch {
      // Another file than that of the bytes that are here, or one whose end is not where they end.
      guard Version.isAnother(error), folder.begun(name) > 0 else { throw error }
      try startOver(name, &record)
      try load(name, &record, meter)
    }
    let kept = try check(name, record)
    meter.end(bytes: kept.record.bytes ?? meter.bytes)
    return kept
  }

  /// Of the file in its folder.
  private var fileName: String {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    let own = suffix(of: String(path.split(separator: "/").last ?? ""))
    let isPlain = (1...5).contains(own.utf8.count) && own.utf8.allSatisfy { (0x30...0x7A).contains($0) && $0 != 0x2F }
    return "clip." + (isPlain && own != "part" ? own : "mp4")
  }

  private func startOver(_ name: String, _ record: inout DownloadRecord) throws(Failure) {
    record.content = nil
    record.notes = ["the file changed on the server while it was loaded: it was loaded anew"]
    try folder.write(record)
    _ = try folder.open(name)
  }

  private func load(_ name: String, _ record: inout DownloadRecord, _ meter: ProgressMeter) throws(Failure) {
    let version = FileVersion(record.content)
    // Bytes of an unknown version are of no use.
    let start = version?.isTelling == true ? folder.begun(name) : 0
    if start == 0 { record.content = nil }
    if let total = version?.total, start == total { return }
    meter.begin(at: start)
    let writing = Writing(record: record, meter: meter, room: room.left, synced: start)
    do throws(Failure) {
      try requests.load(
        from: start, start > 0 ? version?.validator : nil,
        began: { [folder, room, shown] validator throws(Failure) in
          let known = FileVersion(validator)
          meter.total = known.total ?? meter.total
          if let total = known.total, let left = writing.room, total - start > left {
            throw room.failure(shown, needs: total - start)
          }
          guard writing.file == nil else { return }
          // In this order: bytes that are there are of the version that the record tells.
          writing.file = try folder.open(name, from: start)
          writing.record.content = writing.record.content ?? known.text
          try folder.write(writing.record)
        },
        take: { [room, shown] bytes throws(Failure) in
          if let left = writing.room, Int64(bytes.count) > left { throw room.failure(shown, needs: nil) }
          writing.room = writing.room.map { $0 - Int64(bytes.count) }
          try writing.add(bytes, syncsEvery: Self.syncBytes)
        })
    } catch {
      record = writing.record
      throw error
    }
    try writing.file?.sync()
    record = writing.record
  }

  /// What is written, while it comes.
  private final class Writing {
    /// Nil before the server has answered.
    var file: (any DiskFile)?
    var record: DownloadRecord
    let meter: ProgressMeter
    var room: Int64?
    private var synced: Int64

    init(record: DownloadRecord, meter: ProgressMeter, room: Int64?, synced: Int64) {
      (self.record, self.meter, self.room, self.synced) = (record, meter, room, synced)
    }

    func add(_ bytes: UnsafeRawBufferPointer, syncsEvery count: Int64) throws(Failure) {
      try file?.write(bytes)
      meter.add(bytes.count)
      if meter.bytes - synced >= count {
        try file?.sync()
        synced = meter.bytes
      }
    }
  }

  /// All of it is there: its length is what the server told, and what is on the disk gets its name and its hash.
  private func check(_ name: String, _ record: DownloadRecord) throws(Failure) -> KeptDownload {
    var record = record
    let bytes = folder.begun(name)
    if let total = FileVersion(record.content)?.total, total != bytes {
      throw Failure(
        .input, "cannot download '\(shown)'", cause: "\(bytes) of its \(total) bytes came",
        remedy: "start it again: it goes on there")
    }
    guard bytes > 0 else {
      throw Failure(.input, "cannot download '\(shown)'", cause: "the server sent no bytes", remedy: "check the URL")
    }
    let hash = try hash(name)
    try folder.journal().keep(KeptFile(name: name, bytes: bytes, sha256: hash))
    (record.bytes, record.ended) = (bytes, Date())
    try folder.finish(&record)
    return KeptDownload(folder, record, isWhole: true)
  }

  /// Of what is on the disk.
  private func hash(_ name: String) throws(Failure) -> String {
    guard let hash = folder.disk.hash(of: folder.part + "/" + name + partSuffix) else {
      throw Failure(.output, "cannot download '\(shown)'", cause: "the written file cannot be read")
    }
    return hash
  }

  /// Which failures say that the bytes here are another file's.
  private enum Version {
    static func isAnother(_ failure: Failure) -> Bool {
      failure.kind == .input
        && [HTTPProblem.changed.cause, HTTPProblem(status: 416).cause].contains(failure.cause)
    }
  }
}
