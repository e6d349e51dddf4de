import FoundationEssentials
import Frames
import Glibc

/// The finished trials of a record in progress, on disk beside the record's path: they survive a crash or a power
/// cut.
///
/// Each line is a record of one trial. The file is locked while its process lives, and deleted after the record is written. The journal of a
/// run that was killed can be read as a record; the next run that writes there makes a record of it. One thread at a time.
public final class RecordJournal {
  /// The suffix to the record's path.
  static let suffix = ".journal"

  private let record: String
  private let descriptor: Int32

  /// Nil if the record goes to no file, or if no journal can be made: the run continues without one. Creates the
  /// record's folders; makes a record of an orphaned journal there.
  public init?(besideRecord path: String) {
    let place = OutputPlace.followingLinks(path)
    guard [.nothing, .file].contains(OutputPlace(at: place)) else { return nil }
    let folder = URL(filePath: place).deletingLastPathComponent()
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    Self.recover(besideRecord: place)
    let descriptor = open(place + Self.suffix, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard descriptor >= 0 else { return nil }
    (record, self.descriptor) = (place, descriptor)
    flock(descriptor, LOCK_EX | LOCK_NB)
  }

  deinit { close(descriptor) }

  /// Adds a record of one trial. It is on the disk when this returns; if that fails, only a crash loses the trial.
  public func add(_ trial: Record) {
    guard let line = try? RecordCoding.line(trial) else { return }
    let end = lseek(descriptor, 0, SEEK_END)
    let written = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    // A partial line would corrupt the next one.
    if written < line.count { ftruncate(descriptor, end) }
    fdatasync(descriptor)
  }

  /// The record is written: deletes the journal, once the record is on the disk.
  public func end(recordWrittenTo path: String) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    if file >= 0 {
      fsync(file)
      close(file)
    }
    unlink(record + Self.suffix)
  }

  /// The path of the record whose journal a file is by its name; of another file, its own path.
  static func record(of path: String) -> String {
    path.hasSuffix(suffix) ? String(path.dropLast(suffix.count)) : path
  }

  /// The journal beside a record's path.
  static func path(besideRecord path: String) -> String { OutputPlace.followingLinks(path) + suffix }

  /// The incomplete record of a journal whose process has ended. Writes nothing.
  ///
  /// Nil if there is no journal, if it is still being written, if the record beside it has all its trials, or if another program wrote a file of
  /// that name.
  static func orphan(_ journal: String) -> Record? {
    let descriptor = open(journal, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_SH | LOCK_NB) == 0, let data = try? RecordBytes.load(journal) else { return nil }
    return record(of: data).flatMap { $0.isHeld(at: record(of: journal)) ? nil : $0 }
  }

  /// Makes a record of a journal whose process has ended, marked incomplete, beside an existing record.
  ///
  /// Does nothing if there is no journal, if it is still being written, or if the folder cannot be written to.
  package static func recover(besideRecord path: String) {
    let place = OutputPlace.followingLinks(path)
    let journal = place + suffix
    let descriptor = open(journal, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, let data = try? RecordBytes.load(journal) else { return }
    if let record = record(of: data) {
      guard record.isHeld(at: place) || (try? RecordFile.write(record, to: RecordFile.unused(place))) != nil else {
        return
      }
    } else if !data.isEmpty {
      // Another program wrote a file of that name.
      return
    }
    unlink(journal)
  }

  /// All complete lines as one record; nil if there is none.
  static func record(of journal: Data) -> Record? {
    let lines = journal.split(separator: UInt8(ascii: "\n")).compactMap {
      try? RecordCoding.decodeRecord($0, name: "journal")
    }
    guard var whole = lines.last else { return nil }
    var scenarios: [Record.Scenario] = []
    for scenario in lines.flatMap(\.scenarios) {
      let place = scenarios.firstIndex { ($0.name, $0.variant) == (scenario.name, scenario.variant) }
      if let place { scenarios[place].trials += scenario.trials } else { scenarios.append(scenario) }
    }
    whole.scenarios = scenarios.map {
      Record.Scenario(name: $0.name, variant: $0.variant, presentSource: $0.presentSource, trials: $0.trials)
    }
    whole.boundBy = StageRates(whole).bottleneck
    return whole
  }
}

extension Record {
  /// Whether the existing file is of the same run and has all these trials: the run died just before it deleted its
  /// journal.
  fileprivate func isHeld(at path: String) -> Bool {
    guard let other = try? RecordFile.read(path, asDigest: true) else { return false }
    func count(_ record: Record) -> Int { record.scenarios.reduce(0) { $0 + $1.trials.count } }
    return other.created == created && other.session == session && other.input == input && count(other) >= count(self)
  }
}
