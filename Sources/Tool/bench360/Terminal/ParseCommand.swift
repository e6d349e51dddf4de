import ArgumentParser
import Foundation

/// Checks command lines and runs none. For tests of the pages' examples. Internal.
///
/// Standard input has a command line on each line: a JSON array of its words, without the program's name. Each that would end with a usage
/// error is printed, with that error.
struct ParseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "parse", abstract: "Check command lines.", shouldDisplay: false)

  func run() throws {
    let environment = ProcessInfo.processInfo.environment
    while let line = readLine() {
      do {
        let words = try JSONDecoder().decode([String].self, from: Data(line.utf8))
        _ = try Bench360.parseAsRoot(Invocation(words: words, environment: environment).completed())
      } catch {
        // Help is no mistake.
        guard !Bench360.exitCode(for: error).isSuccess else { continue }
        try Console.put("\(line)\n\(Bench360.fullMessage(for: error))\n")
      }
    }
  }
}
