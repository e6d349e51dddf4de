import FoundationEssentials
import Frames

/// The outcome for each record of a merge. A function of the records read: touches no file.
public struct MergePlan: Sendable {
  /// A record to write.
  public struct Item: Sendable, Hashable {
    /// The file's name, with `.json`.
    public var name: String
    /// The sources of its trials, in the order of measurement; a single one is copied as it is.
    public var sources: [String]
  }

  public private(set) var items: [Item] = []
  /// Messages for the user: records dropped, kept apart, left out, each a sentence.
  public private(set) var notes: [String] = []
  /// Of the matrix, if there is one: cells without a complete record.
  public private(set) var missing: [Expected] = []
  public let recordsRead: Int
  private var duplicates: [(title: String, records: Int)] = []
  private var incomplete: [(title: String, records: Int)] = []
  private var measuredAgain: [(title: String, records: Int)] = []

  /// A cell of a matrix.
  public struct Expected: Sendable, Hashable {
    public var cell: Record.Cell
    public var shard: Int

    public init(cell: Record.Cell, shard: Int) {
      self.cell = cell
      self.shard = shard
    }
  }

  /// - Parameter expected: the matrix's cells; nil: no cell can be missing.
  init(_ candidates: [MergeCandidate], expected: [Expected]?) {
    recordsRead = candidates.count
    // Independent of the order in which files were named and found.
    let sorted = candidates.sorted { ($0.created, $0.path) < ($1.created, $1.path) }
    let wanted = expected.map { Set($0.map(\.cell.id)) }
    var (order, groups, strangers): ([String], [String: [MergeCandidate]], Int) = ([], [:], 0)
    for candidate in sorted {
      if let wanted, !(candidate.cell.map { wanted.contains($0.id) } ?? false) {
        strangers += 1
        continue
      }
      if groups[candidate.key] == nil { order.append(candidate.key) }
      groups[candidate.key, default: []].append(candidate)
    }
    if strangers > 0 { notes.append("\(count(strangers)) of no cell of the matrix and left out") }
    var answered: Set<String> = []
    var names: Set<String> = []
    for key in order {
      let group = groups[key] ?? []
      if group.contains(where: \.isComplete) { answered.insert(key) }
      for sources in place(group) {
        items.append(Item(name: Self.name(sources[0], &names), sources: sources.map(\.path)))
      }
    }
    note(duplicates, "there already and dropped")
    note(measuredAgain, "incomplete and left out, for the cell was measured again")
    note(incomplete, "incomplete")
    missing = (expected ?? []).filter { !answered.contains($0.cell.id) }
  }

  /// An event for some records of some cells, in one sentence: there may be thousands.
  private mutating func note(_ cells: [(title: String, records: Int)], _ what: String) {
    guard !cells.isEmpty else { return }
    let names = cells.prefix(10).map(\.title).joined(separator: ", ") + (cells.count > 10 ? ", …" : "")
    notes.append("\(count(cells.reduce(0) { $0 + $1.records })) \(what): \(names)")
  }

  /// The records that a cell's files join to.
  private mutating func place(_ group: [MergeCandidate]) -> [[MergeCandidate]] {
    let title = group[0].cell?.name ?? group[0].path
    let complete = group.filter(\.isComplete)
    let cut = group.count - complete.count
    if cut > 0 {
      if complete.isEmpty { incomplete += [(title, cut)] } else { measuredAgain += [(title, cut)] }
    }
    var (order, kinds): ([[String?]], [[String?]: [MergeCandidate]]) = ([], [:])
    for candidate in complete.isEmpty ? group : complete {
      if kinds[candidate.values] == nil { order.append(candidate.values) }
      kinds[candidate.values, default: []].append(candidate)
    }
    if order.count > 1 {
      let fields = MergeCandidate.differences(order.compactMap { kinds[$0]?.first }).joined(separator: ", ")
      notes.append("'\(title)': \(order.count) records are kept apart, for they differ in \(fields)")
    }
    return order.flatMap { kind -> [[MergeCandidate]] in
      let new = dropDuplicates(kinds[kind] ?? [], title)
      // The missing trials of an incomplete record are unknown: it is kept apart.
      return complete.isEmpty ? new.map { [$0] } : [new]
    }
  }

  /// The candidates that have a trial which no earlier one has.
  private mutating func dropDuplicates(_ candidates: [MergeCandidate], _ title: String) -> [MergeCandidate] {
    var seen: Set<Int> = []
    var kept: [MergeCandidate] = []
    for candidate in candidates {
      if !kept.isEmpty, seen.isSuperset(of: candidate.trials) { continue }
      seen.formUnion(candidate.trials)
      kept.append(candidate)
    }
    let dropped = candidates.count - kept.count
    if dropped > 0 { duplicates += [(title, dropped)] }
    return kept
  }

  private func count(_ number: Int) -> String { number == 1 ? "1 record is" : "\(number) records are" }

  /// The cell's name, else the file's own; the first candidate gets it, each later one gets a number.
  private static func name(_ candidate: MergeCandidate, _ taken: inout Set<String>) -> String {
    let file = RecordFile.lastPart(RecordJournal.record(of: candidate.path)).stem
    // A record's name is untrusted.
    let stem = RecordFile.fileNameSafe(candidate.cell?.name ?? file)
    var name = stem
    var number = 2
    // Some file systems ignore case.
    while !taken.insert(name.lowercased()).inserted {
      name = "\(stem)-\(number)"
      number += 1
    }
    return name + ".json"
  }
}

extension MergePlan {
  /// The missing cells in one sentence: whole shards by number, others by the missing share; nil if none is missing.
  ///
  /// - Parameters:
  ///   - expected: all cells of the matrix.
  ///   - shards: the number of shards.
  public func missingSentence(_ expected: [Expected], shards: Int) -> String? {
    guard !missing.isEmpty else { return nil }
    let cells = missing.count == 1 ? "1 cell" : "\(missing.count) cells"
    let names = missing.prefix(10).map(\.cell.name).joined(separator: ", ") + (missing.count > 10 ? ", …" : "")
    guard shards > 1 else { return "of \(expected.count) cells \(missing.count) are missing: \(names)" }
    let lacking = Dictionary(grouping: missing, by: \.shard)
    let whole = Dictionary(grouping: expected, by: \.shard)
    let (gone, part) = lacking.keys.sorted().reduce(into: ([Int](), [Int]())) { lists, shard in
      if lacking[shard]?.count == whole[shard]?.count { lists.0.append(shard) } else { lists.1.append(shard) }
    }
    var parts: [String] = []
    if !gone.isEmpty { parts.append("\(list(gone)) of \(shards) \(gone.count == 1 ? "is" : "are") missing") }
    if !part.isEmpty { parts.append("\(list(part)) of \(shards) \(part.count == 1 ? "lacks" : "lack") cells") }
    return "\(parts.joined(separator: ", ")): \(cells): \(names)"
  }

  /// `shards 3 and 7`
  private func list(_ shards: [Int]) -> String {
    let words = shards.map(String.init)
    guard let last = words.last, words.count > 1 else { return "shard \(words.first ?? "")" }
    return "shards \(words.dropLast().joined(separator: ", ")) and \(last)"
  }
}
