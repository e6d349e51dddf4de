import ArgumentParser
import Foundation
import Frames
import Glibc
import Host
import Logging

/// A verb's log on standard error, besides failures: off by default.
struct DiagnosticsOptions: ParsableArguments {
  @Flag(
    name: [.short, .long],
    help: """
      Print more: 'run' prints its whole table, and each verb logs to standard error what it opens, chooses and starts, as with \
      BENCH360_LOG=debug. BENCH360_LOG sets other levels, 'trace' to 'critical', also of single modules \
      (Media=debug,FFmpeg=trace).
      """)
  var verbose = false
}

/// A verb for people: each takes `--verbose`.
protocol Verb: ParsableCommand {
  var diagnostics: DiagnosticsOptions { get }
}

extension ParsableCommand {
  /// Starts logging as the command line and the environment request; call it first, because loggers are made once.
  ///
  /// Throws `.usage` if the environment is invalid.
  func startLog() throws(Failure) {
    var levels = try LogLevels.asked(by: ProcessInfo.processInfo.environment)
    if let verb = self as? any Verb, verb.diagnostics.verbose { levels = levels.including(.debug) }
    Diagnostics.start(levels) { Console.log($0) }
    programLog.debug(
      "started",
      metadata: ["arguments": "\(CommandLine.arguments.dropFirst().map { redactingSecrets(ofArgument: $0) })"])
  }
}

let programLog = engineLogger("bench360")
