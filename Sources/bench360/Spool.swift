import Foundation
import Frames

/// Standard input as a file: clips are read more than once, and in several processes.
final class Spool {
  private var path: String?

  /// The file to read for an input as the user named it; `-` is standard input.
  func source(_ input: String) throws -> (path: String, name: String) {
    input == "-" ? (try spool(), "standard input") : (input, input)
  }

  /// Runs `body`; a failure tells of standard input, not of the file that stands in for it.
  func naming<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let failure as Failure {
      guard let path else { throw failure }
      throw Failure(
        failure.kind, failure.attempt.replacing("'\(path)'", with: "standard input"), cause: failure.cause,
        remedy: failure.remedy)
    }
  }

  func remove() {
    if let path { try? FileManager.default.removeItem(atPath: path) }
    path = nil
  }

  private func spool() throws -> String {
    let path = NSTemporaryDirectory() + "bench360-input-\(ProcessInfo.processInfo.processIdentifier)"
    guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
      let file = FileHandle(forWritingAtPath: path)
    else {
      throw Failure(
        .output, "cannot keep standard input", cause: "'\(path)' cannot be created",
        remedy: "set TMPDIR to a folder that can be written")
    }
    self.path = path
    do {
      while let data = try FileHandle.standardInput.read(upToCount: 1 << 20), !data.isEmpty {
        try file.write(contentsOf: data)
      }
      let isEmpty = try file.offset() == 0
      try file.close()
      guard !isEmpty else {
        throw Failure(
          .media, "cannot read standard input", cause: "it is empty", remedy: "pipe a clip into it, or name a file")
      }
    } catch let failure as Failure {
      remove()
      throw failure
    } catch {
      remove()
      throw Failure(
        .output, "cannot keep standard input", cause: error.localizedDescription,
        remedy: "set TMPDIR to a folder with enough space")
    }
    return path
  }
}
