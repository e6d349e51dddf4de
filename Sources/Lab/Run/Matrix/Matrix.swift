import Decode
import FoundationEssentials
import Frames
import Verdict

/// Inputs × settings: the cells to measure, each a run of its own with a record of its own.
///
/// The same file has the same cells in the same order on any machine, regardless of the order of its keys.
public struct Matrix: Sendable {
  /// Inputs in the file's order, for each of them all choices of the axes (these by their names, the last one turning
  /// fastest), then the included cells.
  public let cells: [Cell]
  /// The matrix file's name, as the user gave it.
  public let path: String

  /// A larger matrix is a mistake: a cell is a file and at least seconds of work.
  public static let cellLimit = 10_000

  /// Reads and checks it; throws `.input` with one sentence that names the file and the error in it. `run` checks the
  /// values themselves.
  public init(path: String) throws(Failure) {
    self.path = path
    let file = try MatrixFile.read(path)
    do throws(MatrixError) {
      cells = try Self.cells(file, folder: path.deletingLastPathComponent)
    } catch {
      throw MatrixFile.refusal(of: path, error.cause)
    }
  }

  /// The cells of one shard, in order.
  public func cells(of shard: Shard) -> [Cell] { cells.filter { shard.holds($0.number) } }

  /// Resolves a path of the file against its folder, unless the path is absolute or a URL.
  static func path(_ path: String, folder: String) -> String {
    path.hasPrefix("/") || path.contains("://") || folder.isEmpty
      ? path : "\(folder)/\(path)"
  }

  /// An input with one choice of settings, before it is numbered.
  private struct Draft {
    var input: String?
    var settings: [String: String]
    /// Settings that are part of its name.
    var told: [String]

    var scenarios: [String] { Matrix.scenarios(settings) }

    /// Settings that cannot affect any number of its scenarios. `run` refuses unknown scenarios.
    var unused: [String] {
      guard let jobs = try? Scenarios.jobs(named: scenarios) else { return [] }
      return settings.keys.filter { Setting.named($0)?.matters(to: jobs, of: settings) == false }.sorted()
    }
  }

  private static func scenarios(_ settings: [String: String]) -> [String] {
    let suite = settings["suite"].flatMap(Suite.init) ?? .standard
    return settings["scenario"]?.split(separator: ",").map(String.init) ?? suite.scenarios
  }

  /// Whether these settings play a stream. `run` refuses unknown scenarios, and combinations that do not go together.
  static func playStreams(_ settings: [String: String]) -> Bool {
    (try? Scenarios.playStreams(Scenarios.jobs(named: scenarios(settings)))) ?? false
  }

  private static func cells(_ file: MatrixFile, folder: String) throws(MatrixError) -> [Cell] {
    let inputs: [String?] = file.inputs ?? [nil]
    let names = file.axes.keys.sorted()
    var count = inputs.count
    for name in names {
      let (product, isTooMuch) = count.multipliedReportingOverflow(by: file.axes[name]?.count ?? 0)
      count = isTooMuch ? .max : product
    }
    // Before cells are created: a billion would not fit into memory.
    guard count <= cellLimit else { throw tooMany(count) }
    var drafts: [Draft] = []
    for input in inputs {
      for choice in product(names, file.axes) {
        drafts.append(Draft(input: input, settings: file.defaults.merging(choice) { $1 }, told: names))
      }
    }
    try leaveOut(file.exclude, &drafts, inputs)
    for (index, choice) in file.include.enumerated() {
      try check(choice, "include[\(index)]", inputs)
      for input in choice.input.map({ [$0] }) ?? inputs {
        drafts.append(
          Draft(
            input: input, settings: file.defaults.merging(choice.settings) { $1 }, told: choice.settings.keys.sorted()))
      }
      guard drafts.count <= cellLimit else { throw tooMany(drafts.count) }
    }
    guard !drafts.isEmpty else { throw MatrixError(cause: "everything in it is excluded") }
    return try numbered(drafts, folder)
  }

