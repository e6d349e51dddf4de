import ArgumentParser
import Frames
import Run
import Verdict

/// A verb over a matrix of inputs and settings, or over a shard of it.
struct MatrixOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Every cell of a matrix, inputs x settings (results/matrix.schema.json): a record each, in a folder.
      """,
      valueName: "file.json"), completion: .file(extensions: ["json"]))
  var matrix: String?

  @Option(
    help: ArgumentHelp(
      "Only the cells of one shard of several, counted from 0 as Slurm and Kubernetes do: 0/4 to 3/4.", valueName: "i/n"
    ))
  var shard: Shard?

  @Flag(help: "List the cells of the matrix, each with its shard, and do no more.")
  var list = false

  /// Refuses options that have no meaning with `--matrix`, or without it.
  ///
  /// - Parameters:
  ///   - settings: that the verb takes from a matrix.
  ///   - folder: for the records, which `option` names.
  func check(
    inputs: [String], settings: [Setting], folder: String?, option: String, arguments: [String]
  ) throws {
    guard let matrix else {
      for (isGiven, option) in [(shard != nil, "--shard"), (list, "--list")] where isGiven {
        throw ValidationError("\(option) needs a --matrix.")
      }
      return
    }
    guard !matrix.isEmpty, matrix != "-" else { throw ValidationError("--matrix takes a file.") }
    guard inputs.isEmpty else { throw ValidationError("--matrix has its own inputs: name none beside it.") }
    for setting in settings {
      let option = "--\(setting.name)"
      if arguments.contains(where: { $0 == option || $0.hasPrefix(option + "=") }) {
        throw ValidationError("\(option) belongs into the matrix, as \"\(setting.name)\" of its defaults or axes.")
      }
    }
    guard !list else { return }
    guard let folder, folder != "-", !folder.isEmpty else {
      throw ValidationError("--matrix needs a folder for its records: name one with \(option).")
    }
  }

  /// The answer of `--list`: number, shard, name and arguments of every cell.
  ///
  func printCells(of matrix: Matrix, as verb: String) {
    let shard = shard ?? .whole
    let lines = matrix.cells.map { cell in
      let index = Shard.index(ofCell: cell.number, of: shard.count)
      return [
        "\(cell.number)", "\(index)/\(shard.count)", cell.name,
        ([cell.input ?? "(\(cell.inputName))"] + cell.arguments)
          .map { printable(redactingSecrets(ofArgument: $0)) }.joined(separator: " "),
      ].joined(separator: "\t")
    }
    Console.print((["cell\tshard\tname\t\(verb)"] + lines).joined(separator: "\n"))
  }

  /// A cell's command line as the verb reads it; throws which cell has a value that the verb refuses.
  func parsed<Command: ParsableCommand>(
    _ cell: Matrix.Cell, as command: Command.Type, _ arguments: [String]
  ) throws -> Command {
    do {
      return try Command.parse(arguments)
    } catch {
      let cause = Command.message(for: error).split(whereSeparator: \.isNewline).first.map(String.init) ?? "\(error)"
      throw refusal(
        of: cell, cause.hasSuffix(".") ? String(cause.dropLast()) : cause, in: Command.configuration.commandName ?? "")
    }
  }

  /// - Parameter verb: whose help tells what a setting can be.
  func refusal(of cell: Matrix.Cell, _ cause: String, in verb: String) -> Failure {
    Failure(
      .input, "cannot use matrix '\(matrix ?? "")'", cause: "cell \(cell.number) (\(cell.name)): \(cause)",
      remedy: "'\(verb) --help' tells what the settings can be")
  }
}

/// Which cells `run` measures.
struct RepeatedCells: ParsableArguments {
  @Flag(help: "Measure all cells of the matrix, also those with a complete record.")
  var again = false
}

extension Shard: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}
