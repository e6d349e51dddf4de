package import Logging

/// A logger of the engine, which says nothing until the program that embeds it has bootstrapped swift-log.
///
/// Where nothing was bootstrapped, swift-log prints notes and warnings by its `StreamLogHandler`; a library does not print,
/// so that one is not used. A program that wants it bootstraps it inside a `MultiplexLogHandler`.
///
/// - Parameter label: the module's name, or the library's whose lines are handed on.
package func engineLogger(_ label: String) -> Logger {
  let logger = Logger(label: label)
  return logger.handler is StreamLogHandler ? Logger(label: label) { SwiftLogNoOpLogHandler($0) } : logger
}