  private static func numbered(_ drafts: [Draft], _ folder: String) throws(MatrixError) -> [Cell] {
    var seen: Set<String> = []
    var measured: [String: (cell: Cell, draft: Draft)] = [:]
    var cells: [Cell] = []
    for draft in drafts {
      let cell = try Cell(
        number: cells.count, input: draft.input, settings: draft.settings, told: draft.told, folder: folder)
      guard seen.insert(cell.id).inserted else { throw MatrixError(cause: "the cell '\(cell.name)' is in it twice") }
      let unused = draft.unused
      let used = try Cell(
        number: 0, input: draft.input, settings: draft.settings.filter { !unused.contains($0.key) }, told: [],
        folder: folder)
      if let same = measured.updateValue((cell, draft), forKey: used.id) {
        let differing = unused.filter { draft.settings[$0] != same.draft.settings[$0] }.map { "'\($0)'" }
        let scenarios = draft.scenarios.joined(separator: ",")
        throw MatrixError(
          cause:
            "cells '\(same.cell.name)' and '\(cell.name)' measure the same, for scenario '\(scenarios)' has no use for "
            + "\(differing.joined(separator: ", ")): exclude one of them")
      }
      cells.append(cell)
    }
    return cells
  }

  /// All choices of one value of each axis; the last axis turns fastest.
  private static func product(_ names: [String], _ axes: [String: [String]]) -> [[String: String]] {
    names.reduce([[:]]) { choices, name in
      choices.flatMap { choice in (axes[name] ?? []).map { choice.merging([name: $0]) { $1 } } }
    }
  }

  private static func leaveOut(
    _ exclude: [MatrixFile.Choice], _ drafts: inout [Draft], _ inputs: [String?]
  ) throws(MatrixError) {
    var isLeftOut = [Bool](repeating: false, count: drafts.count)
    for (index, choice) in exclude.enumerated() {
      try check(choice, "exclude[\(index)]", inputs)
      let found = drafts.indices.filter { position in
        (choice.input == nil || drafts[position].input == choice.input)
          && choice.settings.allSatisfy { drafts[position].settings[$0.key] == $0.value }
      }
      guard !found.isEmpty else { throw MatrixError(cause: "exclude[\(index)] fits no cell") }
      for position in found { isLeftOut[position] = true }
    }
    drafts = zip(drafts, isLeftOut).filter { !$1 }.map(\.0)
  }

  private static func check(_ choice: MatrixFile.Choice, _ place: String, _ inputs: [String?]) throws(MatrixError) {
    guard let input = choice.input, !inputs.contains(input) else { return }
    throw MatrixError(cause: "\(place).input '\(input.prefix(80))' is none of its inputs")
  }

  private static func tooMany(_ count: Int) -> MatrixError {
    let number = count == .max ? "far too many" : "\(count)"
    return MatrixError(cause: "it has \(number) cells, and \(cellLimit) is the most")
  }
}

/// An error in a matrix.
struct MatrixError: Error {
  let cause: String
}

/// One of several shards of about equal size: the cells that one job measures.
public struct Shard: Hashable, Sendable, CustomStringConvertible {
  /// From 0, as Slurm's and Kubernetes' indices are.
  public let index: Int
  public let count: Int

  public static let whole = Shard(uncheckedIndex: 0, count: 1)
  public static let countLimit = 100_000

  /// `3/8`: the fourth of eight. Nil for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let isNumber = parts.allSatisfy {
      !$0.isEmpty && $0.utf8.count <= 6 && $0.utf8.allSatisfy { (48...57).contains($0) }
    }
    guard parts.count == 2, isNumber, let index = Int(parts[0]), let count = Int(parts[1]) else { return nil }
    self.init(index, of: count)
  }

  public init?(_ index: Int, of count: Int) {
    guard (1...Self.countLimit).contains(count), (0..<count).contains(index) else { return nil }
    self.init(uncheckedIndex: index, count: count)
  }

  private init(uncheckedIndex index: Int, count: Int) {
    self.index = index
    self.count = count
  }

  public var description: String { "\(index)/\(count)" }

  /// Whether a cell belongs to this shard: each round deals one cell to every shard.
  public func holds(_ cell: Int) -> Bool { Self.index(ofCell: cell, of: count) == index }

  /// The round's number picks its first shard at random. With a fixed start, or the next shard each time, an axis
  /// could stay in step with the rounds, and one shard would get all slow cells.
  public static func index(ofCell cell: Int, of count: Int) -> Int {
    // SplitMix64's finish (Steele, Lea and Flood, 2014): the same on every machine.
    var draw = UInt64(cell / count) &* 0x9E37_79B9_7F4A_7C15
    draw = (draw ^ (draw >> 30)) &* 0xBF58_476D_1CE4_E5B9
    draw = (draw ^ (draw >> 27)) &* 0x94D0_49BB_1331_11EB
    return (cell + Int((draw ^ (draw >> 31)) % UInt64(count))) % count
  }
}
