import Adaptation
import ArgumentParser
import FoundationEssentials
import Frames
import GPU
import Observe
import Run
import Verdict

/// Values that shells complete; types that list their values offer those.
enum Completion {
  static let clips = CompletionKind.file()
  static let records = CompletionKind.file(extensions: ["json"])

  /// Scenarios; the variants of one once its slash is typed.
  static let scenarios = CompletionKind.custom { _, _, prefix in continuations(of: prefix, words: names) }

  /// Scenarios; their variants once the typed word has a slash.
  private static func names(_ typed: Substring) -> [String] {
    guard typed.contains("/") else { return Scenario.runnable.map(\.name) }
    return Scenario.runnable.flatMap { scenario in
      scenario.variants.compactMap { $0.map { "\(scenario.name)/\($0)" } }
    }
  }

  /// Metrics that `--gate` takes.
  static let gates = commaSeparated(Metric.allCases.map(\.name).filter { Gates.problem(with: $0) == nil })

  /// Metrics that have a history.
  static let metrics = CompletionKind.list(Metric.allCases.map(\.name).filter { History.problem(with: $0) == nil })

  /// One scenario, or one of its variants.
  static let scenario = CompletionKind.custom { _, _, prefix in names(prefix[...]) }

  /// Adaptation controllers; those with a number with the lowest one.
  static let controllers = commaSeparated(ControllerRow.all.map { $0.takesNumber ? $0.name + ":0" : $0.name })

  /// Players that `observe` knows.
  static let players = commaSeparated(ObservedPlayer.all.map(\.name))

  static let varied = commaSeparated(ComparedField.all.map(\.name))

  /// Values of `--device` on this machine: indices and UUIDs of its devices.
  static let devices = CompletionKind.custom { _, _, _ in
    let found = (try? GPUInstance().devices()) ?? []
    return ["auto"] + found.map { "\($0.index)" } + found.map(\.uuid)
  }

  /// Some of these words, separated by commas.
  private static func commaSeparated(_ words: [String]) -> CompletionKind {
    .custom { _, _, prefix in continuations(of: prefix) { _ in words } }
  }

  /// The typed text up to its last comma, with each word that it does not contain yet.
  private static func continuations(of prefix: String, words: (Substring) -> [String]) -> [String] {
    let start = prefix.lastIndex(of: ",").map(prefix.index(after:)) ?? prefix.startIndex
    let chosen = prefix[..<start].split(separator: ",").map(String.init)
    return words(prefix[start...]).filter { !chosen.contains($0) }.map { prefix[..<start] + $0 }
  }

  /// Words, or files with one of these extensions.
  static func words(_ words: [String], orFiles extensions: [String]) -> CompletionKind {
    .custom { _, _, prefix in words + files(beginningWith: prefix, extensions: extensions) }
  }

  /// Folders, with a trailing slash, and files of these extensions that begin with the typed text.
  private static func files(beginningWith prefix: String, extensions: [String]) -> [String] {
    let start = prefix.lastIndex(of: "/").map(prefix.index(after:)) ?? prefix.startIndex
    let folder = String(prefix[..<start])
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    return names.sorted().compactMap { name -> String? in
      guard name.hasPrefix(prefix[start...]), !name.hasPrefix(".") else { return nil }
      let path = folder + name
      var isFolder = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
      if isFolder { return path + "/" }
      return extensions.contains { name.lowercased().hasSuffix("." + $0) } ? path : nil
    }
  }
}
