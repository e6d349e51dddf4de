import ArgumentParser
import FoundationEssentials
import Frames
import Glibc
import Host
import Logging

/// `--verbose`.
protocol LogOptions: ParsableArguments {
  var verbose: Bool { get }
}

/// A verb's log on standard error, besides failures: off by default.
struct DiagnosticsOptions: LogOptions {
  @Flag(
    name: [.short, .long],
    help: """
      Log to standard error what is opened, chosen and started, as BENCH360_LOG=debug does. BENCH360_LOG takes other levels \
      too, 'trace' to 'critical', and levels of single modules (Media=debug,FFmpeg=trace).
      """)
  var verbose = false
}

/// The log of `run`, whose `--verbose` also prints the whole record.
struct RunDiagnosticsOptions: LogOptions {
  @Flag(
    name: [.short, .long],
    help: "Print the whole record as tables, and log to standard error what is opened, chosen and started.")
  var verbose = false
}

/// A verb for people: each takes `--verbose`.
protocol Verb: ParsableCommand {
  associatedtype Diagnostics: LogOptions
  var diagnostics: Diagnostics { get }
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
