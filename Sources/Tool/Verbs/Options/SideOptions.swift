import ArgumentParser
import FoundationEssentials
import Frames
import Run

/// The two commands of `ab`, what differs between them besides their text, and what is read from them.
struct SideOptions: ParsableArguments {
  @Argument(
    help: "A clip: --base and --head are options of 'bench360 run' for it. Without it they are whole commands.",
    completion: Completion.clips)
  var input: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The command to compare with, or its options.", valueName: "command"))
  var base: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The command to judge, or its options. (default: as --base)", valueName: "command"))
  var head: String?

  @Option(
    help: ArgumentHelp(
      "The same command for both, with this environment variable at two values; '$NAME' in the command is the value, "
        + "as of an option. An empty value takes the variable away.", valueName: "name=base,head"))
  var vary: String?

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("An environment variable of base's processes; repeatable.", valueName: "name=value"))
  var baseEnv: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("An environment variable of head's processes; repeatable.", valueName: "name=value"))
  var headEnv: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "A number to read from each run of any program: wall, user, rss, json, or NAME:UNIT:high=REGEX; repeatable.",
      valueName: "metric"), completion: .list(["wall", "user", "rss", "json"]))
  var metric: [String] = []

  func validate() throws {
    try checkCommands()
    guard vary == nil || head == nil else {
      throw ValidationError(
        "--vary runs one command for both sides: leave --head out, or set --base-env and --head-env.")
    }
    guard head != nil || vary != nil || !baseEnv.isEmpty || !headEnv.isEmpty else {
      throw ValidationError("nothing differs between the sides: give --head, --vary, or --base-env and --head-env.")
    }
  }

  private func checkCommands() throws(ValidationError) {
    if input == "-" || input == "" { throw ValidationError("ab measures the clip many times: name a file or URL.") }
    if input != nil, !metric.isEmpty {
      throw ValidationError(
        "--metric reads the numbers of whole commands: leave INPUT out, and name it in --base and --head.")
    }
    let commands: [(String, String?)] = [("--base", base), ("--head", head)]
    for case (let name, let command?) in commands {
      let first = command.drop(while: \.isWhitespace).first
      if input == nil, first == nil {
        throw ValidationError(
          "\(name) is empty: give a 'bench360 run …' line, a clip and its options, or another program's line with --metric."
        )
      }
      if input != nil, let first, first != "-" {
        throw ValidationError("\(name) must be options of 'bench360 run', for there is a clip: '--threads 1'.")
      }
    }
  }

  /// Base's and head's. Throws `.usage` for variables that cannot be set.
  func commands() throws(Failure) -> (base: ComparedCommand, head: ComparedCommand) {
    var (first, second) = (try variables("--base-env", baseEnv), try variables("--head-env", headEnv))
    if let vary {
      let (name, value) = try pair("--vary", vary, form: "NAME=BASE,HEAD")
      let values = value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard values.count == 2, values[0] != values[1] else {
        throw refusal(
          "--vary", vary, "it has \(values.count == 2 ? "one value twice" : "\(values.count) values")",
          "write NAME=BASE,HEAD; values with commas are set by --base-env and --head-env")
      }
      guard first[name] == nil, second[name] == nil else {
        throw refusal("--vary", vary, "'\(name)' is set by --base-env or --head-env too", "set it once")
      }
      (first[name], second[name]) = (values[0], values[1])
    }
    if input != nil {
      try checkOptions("--base", base)
      if let head { try checkOptions("--head", head) }
    }
    return (
      ComparedCommand(command(base), environment: first), ComparedCommand(command(head ?? base), environment: second)
    )
  }

  /// Throws `.usage` for options that `run` would refuse, before anything is measured; what only a shell can split is left to it.
  private func checkOptions(_ option: String, _ side: String) throws(Failure) {
    guard !side.contains(where: { "'\"`\\$|&;<>(){}[]*?~#!".contains($0) }) else { return }
    let words = ["run", "clip.mp4"] + side.split(whereSeparator: \.isWhitespace).map(String.init)
    guard let refusal = Bench360.refusal(of: words, environment: [:]) else { return }
    let cause = Suggestion.corrected(refusal).split(separator: "\n").first.map(String.init) ?? refusal
    throw self.refusal(
      option, side, cause.replacing("Error: ", with: "", maxReplacements: 1),
      "'bench360 run --help-all' lists the options")
  }

  /// The side as a shell takes it. Without options of its own it measures for the time of the shortest suite.
  private func command(_ side: String) -> String {
    guard let input else { return side }
    let program =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    let clip = input.hasPrefix("-") ? "./" + input : input
    return "\(shellQuoted(program)) run \(shellQuoted(clip)) --suite smoke \(side)"
  }

  private func variables(_ option: String, _ arguments: [String]) throws(Failure) -> [String: String] {
    var variables: [String: String] = [:]
    for argument in arguments {
      let (name, value) = try pair(option, argument, form: "NAME=VALUE")
      guard variables.updateValue(value, forKey: name) == nil else {
        throw refusal(option, argument, "'\(name)' is set twice", "set it once")
      }
    }
    return variables
  }

  private func pair(_ option: String, _ argument: String, form: String) throws(Failure) -> (String, String) {
    guard let equals = argument.firstIndex(of: "="),
      argument[..<equals].wholeMatch(of: #/[A-Za-z_][A-Za-z0-9_]*/#) != nil
    else { throw refusal(option, argument, "it names no environment variable", "write \(form)") }
    return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
  }

  private func refusal(_ option: String, _ argument: String, _ cause: String, _ remedy: String) -> Failure {
    Failure(.usage, "cannot use \(option) '\(argument)'", cause: cause, remedy: remedy)
  }
}
