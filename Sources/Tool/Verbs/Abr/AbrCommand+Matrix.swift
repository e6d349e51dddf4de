import Adaptation
import ArgumentParser
import FoundationEssentials
import Frames
import Run
import Verdict

/// A session that `abr` plays, and what its record tells of it.
struct PlannedSession {
  var simulation: Simulation
  var ladder: RungTable
  var settings: StreamSettings
  /// Of the matrix; nil without one.
  var cell: Matrix.Cell?
}

extension AbrCommand {
  /// Plays the cells of the shard, each as if `abr` had been called with its ladder and its settings.
  func runMatrix(_ path: String) throws {
    let matrix = try Matrix(path: path)
    let cells = many.list ? matrix.cells : matrix.cells(of: many.shard ?? .whole)
    // All cells first: no record is written of a matrix with a mistake.
    let planned = try cells.map(plan)
    if many.list { return many.printCells(of: matrix, as: "abr") }
    try write(planned, to: records ?? "")
    let rows = try SimulationBatch.run(planned.map(\.simulation), threads: threads ?? 1) { AbrRow($0) }
    let named = zip(rows, cells).compactMap { row, cell in row?.of(cell: cell.name) }
    Console.print(AbrTable(named).text, terminator: "")
  }

  private func plan(_ cell: Matrix.Cell) throws -> PlannedSession {
    let names = Setting.simulated.map(\.name)
    guard cell.settings["scenario"] == Scenario.stream.name else {
      throw many.refusal(of: cell, "its scenario is not '\(Scenario.stream.name)'", in: "abr")
    }
    if let other = cell.settings.keys.sorted().first(where: { $0 != "scenario" && !names.contains($0) }) {
      throw many.refusal(of: cell, "no session on the virtual clock has the setting '\(other)'", in: "abr")
    }
    let arguments = cell.arguments.filter { !$0.hasPrefix("--scenario=") }
    let command = try many.parsed(
      cell, as: AbrCommand.self, arguments + (cell.input.map { ["--ladder=\($0)"] } ?? []))
    let sessions = try command.plan()
    guard sessions.count == 1, var session = sessions.first else {
      throw many.refusal(
        of: cell, "it has \(sessions.count) sessions: give it one controller and one network", in: "abr")
    }
    session.cell = cell
    return session
  }
}
