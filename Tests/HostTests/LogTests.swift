import Foundation
import Frames
import Host
import Logging
import Synchronization
import Testing

/// How much is logged, and what a line of the log looks like.
@Suite struct LogTests {
  /// Lines of one handler.
  private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }

    func logger(_ label: String, _ level: Logger.Level) -> Logger {
      Logger(label: label) { label in
        LineLogHandler(label: label, level: level) { line in self.lines.withLock { $0.append(line) } }
      }
    }
  }

  @Test func aLineHasInstantLabelLevelMessageAndValues() throws {
    let lines = Lines()
    let before = MonotonicTime.now
    lines.logger("Media", .debug).debug(
      "opened a container", metadata: ["streams": "2", "path": "/clips/two words.mp4"])
    let after = MonotonicTime.now
    let line = try #require(lines.all.first)
    let parts = try #require(
      line.wholeMatch(
        of:
          /([0-9]+)\.([0-9]{6}) \[Media\] debug opened a container path="\/clips\/two words\.mp4" streams=2 process=([0-9]+)\n/
      ))
    let microseconds = try #require(Int64(parts.1 + parts.2))
    #expect(microseconds >= before.nanoseconds / 1000 && microseconds <= after.nanoseconds / 1000)
    #expect(Int32(parts.3) == ProcessInfo.processInfo.processIdentifier)
    #expect(lines.all.count == 1)
  }

  @Test(arguments: [(1_002_003_004, "1.002003"), (4_711_000_000_999, "4711.000000"), (12_345_678, "0.012345")])
  func instantsHaveSixDecimals(nanoseconds: Int64, text: String) {
    #expect(LineLogHandler.seconds(MonotonicTime(nanoseconds: nanoseconds)) == text)
  }

  @Test func aLineIsOneLineWithoutSecretsOrEscapes() throws {
    let lines = Lines()
    lines.logger("Media", .trace).info(
      "read https://me:word@host/a?token=1\nfailed: \u{1B}[31m",
      metadata: ["url": "https://me:word@host/b c?key=2", "of": ""])
    let line = try #require(lines.all.first)
    for secret in ["word", "token", "key=2", "\u{1B}"] { #expect(!line.contains(secret), "\(line)") }
    #expect(line.contains("host/a") && line.contains("of=\"\""))
    #expect(line.count(where: \.isNewline) == 1 && line.last == "\n")
  }

  @Test func whatIsBelowTheLevelIsNotEvenMade() {
    let lines = Lines()
    let logger = lines.logger("Media", .info)
    var made = 0
    func message() -> Logger.Message {
      made += 1
      return "costly"
    }
    logger.debug(message())
    logger.trace(message())
    #expect(made == 0 && lines.all.isEmpty)
    logger.info(message())
    #expect(made == 1 && lines.all.count == 1)
  }

  @Test func nothingIsLoggedByDefault() throws {
    let levels = try LogLevels.asked(by: ["BENCH360_LOG": ""])
    #expect(levels.isSilent && levels == LogLevels())
    for label in LogLevels.labels { #expect(levels.level(of: label) == nil) }
  }

  /// A text, and the levels of loggers that it does not name and of `GPU`.
  private static let levels: [(String, Logger.Level?, Logger.Level)] = [
    ("debug", .debug, .debug), ("GPU=trace", nil, .trace), ("INFO,GPU=trace", .info, .trace),
    ("GPU=trace, warning", .warning, .trace), ("debug,error", .error, .error),
  ]

  @Test(arguments: levels)
  func levelsAreOfAllAndOfSome(text: String, all: Logger.Level?, gpu: Logger.Level?) throws {
    let levels = try LogLevels.asked(by: ["BENCH360_LOG": text])
    #expect(levels.level(of: "Media") == all && levels.level(of: "GPU") == gpu)
    // As a child process is told.
    #expect(try LogLevels(levels.description) == levels)
  }

  @Test(arguments: [
    ("loud", "'loud' is no level"), ("Media=", "'' is no level"), ("debug,", "'' is no level"),
    ("Noise=debug", "there is no logger 'Noise'"), ("GPU=trace=1", "'trace=1' is no level"),
  ])
  func anythingElseIsAUsageError(text: String, cause: String) {
    let failure = #expect(throws: Failure.self) { try LogLevels(text) }
    #expect(failure?.kind == .usage && failure?.cause == cause, "\(failure.debugDescription)")
  }

  @Test func verboseAsksForNoLessThanTheEnvironment() throws {
    #expect(LogLevels().including(.debug).description == "debug")
    #expect(try LogLevels("trace,GPU=error").including(.debug).description == "trace,GPU=debug")
    #expect(try LogLevels("error,GPU=trace").including(.debug).description == "debug,GPU=trace")
  }

  /// A library does not print: swift-log's own handler, which it has where nothing was bootstrapped, would.
  @Test func librariesAreSilentUntilTheProgramBootstraps() {
    #expect(Logger(label: "Media").handler is StreamLogHandler, "nothing was bootstrapped in this process")
    #expect(engineLogger("Media").handler is SwiftLogNoOpLogHandler)
  }
}
