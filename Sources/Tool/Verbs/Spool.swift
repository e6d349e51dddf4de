import Decode
import FoundationEssentials
import Frames
import Glibc
import Host
import Media
import Run
import Verdict

/// Standard input as a file: clips are read more than once, and in several processes.
///
/// The file is unlinked at once, so that it disappears when this process ends, even after a crash.
final class Spool {
  private var file: OpenFile?

  /// The path by which this process and its children open it.
  private var path: String? { file.map { "/proc/\(getpid())/fd/\($0.descriptor.rawValue)" } }

  /// The file to read for an input as the user named it; `-` is standard input, and a `file://` URL names its file.
  func source(_ input: String) throws -> (path: String, name: String) {
    input == "-" ? (try spool(), "standard input") : (plainInput(input), input)
  }

  /// Runs `body`; a failure names standard input, not the spool file.
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

  func remove() { file = nil }

  private func spool() throws -> String {
    let file = try namelessFile()
    self.file = file
    do {
      try fill(file)
    } catch let failure as Failure {
      remove()
      throw failure
    } catch {
      remove()
      throw Failure(
        .output, "cannot keep standard input", cause: reason(of: error),
        remedy: "set TMPDIR to a folder with enough space")
    }
    return path ?? ""
  }

  private func namelessFile() throws(Failure) -> OpenFile {
    let path = temporaryFolder + "bench360-input-\(getpid())"
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw Failure(
        .output, "cannot keep standard input",
        cause: "'\(path)' cannot be made: \(String(cString: strerror(errno)).lowercased())",
        remedy: "set TMPDIR to a folder that can be written")
    }
    unlink(path)
    return OpenFile(FileDescriptor(owning: descriptor))
  }

  private func fill(_ file: OpenFile) throws {
    var isEmpty = true
    while let bytes = try nextBytes(), !bytes.isEmpty {
      try file.write(bytes)
      isEmpty = false
    }
    guard !isEmpty else {
      throw Failure(
        .media, "cannot read standard input", cause: "it is empty", remedy: "pipe a clip into it, or name a file")
    }
  }

  /// The available bytes, once there are some; empty at the end. Stops waiting when the user asks to stop.
  private func nextBytes() throws -> ArraySlice<UInt8>? {
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    while poll(&input, 1, 100) <= 0 {
      guard !Interrupt.isRequested else {
        throw Failure(.cancelled, "cannot read standard input", cause: "it was interrupted")
      }
    }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    guard count >= 0 else {
      throw Failure(.input, "cannot read standard input", cause: String(cString: strerror(errno)).lowercased())
    }
    return bytes.prefix(count)
  }
}
