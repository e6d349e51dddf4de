import Bench360Player
import Foundation
import Frames
import Verdict

/// Writes what happens to a player to a file, or standard output, beside it: the player waits for no disk.
final class EventFile: Sendable {
  let log: AnalyticsLog
  private let ended = DispatchSemaphore(value: 0)

  /// Seconds that the last lines may take.
  private static let patience = 2.0

  /// Throws `.output` where it cannot be written.
  init(_ path: String, _ writing: WritingOptions) throws {
    var options = Player.Analytics()
    if path.hasSuffix(".otlp.jsonl") { options.format = .otlp }
    let file: FileHandle
    if path == "-" {
      file = .standardOutput
    } else {
      try writing.check(path, .events)
      try RecordFile.checkWritable(path, called: OutputKind.events.name, option: "--events")
      guard FileManager.default.createFile(atPath: path, contents: nil), let opened = FileHandle(forWritingAtPath: path)
      else {
        throw Failure(
          .output, "cannot write the events to '\(path)'", cause: "it cannot be made", remedy: "check the folder")
      }
      file = opened
    }
    let log = AnalyticsLog(options)
    self.log = log
    Task.detached { [ended] in
      defer { ended.signal() }
      for await line in log.lines {
        do {
          try file.write(contentsOf: Data((line + "\n").utf8))
        } catch {
          return Console.error("cannot write the events to '\(path)': \(error.localizedDescription)")
        }
      }
    }
  }

  /// No more follows; waits for the last lines.
  func end() {
    log.end()
    _ = ended.wait(timeout: .now() + Self.patience)
  }
}
