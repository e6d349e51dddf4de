import Analytics
import FoundationEssentials
import Frames
import Verdict

/// Where `--events` writes what happens to a player: a file, or standard output.
enum EventFile {
  /// Throws `.output` where it cannot be written.
  static func writer(_ path: String, _ writing: WritingOptions) throws -> AnalyticsFile {
    var options = AnalyticsOptions()
    options.format = .ofFile(path)
    let file = path == "-" ? OpenFile.standardOutput : try made(path, writing)
    return AnalyticsFile(options, to: file) { error in
      Console.error("cannot write the events to '\(path)': \(reason(of: error))")
    }
  }

  /// An empty file.
  private static func made(_ path: String, _ writing: WritingOptions) throws -> OpenFile {
    try writing.check(path, .events)
    try RecordFile.checkWritable(path, called: OutputKind.events.name, option: "--events")
    guard FileManager.default.createFile(atPath: path, contents: nil), let opened = try? OpenFile(writing: path)
    else {
      throw Failure(
        .output, "cannot write the events to '\(path)'", cause: "it cannot be made", remedy: "check the folder")
    }
    return opened
  }

  /// Lines that are known at once.
  static func write(_ lines: Data, to path: String) throws(Failure) {
    try RecordFile.write(called: OutputKind.events.name, option: "--events", to: path) { put in
      try put(String(decoding: lines, as: UTF8.self))
    }
  }
}
