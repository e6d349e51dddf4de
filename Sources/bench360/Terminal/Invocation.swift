import ArgumentParser
import Foundation
import Frames

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
    if hasDisplay { return ["view"] + words }
    Console.note("bench360: there is no display: 'bench360 run' measures the clip instead of showing it")
    return ["run"] + words
  }

  private static let all = Bench360.configuration.subcommands.map { $0.configuration.commandName ?? "" } + ["help"]
  private static let verbs = Set(all)

  private func isClip(_ word: String) -> Bool {
    word == "-" || word.contains(".") || word.contains("/") || FileManager.default.fileExists(atPath: word)
  }

  private var hasDisplay: Bool {
    ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(environment[$0] ?? "").isEmpty }
  }

  private func checkVerb(_ word: String) throws(Failure) {
    guard !Self.verbs.contains(word) else { return }
    let shown = Bench360.configuration.subcommands.map { $0.configuration }.filter(\.shouldDisplay)
      .compactMap(\.commandName)
    let near = shown.min { ($0.distance(to: word), $0) < ($1.distance(to: word), $1) }
    let suggestion = near.flatMap { $0.distance(to: word) <= min(2, word.count - 1) ? "did you mean '\($0)'? " : nil }
    throw Failure(
      .usage, "cannot run '\(oneLine(word, limit: 60))'", cause: "there is no verb or file of that name",
      remedy: (suggestion ?? "") + "'bench360 --help' lists the verbs")
  }
}

extension String {
  /// The number of letters to insert, take away, replace, or exchange with their neighbour to get from one word to the
  /// other (optimal string alignment).
  fileprivate func distance(to other: String) -> Int {
    let (a, b) = (Array(self), Array(other.prefix(40)))
    var rows = [Array(0...b.count)]
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var best = Swift.min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = Swift.min(best, rows[i - 1][j - 1] + 1) }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
