import ArgumentParser
import Frames
import Run

/// The two commands of `ab`, what differs between them besides their text, and what is read from them.
struct SideOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The command to compare with.", valueName: "command"))
  var base: String

  @Option(help: ArgumentHelp("The command to judge. (default: that of --base)", valueName: "command"))
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
    let commands: [(String, String?)] = [("--base", base), ("--head", head)]
    for (name, command) in commands where command?.allSatisfy(\.isWhitespace) ?? false {
      throw ValidationError("\(name) is empty: give a 'bench360 run …' line, or another program's with --metric.")
    }
    guard vary == nil || head == nil else {
      throw ValidationError(
        "--vary runs one command for both sides: leave --head out, or set --base-env and --head-env.")
    }
    guard head != nil || vary != nil || !baseEnv.isEmpty || !headEnv.isEmpty else {
      throw ValidationError("nothing differs between the sides: give --head, --vary, or --base-env and --head-env.")
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
    return (ComparedCommand(base, environment: first), ComparedCommand(head ?? base, environment: second))
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
