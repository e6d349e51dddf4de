import ArgumentParser
import FoundationEssentials
import Frames
import Glibc
import Verdict

extension Bench360 {
  /// Ends the program with the argument parser's output: help and scripts on standard output, where a failed write
  /// is reported; mistakes on standard error, without terminal escape sequences and without secrets of URLs.
  ///
  /// Replaces ArgumentParser's own function, which does neither.
  static func exit(withError error: any Error, words: [String]) -> Never {
    let text = fullMessage(for: error)
    let code = exitCode(for: error)
    guard code.isSuccess else {
      if !text.isEmpty { Console.message(Suggestion.corrected(text)) }
      noteFile(among: words)
      Glibc.exit(code.rawValue)
    }
    do {
      if let verb = verb(ofHelp: text) {
        try checkHelpIsWanted(words)
        try Console.put(HelpText(daily: verb).wrapped(to: Console.columns) + "\n")
      } else if !text.isEmpty {
        try Console.put(text + "\n")
      }
    } catch let failure as Failure where failure.kind == .usage {
      Console.error(failure.description)
      Glibc.exit(ExitStatus.usage.rawValue)
    } catch {
      Console.end(error)
    }
    Glibc.exit(code.rawValue)
  }

  /// Prints all options of a verb, and ends the program.
  static func exit(withWholeHelpOf verb: any ParsableCommand.Type) -> Never {
    do {
      try Console.put(HelpText(verb).wrapped(to: Console.columns) + "\n")
    } catch {
      Console.end(error)
    }
    Glibc.exit(0)
  }

  /// The command whose help a text is; nil for other texts, such as the version.
  private static func verb(ofHelp text: String) -> (any ParsableCommand.Type)? {
    guard text.hasPrefix("OVERVIEW: "), let usage = text.firstMatch(of: #/(?m)^USAGE: bench360(?: ([a-z]+))?/#) else {
      return nil
    }
    return configuration.subcommands.first { $0.configuration.commandName == usage.output.1.map(String.init) } ?? self
  }

  /// Throws `.usage` if the parser took a file's name, as in `probe -dash.mp4`, for a group of options with `-h`.
  private static func checkHelpIsWanted(_ words: [String]) throws(Failure) {
    let options = words.prefix { $0 != "--" }
    func asksForHelp(_ word: String) -> Bool {
      word == "help" || word.hasPrefix("--help")
        || word.hasPrefix("-") && word.dropFirst().allSatisfy { "hv".contains($0) }
    }
    guard !options.isEmpty, !options.contains(where: asksForHelp),
      let word = options.first(where: { $0.hasPrefix("-") && !$0.hasPrefix("--") && $0.contains("h") })
    else { return }
    throw Failure(
      .usage, "cannot use '\(oneLine(word, limit: 60))'", cause: "there is no such option",
      remedy: "a file of that name is './\(oneLine(word, limit: 60))'")
  }

  /// Says how to name a file whose name begins with a hyphen, if there is one.
  private static func noteFile(among words: [String]) {
    let file = words.first { $0.hasPrefix("-") && $0.count > 1 && FileManager.default.fileExists(atPath: $0) }
    if let file { Console.note("  A file of that name is './\(file)'.") }
  }
}
