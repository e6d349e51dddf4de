import FoundationEssentials
import Frames
import Run
import Verdict

/// What `run` prints besides a report format: the answer with the next commands, and a line for each scenario while it
/// measures without a terminal.
struct AnswerOutput {
  /// As the user named it; nil is the built-in clip.
  let input: String?

  /// The text for standard output. `path` is the record's.
  func text(_ record: Record, path: String) -> String {
    let screen = AnswerText.Screen(
      isTerminal: Console.hasTerminalOutput, useColor: Console.usesColor, isASCII: !Console.showsUnicode)
    return AnswerText(record, next: steps(record, path: path), on: screen).text
  }

  private func steps(_ record: Record, path: String) -> [AnswerText.Step] {
    let program = ProgramName.shown
    let file = shellQuoted(shortPath(path, in: FileManager.default.currentDirectoryPath))
    let report = AnswerText.Step(
      "\(program) report \(file) -o report.html", "a page with charts of everything measured")
    if record.settings.observation != nil { return [report] }
    if record.settings.streaming != nil { return [report] + streamSteps(program) }
    func view(_ words: String, _ purpose: String) -> [AnswerText.Step] {
      Console.hasDisplay() ? [.init("\(program) view\(words)", purpose)] : []
    }
    guard let input else {
      return [report, .init("\(program) run CLIP", "the same for a clip of yours")] + view("", "look around")
    }
    // Standard input cannot be read again, and the secrets of a URL are not printed.
    guard input != "-", redactingSecrets(ofArgument: input) == input else { return [report] }
    let clip = shellQuoted(input.hasPrefix("-") ? "./" + input : input)
    return [report] + view(" \(clip)", "look around in it") + [
      .init("\(program) ab \(clip) --base '--threads 1' --head '--threads 2'", "does an option make a difference?")
    ]
  }
}

extension AnswerOutput {
  /// The same stream over the same link with other controllers; none where an argument holds a secret.
  private func streamSteps(_ program: String) -> [AnswerText.Step] {
    let name = input ?? "ladder"
    let arguments = CommandLine.arguments
    guard name != "-", arguments.allSatisfy({ redactingSecrets(ofArgument: $0) == $0 }),
      let options = RepeatedOptions(arguments, without: input)
    else { return [] }
    let stream = shellQuoted(name.hasPrefix("-") ? "./" + name : name)
    func side(_ controller: String) -> String { shellQuoted(options.text + " --controller " + controller) }
    let command = "\(program) ab \(stream) --base \(side("bola")) --head \(side("dynamic"))"
    var steps = [AnswerText.Step(command, "which controller is better?")]
    if input == nil { steps.append(.init("\(program) run \(options.text) URL", "the same for a stream of yours")) }
    return steps
  }
}

/// The options of a `run` that make another one like it: all but its controller and its outputs.
struct RepeatedOptions {
  /// As a shell takes them.
  let text: String

  /// With a value each.
  private static let leftOut: Set<String> = [
    "-o", "--output", "--controller", "--p1203", "--trace", "--frames", "--format", "--label",
  ]
  private static let flagsLeftOut: Set<String> = ["--force", "-v", "--verbose"]

  /// Nil where it cannot be told which argument is the input.
  init?(_ arguments: [String], without input: String?) {
    var rest = arguments.drop { $0 != "run" }.dropFirst()
    if let input {
      guard rest.count(where: { $0 == input }) == 1 else { return nil }
      rest.removeAll { $0 == input }
    }
    var kept: [String] = []
    while let argument = rest.popFirst() {
      if Self.leftOut.contains(argument) {
        _ = rest.popFirst()
      } else if let name = argument.split(separator: "=").first, Self.leftOut.contains(String(name)) {
        continue
      } else if !Self.flagsLeftOut.contains(argument) {
        kept.append(shellQuoted(argument))
      }
    }
    text = kept.joined(separator: " ")
  }
}

/// A path relative to `folder`, both absolute, where it lies below; others as they are.
private func shortPath(_ path: String, in folder: String) -> String {
  let start = folder.hasSuffix("/") ? folder : folder + "/"
  guard path.hasPrefix(start), path.count > start.count else { return path }
  let rest = String(path.dropFirst(start.count))
  return rest.hasPrefix("-") ? "./" + rest : rest
}

/// A line for each scenario and variant after its first trial, for logs; none if standard error is a terminal, which has
/// a progress bar.
struct ScenarioLines {
  /// Of a scenario whose `trialFactor` is 1.
  private let trials: Int
  private var told: Set<String> = []

  init(trials: Int) {
    self.trials = trials
  }

  /// - Parameter trial: a record of one trial alone.
  mutating func note(_ trial: Record, timeLeft: String?) {
    guard !Console.hasTerminalError else { return }
    for scenario in trial.scenarios where !scenario.trials.isEmpty && told.insert(scenario.title).inserted {
      guard let line = AnswerText.line(scenario) else { continue }
      let planned = trials * (scenario.key?.trialFactor ?? 1)
      let place = planned > 1 ? "first of \(planned) trials" : nil
      Console.note([line, place, timeLeft].compactMap { $0 }.joined(separator: ", "))
    }
  }
}
