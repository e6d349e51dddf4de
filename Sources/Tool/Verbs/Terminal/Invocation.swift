import ArgumentParser
import ArgumentParser
import FoundationEssentials
import Frames
import Run

/// The words of the command line before the argument parser takes them: a clip in the place of a verb is viewed or
/// measured, and a mistyped verb gets a suggestion.
struct Invocation {
  /// The words without the program's name.
  let words: [String]
  let environment: [String: String]

  /// The words with their verb.
  ///
  /// Throws `.usage` if the first word is no verb, option or clip, or if a word behind `help` is no verb.
  func completed() throws(Failure) -> [String] {
    guard let first = words.first else { return words }
    if first == "help" {
      for word in words.dropFirst() where !word.hasPrefix("-") { try checkVerb(word) }
      return words
    }
    if Self.verbs.contains(first) || first.hasPrefix("-") && first != "-" { return words }
    guard isClip(first) else {
      try checkVerb(first)
      return words
    }
    if Console.hasDisplay(environment) { return ["view"] + words }
    // A file that is not there is refused by 'run', without a note on measuring it.
    guard StreamInput.isURL(first) || first == "-" || FileManager.default.fileExists(atPath: first) else {
      return ["run"] + words
    }
    let isPlain = !words.contains { $0.hasPrefix("-") && $0 != "-" }
    guard isPlain else {
      Console.note("bench360: there is no display: the clip is measured instead of shown, as 'run' does")
      return ["run"] + words
    }
    Console.note(
      "bench360: there is no display: the clip is measured instead of shown, for at most \(Self.secondsWithoutDisplay) s; "
        + "'\(ProgramName.shown) run \(shellQuoted(first))' measures longer and more exactly")
    return ["run", "--suite", "smoke", "--within", "\(Self.secondsWithoutDisplay - 5)"] + words
  }

  /// The time of a clip alone. The last five seconds are for what follows the trials.
  private static let secondsWithoutDisplay = 30

  /// The command whose whole help is asked for: the verb that is named, else the program; nil without `--help-all`.
  var wholeHelp: (any ParsableCommand.Type)? {
    guard words.prefix(while: { $0 != "--" }).contains("--help-all") else { return nil }
    let name = words.first { !$0.hasPrefix("-") && $0 != "help" }
    return Bench360.configuration.subcommands.first { $0.configuration.commandName == name } ?? Bench360.self
  }

  private static let all = Bench360.configuration.subcommands.map { $0.configuration.commandName ?? "" } + ["help"]
  private static let verbs = Set(all)

  private func isClip(_ word: String) -> Bool {
    word == "-" || word.contains(".") || word.contains("/") || FileManager.default.fileExists(atPath: word)
  }

  private func checkVerb(_ word: String) throws(Failure) {
    guard !Self.verbs.contains(word) else { return }
    let shown = Bench360.configuration.subcommands.map { $0.configuration }.filter(\.shouldDisplay)
      .compactMap(\.commandName)
    let suggestion = Suggestion.nearest(to: word, of: shown).map { "did you mean '\($0)'? " }
    throw Failure(
      .usage, "cannot run '\(oneLine(word, limit: 60))'", cause: "there is no verb or file of that name",
      remedy: (suggestion ?? "") + "'bench360 --help' lists the verbs")
  }
}
