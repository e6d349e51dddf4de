import ArgumentParser
import Run

/// `run` over a matrix of inputs and settings, or over a shard of it.
struct MatrixOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Measure every cell of a matrix, inputs x settings (results/matrix.schema.json): a record each, in the folder \
      --output. Cells with a complete record are not measured again.
      """,
      valueName: "file.json"), completion: .file(extensions: ["json"]))
  var matrix: String?

  @Option(
    help: ArgumentHelp(
      "Only the cells of one shard of several, counted from 0 as Slurm and Kubernetes do: 0/4 to 3/4.", valueName: "i/n"
    ))
  var shard: Shard?

  @Flag(help: "Measure all cells, also those with a complete record.")
  var again = false

  @Flag(help: "List the cells of the matrix, each with its shard, and measure none.")
  var list = false

  /// Refuses options that have no meaning with `--matrix`, or without it.
  func check(inputs: [String], output: String?, arguments: [String]) throws {
    guard let matrix else {
      for (isGiven, option) in [(shard != nil, "--shard"), (again, "--again"), (list, "--list")] where isGiven {
        throw ValidationError("\(option) needs a --matrix.")
      }
      return
    }
    guard !matrix.isEmpty, matrix != "-" else { throw ValidationError("--matrix takes a file.") }
    guard inputs.isEmpty else { throw ValidationError("--matrix has its own inputs: name none beside it.") }
    for setting in MatrixSetting.all {
      let option = "--\(setting.name)"
      if arguments.contains(where: { $0 == option || $0.hasPrefix(option + "=") }) {
        throw ValidationError("\(option) belongs into the matrix, as \"\(setting.name)\" of its defaults or axes.")
      }
    }
    guard !list else { return }
    guard let output, output != "-", !output.isEmpty else {
      throw ValidationError("--matrix needs a folder for its records: name one with --output.")
    }
  }
}

extension Shard: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}
