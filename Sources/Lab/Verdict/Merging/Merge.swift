import Dispatch
import FoundationEssentials
import Frames
import Glibc
import Synchronization

/// Records of many machines and jobs as one set: found by path, joined cell by cell.
///
/// Reads every record twice: first its identity, of which little is kept; then, one cell after the other on
/// each core, its contents. Memory holds the largest cell's records, not all of them.
public struct Merge: Sendable {
  public let plan: MergePlan
  /// Records that could not be read, if the caller wants them left out.
  public let damaged: [Failure]

  /// Reads the paths: records, and folders of them.
  ///
  /// Throws at a damaged record, unless damaged ones are to be left out, and at a path that does not exist.
  public init(
    paths: [String], expected: [MergePlan.Expected]?, leavingOutDamaged: Bool = false
  ) throws(Failure) {
    var files: [String] = []
    var seen: Set<String> = []
    for path in paths {
      let below = try RecordSet.files(below: path)
      guard !below.isEmpty || FileManager.default.fileExists(atPath: path) else {
        throw Failure(
          .input, "cannot merge '\(path)'", cause: "no such file or folder", remedy: "name records or folders of them")
      }
      // A folder named twice, or inside another one, is read once.
      for file in below
      where seen.insert(URL(filePath: file).resolvingSymlinksInPath().path).inserted { files.append(file) }
    }
    guard !files.isEmpty else {
      throw Failure(
        .input, "cannot merge '\(paths.joined(separator: "', '"))'", cause: "there is no record",
        remedy: "give records or folders of records that 'bench360 run --output' wrote")
    }
    let found = files
    let results = inParallel(found.count) { index in
      Result { () throws(Failure) in MergeCandidate(try RecordSet.usable(found[index]), path: found[index]) }
    }
    var (candidates, damaged): ([MergeCandidate], [Failure]) = ([], [])
    for result in results {
      switch result {
      case .success(let candidate): candidates.append(candidate)
      case .failure(let failure): damaged.append(failure)
      }
    }
    if let first = damaged.first, !leavingOutDamaged { throw RecordSet.refusal(of: damaged, first, of: found.count) }
    guard !candidates.isEmpty else { throw damaged[0] }
    self.damaged = damaged
    plan = MergePlan(candidates, expected: expected)
  }

  /// Writes all records into a folder that must not hold anything yet, all of them or none: it appears once complete.
  ///
  /// - Parameter goesOn: called before each record; false cancels, and no file is left.
  public func write(toFolder folder: String, goesOn: @Sendable () -> Bool = { true }) throws(Failure) {
    let manager = FileManager.default
    let place = URL(filePath: folder).resolvingSymlinksInPath()
    if let there = try? manager.contentsOfDirectory(atPath: place.path), !there.isEmpty {
      throw unwritable(folder, "it is a folder with something in it", "name a new folder, or remove that one")
    }
    let temporary = place.deletingLastPathComponent().appending(path: ".bench360-\(UUID().uuidString).tmp")
    do {
      try manager.createDirectory(at: temporary, withIntermediateDirectories: true)
    } catch {
      throw unwritable(folder, "the folder that it lies in cannot be written to", "name another with --output")
    }
    defer { try? manager.removeItem(at: temporary) }
    let items = plan.items
    let failures = inParallel(items.count) { index -> Failure? in
      guard goesOn() else { return Failure(.cancelled, "cannot merge into '\(folder)'", cause: "it was interrupted") }
      do throws(Failure) {
        try Self.write(items[index], to: temporary.appending(path: items[index].name).path)
        return nil
      } catch {
        return error
      }
    }
    if let failure = failures.lazy.compactMap({ $0 }).first { throw failure }
    guard rename(temporary.path, place.path) == 0 else {
      throw unwritable(folder, String(cString: strerror(errno)).lowercased(), "name another with --output")
    }
  }

  /// The single joined record; throws if the records join to several.
  public func single(for place: String) throws(Failure) -> Data {
    guard plan.items.count == 1, let item = plan.items.first else {
      throw Failure(
        .input, "cannot merge into '\(place)'",
        cause: "the records are of \(plan.items.count) cells, and a file holds one",
        remedy: "name a folder with --output")
    }
    return try Self.data(of: item)
  }

  private static func write(_ item: MergePlan.Item, to path: String) throws(Failure) {
    let data = try data(of: item)
    do {
      try data.write(to: URL(filePath: path))
    } catch {
      throw Failure(
        .output, "cannot write record '\(item.name)'", cause: reason(of: error),
        remedy: "name a folder on a disk with more space with --output")
    }
  }

  /// A single record is copied byte for byte; a journal becomes a record.
  private static func data(of item: MergePlan.Item) throws(Failure) -> Data {
    guard item.sources.count > 1 else { return try RecordFile.json(item.sources[0]) }
    var samples = LiftedSamples()
    var records: [Record] = []
    for source in item.sources { records.append(try samples.lift(source)) }
    guard var joined = Record.joined(records) else { return Data() }
    samples.setMinima(of: &joined)
    return samples.restored(try RecordCoding.encode(joined))
  }

  private func unwritable(_ folder: String, _ cause: String, _ remedy: String) -> Failure {
    Failure(.output, "cannot merge into '\(folder)'", cause: cause, remedy: remedy)
  }
}

/// Runs `body` for 0 ..< count on all cores; results in order.
func inParallel<Value: Sendable>(_ count: Int, _ body: @Sendable (Int) -> Value) -> [Value] {
  let results = Mutex<[Int: Value]>([:])
  DispatchQueue.concurrentPerform(iterations: count) { index in
    let value = body(index)
    results.withLock { $0[index] = value }
  }
  let done = results.withLock { $0 }
  return (0..<count).compactMap { done[$0] }
}
