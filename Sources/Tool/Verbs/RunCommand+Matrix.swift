import ArgumentParser
import Decode
import FoundationEssentials
import Frames
import Host
import Media
import Run
import Verdict

extension RunCommand {
  /// Runs the cells in order, each as if `run` had been called with its input and its settings.
  ///
  /// A failed cell is reported and the others go on. An interrupted run keeps its records; the next call with the same
  /// arguments does not measure them again.
  func runMatrix(_ path: String) throws {
    let matrix = try Matrix(path: path)
    let shard = many.shard ?? .whole
    let folder = answer.output ?? ""
    let cells = many.list ? matrix.cells : matrix.cells(of: shard)
    // All cells first: a value that `run` refuses is reported before hours of measuring, not after.
    let commands = try cells.map { try command(for: $0, in: folder) }
    if many.list { return many.printCells(of: matrix, as: "run") }
    for (place, name, option) in [
      (answer.output, "record", "--output"), (tracing.trace, "trace", "--trace"),
      (tracing.frames, "frame table", "--frames"), (streams.p1203, OutputKind.p1203.name, "--p1203"),
    ] {
      guard let place else { continue }
      try RecordFile.checkWritable(place + "/record.json", called: name, option: option)
    }
    let title = shard == .whole ? "" : " of shard \(shard)"
    if cells.isEmpty { Console.note("there is no cell\(title): the matrix has \(matrix.cells.count)") }
    var tally = RunTally()
    var hashes: [String: String?] = [:]
    for (index, cell) in cells.enumerated() {
      let place = "cell \(index + 1) of \(cells.count)\(title): \(cell.name)"
      let input = try cell.playsStream ? cell.input : cell.input ?? builtInClip()
      switch repeats.again ? .absent : try state(of: cell, commands[index], in: folder, input: input, &hashes) {
      case .done:
        Console.note("\(place): is there already")
        continue
      case .stale(let why): Console.note("\(place): measured again, for \(why)")
      case .absent: Console.note(place)
      }
      measure(cell, commands[index], input: input, place, &tally)
      try tally.throwIfInterrupted()
    }
    try tally.finish(of: cells.count, title, folder)
  }

  /// The command line of the cell, with this one's output paths.
  private func command(for cell: Matrix.Cell, in folder: String) throws -> RunCommand {
    // After `--` a path may begin with a hyphen.
    var command = try many.parsed(
      cell, as: RunCommand.self, cell.arguments + ["--"] + (cell.input.map { [$0] } ?? []))
    command.answer.output = folder.appendingPathComponent("\(cell.name).json")
    command.tracing.trace = tracing.trace.map { $0.appendingPathComponent("\(cell.name).trace.json") }
    command.tracing.frames = tracing.frames.map { $0.appendingPathComponent("\(cell.name).frames.csv") }
    command.tracing.events = tracing.events.map { $0.appendingPathComponent("\(cell.name).events.jsonl") }
    command.streams.p1203 = streams.p1203.map { $0.appendingPathComponent("\(cell.name).p1203.json") }
    command.answer.format = answer.format
    command.answer.label = answer.label
    command.diagnostics = diagnostics
    return command
  }

  /// The facts that a record of the cell must agree with.
  fileprivate func facts(hash: String?) throws -> Matrix.Cell.Facts {
    let (camera, events) = try files()
    return Matrix.Cell.Facts(
      inputSHA256: hash, cameraSHA256: camera?.sha256, inputEventsSHA256: events?.sha256, label: answer.label)
  }

  /// Whether a record answers for a cell, and if not, why.
  private enum CellState {
    case absent, done
    case stale(String)
  }

  /// Reads the cell's record and, if there is one, hashes its input, once for all cells that have it.
  private func state(
    of cell: Matrix.Cell, _ command: RunCommand, in folder: String, input: String?, _ hashes: inout [String: String?]
  ) throws -> CellState {
    let path = folder.appendingPathComponent("\(cell.name).json")
    RecordJournal.recover(besideRecord: path)
    guard FileManager.default.fileExists(atPath: path) else { return .absent }
    guard let record = try? RecordFile.read(path, asDigest: true) else { return .stale("its record is damaged") }
    var hash: String?
    // Records of streams have none.
    if let input, !cell.playsStream {
      hash = hashes[input] ?? sha256(ofFile: input)
      hashes[input] = .some(hash)
    }
    return cell.objection(to: record, try command.facts(hash: hash)).map { .stale($0) } ?? .done
  }

  private func measure(
    _ cell: Matrix.Cell, _ command: RunCommand, input: String?, _ place: String, _ tally: inout RunTally
  ) {
    do {
      var command = command
      let (camera, events) = try command.files()
      try command.conditions.pin?.check()
      let outcome = try command.withInput(input, isStream: cell.playsStream) { path in
        try command.measure(path: path, name: cell.inputName, camera, events, place: place, cell: cell.identity)
      }
      if !outcome.record.complete { command.answer.output = command.answer.output.map(command.besideWhole) }
      try command.deliver(outcome, from: cell.input, isOneOfMany: false)
      tally.note(outcome)
      if let failure = outcome.failure { throw failure }
    } catch {
      guard !Interrupt.isRequested else { return }
      let text = (error as? Failure)?.description ?? "\(error)"
      Console.error("\(place): \(text)")
      tally.failed.append(cell.name)
    }
  }

  /// The path of an incomplete record: it does not replace a complete one.
  fileprivate func besideWhole(_ path: String) -> String {
    let isWhole = (try? RecordFile.read(path, asDigest: true))?.complete ?? false
    return isWhole ? RecordFile.unused(path) : path
  }
}

/// The outcomes of a run's inputs or cells so far.
struct RunTally {
  /// Names of failed ones.
  var failed: [String] = []
  private var isIncorrect = false
  private var isStopped = false

  mutating func note(_ outcome: Benchmark.Outcome) {
    if Answer(outcome.record).incorrect > 0 { isIncorrect = true }
    if outcome.wasInterrupted { isStopped = true }
  }

  func throwIfInterrupted() throws {
    guard Interrupt.isRequested || isStopped else { return }
    Console.error("interrupted: the measurements so far are kept, and marked incomplete")
    throw ExitStatus.interrupted
  }

  /// Throws their joint exit code.
  func throwStatus() throws {
    if !failed.isEmpty { throw ExitStatus.failure }
    if isIncorrect { throw ExitStatus.incorrect }
  }

  fileprivate func finish(of count: Int, _ title: String, _ folder: String) throws {
    if !failed.isEmpty {
      Console.error("\(failed.count) of \(count) cells\(title) failed: \(failed.joined(separator: ", "))")
    } else if count > 0 {
      Console.note("\(count) cells\(title) are in \(folder)")
    }
    try throwStatus()
  }
}
