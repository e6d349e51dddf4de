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
    return AnswerText(record, next: steps(path: path), on: screen).text
  }

  private func steps(path: String) -> [AnswerText.Step] {
    let report = AnswerText.Step(
      "bench360 report \(shellQuoted(path)) -o report.html", "a page with charts of everything measured")
    guard let input else {
      return [
        report, .init("bench360 run CLIP", "the same for a clip of yours"), .init("bench360 view", "look around"),
      ]
    }
    // Standard input cannot be read again, and the secrets of a URL are not printed.
    guard input != "-", redactingSecrets(ofArgument: input) == input else { return [report] }
    let clip = shellQuoted(input.hasPrefix("-") ? "./" + input : input)
    return [
      report, .init("bench360 view \(clip)", "look around in it"),
      .init("bench360 ab \(clip) --base '--threads 1' --head '--threads 2'", "does an option make a difference?"),
    ]
  }
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
