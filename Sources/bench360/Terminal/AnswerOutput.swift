import Foundation
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
    guard let input else {
      return [
        report, .init("\(program) run CLIP", "the same for a clip of yours"), .init("\(program) view", "look around"),
      ]
    }
    // Standard input cannot be read again, and the secrets of a URL are not printed.
    guard input != "-", redactingSecrets(ofArgument: input) == input else { return [report] }
    let clip = shellQuoted(input.hasPrefix("-") ? "./" + input : input)
    if record.settings.streaming != nil {
      let side = "--scenario stream --controller "
      return [
        report,
        .init("\(program) ab \(clip) --base '\(side)bola' --head '\(side)dynamic'", "which controller is better?"),
      ]
    }
    return [
      report, .init("\(program) view \(clip)", "look around in it"),
      .init("\(program) ab \(clip) --base '--threads 1' --head '--threads 2'", "does an option make a difference?"),
    ]
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
