import Frames
import Logging
import Synchronization

/// Logging of this process and its child processes.
public enum Diagnostics {
  private static let current = Mutex(LogLevels())

  /// As `start` was told.
  public static var levels: LogLevels { current.withLock { $0 } }

  /// Sends what the program and its libraries log to `write`, line by line. Called once by a program, before any logger is made:
  /// swift-log allows no second bootstrap.
  public static func start(_ levels: LogLevels, write: @escaping @Sendable (String) -> Void) {
    current.withLock { $0 = levels }
    LoggingSystem.bootstrap { label in
      guard let level = levels.level(of: label) else { return SwiftLogNoOpLogHandler() }
      return LineLogHandler(label: label, level: level, write: write)
    }
  }

  /// What a child process finds in its environment, so that it logs as this one does.
  static var environment: [String: String] {
    let levels = levels
    return levels.isSilent ? [:] : [LogLevels.variable: levels.description]
  }
}
