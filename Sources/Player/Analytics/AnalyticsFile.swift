import FoundationEssentials
import Frames

/// Writes what happens to a player to a file beside it, line by line: the player waits for no disk. Any thread.
package final class AnalyticsFile: Sendable {
  package let log: AnalyticsLog
  private let isWritten = Monitor(false)

  /// Seconds that the last lines may take.
  private static let patience = 2.0

  /// - Parameters:
  ///   - file: is written to until `end`.
  ///   - onFailure: called once where it cannot be written; further lines are lost.
  package init(
    _ options: AnalyticsOptions, to file: OpenFile, onFailure: @escaping @Sendable (any Error) -> Void
  ) {
    let log = AnalyticsLog(options)
    self.log = log
    Task.detached { [isWritten] in
      defer { isWritten.withLock { $0 = true } }
      for await line in log.lines {
        do {
          try file.write((line + "\n").utf8)
        } catch {
          return onFailure(error)
        }
      }
    }
  }

  /// No more follows; waits for the last lines.
  package func end() {
    log.end()
    isWritten.wait(until: MonotonicTime.now.advanced(byMilliseconds: Self.patience * 1000)) { $0 ? () : nil }
  }
}
