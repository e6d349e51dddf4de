import ArgumentParser
import Foundation

/// Checks a command line and runs nothing: a usage error ends it as it ends the verb. For tests of the pages' examples. Internal.
struct ParseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "parse", abstract: "Check a command line.", shouldDisplay: false)

  @Argument(parsing: .captureForPassthrough, help: "The command line without the program's name.")
  var words: [String] = []

  func run() throws {
    let invocation = Invocation(words: words, environment: ProcessInfo.processInfo.environment)
    _ = try Bench360.parseAsRoot(invocation.completed())
  }
}
